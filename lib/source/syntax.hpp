// SPDX-License-Identifier: Apache-2.0
// A kernel source and the compiler's syntax tree of it: functions, statements, expressions, and the variable
// to which each name refers. Macros are expanded; casts and parentheses are omitted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/named.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// A kernel's source with everything that its compiler needs.
struct SourceText {
    std::string text;
    NamedList<std::string> includes = {};  ///< included files: path relative to the kernel's folder → text
    NamedList<std::string> macros = {};    ///< given as -DNAME=value: parameters, `[defines]`, build options
    std::string options = {};              ///< build options; only those that affect the language are used
};

}  // namespace kwb

namespace kwb::source {

class Strings;

/// Indices into the lists of a Program; kNone: no element.
using ExprId = std::int32_t;
using StatementId = std::int32_t;
using SymbolId = std::int32_t;
inline constexpr std::int32_t kNone = -1;

/// The position of a word of the source.
struct Place {
    std::uint32_t line = 0;  ///< from 1, in the user's main file; for an included file, that of its #include
    std::uint32_t column = 0;  ///< from 1, in bytes
    bool own = true;           ///< in the user's main file, not in an included one
    bool given = false;        ///< produced by a macro given as -DNAME=value
};

using Space = AddressSpace;

/// A variable or a parameter.
struct Symbol {
    std::string_view name = {};
    Space space = Space::Private;  ///< of the variable, or of what a pointer points to
    bool pointer = false;
    bool array = false;
    bool aggregate = false;                  ///< a struct or a union
    std::vector<std::int64_t> extents = {};  ///< elements of each dimension, if it is an array
    std::string_view type = {};  ///< plain name; of the value, an array's element or a pointer's target
    bool is_const = false;       ///< for a pointer or an image: its target is only read
    bool in_local = false;       ///< the variable itself is in local memory
    bool used = false;           ///< used after its declaration
    std::optional<std::uint64_t> bytes = {};  ///< size of the variable itself; nullopt: unknown
    ExprId initial = kNone;
};

enum class ExprKind : std::uint8_t {
    Name,  ///< symbol; kNone for a constant or a function
    Number,
    Other,    ///< string, character, sizeof
    Unary,    ///< op a: + - ! ~ * & ++ --
    Postfix,  ///< a op: ++ --
    Binary,   ///< a op b
    Assign,   ///< a op b: = += …
    Index,    ///< a[b]
    Call,     ///< name(items); a is the callee
    Member,   ///< a.name or a->name
    Choice,   ///< a ? b : c
    List      ///< items: separated by commas, or an initializer in braces
};

struct Expr {
    ExprKind kind = ExprKind::Other;
    std::string_view op = {};     ///< operator, name, digits or member
    std::string_view macro = {};  ///< the object-like macro that expands to the whole expression; empty: none
    std::int32_t place = 0;       ///< position of its operator or name
    ExprId a = kNone, b = kNone, c = kNone;
    SymbolId symbol = kNone;
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
    std::int32_t place = 0;
    StatementId init = kNone;                ///< of a for loop
    ExprId expr = kNone;                     ///< the expression or condition
    ExprId step = kNone;                     ///< of a for loop
    StatementId body = kNone;                ///< of a loop or switch; of an if: the branch for true
    StatementId otherwise = kNone;           ///< of an if
    std::vector<StatementId> children = {};  ///< of a block
    std::vector<SymbolId> symbols = {};      ///< of a declaration
    bool is_semicolon = false;               ///< a block that is only a `;`

    bool is_jump() const {
        return kind == StatementKind::Return || kind == StatementKind::Break ||
               kind == StatementKind::Continue;
    }
};

/// True for barrier and work_group_barrier, at which the whole work-group waits.
bool is_barrier(std::string_view function);

/// A word followed by `(`, in source order.
struct Call {
    std::string_view name;
    std::int32_t place;
    std::int64_t argument = -1;  ///< the first argument if it is a number, else -1
};

struct Function {
    std::string_view name;
    bool kernel = false;
    bool readable = false;  ///< false: it contains an error, or something that the tree cannot represent
    std::int32_t place = 0;
    std::vector<SymbolId> parameters = {};
    std::vector<SymbolId> variables = {};  ///< declared in the body
    std::vector<Call> calls = {};          ///< including calls of undeclared functions
    StatementId body = kNone;
    std::optional<std::array<std::uint64_t, 3>> work_group = {};  ///< reqd_work_group_size
};

/// The start of a statement before which a call can be inserted.
struct StatementStart {
    std::string_view file;  ///< path relative to the kernel's folder; empty: the user's main file
    std::uint32_t offset = 0;
};

/// A structure's layout in memory.
struct Record {
    struct Number {
        std::uint64_t offset = 0;
        Scalar scalar = Scalar::Float32;
    };
    std::uint64_t bytes = 0;
    std::vector<Number> numbers;  ///< all members, in order; empty if any member is not a number
};

/// An error of the compiler.
struct Fault {
    std::string message;          ///< "use of undeclared identifier 'TILE'"
    bool own = true;              ///< in the user's main file
    std::uint32_t line = 0;       ///< for an included file: that of its #include
    std::string file = {};        ///< path as printed by the compiler
    std::string name = {};        ///< its path relative to the kernel's folder; empty: the user's main file
    std::uint32_t file_line = 0;  ///< line in that file
    std::uint32_t column = 0;     ///< from 1, in bytes, in that file
};

struct Program {
    std::vector<Place> places;
    std::vector<Expr> exprs;
    std::vector<Statement> statements;
    std::vector<Symbol> symbols;
    std::vector<Function> functions;  ///< those with a body, in source order
    std::unordered_map<std::string_view, std::size_t> function_places;  ///< name → index in `functions`
    std::map<std::string, Record> records;                              ///< by their names: "struct P", "Q"
    std::map<std::string, std::string> typedefs;   ///< of the user's own files: "index_t" → "uint"
    std::vector<StatementStart> statement_starts;  ///< ascending within a file
    std::vector<Fault> faults;
    std::shared_ptr<const Strings> strings;  ///< storage of all texts above

    const Place& place(std::int32_t at) const { return places[static_cast<std::size_t>(at)]; }
    const Expr& expr(ExprId id) const { return exprs[static_cast<std::size_t>(id)]; }
    const Statement& statement(StatementId id) const { return statements[static_cast<std::size_t>(id)]; }
    const Symbol& symbol(SymbolId id) const { return symbols[static_cast<std::size_t>(id)]; }
    const Function* find_function(std::string_view name) const;

    /// True if the statement, or the last one of a block, always leaves: return, break or continue.
    bool ends_in_jump(StatementId id) const;
};

}  // namespace kwb::source
