// SPDX-License-Identifier: Apache-2.0
#include "source/suspicions.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace kwb::source {
namespace {

constexpr std::size_t kMostFound = 20;
constexpr int kMostRounds = 10;  // over all assignments; usually three are enough

bool is_id(std::string_view function) {
    constexpr std::array kNames{"get_global_id",       "get_local_id",     "get_global_linear_id",
                                "get_local_linear_id", "get_sub_group_id", "get_sub_group_local_id"};
    return std::ranges::find(kNames, function) != kNames.end();
}

bool is_comparison(std::string_view op) {
    constexpr std::array kOps{"<", "<=", ">", ">=", "!="};
    return std::ranges::find(kOps, op) != kOps.end();
}

class Suspicions {
public:
    explicit Suspicions(const Program& program) : program_(program), marks_(program.functions.size()) {
        find_dependent();
    }

    std::vector<Finding> find(const std::vector<std::string>& launched) {
        for (const std::string& kernel : launched) follow_calls(kernel);
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            const Function& function = program_.functions[i];
            const bool has_single_items =
                function.work_group && *function.work_group == std::array<std::uint64_t, 3>{1, 1, 1};
            left_ = kNone;
            if (marks_[i] == Mark::Done && function.readable && !has_single_items) walk(function.body, kNone);
        }
        find_unset();
        std::ranges::sort(found_, {}, [](const Found& one) { return std::tuple(one.line, one.column); });
        std::vector<Finding> findings;
        for (Found& one : found_)
            if (findings.size() < kMostFound) findings.push_back(std::move(one.finding));
        return findings;
    }

private:
    enum class Mark : char { New, Open, Done };
    struct Found {
        std::uint32_t line, column;
        Finding finding;
    };

    void add(std::int32_t at, Finding finding) {
        const Place& place = program_.place(at);
        if (!place.own || place.line == 0) return;
        finding.place = std::to_string(place.line) + ":" + std::to_string(std::max(place.column, 1u));
        found_.push_back({place.line, place.column, std::move(finding)});
    }

    /// Depth-first search: a call of a function that is still open closes a cycle.
    void follow_calls(std::string_view kernel) {
        const auto enter = [&](std::string_view name, auto& path) {
            const auto known = program_.function_places.find(name);
            if (known == program_.function_places.end() || marks_[known->second] != Mark::New) return;
            marks_[known->second] = Mark::Open;
            path.push_back({known->second, 0});
        };
        std::vector<std::pair<std::size_t, std::size_t>> path;  // function, and its next call
        enter(kernel, path);
        while (!path.empty()) {
            auto& [caller, next] = path.back();
            const Function& function = program_.functions[caller];
            if (next == function.calls.size()) {
                marks_[caller] = Mark::Done;
                path.pop_back();
                continue;
            }
            const Call& call = function.calls[next++];
            const auto callee = program_.function_places.find(call.name);
            if (callee != program_.function_places.end() && marks_[callee->second] == Mark::Open)
                add(call.place, {.code = FindingCode::Recursion, .subject = std::string(call.name)});
            enter(call.name, path);
        }
    }

    /// Variables that are only added to, or computed from themselves: sum = sum + x.
    void find_unset() {
        std::map<SymbolId, std::int32_t> first;  // place of the first such use; kNone: none yet
        for (std::size_t i = 0; i < marks_.size(); ++i)
            for (const SymbolId id : program_.functions[i].variables) {
                const Symbol& s = program_.symbol(id);
                if (marks_[i] == Mark::Done && program_.functions[i].readable && s.initial == kNone &&
                    !s.array && !s.pointer && !s.aggregate && s.space == Space::Private)
                    first.emplace(id, kNone);
            }
        for (const Expr& e : program_.exprs) {
            const bool steps = e.op == "++" || e.op == "--";
            if (e.a == kNone || (e.kind != ExprKind::Assign && e.op != "&" && !steps)) continue;
            ExprId target = e.a;
            for (const Expr* t = &program_.expr(target); t->kind == ExprKind::Member && t->a != kNone;)
                t = &program_.expr(target = t->a);
            const auto known = first.find(program_.expr(target).symbol);
            if (known == first.end() || e.kind == ExprKind::Binary) continue;
            const bool adds =
                steps || (e.kind == ExprKind::Assign && (e.op != "=" || reads(e.b, known->first)));
            if (target != e.a || !adds)
                first.erase(known);  // another statement may set it
            else if (known->second == kNone)
                known->second = e.place;
        }
        for (const auto& [id, place] : first)
            if (place != kNone)
                add(place,
                    {.code = FindingCode::UnsetVariable, .subject = std::string(program_.symbol(id).name)});
    }

    /// True if evaluating the expression always reads the variable.
    bool reads(ExprId id, SymbolId symbol) const {
        if (id == kNone) return false;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Choice || e.op == "&&" || e.op == "||") return false;
        return (e.kind == ExprKind::Name && e.symbol == symbol) || reads(e.a, symbol) || reads(e.b, symbol) ||
               std::ranges::any_of(e.items, [&](ExprId item) { return reads(item, symbol); });
    }

    /// The variables whose every value depends on an id: all count as such until an assignment refutes it.
    void find_dependent() {
        dependent_.assign(program_.symbols.size(), false);
        const auto for_each_value = [&](const auto& see) {
            for (std::size_t i = 0; i < program_.symbols.size(); ++i)
                if (program_.symbols[i].initial != kNone)
                    see(static_cast<SymbolId>(i), program_.symbols[i].initial);
            for (const Expr& e : program_.exprs)
                if (e.kind == ExprKind::Assign && e.op == "=" && e.a != kNone &&
                    program_.expr(e.a).kind == ExprKind::Name && program_.expr(e.a).symbol != kNone)
                    see(program_.expr(e.a).symbol, e.b);
        };
        for_each_value([&](SymbolId symbol, ExprId) { dependent_[static_cast<std::size_t>(symbol)] = true; });
        bool changes = true;
        for (int round = 0; changes; ++round) {
            if (round == kMostRounds) return dependent_.assign(dependent_.size(), false);
            changes = false;
            for_each_value([&](SymbolId symbol, ExprId value) {
                if (!dependent_[static_cast<std::size_t>(symbol)] || depends(value)) return;
                dependent_[static_cast<std::size_t>(symbol)] = false;
                changes = true;
            });
        }
    }

    /// True if the value certainly differs between the work-items of a group.
    bool depends(ExprId id) const {
        if (id == kNone) return false;
        const Expr& e = program_.expr(id);
        const auto any = [&] { return std::ranges::any_of(e.items, [&](ExprId i) { return depends(i); }); };
        switch (e.kind) {
            case ExprKind::Name:
                return e.symbol != kNone && dependent_[static_cast<std::size_t>(e.symbol)];
            case ExprKind::Call:
                // Work-group functions return the same value to all; the source's own functions are unknown.
                return is_id(e.op) || (!e.op.starts_with("work_group_") && !e.op.starts_with("sub_group_") &&
                                       program_.find_function(e.op) == nullptr && any());
            case ExprKind::Unary:
                return e.op != "*" && e.op != "&" && depends(e.a);
            case ExprKind::Postfix:
                return depends(e.a);
            case ExprKind::Binary:
                // The number of a group or of a row: get_global_id(0) / 64, get_global_id(0) -
                // get_local_id(0)
                if (e.op == "/" || e.op == ">>" || e.op == "&") return false;
                if (e.op == "-") return depends(e.a) != depends(e.b);
                return depends(e.a) || depends(e.b);
            case ExprKind::Choice:
                return depends(e.b) || depends(e.c);
            case ExprKind::Assign:
                return e.op == "=" && depends(e.b);
            default:
                return false;
        }
    }

    /// @param condition  place of the innermost `if` or `?` around it that depends on an id; kNone: there is
    ///                   none
    void walk(StatementId id, std::int32_t condition) {
        if (id == kNone) return;
        const Statement& s = program_.statement(id);
        if (s.kind == StatementKind::Return && condition != kNone && left_ == kNone) left_ = condition;
        const bool branches = s.kind == StatementKind::If || s.kind == StatementKind::Switch;
        const std::int32_t inner = branches && depends(s.expr) ? s.place : condition;
        walk(s.init, condition);
        look_for_barrier(s.expr, condition);
        for (std::size_t i = 0; i < s.children.size(); ++i) {
            look_for_semicolon(s.children[i], i + 1 < s.children.size() ? s.children[i + 1] : kNone);
            walk(s.children[i], condition);
        }
        walk(s.body, inner);
        walk(s.otherwise, inner);
    }

    /// A loop that ends with a `;` on the line of its head, if it only counts by one or what follows looks
    /// like its body. `for (; n > 1; n /= 2);` and searches, which test more than their variable, are meant.
    void look_for_semicolon(StatementId id, StatementId following) {
        const Statement& loop = program_.statement(id);
        if (loop.kind != StatementKind::For && loop.kind != StatementKind::While) return;
        const Statement& body = program_.statement(loop.body);
        const ExprId last = loop.step != kNone ? loop.step : loop.expr;
        const auto line_of = [&](std::int32_t at) { return program_.place(at).line; };
        if (!body.is_semicolon || last == kNone || line_of(program_.expr(last).place) != line_of(body.place))
            return;
        if (!counts_by_one(loop) && !looks_like_body(loop, following)) return;
        add(body.place, {.code = FindingCode::StraySemicolon});
    }

    /// A block, or more indented on a later line.
    bool looks_like_body(const Statement& loop, StatementId following) const {
        if (following == kNone) return false;
        const Statement& next = program_.statement(following);
        const Place &head = program_.place(loop.place), &at = program_.place(next.place);
        return (next.kind == StatementKind::Block && !next.is_semicolon) ||
               (at.line > head.line && at.column > head.column);
    }

    /// `for (k = 0; k < n; ++k)`
    bool counts_by_one(const Statement& loop) const {
        if (loop.init == kNone || loop.expr == kNone || loop.step == kNone) return false;
        const Expr &step = program_.expr(loop.step), &condition = program_.expr(loop.expr);
        const auto names = [&](ExprId part) {
            return part != kNone && program_.expr(part).kind == ExprKind::Name &&
                   program_.expr(part).symbol == program_.expr(step.a).symbol;
        };
        return (step.op == "++" || step.op == "--") && names(step.a) && is_comparison(condition.op) &&
               (names(condition.a) || names(condition.b));
    }

    void look_for_barrier(ExprId id, std::int32_t condition) {
        if (id == kNone) return;
        const Expr& e = program_.expr(id);
        if (e.kind == ExprKind::Call && is_barrier(e.op) && (condition != kNone || left_ != kNone)) {
            const bool leaves = condition == kNone;
            const Place& around = program_.place(leaves ? left_ : condition);
            add(e.place,
                {.code = FindingCode::SuspectBarrier,
                 .numbers = {{"line", static_cast<double>(around.line)}, {"leaves", leaves ? 1.0 : 0.0}}});
        }
        const std::int32_t inner = e.kind == ExprKind::Choice && depends(e.a) ? e.place : condition;
        look_for_barrier(e.a, condition);
        look_for_barrier(e.b, inner);
        look_for_barrier(e.c, inner);
        for (const ExprId item : e.items) look_for_barrier(item, condition);
    }

    const Program& program_;
    std::vector<Mark> marks_;      ///< by function
    std::vector<bool> dependent_;  ///< by symbol
    std::int32_t left_ = kNone;    ///< place of a condition under which work-items have returned before
    std::vector<Found> found_;
};

}  // namespace

std::vector<Finding> find_suspicions(const Program& program, const std::vector<std::string>& launched) {
    return Suspicions(program).find(launched);
}

}  // namespace kwb::source
