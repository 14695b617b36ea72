// Local memory that one work-item stores and another reads without a barrier in between.
//
// Follows each kernel and collects the accesses since the last barrier. A loop is followed twice, so that
// accesses at its end are compared with those at its start. Where a condition or an index is too complex for
// this analysis, it reports nothing.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "hints/analyses.hpp"
#include "hints/local_access.hpp"

namespace kwb::hints {
namespace {

constexpr std::size_t kMostPending = 64;

class Races : Analysis {
public:
    using Analysis::Analysis;

    void run(const Function& kernel) {
        exclude_given_away(kernel);
        walk(kernel.body);
        report();
    }

private:
    /// Arrays whose address is passed on are not analyzed.
    void exclude_given_away(const Function& kernel) {
        values_.for_each_statement(kernel.body, [&](const Statement& s) {
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

        if (depends) guards_.push_back(read_guard(values_, s.expr));
        walk(s.body);
        const bool barrier_then = std::exchange(barrier_, false);
        std::vector<LocalAccess> then = std::exchange(pending_, before);
        if (depends) guards_.back() = {"!" + guards_.back().text, s.expr, {}};
        walk(s.otherwise);
        const bool barrier_else = barrier_;
        if (depends) guards_.pop_back();

        // A branch with a barrier is assumed to be the usual one; a branch that leaves contributes nothing.
        if (program_.ends_in_jump(s.body) || (barrier_else && !barrier_then)) {
        } else if (program_.ends_in_jump(s.otherwise) || (barrier_then && !barrier_else)) {
            pending_ = std::move(then);
        } else {
            for (LocalAccess& access : then) add(std::move(access));
        }
        barrier_ = barrier_before || barrier_then || barrier_else;
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
                access.carried_by = s.place;
                access.changed = changed;
            }
        }
        if (depends) guards_.pop_back();
        if (!barrier_)
            for (const LocalAccess& access : before) add(access);
        barrier_ = barrier_ || barrier_before;
    }

    const std::set<SymbolId>* changed_in(const Statement& s, StatementId id) {
        // No structured binding: clang before 16 cannot capture one in a lambda.
        const auto found = changed_.try_emplace(id);
        std::set<SymbolId>& changed = found.first->second;
        if (found.second) {
            const auto see = [&](ExprId part, Access access) {
                if (access != Access::Read) changed.insert(values_.base(part));
            };
            values_.for_each_expr_in(s.body, see);
            values_.for_each_expr(s.step, see);
            values_.for_each_statement(s.body, [&](const Statement& inner) {
                changed.insert(inner.symbols.begin(), inner.symbols.end());
            });
        }
        return &changed;
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
                evaluate(e.a, is_increment(e) ? Access::Update : Access::Read);
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
            waits = waits || callee->holds_barrier() ||
                    std::ranges::find(callee->calls, "sub_group_barrier", &source::Call::name) !=
                        callee->calls.end();
        } else {  // a macro or a function from a missing header
            waits = waits || std::ranges::any_of(e.op, [](char c) { return c >= 'A' && c <= 'Z'; });
        }
        if (!waits) return;
        pending_.clear();
        barrier_ = true;
    }

    void touch(ExprId id, Access access) {
        LocalAccess made;
        made.place = program_.expr(id).place;
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
        made.place = program_.expr(base).place;
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
            if (before.array == now.array && before.store != store && steps_.take(4) &&
                may_race(values_, before, now))
                note(before, now);
        add(std::move(now));
    }

    void add(LocalAccess access) {
        for (const LocalAccess& other : pending_)
            if (other.place == access.place && other.store == access.store &&
                other.carried_by == access.carried_by)
                return;
        if (pending_.size() < kMostPending) pending_.push_back(std::move(access));
    }

    std::uint32_t line(std::int32_t token) const { return program_.place(token).line; }

    /// @param before, now  accesses that race, in execution order
    void note(const LocalAccess& before, const LocalAccess& now) {
        if (!reported_.insert({before.place, now.store}).second) return;
        if (!program_.place(now.place).own) return;
        // For reads, one hint per line. For stores, one hint per loop and line of the read.
        const std::uint32_t key = now.store ? line(before.place) : line(now.place);
        const std::int32_t loop = now.store ? before.carried_by : kNone;
        Remark& remark = remarks_[{now.store, loop, key}];
        if (remark.place == kNone || line(now.place) < line(remark.place)) remark.place = now.place;
        const std::string name = fmt::format("`{}`", program_.symbol(now.array).name);
        if (std::find(remark.arrays.begin(), remark.arrays.end(), name) == remark.arrays.end())
            remark.arrays.push_back(name);
        remark.lines.insert(line(before.place));
    }

    void report() {
        for (const auto& [key, remark] : remarks_) {
            const auto& [store, loop, _] = key;
            std::vector<std::string> numbers;
            for (std::uint32_t number : remark.lines) numbers.push_back(std::to_string(number));
            const std::string arrays_are =
                enumerate(remark.arrays) + (remark.arrays.size() > 1 ? " are" : " is");
            const std::string lines = (numbers.size() > 1 ? "lines " : "line ") + enumerate(numbers);
            std::string sentence;
            if (!store)
                sentence = fmt::format(
                    "{} read here with no barrier between this and {}, where other work-items "
                    "store what is read; put barrier(CLK_LOCAL_MEM_FENCE) between.",
                    arrays_are, lines);
            else if (loop != kNone)
                sentence = fmt::format(
                    "In the next round of the loop {} overwritten from here on, which slower "
                    "work-items may still be reading in {}; put barrier(CLK_LOCAL_MEM_FENCE) at the "
                    "end of the loop.",
                    arrays_are, lines);
            else
                sentence = fmt::format(
                    "{} overwritten here, which other work-items may still be reading in {}; put "
                    "barrier(CLK_LOCAL_MEM_FENCE) between.",
                    arrays_are, lines);
            findings_.add(program_.place(remark.place), store ? "overwritten" : "race", std::move(sentence));
        }
    }

    /// Races with the same remedy become one hint.
    struct Remark {
        std::int32_t place = kNone;  ///< where it is reported: the first of the later accesses
        std::vector<std::string> arrays;
        std::set<std::uint32_t> lines;  ///< of the earlier accesses
    };

    std::set<std::pair<std::int32_t, bool>> reported_;  ///< earlier access; is the later one a store?
    /// Key: whether the later access is a store; the loop that leads back to it; a line.
    std::map<std::tuple<bool, std::int32_t, std::uint32_t>, Remark> remarks_;
    std::set<SymbolId> given_away_;
    std::vector<LocalAccess> pending_;  // since the last barrier
    std::vector<Guard> guards_;
    std::map<StatementId, std::set<SymbolId>> changed_;
    StatementId statement_ = kNone;
    bool barrier_ = false;  // a barrier occurred since the start of the branch or loop
};

}  // namespace

void find_races(const Values& values, Findings& findings) {
    constexpr std::array<std::uint64_t, 3> kSingleWorkItem{1, 1, 1};
    for (const Function& function : values.program.functions)
        if (function.kernel && function.readable && function.work_group != kSingleWorkItem)
            Races(values, findings).run(function);
}

}  // namespace kwb::hints
