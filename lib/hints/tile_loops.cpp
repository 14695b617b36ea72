// Finds loops over tiles that end at the number of work-groups or at a constant instead of the problem size.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

/// Loops over dimensions, colors or the bits of a byte have as few iterations: such loops are reported only
/// if they clearly iterate over tiles.
constexpr std::int64_t kFewRounds = 4;
constexpr std::int64_t kWidestTile = 1024;
constexpr int kDeepestIndex = 50;  // maximum nesting of sums and products, with names resolved

/// for (int t = 0; t < bound; …)
struct Count {
    SymbolId symbol = kNone;
    ExprId bound = kNone;
};

/// What a loop does in total.
struct Work {
    bool barrier = false;
    bool indexes_global = false;      ///< loads global memory at an index that depends on the counter
    bool stores_global = false;       ///< stores to global memory at an index that depends on the counter
    std::vector<ExprId> loaded;       ///< indices of loads from global memory
    std::set<SymbolId> stored, read;  ///< local memory
    std::optional<std::int64_t> stride;
    bool steps = false;  ///< it increments the counter
};

class TileLoops : Analysis {
public:
    TileLoops(const Values& values, const std::vector<std::uint64_t>& sizes, Findings& findings)
        : Analysis(values, findings), sizes_(sizes) {}

    void run(const Function& function) {
        function_ = &function;
        values_.for_each_statement(function.body, [&](const Statement& s) {
            if (s.kind == StatementKind::For || s.kind == StatementKind::While) check(s);
        });
    }

private:
    std::optional<Count> count(const Statement& s) const {
        if (s.expr == kNone) return std::nullopt;
        const Expr& e = program_.expr(s.expr);
        if (e.kind != ExprKind::Binary) return std::nullopt;
        const bool up = e.op == "<" || e.op == "<=" || e.op == "!=", down = e.op == ">" || e.op == ">=";
        if (!up && !down) return std::nullopt;
        const Expr& counter = program_.expr(up ? e.a : e.b);
        if (counter.kind != ExprKind::Name || counter.symbol == kNone) return std::nullopt;
        return Count{counter.symbol, up ? e.b : e.a};
    }

    void note_step(const Expr& e, SymbolId counter, Work& work) const {
        const bool counts = is_increment(e) && e.op == "++";
        const bool adds = e.kind == ExprKind::Assign && e.op == "+=";
        if ((!counts && !adds) || program_.expr(e.a).symbol != counter) return;
        work.steps = true;
        work.stride = counts ? 1 : values_.constant(e.b);
    }

    Work look(const Statement& s, SymbolId counter) {
        Work work;
        const auto see = [&](ExprId id, Access access) {
            const Expr& e = program_.expr(id);
            note_step(e, counter, work);
            if (e.kind == ExprKind::Call) {
                const Function* callee = program_.find_function(e.op);
                work.barrier =
                    work.barrier || is_barrier(e.op) || (callee != nullptr && callee->holds_barrier());
            }
            if (e.kind != ExprKind::Index) return;
            const SymbolId base = values_.base(e.a);
            if (base == kNone) return;
            const Symbol& memory = program_.symbol(base);
            if (memory.space == Space::Local) (access == Access::Read ? work.read : work.stored).insert(base);
            if (memory.space != Space::Global) return;
            bool& by_counter = access == Access::Read ? work.indexes_global : work.stores_global;
            by_counter = by_counter || values_.any_part(e.b, [&](ExprId part) {
                return program_.expr(part).symbol == counter;
            });
            if (access == Access::Read) work.loaded.push_back(e.b);
        };
        values_.for_each_expr(s.step, see);
        values_.for_each_expr_in(s.body, see);
        return work;
    }

    struct Bound {
        bool groups = false;   ///< contains get_num_groups or get_global_size
        bool constant = true;  ///< contains only literals
        bool known = true;     ///< false: contains other values, so it may be correct
        bool size = false;     ///< a literal given with -D that equals one of the problem's sizes
        std::set<std::pair<std::string_view, std::string_view>> literals;  ///< macro and digits
        std::string_view name;
    };

    Bound look_at_bound(ExprId id) const {
        Bound bound;
        values_.visit(id, [&](ExprId part) {
            const Expr& e = program_.expr(part);
            switch (e.kind) {
                case ExprKind::Number: {
                    const Place& token = program_.place(e.place);
                    const auto value = integer_value(e.op);
                    bound.size =
                        bound.size || (token.given && value &&
                                       std::find(sizes_.begin(), sizes_.end(),
                                                 static_cast<std::uint64_t>(*value)) != sizes_.end());
                    bound.literals.insert({token.macro, e.op});
                    return;
                }
                case ExprKind::Name:
                    if (values_.resolve(part) == part) bound.known = false;
                    return;
                case ExprKind::Call:
                    if (e.op == "get_num_groups" || e.op == "get_global_size") {
                        bound.groups = true;
                        bound.name = e.op;
                    } else if (e.op != "get_local_size" && e.op != "min" && e.op != "max") {
                        bound.known = false;
                    }
                    bound.constant = false;
                    return;
                case ExprKind::Unary:
                case ExprKind::Binary:
                    return;
                default:
                    bound.known = false;
            }
        });
        return bound;
    }

    /// True if the loop is as long as a group's share of the problem, as in get_group_id(0) * ROWS.
    bool is_share_of_group(const Bound& bound) const {
        bool found = false;
        values_.for_each_expr_in(function_->body, [&](ExprId id, Access) {
            const Expr& e = program_.expr(id);
            if (e.kind != ExprKind::Binary || e.op != "*") return;
            for (const auto& [group, factor] : {std::pair{e.a, e.b}, std::pair{e.b, e.a}}) {
                if (!mentions_group(group) || values_.depends_on_ids(group)) continue;
                found = found || values_.any_part(factor, [&](ExprId part) {
                    const Expr& number = program_.expr(part);
                    return number.kind == ExprKind::Number &&
                           bound.literals.contains({program_.place(number.place).macro, number.op});
                });
            }
        });
        return found;
    }

    bool mentions_group(ExprId id) const {
        return values_.any_part(id, [&](ExprId part) {
            const Expr& e = program_.expr(part);
            return e.kind == ExprKind::Call && e.op == "get_group_id";
        });
    }

    /// a + (b + c) → a, b, c; with names resolved
    void add_terms(ExprId id, std::vector<ExprId>& terms, int depth = 0) const {
        id = values_.resolve(id);
        const Expr& e = program_.expr(id);
        if (e.kind != ExprKind::Binary || e.op != "+" || depth > kDeepestIndex || !steps_.take()) {
            terms.push_back(id);
            return;
        }
        add_terms(e.a, terms, depth + 1);
        add_terms(e.b, terms, depth + 1);
    }

    /// True for the start of a tile: k0 in steps of 16, t * 16, t * get_local_size(0), t << 4.
    bool is_tile_start(ExprId id, SymbolId counter, std::int64_t stride) const {
        const auto is_width = [](std::int64_t width) { return width >= 2 && width <= kWidestTile; };
        const auto is_counter = [&](ExprId part) {
            return values_.is_name_of(values_.resolve(part), counter);
        };
        if (is_counter(id)) return is_width(stride);
        const Expr& e = program_.expr(id);
        if (e.kind != ExprKind::Binary || (e.op != "*" && e.op != "<<")) return false;
        const bool second = e.op == "*" && is_counter(e.b);
        if (!second && !is_counter(e.a)) return false;
        const ExprId factor = values_.resolve(second ? e.a : e.b);
        const Expr& size = program_.expr(factor);
        if (size.kind == ExprKind::Call && size.op == "get_local_size") return true;
        const auto number = values_.constant(factor);
        if (!number || *number < 1 || *number > kWidestTile) return false;
        return is_width(e.op == "*" ? stride * *number : *number <= 10 ? stride << *number : 0);
    }

    /// True if the work-items of a group access adjacent elements of a tile, k0 + get_local_id(0), and these
    /// are not the group's own share of the data, get_group_id(0) * 512 + k0 + get_local_id(0).
    bool walks_over_tiles(ExprId id, SymbolId counter, std::int64_t stride, int depth = 0) const {
        if (depth > kDeepestIndex) return false;
        std::vector<ExprId> terms;
        add_terms(id, terms);
        bool start = false, local = false, share = false;
        for (const ExprId term : terms) {
            if (!steps_.take()) return false;
            start = start || is_tile_start(term, counter, stride);
            local = local || values_.is_id(term, "get_local_id");
            share = share || values_.is_id(term, "get_global_id") ||
                    (mentions_group(term) && !values_.depends_on_ids(term));
        }
        if (start) return local && !share;
        return std::any_of(terms.begin(), terms.end(), [&](ExprId term) {
            const Expr& e = program_.expr(term);
            return e.kind == ExprKind::Binary && e.op == "*" &&
                   (walks_over_tiles(e.a, counter, stride, depth + 1) ||
                    walks_over_tiles(e.b, counter, stride, depth + 1));
        });
    }

    /// For loops with few iterations: true if the loop clearly iterates over tiles along the depth of a
    /// product.
    bool is_surely_over_tiles(const Work& work, SymbolId counter, std::int64_t stride) const {
        return work.barrier && !work.stores_global &&
               std::any_of(work.loaded.begin(), work.loaded.end(),
                           [&](ExprId index) { return walks_over_tiles(index, counter, stride); });
    }

    bool takes_a_size() const {
        return std::any_of(function_->parameters.begin(), function_->parameters.end(),
                           [&](SymbolId id) { return program_.symbol(id).integer; });
    }

    void check(const Statement& s) {
        const auto counted = count(s);
        if (!counted) return;
        const Bound bound = look_at_bound(counted->bound);
        if (!bound.known || (!bound.groups && !bound.constant)) return;
        const Work work = look(s, counted->symbol);
        const bool uses_tile = std::any_of(work.stored.begin(), work.stored.end(),
                                           [&](SymbolId symbol) { return work.read.contains(symbol); });
        if (!work.steps || !work.indexes_global || (!work.barrier && !uses_tile)) return;
        if (bound.groups) {
            if (!takes_a_size()) return;
            findings_.add(
                program_.place(s.place), "tiles",
                fmt::format("This loop over tiles ends at {}, which is right only where the NDRange happens "
                            "to fit the length that the tiles cover; let it run over that length, as the "
                            "kernel's argument for it says, and guard the last tile.",
                            bound.name));
            return;
        }
        const auto end = values_.constant(counted->bound);
        if (bound.size || work.stored.empty() || is_share_of_group(bound)) return;
        if (end && work.stride && *work.stride > 0 && *end / *work.stride <= kFewRounds &&
            (*end <= *work.stride || !is_surely_over_tiles(work, counted->symbol, *work.stride)))
            return;
        findings_.add(
            program_.place(s.place), "tiles",
            fmt::format("This loop over tiles ends at a constant{}, so the kernel is right for one size of "
                        "the problem only; let it run up to the size that the kernel gets as an argument, "
                        "and guard the last tile.",
                        end ? fmt::format(" ({})", *end) : ""));
    }

    const std::vector<std::uint64_t>& sizes_;
    const Function* function_ = nullptr;
};

}  // namespace

void find_fixed_tile_loops(const Values& values, const std::vector<std::uint64_t>& sizes,
                           Findings& findings) {
    for (const Function& function : values.program.functions)
        if (function.kernel && function.readable) TileLoops(values, sizes, findings).run(function);
}

}  // namespace kwb::hints
