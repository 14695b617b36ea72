// Accesses to local and private arrays that are certainly out of bounds.
//
// An index is evaluated if it consists of constants and of counters of loops whose iterations are all known.
// It is reported only if no condition around the access can prevent the iteration in question; if unsure,
// nothing is reported.
#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "hints/analyses.hpp"
#include "hints/counted_loop.hpp"

namespace kwb::hints {
namespace {

constexpr int kMostParts = 100;  // maximum number of parts of an index, with names resolved
constexpr std::int64_t kLargestFactor = std::int64_t{1} << 20;  // maximum factor of a counter
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31;  // maximum extent of a dimension

constexpr int kDeepest = 20;  // maximum nesting of && and ||

bool is_argument(const Program& program, const Expr& e) {
    if (e.kind != ExprKind::Name || e.symbol == kNone) return false;
    const Symbol& symbol = program.symbol(e.symbol);
    return symbol.parameter && !symbol.changed && !symbol.pointer;
}

bool is_id(const Expr& e) {
    return e.kind == ExprKind::Call && (is_id_function(e.op) || e.op == "get_group_id");
}

/// What an expression consists of.
struct Made {
    bool known = true;     ///< only ids, arguments and numbers
    bool varies = false;   ///< contains an id or an argument
    bool numbers = false;  ///< contains a number above 1
};

Made look_at(const Values& values, ExprId id) {
    Made made;
    const Program& program = values.program;
    values.visit(id, [&](ExprId part) {
        const Expr& e = program.expr(part);
        if (values.resolve(part) != part) return;  // its value is visited next
        if (e.kind == ExprKind::Number) {
            const auto value = integer_value(e.op);
            made.numbers = made.numbers || !value || *value > 1;
        } else if (is_argument(program, e) || is_id(e)) {
            made.varies = true;
        } else if (e.kind != ExprKind::Binary && e.kind != ExprKind::Unary) {
            made.known = false;
        }
    });
    return made;
}

bool is_comparison(const Expr& e) {
    return e.kind == ExprKind::Binary &&
           (e.op == "<" || e.op == "<=" || e.op == ">" || e.op == ">=" || e.op == "==" || e.op == "!=");
}

/// True if an access under this condition may still happen in all iterations of the enclosing loops. False if
/// unsure: each part of the condition must depend only on the work-item's ids and the kernel's arguments, and
/// no part may compare with a number as large as the array, as `lid >= 16` does for an array with 16
/// elements.
/// @param condition  of an if, a ?: or a jump; its parts are joined by && || !
/// @param extent     the number of elements of the array in this dimension
bool may_pass(const Values& values, ExprId condition, std::int64_t extent, int depth = 0) {
    const ExprId id = values.resolve(condition);
    if (id == kNone || depth > kDeepest || !values.steps.take()) return false;
    const Expr& e = values.program.expr(id);
    if (e.op == "&&" || e.op == "||")
        return may_pass(values, e.a, extent, depth + 1) && may_pass(values, e.b, extent, depth + 1);
    if (e.kind == ExprKind::Unary && e.op == "!") return may_pass(values, e.a, extent, depth + 1);
    if (e.kind == ExprKind::Call) return is_id(e);
    if (!is_comparison(e)) {
        const Made whole = look_at(values, id);
        return whole.known && whole.varies && !whole.numbers;
    }
    const Made a = look_at(values, e.a), b = look_at(values, e.b);
    if (!a.known || !b.known || (!a.varies && !b.varies)) return false;
    if (a.varies && b.varies) return true;
    // One side is a number: the other side must be simple, and the number well below the array's extent.
    const auto number = values.constant(a.varies ? e.b : e.a);
    return number && *number < extent - 1 && !(a.varies ? a : b).numbers;
}

/// True if the condition of a loop contains an argument, so that the loop probably runs.
bool mentions_argument(const Values& values, ExprId condition) {
    return values.any_part(condition,
                           [&](ExprId id) { return is_argument(values.program, values.program.expr(id)); });
}

/// An enclosing construct of the current place.
struct Around {
    enum class Kind : std::uint8_t { Condition, Loop, Unknown } kind = Kind::Unknown;
    ExprId condition = kNone;  ///< of a branch
    StatementId loop = kNone;
    std::optional<CountedLoop> counted = std::nullopt;
};

/// An index as a linear expression: the sum of `constant` and of counters with factors.
struct Linear {
    struct Term {
        std::size_t around;  ///< index of the loop in `around_`
        std::int64_t factor;
    };
    std::int64_t constant = 0;
    std::vector<Term> terms = {};
};

class Overruns : Analysis {
public:
    using Analysis::Analysis;

    void run(const Function& function) {
        around_.clear();
        leaving_.clear();
        walk(function.body);
    }

private:
    void walk(StatementId id) {
        if (id == kNone || !steps_.take()) return;
        const Statement& s = program_.statement(id);
        switch (s.kind) {
            case StatementKind::If:
            case StatementKind::Switch: {
                const Around branch =
                    s.kind == StatementKind::If ? Around{Around::Kind::Condition, s.expr} : Around{};
                evaluate(s.expr);
                around_.push_back(branch);
                walk(s.body);
                walk(s.otherwise);
                around_.pop_back();
                note_jumps(s.body, branch.condition);
                note_jumps(s.otherwise, branch.condition);
                return;
            }
            case StatementKind::For:
            case StatementKind::While: {
                walk(s.init);
                evaluate(s.expr);
                evaluate(s.step);
                const std::size_t jumps = leaving_.size();
                around_.push_back({Around::Kind::Loop, kNone, id, read_counted_loop(values_, id)});
                walk(s.body);
                around_.pop_back();
                forget_breaks(jumps);
                return;
            }
            default:  // the body of a do loop has at least one iteration
                evaluate(s.expr);
                for (SymbolId symbol : s.symbols) evaluate(program_.symbol(symbol).initial);
                for (StatementId child : s.children) walk(child);
                walk(s.body);
        }
    }

    struct Jumps {
        bool any = false, returns = false;
    };

    Jumps jumps_in(StatementId id) const {
        Jumps jumps;
        values_.for_each_statement(id, [&](const Statement& part) {
            jumps.returns = jumps.returns || part.kind == StatementKind::Return;
            jumps.any = jumps.any || part.is_jump();
        });
        return jumps;
    }

    void note_jumps(StatementId id, ExprId condition) {
        if (const Jumps jumps = jumps_in(id); jumps.any) leaving_.push_back({condition, jumps.returns});
    }

    /// At the end of a loop: a break or continue inside it does not affect the code after it.
    void forget_breaks(std::size_t before) {
        const auto first = leaving_.begin() + static_cast<std::ptrdiff_t>(before);
        leaving_.erase(std::remove_if(first, leaving_.end(), std::not_fn(&Leave::returns)), leaving_.end());
    }

    void evaluate(ExprId id) {
        if (id == kNone || !steps_.take()) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Index) check(id);
        if (e.kind == ExprKind::Unary && e.op == "&") return evaluate_behind(e.a);
        if (e.kind != ExprKind::Call) evaluate(e.a);
        const bool conditional = e.kind == ExprKind::Choice || e.op == "&&" || e.op == "||";
        if (conditional) around_.push_back({Around::Kind::Condition, e.a});
        evaluate(e.b);
        evaluate(e.c);
        if (conditional) around_.pop_back();
        for (ExprId item : e.items) evaluate(item);
    }

    /// If only the address of an element is taken, it may be the one past the end: check only its indices.
    void evaluate_behind(ExprId id) {
        while (id != kNone) {
            const Expr& e = program_.expr(id);
            if (e.kind != ExprKind::Index && e.kind != ExprKind::Member) return evaluate(id);
            evaluate(e.b);
            id = e.a;
        }
    }

    void check(ExprId id) {
        std::vector<ExprId> chain;  // for a[i][j]: at i, at j
        const Expr* e = &program_.expr(id);
        while (e->kind == ExprKind::Index && steps_.take()) {
            chain.insert(chain.begin(), id);
            id = e->a;
            e = &program_.expr(id);
        }
        if (e->kind != ExprKind::Name || e->symbol == kNone) return;
        const Symbol& array = program_.symbol(e->symbol);
        if (array.extents.empty() || array.pointer || array.parameter ||
            (array.space != Space::Local && array.space != Space::Private) ||
            chain.size() < array.extents.size())
            return;  // a[16] of a[16][16] only computes an address
        chain.resize(array.extents.size());
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const std::int64_t extent = array.extents[i].elements;
            if (extent <= 0 || extent > kLargestExtent) continue;
            const auto index = follow(chain[i]);
            if (!index) continue;
            const auto [least, most] = range(*index);
            if (least >= 0 && most < extent) continue;
            if (!stays_inside(array, chain) && surely_comes(*index, extent))
                report(array, chain[i], i, *index, extent);
        }
    }

    /// The index of an access as a linear expression; nullopt if a part of it cannot be evaluated.
    std::optional<Linear> follow(ExprId access) {
        const ExprId index = program_.expr(access).b;
        if (values_.any_part(index, [&](ExprId part) { return program_.expr(part).narrowed; }))
            return std::nullopt;
        Linear sum;
        int parts = 0;
        if (!add(index, 1, sum, parts)) return std::nullopt;
        return sum;
    }

    /// Adds `factor` times an expression to `sum`.
    bool add(ExprId id, std::int64_t factor, Linear& sum, int& parts) {
        id = values_.resolve(id);
        if (id == kNone || ++parts > kMostParts || !steps_.take()) return false;
        const Expr& e = program_.expr(id);
        switch (e.kind) {
            case ExprKind::Number: {
                const auto value = integer_value(e.op);
                if (!value || *value < 0 || *value > kMostCounted) return false;
                sum.constant += factor * *value;  // at most 100 times 2^51
                return true;
            }
            case ExprKind::Name:
                return add_counter(e, factor, sum);
            case ExprKind::Unary:
                if (e.op != "-" && e.op != "+") return false;
                return add(e.a, e.op == "-" ? -factor : factor, sum, parts);
            case ExprKind::Binary:
                break;
            default:
                return false;
        }
        if (e.op == "+" || e.op == "-")
            return add(e.a, factor, sum, parts) && add(e.b, e.op == "-" ? -factor : factor, sum, parts);
        if (e.op == "*") {
            const auto a = values_.constant(e.a), b = values_.constant(e.b);
            if (!a && !b) return false;
            const std::int64_t by = a ? *a : *b;
            if (by > kLargestFactor || by < -kLargestFactor) return false;
            const std::int64_t product = by * factor;
            if (product > kLargestFactor || product < -kLargestFactor) return false;
            return add(a ? e.b : e.a, product, sum, parts);
        }
        const auto value = values_.constant(id);
        if (!value || *value > kMostCounted || *value < -kMostCounted) return false;
        sum.constant += factor * *value;
        return true;
    }

    bool add_counter(const Expr& name, std::int64_t factor, Linear& sum) const {
        for (std::size_t i = around_.size(); i-- > 0;) {
            const Around& around = around_[i];
            if (!around.counted || around.counted->counter != name.symbol) continue;
            // A variable that was initialized from this counter before the loop has a different value.
            if (!around.counted->runs || name.place < program_.statement(around.loop).place) return false;
            for (Linear::Term& term : sum.terms)
                if (term.around == i) {
                    term.factor += factor;
                    return true;
                }
            sum.terms.push_back({i, factor});
            return true;
        }
        return false;
    }

    /// The smallest and the largest value.
    std::pair<std::int64_t, std::int64_t> range(const Linear& index) const {
        std::pair<std::int64_t, std::int64_t> range{index.constant, index.constant};
        for (const Linear::Term& term : index.terms) {
            const CountedLoop& loop = *around_[term.around].counted;
            const auto [low, high] = std::minmax({term.factor * loop.first, term.factor * loop.last});
            range.first += low;
            range.second += high;
        }
        return range;
    }

    /// True for a[0][k] up to the last element of the whole array: rows are contiguous, and some kernels fill
    /// an array this way.
    bool stays_inside(const Symbol& array, const std::vector<ExprId>& chain) {
        std::int64_t least = 0, most = 0, elements = 1;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const std::int64_t extent = array.extents[i].elements;
            const auto index = follow(chain[i]);
            if (!index || extent <= 0 || extent > kLargestFactor) return false;
            const auto [low, high] = range(*index);
            for (const std::int64_t value : {low, high, least, most})
                if (value > kMostCounted || value < -kMostCounted) return false;
            elements *= extent;
            if (elements > kMostCounted) return false;
            least = least * extent + low;
            most = most * extent + high;
        }
        return least >= 0 && most < elements;
    }

    /// True if the iteration occurs in which every counter has the value assumed by range().
    bool surely_comes(const Linear& index, std::int64_t extent) {
        std::size_t outermost = around_.size();
        for (const Linear::Term& term : index.terms) outermost = std::min(outermost, term.around);
        for (std::size_t i = 0; i < around_.size(); ++i) {
            const Around& around = around_[i];
            if (around.kind == Around::Kind::Unknown) return false;
            if (around.kind == Around::Kind::Condition) {
                if (!may_pass(values_, around.condition, extent)) return false;
                continue;
            }
            const Statement& loop = program_.statement(around.loop);
            if (around.counted) {
                if (!around.counted->runs) return false;
                if (i >= outermost &&
                    (jumps_in(loop.body).any || body_changes(values_, around.loop, around.counted->counter)))
                    return false;
            } else if (i >= outermost || (loop.expr != kNone && !mentions_argument(values_, loop.expr))) {
                return false;
            }
        }
        return std::all_of(leaving_.begin(), leaving_.end(),
                           [&](const Leave& leave) { return may_pass(values_, leave.condition, extent); });
    }

    void report(const Symbol& array, ExprId access, std::size_t dimension, const Linear& index,
                std::int64_t extent) {
        const auto [least, most] = range(index);
        const bool behind = most >= extent;
        const bool plain = index.terms.size() == 1 && index.constant == 0 && index.terms[0].factor == 1;
        const std::string_view counter =
            index.terms.empty() ? "" : program_.symbol(around_[index.terms[0].around].counted->counter).name;
        const std::int64_t at = behind ? most : least;
        const std::string what = plain                 ? fmt::format("`{}` gets to {}", counter, at)
                                 : index.terms.empty() ? fmt::format("the index is {}", at)
                                                       : fmt::format("the index gets to {}", at);

        const std::string_view name = array.extents[dimension].name;
        const bool named = !name.empty();
        const std::string end = named ? std::string(name) : std::to_string(extent);
        const std::string elements = named ? fmt::format("{} = {}", end, extent) : end;

        std::string remedy =
            fmt::format("keep the index within 0 to {}, or make the array larger", extent - 1);
        if (plain && behind) {
            const CountedLoop& loop = *around_[index.terms[0].around].counted;
            remedy = loop.last < loop.first ? fmt::format("let `{}` start at {}", counter, extent - 1)
                                            : fmt::format("let the loop end at {} < {}", counter, end);
        }
        findings_.add(
            program_.place(program_.expr(access).place), "overrun",
            fmt::format(
                "Here {}, but `{}` has {} element{}{}, 0 to {}: what lies {} that belongs to {}, and a run "
                "need not show it; {}.",
                what, array.name, elements, extent == 1 ? "" : "s",
                array.extents.size() > 1 ? " in this dimension" : "", extent - 1,
                behind ? "behind" : "before",
                dimension > 0 ? "another row or to somebody else" : "somebody else", remedy));
    }

    struct Leave {
        ExprId condition;
        bool returns;
    };

    std::vector<Around> around_;
    std::vector<Leave> leaving_;  ///< the jumps before this place
};

}  // namespace

void find_overruns(const Values& values, Findings& findings) {
    const Program& program = values.program;
    if (std::all_of(program.symbols.begin(), program.symbols.end(),
                    [](const Symbol& symbol) { return symbol.extents.empty(); }))
        return;
    for (const Function& function : program.functions)
        if (function.readable) Overruns(values, findings).run(function);
}

}  // namespace kwb::hints
