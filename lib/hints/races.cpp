// Local memory that one work-item stores and another reads with no barrier between.
//
// Follows each kernel and keeps the accesses since the last barrier. A loop is followed twice, so that what
// its end leaves open meets what its beginning does. Where a condition or an index is beyond this analysis it
// says nothing.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "hints/analyses.hpp"
#include "hints/local_index.hpp"
#include "hints/tree.hpp"

namespace kwb::hints {
namespace {

constexpr std::size_t kMostPending = 64;

/// A condition around an access that depends on the work-item's ids.
struct Guard {
    std::string text;
    ExprId condition = kNone;
    std::vector<std::string>
        only;  ///< values that an id is compared with by ==: a single work-item, or one of each row
};

struct LocalAccess {
    SymbolId array = kNone;
    bool store = false;
    std::vector<Dimension> index;
    std::vector<Guard> guards;
    std::int32_t token = 0;
    StatementId statement = kNone;
    std::int32_t carried_by = kNone;              ///< the loop in whose earlier round it was
    const std::set<SymbolId>* changed = nullptr;  ///< variables that this loop changes

    bool has_ids() const {
        return std::any_of(index.begin(), index.end(), [](const Dimension& d) { return d.ids; });
    }
    bool single() const {
        return std::any_of(guards.begin(), guards.end(), [](const Guard& g) { return !g.only.empty(); });
    }
};

class Races {
public:
    Races(const Values& values, Steps& steps, Findings& findings)
        : values_(values), program_(values.program()), steps_(steps), findings_(findings) {}

    void run(const Function& kernel) {
        exclude_given_away(kernel);
        walk(kernel.body);
        report();
    }

private:
    /// Arrays whose address goes elsewhere are not followed.
    void exclude_given_away(const Function& kernel) {
        for_each_statement(program_, kernel.body, steps_, [&](StatementId id) {
            const Statement& s = program_.statement(id);
            exclude(s.expr, false), exclude(s.step, false);
            for (SymbolId symbol : s.symbols) exclude(program_.symbol(symbol).initial, false);
        });
    }

    void exclude(ExprId id, bool indexed) {
        if (id == kNone || !steps_.take()) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Name && e.symbol != kNone) {
            const Symbol& symbol = program_.symbol(e.symbol);
            if (!indexed && (symbol.array || symbol.pointer)) given_away_.insert(e.symbol);
            return;
        }
        if (e.kind == ExprKind::Unary && e.op == "&") given_away_.insert(values_.base(e.a));
        if (e.kind != ExprKind::Call) exclude(e.a, e.kind == ExprKind::Index);
        exclude(e.b, false), exclude(e.c, false);
        for (ExprId item : e.items) exclude(item, false);
    }

    bool follows(SymbolId id) const {
        if (id == kNone || given_away_.contains(id)) return false;
        const Symbol& symbol = program_.symbol(id);
        return symbol.is_local_object() && !symbol.is_volatile && !symbol.aggregate;
    }

    void walk(StatementId id) {
        if (id == kNone || !steps_.take()) return;
        const Statement& s = program_.statement(id);
        statement_ = id;
        switch (s.kind) {
            case StatementKind::Block:
                for (StatementId child : s.children) walk(child);
                return;
            case StatementKind::Declaration:
                for (SymbolId symbol : s.symbols) evaluate(program_.symbol(symbol).initial, Access::Read);
                return;
            case StatementKind::If:
            case StatementKind::Switch:
                return walk_branch(s);
            case StatementKind::For:
            case StatementKind::While:
            case StatementKind::DoWhile:
                return walk_loop(s, id);
            default:
                evaluate(s.expr, Access::Read);
        }
    }

    void walk_branch(const Statement& s) {
        evaluate(s.expr, Access::Read);
        const bool depends = values_.depends_on_ids(s.expr);
        const std::vector<LocalAccess> before = pending_;
        const bool barrier_before = std::exchange(barrier_, false);

        if (depends) guards_.push_back(read_guard(s.expr));
        walk(s.body);
        const bool barrier_then = std::exchange(barrier_, false);
        std::vector<LocalAccess> then = std::exchange(pending_, before);
        if (depends) guards_.back() = {"!" + guards_.back().text, s.expr, {}};
        walk(s.otherwise);
        const bool barrier_else = barrier_;
        if (depends) guards_.pop_back();

        // A branch with a barrier is taken for the usual one; a branch that leaves brings nothing along.
        if (leaves(s.body) || (barrier_else && !barrier_then)) {
        } else if (leaves(s.otherwise) || (barrier_then && !barrier_else)) {
            pending_ = std::move(then);
        } else {
            for (LocalAccess& access : then) add(std::move(access));
        }
        barrier_ = barrier_before || barrier_then || barrier_else;
    }

    bool leaves(StatementId id) const {
        while (id != kNone) {
            const Statement& s = program_.statement(id);
            if (s.kind == StatementKind::Return || s.kind == StatementKind::Break ||
                s.kind == StatementKind::Continue)
                return true;
            if (s.kind != StatementKind::Block || s.children.empty()) return false;
            id = s.children.back();
        }
        return false;
    }

    void walk_loop(const Statement& s, StatementId id) {
        walk(s.init);
        const std::set<SymbolId>* changed = changed_in(s, id);
        const std::vector<LocalAccess> before = pending_;
        const bool barrier_before = std::exchange(barrier_, false);
        const bool depends = s.expr != kNone && values_.depends_on_ids(s.expr);
        if (depends) guards_.push_back({values_.text(s.expr), s.expr, {}});
        for (int round = 0; round < 2; ++round) {
            statement_ = id;
            if (s.kind != StatementKind::DoWhile) evaluate(s.expr, Access::Read);
            walk(s.body);
            statement_ = id;
            evaluate(s.step, Access::Read);
            if (s.kind == StatementKind::DoWhile) evaluate(s.expr, Access::Read);
            if (round == 1) break;
            for (LocalAccess& access : pending_) {
                access.carried_by = s.token;
                access.changed = changed;
            }
        }
        if (depends) guards_.pop_back();
        if (!barrier_)
            for (const LocalAccess& access : before) add(access);
        barrier_ = barrier_ || barrier_before;
    }

    const std::set<SymbolId>* changed_in(const Statement& s, StatementId id) {
        // Named by hand: clang before 16 takes no structured binding into a lambda.
        const auto found = changed_.try_emplace(id);
        std::set<SymbolId>& changed = found.first->second;
        if (found.second) {
            const auto see = [&](ExprId part, Access access) {
                if (access != Access::Read) changed.insert(values_.base(part));
            };
            for_each_expr_in(program_, s.body, steps_, see);
            for_each_expr(program_, s.step, steps_, see);
            for_each_statement(program_, s.body, steps_, [&](StatementId inner) {
                for (SymbolId symbol : program_.statement(inner).symbols) changed.insert(symbol);
            });
        }
        return &changed;
    }

    Guard read_guard(ExprId condition) const {
        Guard guard{values_.text(condition), condition, {}};
        read_only(condition, guard.only, 0);
        return guard;
    }

    /// `lid == 0`, `!lid`, also as parts joined by &&.
    void read_only(ExprId id, std::vector<std::string>& only, int depth) const {
        const Expr& e = program_.expr(values_.resolve(id));
        if (depth > 20) return;
        if (e.kind == ExprKind::Binary && e.op == "&&") {
            read_only(e.a, only, depth + 1);
            read_only(e.b, only, depth + 1);
        } else if (e.kind == ExprKind::Binary && e.op == "==") {
            const bool a = values_.depends_on_ids(e.a), b = values_.depends_on_ids(e.b);
            if (a != b) only.push_back(values_.text(a ? e.b : e.a));
        } else if (e.kind == ExprKind::Unary && e.op == "!") {
            only.push_back("0");
        }
    }

    void evaluate(ExprId id, Access access) {
        if (id == kNone || !steps_.take()) return;
        const Expr& e = program_.expr(id);
        switch (e.kind) {
            case ExprKind::Assign:
                evaluate(e.b, Access::Read);
                evaluate(e.a, e.op == "=" ? Access::Store : Access::Update);
                return;
            case ExprKind::Index:
            case ExprKind::Name:
                return touch(id, access);
            case ExprKind::Member:
                evaluate(e.a, access);
                return;
            case ExprKind::Unary:
            case ExprKind::Postfix:
                evaluate(e.a, e.op == "++" || e.op == "--" ? Access::Update : Access::Read);
                return;
            case ExprKind::Call:
                return call(e);
            default:
                evaluate(e.a, Access::Read);
                evaluate(e.b, Access::Read);
                evaluate(e.c, Access::Read);
                for (ExprId item : e.items) evaluate(item, Access::Read);
        }
    }

    void call(const Expr& e) {
        if (!is_atomic(e.op))
            for (ExprId item : e.items) evaluate(item, Access::Read);
        const Function* callee = program_.find_function(e.op);
        bool waits = is_barrier(e.op) || e.op.starts_with("work_group_") || e.op == "sub_group_barrier" ||
                     e.op == "wait_group_events";
        if (callee != nullptr) {
            for (std::int32_t at = callee->body_from; at < callee->body_to && steps_.take(); ++at)
                waits = waits || is_barrier(program_.token(at).text) ||
                        program_.token(at).is("sub_group_barrier");
        } else {  // a macro or function of a header that is not there
            waits =
                waits || std::any_of(e.op.begin(), e.op.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
        }
        if (!waits) return;
        pending_.clear();
        barrier_ = true;
    }

    void touch(ExprId id, Access access) {
        LocalAccess made;
        made.token = program_.expr(id).token;
        std::vector<ExprId> indices;
        ExprId base = id;
        while (program_.expr(base).kind == ExprKind::Index) {
            indices.push_back(program_.expr(base).b);
            base = program_.expr(base).a;
        }
        for (ExprId index : indices) evaluate(index, Access::Read);
        if (program_.expr(base).kind != ExprKind::Name) return evaluate(base, Access::Read);
        made.array = program_.expr(base).symbol;
        if (!follows(made.array)) return;
        made.token = program_.expr(base).token;
        for (auto index = indices.rbegin(); index != indices.rend(); ++index)
            made.index.push_back(read_dimension(values_, *index));
        made.guards = guards_;
        made.statement = statement_;
        if (access != Access::Store) meet(made, false);
        if (access != Access::Read) meet(made, true);
    }

    void meet(LocalAccess now, bool store) {
        now.store = store;
        for (const LocalAccess& before : pending_)
            if (before.array == now.array && before.store != store && steps_.take(4) && races(before, now))
                note(before, now);
        add(std::move(now));
    }

    void add(LocalAccess access) {
        for (const LocalAccess& other : pending_)
            if (other.token == access.token && other.store == access.store &&
                other.carried_by == access.carried_by)
                return;
        if (pending_.size() < kMostPending) pending_.push_back(std::move(access));
    }

    bool races(const LocalAccess& before, const LocalAccess& now) const {
        const bool carried = before.carried_by != kNone;
        if (before.statement == now.statement && !carried) return false;
        const LocalAccess& store = now.store ? now : before;
        const LocalAccess& read = now.store ? before : now;
        if (under_same_guard(before, now, carried)) return false;
        if (is_own_by_guard(read) || is_own_by_guard(store)) {
            // s[0] under lid == 0 is that work-item's own s[lid]
            if (store.has_ids() || read.has_ids()) return false;
        }
        if (!store.has_ids()) {
            // One work-item stores for all, and all read.
            if (now.store || !store.single() || read.single()) return false;
            return std::equal(store.index.begin(), store.index.end(), read.index.begin(), read.index.end(),
                              [](const Dimension& a, const Dimension& b) { return a.text == b.text; });
        }
        return may_meet(store.index, read.index);
    }

    /// Under one condition the indices may be such that nobody meets anybody, as in a tree reduction.
    bool under_same_guard(const LocalAccess& before, const LocalAccess& now, bool carried) const {
        for (const Guard& guard : before.guards)
            for (const Guard& other : now.guards) {
                if (guard.text != other.text) continue;
                if (!guard.only.empty() || !carried) return true;
                bool changes = false;
                values_.visit(guard.condition, [&](ExprId part) {
                    const SymbolId symbol = program_.expr(part).symbol;
                    changes = changes || (symbol != kNone && before.changed != nullptr &&
                                          before.changed->contains(symbol));
                });
                if (!changes) return true;
            }
        return false;
    }

    bool is_own_by_guard(const LocalAccess& access) const {
        for (const Guard& guard : access.guards)
            for (const std::string& value : guard.only)
                if (std::all_of(access.index.begin(), access.index.end(),
                                [&](const Dimension& dimension) { return dimension.text == value; }) &&
                    !access.index.empty())
                    return true;
        return false;
    }

    void note(const LocalAccess& before, const LocalAccess& now) {
        if (!reported_.insert({before.token, now.store}).second) return;
        if (!program_.token(now.token).own) return;
        // Reads: one remark a line. Stores: one remark a loop and line of reading.
        const std::uint32_t key = now.store ? line(before.token) : line(now.token);
        const std::int32_t loop = now.store ? before.carried_by : kNone;
        Remark& remark = remarks_[{now.store, loop, key}];
        if (remark.token == kNone || line(now.token) < line(remark.token)) remark.token = now.token;
        const std::string name = fmt::format("`{}`", program_.symbol(now.array).name);
        if (std::find(remark.arrays.begin(), remark.arrays.end(), name) == remark.arrays.end())
            remark.arrays.push_back(name);
        remark.lines.insert(line(before.token));
    }

    void report() {
        for (const auto& [key, remark] : remarks_) {
            const auto& [store, loop, _] = key;
            std::vector<std::string> numbers;
            for (std::uint32_t number : remark.lines) numbers.push_back(std::to_string(number));
            const std::string arrays = enumerate(remark.arrays);
            const std::string lines = (numbers.size() > 1 ? "lines " : "line ") + enumerate(numbers);
            std::string sentence;
            if (!store)
                sentence = fmt::format(
                    "{} {} read here with no barrier between this and {}, where other work-items "
                    "store what is read; put barrier(CLK_LOCAL_MEM_FENCE) between.",
                    arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
            else if (loop != kNone)
                sentence = fmt::format(
                    "In the next round of the loop {} {} overwritten from here on, which slower "
                    "work-items may still be reading in {}; put barrier(CLK_LOCAL_MEM_FENCE) at the "
                    "end of the loop.",
                    arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
            else
                sentence = fmt::format(
                    "{} {} overwritten here, which other work-items may still be reading in {}; put "
                    "barrier(CLK_LOCAL_MEM_FENCE) between.",
                    arrays, remark.arrays.size() > 1 ? "are" : "is", lines);
            findings_.add(program_.token(remark.token), store ? "overwritten" : "race", std::move(sentence));
        }
    }

    std::uint32_t line(std::int32_t token) const { return program_.token(token).line; }

    struct Remark {
        std::int32_t token = kNone;
        std::vector<std::string> arrays;
        std::set<std::uint32_t> lines;
    };

    const Values& values_;
    const Program& program_;
    Steps& steps_;
    Findings& findings_;
    std::set<SymbolId> given_away_;
    std::vector<LocalAccess> pending_;  // since the last barrier
    std::vector<Guard> guards_;
    std::map<StatementId, std::set<SymbolId>> changed_;
    std::set<std::pair<std::int32_t, bool>> reported_;
    std::map<std::tuple<bool, std::int32_t, std::uint32_t>, Remark> remarks_;
    StatementId statement_ = kNone;
    bool barrier_ = false;  // met one since the branch or loop began
};

bool is_single(const Function& function) {
    return function.work_group && *function.work_group == std::array<std::uint64_t, 3>{1, 1, 1};
}

}  // namespace

void find_races(const Values& values, Steps& steps, Findings& findings) {
    for (const Function& function : values.program().functions)
        if (function.kernel && function.readable && !is_single(function))
            Races(values, steps, findings).run(function);
}

}  // namespace kwb::hints
