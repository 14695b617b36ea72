// A kernel source as a tree, as its compiler understood it: functions, statements, expressions, and which
// name means which variable. Macros are expanded; casts and parentheses are left out.
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

namespace kwb::source {

class Strings;

/// Places in the lists of a Program; kNone: there is none.
using ExprId = std::int32_t;
using StatementId = std::int32_t;
using SymbolId = std::int32_t;
inline constexpr std::int32_t kNone = -1;

/// A word of the source.
struct Place {
    std::string_view text = {};  ///< a keyword, a name, an operator
    std::string_view macro =
        {};                  ///< the innermost macro that it came out of, "-D" for a given one; empty: none
    std::uint32_t line = 0;  ///< from 1, in the person's own file; of an included file: that of its #include
    std::uint32_t column = 0;  ///< from 1, in bytes
    bool own = true;           ///< in the person's own file, not in an included one
    bool given = false;        ///< came out of a macro given as -DNAME=value
};

enum class Space : std::uint8_t { Private, Local, Global, Constant, Generic };

/// One dimension of an array.
struct Extent {
    std::int64_t elements = 0;
    std::string_view name = {};  ///< where it is written as one name, `float t[TILE]`
};

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
    bool aggregate = false;            ///< a struct or a union
    std::vector<Extent> extents = {};  ///< of a variable that is an array
    std::string_view type = {};  ///< plain, of the value, an array's element or what a pointer points to
    bool is_const = false;       ///< of a pointer: what it points to is only read
    bool in_local = false;       ///< lies itself in local memory
    bool used = false;           ///< something speaks of it again
    std::optional<std::uint64_t> bytes = {};  ///< that it takes itself; nothing for a type of unknown size
    ExprId initial = kNone;
    bool changed = false;  ///< assigned after its declaration, or its address taken

    /// An object in local memory, of its own or behind an argument of the kernel.
    bool is_local_object() const { return space == Space::Local && (pointer ? of_kernel : true); }
};

enum class ExprKind : std::uint8_t {
    Name,  ///< symbol, or unknown (kNone): a constant, a function
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
    std::string_view op = {};     ///< operator, name, digits or member
    std::string_view macro = {};  ///< the macro without arguments that all of it is written as; empty: none
    ExprId a = kNone, b = kNone, c = kNone;
    SymbolId symbol = kNone;
    std::int32_t place = 0;  ///< where it stands: its operator, its name
    bool narrowed = false;   ///< cast to an integer type that may not hold it
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

/// A word that stands before a `(`, in the order of the text.
struct Call {
    std::string_view name;
    std::int32_t place;
    std::int64_t argument = -1;  ///< the first one, where it is a number
};

struct Function {
    std::string_view name;
    bool kernel = false;
    bool readable = false;  ///< false: it has an error, or something that the tree cannot express
    std::int32_t place = 0;
    std::int32_t body_from = 0, body_to = 0;  ///< places within the body; they ascend from outer to inner
    std::vector<SymbolId> parameters = {};
    std::vector<SymbolId> variables = {};  ///< declared in the body
    std::vector<Call> calls = {};          ///< also those of functions that nothing declares
    StatementId body = kNone;
    std::optional<std::array<std::uint64_t, 3>> work_group = {};  ///< reqd_work_group_size
};

/// Where a statement begins that a call may be put before.
struct StatementStart {
    std::string_view file;  ///< path from the kernel's folder; empty: the person's own file
    std::uint32_t offset = 0;
};

/// An error of the compiler.
struct Fault {
    std::string message;          ///< "use of undeclared identifier 'TILE'"
    bool own = true;              ///< in the person's own file
    std::uint32_t line = 0;       ///< of an included file: that of its #include
    std::uint32_t column = 0;     ///< from 1, in bytes
    std::string file = {};        ///< as the compiler names it
    std::uint32_t file_line = 0;  ///< in that file
};

struct Program {
    std::vector<Place> places;
    std::vector<Expr> exprs;
    std::vector<Statement> statements;
    std::vector<Symbol> symbols;
    std::vector<Function> functions;  ///< those with a body, in the order of the text
    std::unordered_map<std::string_view, std::size_t> function_places;  ///< name → place in `functions`
    std::map<std::string, std::string> typedefs;   ///< of the person's own files: "index_t" → "uint"
    std::vector<StatementStart> statement_starts;  ///< ascending within a file
    std::vector<Fault> faults;
    std::shared_ptr<const Strings> strings;  ///< all texts above lie there

    const Place& place(std::int32_t at) const { return places[static_cast<std::size_t>(at)]; }
    const Expr& expr(ExprId id) const { return exprs[static_cast<std::size_t>(id)]; }
    const Statement& statement(StatementId id) const { return statements[static_cast<std::size_t>(id)]; }
    const Symbol& symbol(SymbolId id) const { return symbols[static_cast<std::size_t>(id)]; }
    const Function* find_function(std::string_view name) const;
    std::uint32_t line_of(ExprId id) const { return place(expr(id).place).line; }
};

}  // namespace kwb::source
