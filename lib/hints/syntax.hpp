// A kernel source as a tree: functions, statements, expressions, and which name means which variable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hints/lexer.hpp"

namespace kwb::hints {

/// Places in the lists of a Program; kNone: there is none.
using ExprId = std::int32_t;
using StatementId = std::int32_t;
using SymbolId = std::int32_t;
inline constexpr std::int32_t kNone = -1;

enum class Space : std::uint8_t { Private, Local, Global, Constant };

/// A variable or a parameter.
struct Symbol {
    std::string_view name = {};
    std::uint32_t line = 0;
    Space space = Space::Private;  ///< of the variable, or of what a pointer points to
    bool pointer = false;
    bool array = false;
    bool parameter = false;
    bool of_kernel = false;  ///< a parameter of a kernel function
    bool integer = false;    ///< a scalar integer
    bool is_volatile = false;
    bool aggregate = false;            ///< a struct or a type that the source names itself
    std::vector<ExprId> extents = {};  ///< of a variable that is an array: each dimension, kNone: left open
    ExprId initial = kNone;
    bool changed = false;  ///< assigned after its declaration, or its address taken

    /// An object in local memory, of its own or behind an argument of the kernel.
    bool is_local_object() const { return space == Space::Local && (pointer ? of_kernel : true); }
};

enum class ExprKind : std::uint8_t {
    Name,  ///< symbol, or unknown (kNone): a constant of the language, a function
    Number,
    Other,    ///< text, character, sizeof
    Unary,    ///< op a: + - ! ~ * & ++ --
    Postfix,  ///< a op: ++ --
    Binary,   ///< a op b
    Assign,   ///< a op b: = += …
    Index,    ///< a[b]
    Call,     ///< name(items); a is the callee
    Member,   ///< a.name or a->name
    Choice,   ///< a ? b : c
    List      ///< items: commas, or an initialiser in braces
};

struct Expr {
    ExprKind kind = ExprKind::Other;
    std::string_view op = {};  ///< operator, name, digits or member
    ExprId a = kNone, b = kNone, c = kNone;
    SymbolId symbol = kNone;
    std::int32_t token = 0;  ///< the word at which it stands
    int depth = 1;
    std::vector<ExprId> items = {};
};

enum class StatementKind : std::uint8_t {
    Block,
    Expression,
    Declaration,
    If,
    For,
    While,
    DoWhile,
    Switch,
    Return,
    Break,
    Continue
};

struct Statement {
    StatementKind kind = StatementKind::Block;
    std::int32_t token = 0;
    ExprId expr = kNone;                     ///< the expression or condition
    ExprId step = kNone;                     ///< of a for loop
    StatementId init = kNone;                ///< of a for loop
    StatementId body = kNone;                ///< of a loop or switch; of an if: when it holds
    StatementId otherwise = kNone;           ///< of an if
    std::vector<StatementId> children = {};  ///< of a block
    std::vector<SymbolId> symbols = {};      ///< of a declaration

    bool is_loop() const {
        return kind == StatementKind::For || kind == StatementKind::While || kind == StatementKind::DoWhile;
    }
};

struct Function {
    std::string_view name;
    bool kernel = false;
    bool readable = false;  ///< false: the body has something that this parser does not follow
    std::int32_t token = 0;
    std::int32_t body_from = 0, body_to = 0;  ///< words between the braces
    std::vector<SymbolId> parameters;
    StatementId body = kNone;
    std::optional<std::array<std::uint64_t, 3>> work_group;  ///< reqd_work_group_size
};

struct Program {
    const std::vector<Token>* tokens = nullptr;
    std::vector<Expr> exprs;
    std::vector<Statement> statements;
    std::vector<Symbol> symbols;
    std::vector<Function> functions;
    std::unordered_map<std::string_view, std::size_t> function_places;  ///< name → place in `functions`

    const Token& token(std::int32_t at) const { return (*tokens)[static_cast<std::size_t>(at)]; }
    const Expr& expr(ExprId id) const { return exprs[static_cast<std::size_t>(id)]; }
    const Statement& statement(StatementId id) const { return statements[static_cast<std::size_t>(id)]; }
    const Symbol& symbol(SymbolId id) const { return symbols[static_cast<std::size_t>(id)]; }
    const Function* find_function(std::string_view name) const;
    std::uint32_t line_of(ExprId id) const { return token(expr(id).token).line; }
};

/// Never throws on any tokens. Brackets that do not match give a program without functions; a function with
/// goto (but to its end), blocks, assembly, or nesting beyond 150 levels is there, but not readable.
/// @param tokens  preprocessed; they must outlive the result
Program parse(const std::vector<Token>& tokens);

}  // namespace kwb::hints
