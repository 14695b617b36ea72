// SPDX-License-Identifier: Apache-2.0
// The part of Builder for statements.
#include "source/builder.hpp"

namespace kwb::source {
namespace {

bool is_label(std::string_view kind) {
    return kind == "CaseStmt" || kind == "DefaultStmt" || kind == "LabelStmt";
}

}  // namespace

std::int32_t Builder::place(const Spot& spot) {
    program_.places.push_back(files_.place_of(spot));
    return static_cast<std::int32_t>(program_.places.size() - 1);
}

StatementId Builder::add_statement(Statement statement) {
    program_.statements.push_back(std::move(statement));
    return static_cast<StatementId>(program_.statements.size() - 1);
}

StatementId Builder::optional_statement(const Node& node) {
    return node.kind.empty() ? kNone : statement(node);
}

StatementId Builder::statement(const Node& node) {
    const std::string_view kind = node.kind;
    if (kind == "CompoundStmt") return block(node);
    if (kind == "NullStmt") return add_statement({.place = place(node.begin), .is_semicolon = true});
    if (kind == "DeclStmt") return declaration(node);
    if (kind == "IfStmt" || kind == "SwitchStmt") return branch(node);
    if (kind == "ForStmt" || kind == "WhileStmt" || kind == "DoStmt") return loop(node);
    if (is_label(kind) || kind == "AttributedStmt") {  // value or attributes, then the statement
        if (is_label(kind) && node.inner.empty()) throw Unreadable{};
        return statement(child(node, node.inner.size() - 1));
    }
    if (kind == "ReturnStmt") {
        return add_statement({.kind = StatementKind::Return,
                              .place = place(node.begin),
                              .expr = node.inner.empty() ? kNone : expression(node.inner.front())});
    }
    if (kind == "BreakStmt") return add_statement({.kind = StatementKind::Break, .place = place(node.begin)});
    if (kind == "ContinueStmt")
        return add_statement({.kind = StatementKind::Continue, .place = place(node.begin)});
    if (kind == "GotoStmt") {
        if (!ends_.contains(node.target)) throw Unreadable{};
        return add_statement({.kind = StatementKind::Return, .place = place(node.begin)});
    }
    if (kind.ends_with("Stmt")) throw Unreadable{};  // assembly, computed gotos
    return add_statement(
        {.kind = StatementKind::Expression, .place = place(node.begin), .expr = expression(node)});
}

/// Records where a statement starts, unless a macro produced it.
void Builder::note_start(const Node& node) {
    const Node* first = &node;
    while (is_label(first->kind) && !first->inner.empty()) first = &first->inner.back();
    const Location& at = first->begin.spelling;
    if (!first->begin.macro && at.line > 0)
        program_.statement_starts.push_back({files_.name_of(at), at.offset});
}

StatementId Builder::block(const Node& node) {
    Statement made{.place = place(node.begin)};
    for (const Node& part : node.inner) {
        note_start(part);
        // After this point a goto to the label jumps backward and is not a return.
        if (part.kind == "LabelStmt") ends_.erase(part.target);
        made.children.push_back(statement(part));
    }
    return add_statement(std::move(made));
}

StatementId Builder::branch(const Node& node) {
    if (node.has_init || node.has_variable) throw Unreadable{};
    const bool is_if = node.kind == "IfStmt";
    return add_statement({.kind = is_if ? StatementKind::If : StatementKind::Switch,
                          .place = place(node.begin),
                          .expr = expression(child(node, 0)),
                          .body = statement(child(node, 1)),
                          .otherwise = node.has_else ? statement(child(node, 2)) : kNone});
}

StatementId Builder::loop(const Node& node) {
    if (node.has_variable) throw Unreadable{};
    if (node.kind == "ForStmt") {  // init, variable of the condition, condition, step, body
        if (!child(node, 1).kind.empty()) throw Unreadable{};
        return add_statement({.kind = StatementKind::For,
                              .place = place(node.begin),
                              .init = optional_statement(child(node, 0)),
                              .expr = optional_expression(child(node, 2)),
                              .step = optional_expression(child(node, 3)),
                              .body = statement(child(node, 4))});
    }
    if (node.kind == "WhileStmt")
        return add_statement({.kind = StatementKind::While,
                              .place = place(node.begin),
                              .expr = expression(child(node, 0)),
                              .body = statement(child(node, 1))});
    Statement made{.kind = StatementKind::DoWhile, .place = place(node.begin)};
    made.body = statement(child(node, 0));
    made.expr = expression(child(node, 1));
    return add_statement(std::move(made));
}

StatementId Builder::declaration(const Node& node) {
    Statement made{.kind = StatementKind::Declaration, .place = place(node.begin)};
    const Node* before = nullptr;
    for (const Node& part : node.inner) {
        if (part.kind == "TypedefDecl") declare_type(part, before);
        before = &part;
        if (part.kind != "VarDecl") continue;  // a struct, an enum, a prototype
        const SymbolId id = declare(part);
        if (function_ != nullptr) function_->variables.push_back(id);
        if (!part.inner.empty() && !part.inner.front().kind.ends_with("Attr")) {
            const ExprId initial = expression(part.inner.front());
            program_.symbols[static_cast<std::size_t>(id)].initial = initial;
        }
        made.symbols.push_back(id);
    }
    return add_statement(std::move(made));
}

}  // namespace kwb::source
