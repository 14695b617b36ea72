#include "hints/parser.hpp"

#include <algorithm>

#include "hints/types.hpp"
#include "hints/values.hpp"

namespace kwb::hints {
namespace {
constexpr int kMostLevels = 150;   // statements and expressions within each other
constexpr int kDeepestExpr = 400;  // operators in a row, such as a + b + c + …
constexpr int kMostGotos = 32;     // in a function; each is looked for in the whole of it
}  // namespace

/// One more level of nesting for as long as it lives.
class Parser::Nested {
public:
    explicit Nested(Parser& parser) : parser_(parser) {
        if (++parser_.level_ > kMostLevels) {
            --parser_.level_;
            throw Unreadable{};
        }
    }
    ~Nested() { --parser_.level_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

private:
    Parser& parser_;
};

bool Parser::is_type(std::string_view word) const {
    return is_builtin_type(word) || types_.contains(word);
}

SymbolId Parser::declare(const Symbol& symbol) {
    const auto id = static_cast<SymbolId>(program_.symbols.size());
    program_.symbols.push_back(symbol);
    names_[symbol.name].push_back(id);
    undo_.push_back(symbol.name);
    return id;
}

void Parser::close_scope() {
    for (const std::size_t before = scopes_.back(); undo_.size() > before; undo_.pop_back())
        names_[undo_.back()].pop_back();
    scopes_.pop_back();
}

SymbolId Parser::find(std::string_view name) const {
    const auto at = names_.find(name);
    return at == names_.end() || at->second.empty() ? kNone : at->second.back();
}

const Token* Parser::peek(std::int32_t ahead) const {
    return at_ + ahead < end_ ? &program_.token(at_ + ahead) : nullptr;
}

bool Parser::at(std::string_view word, std::int32_t ahead) const {
    const Token* token = peek(ahead);
    return token != nullptr && token->is(word);
}

bool Parser::accept(std::string_view word) {
    if (!at(word)) return false;
    ++at_;
    return true;
}

void Parser::expect(std::string_view word) {
    if (!accept(word)) throw Unreadable{};
}

StatementId Parser::add(Statement statement) {
    program_.statements.push_back(std::move(statement));
    return static_cast<StatementId>(program_.statements.size() - 1);
}

ExprId Parser::add(Expr expr) {
    const auto deepen = [&](ExprId child) {
        if (child != kNone) expr.depth = std::max(expr.depth, program_.expr(child).depth + 1);
    };
    deepen(expr.a), deepen(expr.b), deepen(expr.c);
    for (ExprId item : expr.items) deepen(item);
    if (expr.depth > kDeepestExpr) throw Unreadable{};
    program_.exprs.push_back(std::move(expr));
    return static_cast<ExprId>(program_.exprs.size() - 1);
}

StatementId Parser::parse_body(std::int32_t from, std::int32_t to) {
    at_ = body_from_ = from, end_ = body_to_ = to, level_ = 0, gotos_ = 0;
    const std::size_t scopes = scopes_.size();
    try {
        return block();
    } catch (const Unreadable&) {
        while (scopes_.size() > scopes) close_scope();
        throw;
    }
}

void Parser::parse_global(std::int32_t from, std::int32_t to) {
    at_ = from, end_ = to, level_ = 0;
    if (at_ < end_) declaration();
}

/// Does the goto here do what a return does, as far as barriers go? It jumps forward, to a label between the
/// body's own statements, after which there is neither a barrier nor a call of a function of the file's.
bool Parser::jumps_to_the_end() const {
    const Token* label = peek(1);
    if (label == nullptr || !at(";", 2)) return false;
    std::int32_t place = body_from_;
    for (; place + 1 < body_to_; ++place) {
        if (program_.token(place).is("{")) place = partner_[static_cast<std::size_t>(place)];
        if (place > at_ + 2 && program_.token(place).text == label->text && program_.token(place + 1).is(":"))
            break;
    }
    if (place + 1 >= body_to_) return false;
    for (; place < body_to_; ++place) {
        const std::string_view word = program_.token(place).text;
        if (is_barrier(word) || program_.function_places.contains(word)) return false;
    }
    return true;
}

/// The statements up to end_.
StatementId Parser::block() {
    const Nested nested(*this);
    open_scope();
    Statement block{.kind = StatementKind::Block, .token = at_};
    while (at_ < end_) block.children.push_back(statement());
    close_scope();
    return add(std::move(block));
}

StatementId Parser::statement() {
    const Nested nested(*this);
    const Token* token = peek();
    if (token == nullptr) throw Unreadable{};
    if (token->is("{")) {
        const std::int32_t close = partner_[static_cast<std::size_t>(at_)];
        const std::int32_t outer_end = end_;
        ++at_;
        end_ = close;
        const StatementId inside = block();
        end_ = outer_end;
        at_ = close + 1;
        return inside;
    }
    if (token->is("if")) return if_statement();
    if (token->is("for")) return for_statement();
    Statement made{.token = at_};
    if (accept("while") || accept("switch")) {
        made.kind = token->is("while") ? StatementKind::While : StatementKind::Switch;
        expect("(");
        made.expr = comma();
        expect(")");
        made.body = statement();
        return add(std::move(made));
    }
    if (accept("do")) {
        made.kind = StatementKind::DoWhile;
        made.body = statement();
        expect("while");
        expect("(");
        made.expr = comma();
        expect(")");
        expect(";");
        return add(std::move(made));
    }
    if (token->is("goto")) {
        if (++gotos_ > kMostGotos || !jumps_to_the_end()) throw Unreadable{};
        made.kind = StatementKind::Return;
        at_ += 2;
        expect(";");
        return add(std::move(made));
    }
    if (token->is("asm") || token->is("__asm__") || token->is("__asm")) throw Unreadable{};
    if (token->is("case") || token->is("default")) {
        while (at_ < end_ && !at(":")) ++at_;
        expect(":");
        if (at_ == end_) return add({.kind = StatementKind::Block, .token = at_ - 1});
        return statement();
    }
    if (token->is_name() && at(":", 1)) {  // a label
        at_ += 2;
        if (at_ == end_) return add({.kind = StatementKind::Block, .token = at_ - 1});
        return statement();
    }
    if (token->is("__attribute__")) {  // opencl_unroll_hint and its like
        skip_attributes();
        return statement();
    }
    return simple_statement();
}

StatementId Parser::if_statement() {
    Statement made{.kind = StatementKind::If, .token = at_};
    expect("if");
    expect("(");
    made.expr = comma();
    expect(")");
    made.body = statement();
    if (accept("else")) made.otherwise = statement();
    return add(std::move(made));
}

StatementId Parser::for_statement() {
    Statement made{.kind = StatementKind::For, .token = at_};
    expect("for");
    expect("(");
    open_scope();
    if (!accept(";")) made.init = simple_statement();
    if (!at(";")) made.expr = comma();
    expect(";");
    if (!at(")")) made.step = comma();
    expect(")");
    made.body = statement();
    close_scope();
    return add(std::move(made));
}

/// What ends with a semicolon: a jump, a declaration, an expression, nothing.
StatementId Parser::simple_statement() {
    Statement made{.token = at_};
    if (accept(";")) return add({.kind = StatementKind::Block, .token = at_ - 1});
    if (accept("break")) {
        made.kind = StatementKind::Break;
    } else if (accept("continue")) {
        made.kind = StatementKind::Continue;
    } else if (accept("return")) {
        made.kind = StatementKind::Return;
        if (!at(";")) made.expr = comma();
    } else if (declaration_begins()) {
        return declaration();
    } else {
        made.kind = StatementKind::Expression;
        made.expr = comma();
    }
    expect(";");
    return add(std::move(made));
}

bool Parser::declaration_begins() const {
    const Token* first = peek();
    if (first == nullptr || !first->is_name()) return false;
    if (first->is("struct") || first->is("union") || first->is("enum") || first->is("typedef")) return true;
    if (is_qualifier(first->text)) return true;
    if (is_keyword(first->text) || find(first->text) != kNone) return false;
    if (is_type(first->text)) return !at("(", 1);
    // a type that some missing header declares
    const Token* second = peek(1);
    if (second == nullptr) return false;
    if (second->is_name()) return !is_keyword(second->text);
    const Token* third = peek(2);
    return second->is("*") && third != nullptr && third->is_name() && (at("=", 3) || at(";", 3));
}

void Parser::skip_attributes() {
    while (accept("__attribute__")) {
        if (!at("(")) throw Unreadable{};
        at_ = partner_[static_cast<std::size_t>(at_)] + 1;
    }
}

/// The words before the first declarator.
void Parser::specifiers(Symbol& symbol) {
    bool typed = false;
    while (const Token* token = peek()) {
        if (token->is("__attribute__")) {
            skip_attributes();
            continue;
        }
        if (!token->is_name()) break;
        const std::string_view word = token->text;
        if (word == "struct" || word == "union" || word == "enum") {
            ++at_;
            if (peek() != nullptr && peek()->is_name()) ++at_;
            if (at("{")) at_ = partner_[static_cast<std::size_t>(at_)] + 1;
            symbol.aggregate = word != "enum";
            typed = true;
        } else if (is_qualifier(word)) {
            if (word.ends_with("local")) symbol.space = Space::Local;
            if (word.ends_with("global")) symbol.space = Space::Global;
            if (word.ends_with("constant")) symbol.space = Space::Constant;
            if (word == "volatile") symbol.is_volatile = true;
            ++at_;
        } else if (is_builtin_type(word)) {  // unsigned int: two words
            symbol.integer = is_integer_type(word);
            typed = true;
            ++at_;
        } else if (!typed) {
            symbol.aggregate = !types_.contains(word) || symbol.aggregate;
            typed = true;
            ++at_;
        } else {
            break;
        }
    }
    if (!typed) throw Unreadable{};
}

StatementId Parser::declaration() {
    Statement made{.kind = StatementKind::Declaration, .token = at_};
    const bool names_type = accept("typedef");
    Symbol base;
    specifiers(base);
    while (!at(";")) {
        const SymbolId id = declarator(base);
        if (names_type)
            types_.insert(program_.symbol(id).name);
        else
            made.symbols.push_back(id);
        if (!accept(",")) break;
    }
    expect(";");
    return add(std::move(made));
}

SymbolId Parser::declarator(Symbol symbol) {
    const auto stars = [&] {
        while (at("*") || (peek() != nullptr && is_qualifier(peek()->text))) {
            if (at("*")) symbol.pointer = true;
            ++at_;
        }
    };
    stars();
    const bool inner = accept("(");  // (*name)[4]
    if (inner) stars();
    if (peek() == nullptr || !peek()->is_name()) throw Unreadable{};
    symbol.name = peek()->text;
    symbol.line = peek()->line;
    ++at_;
    if (inner) expect(")");
    if (at("(")) throw Unreadable{};  // a function's prototype within a function
    while (accept("[")) {
        symbol.array = true;
        symbol.extents.push_back(at("]") ? kNone : comma());
        expect("]");
    }
    if (symbol.array || symbol.pointer) symbol.integer = false;
    skip_attributes();
    const SymbolId id = declare(symbol);
    if (accept("=")) {
        const ExprId initial = initialiser();
        program_.symbols[static_cast<std::size_t>(id)].initial = initial;
    }
    return id;
}

}  // namespace kwb::hints
