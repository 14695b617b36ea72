// SPDX-License-Identifier: Apache-2.0
// Converts a compiler's nodes to a Program; implemented in separate files for declarations, statements and
// expressions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "source/compiler.hpp"
#include "source/files.hpp"
#include "source/nodes.hpp"
#include "source/syntax.hpp"
#include "source/types.hpp"

namespace kwb::source {

/// Thrown for constructs that the Program cannot represent; the function is then marked unreadable.
struct Unreadable {};

class Builder {
public:
    Builder(Program& program, const Files& files, Strings& strings, const Nodes& nodes)
        : program_(program),
          files_(files),
          strings_(strings),
          nodes_(nodes),
          types_{{}, nodes.header_types, nodes.records} {}

    void build();

private:
    // declarations
    void declare_type(const Node& node, const Node* before);
    void add_function(const Node& node);
    void read_attributes(const Node& node, Function& function) const;
    SymbolId declare(const Node& node);
    void note_ends(const Node& body);
    bool has_fault(const Node& node) const;

    // statements
    StatementId statement(const Node& node);
    StatementId block(const Node& node);
    StatementId branch(const Node& node);
    StatementId loop(const Node& node);
    StatementId declaration(const Node& node);
    StatementId optional_statement(const Node& node);
    StatementId add_statement(Statement statement);
    void note_start(const Node& node);

    // expressions
    ExprId expression(const Node& node);
    ExprId expression_by_kind(const Node& node);
    ExprId optional_expression(const Node& node);
    ExprId call(const Node& node);
    ExprId name(const Node& node);
    ExprId operation(const Node& node, ExprKind kind, std::string_view op);
    ExprId list(const Node& node, std::string_view op);
    ExprId add(Expr expr);
    void note_unfollowed(const Node& node);

    std::int32_t place(const Spot& spot);

    Program& program_;
    const Files& files_;
    Strings& strings_;
    const Nodes& nodes_;
    Types types_;
    std::unordered_map<std::string_view, SymbolId> symbols_;  ///< by the id of the declaration
    std::set<std::string_view> ends_;  ///< labels at the end of a function; a goto to one of them is a return
    Function* function_ = nullptr;     ///< the function whose body is being converted
};

/// @throws Unreadable  if there is no such child
const Node& child(const Node& node, std::size_t at);

/// Converts the output of a compiler. Never throws, whatever the answer; constructs that cannot be
/// represented make a function unreadable.
/// @return  nullopt if the answer does not contain a complete tree of acceptable size
std::optional<Program> build_program(const SourceText& text, const CompilerAnswer& answer);

}  // namespace kwb::source
