// SPDX-License-Identifier: Apache-2.0
#include "source/kernels.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "model/device_fit.hpp"
#include "source/directives.hpp"
#include "source/read.hpp"
#include "source/syntax.hpp"

namespace kwb {
using namespace source;

namespace {

constexpr int kMostCalled = 1000;  // maximum number of functions reached from one kernel

KernelParameter parameter_of(const Symbol& symbol) {
    // An older standard takes `pipe` for the name, and an error for what follows.
    const std::string_view type = symbol.name == "pipe" ? symbol.name : symbol.type;
    const bool opaque = type == "pipe" || type.find("pipe ") != std::string_view::npos ||
                        type == "sampler_t" || type == "queue_t" || type == "event_t";
    // A pointer without an address space cannot be given to a kernel.
    const bool unplaced = symbol.pointer && symbol.space == Space::Private;
    return {std::string(symbol.name), std::string(type) + (symbol.pointer ? "*" : ""),
            type.starts_with("image") ? Space::Image
            : opaque || unplaced      ? Space::Other
            : symbol.pointer          ? symbol.space
                                      : Space::Private,
            symbol.is_const};
}

/// Compilers that know no pipes take `read_only pipe float p` for an int of the name `pipe`.
bool has_pipe_for(const Program& program, const KernelParameter& parameter) {
    return parameter.name == "pipe" && std::ranges::any_of(program.faults, [](const Fault& fault) {
               return fault.message.find("can only be used for pipe") != std::string::npos;
           });
}

/// The functions that `entry` calls directly or indirectly, starting with `entry`.
std::vector<const Function*> called_functions(const Program& program, const Function& entry) {
    std::vector<const Function*> reached = {&entry};
    for (std::size_t i = 0; i < reached.size() && i < kMostCalled; ++i)
        for (const Call& call : reached[i]->calls) {
            const Function* called = program.find_function(call.name);
            if (called != nullptr && std::find(reached.begin(), reached.end(), called) == reached.end())
                reached.push_back(called);
        }
    return reached;
}

void look_at_places(const Function& function, SourceKernel& kernel) {
    for (const Call& call : function.calls) {
        const std::string_view name = call.name;
        const bool group = name == "get_local_id" || name == "get_group_id" || name == "get_local_size" ||
                           name == "get_num_groups";
        if (group || is_barrier(name)) kernel.uses_groups = true;
        if (!group && name != "get_global_id" && name != "get_global_size") continue;
        const unsigned dimension =
            call.argument >= 0 && call.argument < 3 ? static_cast<unsigned>(call.argument) : 0;
        kernel.dimensions = std::max(kernel.dimensions, dimension + 1);
    }
}

/// Finds a kernel's guards: `const int i = get_global_id(0); if (i < n) …`, also in loops and in the negated
/// form. `if (i < skip) return;` is not a guard: it excludes the low indices, not the high ones.
class Guards {
public:
    Guards(const Program& program, const Function& function) : program_(program) {
        walk(function.body);
        for (std::size_t d = 0; d < bounds_.size(); ++d)
            if (bounds_[d].empty()) bounds_[d] = choices_[d];
    }

    const std::array<std::string, 3>& bounds() const { return bounds_; }

private:
    /// The `if` whose condition is being examined.
    struct Condition {
        bool inside = false;  ///< the expression is part of an `if` condition
        bool leaves = false;  ///< if it holds, the work-item returns or leaves the loop or iteration
        bool has_else = false;
        bool negated = false;
    };

    void walk(StatementId id) {
        if (id == kNone) return;
        const Statement& s = program_.statement(id);
        for (const SymbolId symbol : s.symbols) note_place(symbol, program_.symbol(symbol).initial);
        walk(s.init);
        Condition condition;
        if (s.kind == StatementKind::If)
            condition = {true, program_.ends_in_jump(s.body), s.otherwise != kNone, false};
        look(s.expr, condition);
        look(s.step, {});
        for (const StatementId child : s.children) walk(child);
        walk(s.body);
        walk(s.otherwise);
    }

    struct Ids {
        std::optional<unsigned> global = {}, group = {}, local = {};
        bool other = false;
    };

    void collect(ExprId id, Ids& ids) const {
        if (id == kNone) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Call && e.op.starts_with("get_")) {
            std::optional<unsigned> dimension;
            for (unsigned d = 0; d < 3 && e.items.size() == 1; ++d)
                if (program_.expr(e.items[0]).op == std::to_string(d)) dimension = d;
            if (e.op == "get_global_id") ids.global = dimension;
            if (e.op == "get_group_id") ids.group = dimension;
            if (e.op == "get_local_id") ids.local = dimension;
            return;
        }
        ids.other = ids.other || e.kind != ExprKind::Number;
        for (const ExprId part : {e.a, e.b, e.c}) collect(part, ids);
        for (const ExprId item : e.items) collect(item, ids);
    }

    /// Handles `name = get_global_id(d)`, and index computations from the work-group id and the local id.
    void note_place(SymbolId symbol, ExprId value) {
        look(value, {});
        // A variable that is assigned again, e.g. to write a tile at another position, is unknown from there
        // on.
        if (symbol == kNone || value == kNone || places_.erase(symbol) > 0) return;
        Ids ids;
        collect(value, ids);
        if (ids.global && !ids.group && !ids.local && !ids.other) places_[symbol] = *ids.global;
        if (!ids.global && ids.group && ids.group == ids.local) places_[symbol] = *ids.group;
    }

    void look(ExprId id, Condition condition) {
        if (id == kNone) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Assign && e.op == "=" && program_.expr(e.a).kind == ExprKind::Name)
            return note_place(program_.expr(e.a).symbol, e.b);
        if (e.kind == ExprKind::Unary && e.op == "!") condition.negated = true;
        if (e.kind == ExprKind::Binary) compare(e, condition);
        for (const ExprId part : {e.a, e.b, e.c}) look(part, condition);
        for (const ExprId item : e.items) look(item, condition);
    }

    void compare(const Expr& e, const Condition& condition) {
        const bool less = e.op == "<" || e.op == ">=";  // i < n, i >= n
        const bool more = e.op == ">" || e.op == "<=";  // n > i, n <= i
        if (!less && !more) return;
        const Expr& place = program_.expr(less ? e.a : e.b);
        const auto known = place.kind == ExprKind::Name ? places_.find(place.symbol) : places_.end();
        if (known == places_.end()) return;
        const bool near_ones = (e.op == "<" || e.op == ">") != condition.negated;
        if (condition.inside && near_ones == condition.leaves && (near_ones || !condition.has_else)) return;
        std::string& bound = (condition.inside && condition.has_else ? choices_ : bounds_)[known->second];
        if (!bound.empty()) return;
        std::string found = text_of(less ? e.b : e.a);
        // `if (i < 1)` selects only some work-items.
        if (found.find_first_not_of("0123456789 *") != std::string::npos) bound = std::move(found);
    }

    /// "n", "n * m"; empty for any other expression.
    std::string text_of(ExprId id) const {
        const Expr& e = program_.expr(id);
        if (!e.macro.empty() && program_.place(e.place).given) return std::string(e.macro);
        if (e.kind == ExprKind::Name || e.kind == ExprKind::Number) return std::string(e.op);
        if (e.kind != ExprKind::Binary || e.op != "*") return "";
        const std::string a = text_of(e.a), b = text_of(e.b);
        return a.empty() || b.empty() ? "" : a + " * " + b;
    }

    const Program& program_;
    std::map<SymbolId, unsigned> places_;
    std::array<std::string, 3> bounds_;
    std::array<std::string, 3>
        choices_;  ///< from conditions with an else branch, which do not exclude work-items
};

/// Finds the parameters that a function uses other than as the target of a store: it reads them, or hands
/// them on to a function that may.
class ReadParameters {
public:
    ReadParameters(const Program& program, const Function& function) : program_(program) {
        walk(function.body);
    }

    bool contains(SymbolId parameter) const { return read_.contains(parameter); }

private:
    void walk(StatementId id) {
        if (id == kNone) return;
        const Statement& s = program_.statement(id);
        for (const SymbolId symbol : s.symbols) look(program_.symbol(symbol).initial);
        walk(s.init);
        look(s.expr);
        look(s.step);
        for (const StatementId child : s.children) walk(child);
        walk(s.body);
        walk(s.otherwise);
    }

    void look(ExprId id) {
        if (id == kNone) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Name && e.symbol != kNone) read_.insert(e.symbol);
        const bool stores = e.kind == ExprKind::Assign && e.op == "=";
        if (stores) look_at_target(e.a);
        for (const ExprId part : {stores ? kNone : e.a, e.b, e.c}) look(part);
        const bool is_vector_store = e.kind == ExprKind::Call && e.op.starts_with("vstore");
        for (const ExprId item : e.items)
            if (is_vector_store && item == e.items.back())
                look_at_target(item);
            else
                look(item);
    }

    /// What lies at the address is not read, but its indices are.
    void look_at_target(ExprId id) {
        if (id == kNone) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Name) return;
        if (e.kind == ExprKind::Member) return look_at_target(e.a);
        if (e.kind == ExprKind::Index || e.kind == ExprKind::Binary || e.kind == ExprKind::Unary) {
            look_at_target(e.a);
            return look(e.b);
        }
        look(id);
    }

    const Program& program_;
    std::set<SymbolId> read_;
};

using Bytes = std::map<std::string, std::uint64_t>;

std::optional<std::uint64_t> local_bytes_of(const Program& program, const Function& function) {
    std::uint64_t sum = 0;
    for (const SymbolId id : function.variables) {
        const Symbol& variable = program.symbol(id);
        if (!variable.in_local) continue;
        if (!variable.bytes) return std::nullopt;
        if (variable.used) sum = add_bytes(sum, *variable.bytes);
    }
    return sum;
}

Bytes read_once(const SourceText& source) {
    const Reading reading = read_source(source);
    Bytes found;
    if (!reading.program || !reading.program->faults.empty()) return found;
    for (const Function& function : reading.program->functions)
        if (const auto bytes = local_bytes_of(*reading.program, function); bytes && function.kernel)
            found.emplace(function.name, *bytes);
    return found;
}

bool is_reserved(std::string_view name) {
    return name.starts_with("_") || name.starts_with("CL_") || name.starts_with("cl_");
}

/// Names in preprocessor conditions that the compiler, not the source, defines.
std::set<std::string> find_compiler_names(const SourceText& source) {
    std::set<std::string> asked, defined;
    const auto look_through = [&](const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword == "define") defined.emplace(leading_identifier(line.rest));
            if (!line.keyword.starts_with("if") && line.keyword != "elif") continue;
            for (std::string_view rest = line.rest; !rest.empty();) {
                const std::string_view word = leading_identifier(rest);
                if (is_reserved(word)) asked.emplace(word);
                rest.remove_prefix(std::max<std::size_t>(1, word.size()));
            }
        }
    };
    look_through(source.text);
    for (const auto& [name, text] : source.includes) look_through(text);
    for (const auto& [name, value] : source.macros) defined.insert(name);
    for (const std::string& name : defined) asked.erase(name);
    return asked;
}

}  // namespace

std::vector<SourceKernel> kernel_functions_of(const Program& program) {
    std::vector<SourceKernel> kernels;
    std::set<std::string_view> seen;
    for (const Function& function : program.functions) {
        if (!function.kernel || !seen.insert(function.name).second) continue;
        SourceKernel kernel;
        kernel.name = function.name;
        kernel.line = program.place(function.place).line;
        const ReadParameters read(program, function);
        for (const SymbolId id : function.parameters) {
            KernelParameter& parameter = kernel.parameters.emplace_back(parameter_of(program.symbol(id)));
            if (has_pipe_for(program, parameter)) parameter = {parameter.name, "pipe", Space::Other, false};
            const auto record = program.records.find(parameter.element_type());
            if (record != program.records.end() && !record->second.numbers.empty()) {
                if (program.symbol(id).pointer)
                    kernel.structures.push_back({parameter.name, record->second});
                else
                    kernel.records.push_back({parameter.name, record->second.numbers.size()});
            }
            if (program.symbol(id).pointer && !parameter.is_const && read.contains(id))
                kernel.read.push_back(parameter.name);
        }
        kernel.work_group = function.work_group;
        for (const Function* part : called_functions(program, function)) look_at_places(*part, kernel);
        kernel.bounds = Guards(program, function).bounds();
        for (const SymbolId id : function.variables) {
            const Symbol& variable = program.symbol(id);
            if (!variable.in_local || !variable.used || !variable.bytes) continue;
            LocalArray& array =
                kernel.local_arrays.emplace_back(LocalArray{std::string(variable.name), {}, *variable.bytes});
            for (const std::int64_t extent : variable.extents)
                array.extents.push_back(static_cast<std::uint64_t>(extent));
        }
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::optional<std::vector<SourceKernel>> find_kernel_functions(const SourceText& text) {
    const Reading reading = read_source(text);
    if (!reading.program) return std::nullopt;
    return kernel_functions_of(*reading.program);
}

std::optional<std::uint32_t> find_first_call(const Program& program, std::string_view name) {
    for (const Function& function : program.functions)
        for (const Call& call : function.calls)
            if (call.name == name) return program.place(call.place).line;
    // A statement that calls an undeclared function is not in the tree.
    const std::string quoted = "'" + std::string(name) + "'";
    for (const Fault& fault : program.faults)
        if (fault.message.find(quoted) != std::string::npos) return fault.line;
    return std::nullopt;
}

bool depends_on_compiler(const SourceText& source) {
    return !find_compiler_names(source).empty();
}

std::map<std::string, std::uint64_t> find_local_memory(const SourceText& source) {
    const auto speaks_of_it = [](const std::string& text) { return text.find("local") != std::string::npos; };
    if (!speaks_of_it(source.text) &&
        std::ranges::none_of(source.includes, [&](const auto& file) { return speaks_of_it(file.value); }))
        return {};
    Bytes found = read_once(source);
    const std::set<std::string> names = find_compiler_names(source);
    if (names.empty()) return found;
    std::string with, without;
    for (const std::string& name : names) {
        const bool everywhere = name.starts_with("__OPENCL_");
        with += "#define " + name + " 300\n";
        without += everywhere ? "#define " + name + " 110\n" : "#undef " + name + '\n';
    }
    for (const std::string& prefix : {with, without}) {
        SourceText other = source;
        other.text.insert(0, prefix);
        Bytes same;
        std::ranges::set_intersection(found, read_once(other), std::inserter(same, same.end()));
        found = std::move(same);
    }
    return found;
}

}  // namespace kwb
