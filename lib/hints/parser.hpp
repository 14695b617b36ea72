// Statements and expressions of one function body.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "hints/syntax.hpp"

namespace kwb::hints {

/// Thrown within the parser at what it does not follow; parse() catches it.
struct Unreadable {};

/// Recursive descent over words whose brackets match.
class Parser {
public:
    /// @param partner  for each bracket the place of the other one
    Parser(Program& program, const std::vector<std::int32_t>& partner)
        : program_(program), partner_(partner) {}

    void add_type(std::string_view name) { types_.insert(name); }
    bool is_type(std::string_view word) const;

    /// A variable at file scope or a parameter.
    SymbolId declare(const Symbol& symbol);
    void open_scope() { scopes_.push_back(undo_.size()); }
    void close_scope();

    /// @param from, to  the words between the braces of a body
    /// @throws Unreadable
    StatementId parse_body(std::int32_t from, std::int32_t to);

    /// A declaration at file scope.
    /// @throws Unreadable
    void parse_global(std::int32_t from, std::int32_t to);

private:
    class Nested;  // counts levels

    const Token* peek(std::int32_t ahead = 0) const;
    bool at(std::string_view word, std::int32_t ahead = 0) const;
    bool accept(std::string_view word);
    void expect(std::string_view word);

    StatementId add(Statement statement);
    ExprId add(Expr expr);

    StatementId statement();
    StatementId block();
    StatementId if_statement();
    StatementId for_statement();
    StatementId simple_statement();
    bool jumps_to_the_end() const;
    bool declaration_begins() const;
    StatementId declaration();
    void specifiers(Symbol& symbol);
    void skip_attributes();
    SymbolId declarator(Symbol symbol);

    ExprId comma();
    ExprId assignment();
    ExprId choice();
    ExprId binary(int lowest);
    ExprId unary();
    ExprId postfix();
    ExprId primary();
    ExprId initialiser();
    bool cast_begins() const;
    void mark_changed(ExprId target);

    SymbolId find(std::string_view name) const;

    Program& program_;
    const std::vector<std::int32_t>& partner_;
    std::unordered_set<std::string_view> types_;
    std::unordered_map<std::string_view, std::vector<SymbolId>> names_;
    std::vector<std::string_view> undo_;
    std::vector<std::size_t> scopes_;
    std::int32_t at_ = 0, end_ = 0;
    std::int32_t body_from_ = 0, body_to_ = 0;  ///< of the function
    int level_ = 0, gotos_ = 0;
};

}  // namespace kwb::hints
