// Barriers that only some work-items of a group reach.
//
// Follows every kernel from its first statement, including calls, and tracks for each private variable
// whether its value may differ between the work-items of a group (divergence analysis, after V. Sarkar and
// others). A variable becomes divergent through the assigned value, or when it is assigned in code that only
// some work-items reach. Values in local and global memory are uniform if they are read at a uniform index.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

constexpr int kMostRounds = 6;          // maximum number of passes over a loop until nothing changes
constexpr std::size_t kMostCalls = 12;  // maximum nesting depth

/// True if it contains only get_local_size(d) and numbers. A variable could be anything, even a row length.
bool is_group_size(const Values& values, ExprId id) {
    bool size = false, other = false;
    values.visit(id, [&](ExprId part) {
        const Expr& e = values.program.expr(part);
        if (e.kind == ExprKind::Call)
            (e.op == "get_local_size" || e.op == "get_enqueued_local_size" ? size : other) = true;
        if (e.kind == ExprKind::Name && values.resolve(part) == part && e.symbol != kNone) other = true;
    });
    return size && !other;
}

/// True for get_global_id(0) - get_local_id(0) and get_global_id(0) / get_local_size(0).
/// @param e  a binary expression
bool is_group_constant(const Values& values, const Expr& e) {
    if (!values.is_id(e.a, "get_global_id")) return false;
    if (e.op == "-") return values.is_id(e.b, "get_local_id");
    if (e.op != "/" && e.op != ">>" && e.op != "&") return false;
    const auto divisor = values.constant(e.b);
    if (e.op == "&") return values.program.expr(values.resolve(e.b)).op == "~";
    if (divisor) return *divisor >= (e.op == "/" ? 16 : 4);  // assumed to be the size of the work-group
    return is_group_size(values, e.b);
}

/// True for loops such as for (i = get_local_id(0); i < 1024; i += 256): every work-item makes the same
/// number of iterations if the group is not larger than the step.
/// @return  false for loops of any other form
bool has_same_trip_count(const Values& values, const Statement& s) {
    const Program& program = values.program;
    if (s.kind != StatementKind::For || s.expr == kNone || s.step == kNone || s.init == kNone) return false;
    const Expr& condition = program.expr(s.expr);
    const Expr& step = program.expr(s.step);
    if (condition.op != "<" || step.op != "+=") return false;
    const SymbolId symbol = program.expr(condition.a).symbol;
    if (symbol == kNone || program.expr(step.a).symbol != symbol) return false;
    const Statement& init = program.statement(s.init);
    ExprId first = program.symbol(symbol).initial;
    if (init.kind == StatementKind::Expression && program.expr(init.expr).kind == ExprKind::Assign)
        first = program.expr(init.expr).b;
    const auto bound = values.constant(condition.b), stride = values.constant(step.b);
    return first != kNone && !values.is_id(first, "get_global_id") && bound && stride && *stride > 0 &&
           *bound % *stride == 0;
}

class Divergence : Analysis {
public:
    using Analysis::Analysis;

    /// Reports the barriers in a kernel and in the functions it calls that only some work-items of a group
    /// reach.
    void run(const Function& kernel) {
        differs_.assign(program_.symbols.size(), 0);
        frames_ = {{&kernel, kNone, 0, kNone, false}};
        controls_.clear();
        exits_.clear();
        walk(kernel.body);
    }

private:
    struct Frame {
        const Function* function;
        std::int32_t call;           ///< place of the call
        std::size_t controls_below;  ///< number of controls that belong to the callers
        std::int32_t returned;       ///< place of a return that only some work-items take; kNone: none
        bool result_differs;
    };
    struct Exit {
        std::int32_t place;
        bool for_good;  ///< a break, not a continue
    };
    struct Breakable {
        bool loop;
        std::size_t controls;
    };

    /// True if only some work-items reach this place. Work-items that left a loop by break are ignored until
    /// the end of the loop.
    bool divergent() const { return !controls_.empty() || !std::ranges::all_of(exits_, &Exit::for_good); }

    bool differs(SymbolId symbol) const { return differs_[static_cast<std::size_t>(symbol)] != 0; }
    void set(SymbolId symbol, bool value) {
        const Symbol& variable = program_.symbol(symbol);
        if (variable.space == Space::Local && !variable.pointer) value = false;
        differs_[static_cast<std::size_t>(symbol)] = value;
    }

    std::vector<char> copy() {
        steps_.take(1 + differs_.size() / 64);
        return differs_;
    }
    void join(const std::vector<char>& other) {
        steps_.take(1 + differs_.size() / 16);
        for (std::size_t i = 0; i < differs_.size(); ++i) differs_[i] |= other[i];
    }

    void walk(StatementId id) {
        if (id == kNone || !steps_.take()) return;
        const Statement& s = program_.statement(id);
        switch (s.kind) {
            case StatementKind::Block:
                for (StatementId child : s.children) walk(child);
                return;
            case StatementKind::Expression:
                evaluate(s.expr);
                return;
            case StatementKind::Declaration:
                for (SymbolId symbol : s.symbols) {
                    const ExprId initial = program_.symbol(symbol).initial;
                    set(symbol, initial != kNone && (evaluate(initial) || divergent()));
                }
                return;
            case StatementKind::If:
                return walk_if(s);
            case StatementKind::Switch: {
                const bool some = evaluate(s.expr);
                if (some) controls_.push_back(s.place);
                breakables_.push_back({false, controls_.size()});
                const auto before = copy();
                walk(s.body);
                join(before);
                breakables_.pop_back();
                if (some) controls_.pop_back();
                return;
            }
            case StatementKind::Return: {
                const bool value = evaluate(s.expr);
                Frame& frame = frames_.back();
                const bool some = controls_.size() > frame.controls_below || !exits_.empty();
                frame.result_differs |= value || some;
                if (some && frame.returned == kNone) frame.returned = s.place;
                return;
            }
            case StatementKind::Break:
            case StatementKind::Continue:
                return walk_exit(s);
            default:
                return walk_loop(s);
        }
    }

    void walk_if(const Statement& s) {
        const bool some = evaluate(s.expr);
        if (some) controls_.push_back(s.place);
        const auto before = copy();
        walk(s.body);
        const auto then = std::exchange(differs_, before);
        walk(s.otherwise);
        if (!program_.ends_in_jump(s.body)) {
            if (program_.ends_in_jump(s.otherwise))
                differs_ = then;
            else
                join(then);
        }
        if (some) controls_.pop_back();
    }

    void walk_exit(const Statement& s) {
        // A break leaves the innermost loop or switch, a continue the innermost loop.
        for (auto around = breakables_.rbegin(); around != breakables_.rend(); ++around) {
            if (!around->loop && s.kind == StatementKind::Continue) continue;
            if (around->loop && controls_.size() > around->controls)
                exits_.push_back({s.place, s.kind == StatementKind::Break});
            return;
        }
    }

    void walk_loop(const Statement& s) {
        walk(s.init);
        const std::size_t exits = exits_.size();
        bool last_test_differs = false;
        for (int round = 0; round < kMostRounds && !steps_.used_up(); ++round) {
            const auto head = copy();
            const bool tested_first = s.kind != StatementKind::DoWhile;
            const bool some = tested_first ? test(s) : last_test_differs;
            if (some) controls_.push_back(s.place);
            breakables_.push_back({true, controls_.size()});
            walk(s.body);
            breakables_.pop_back();
            // after a continue a work-item takes part in the next round, after a break it does not
            const auto left_here = exits_.begin() + static_cast<std::ptrdiff_t>(exits);
            exits_.erase(std::remove_if(left_here, exits_.end(), std::not_fn(&Exit::for_good)), exits_.end());
            evaluate(s.step);
            if (!tested_first) last_test_differs = test(s);
            if (some) controls_.pop_back();
            join(head);
            if (differs_ == head && round > 0) break;
        }
        if (exits_.size() > exits) {  // work-items left in different rounds, with different values
            const auto see = [&](ExprId id, Access access) {
                const Expr& e = program_.expr(id);
                if (e.kind == ExprKind::Name && access != Access::Read && e.symbol != kNone)
                    set(e.symbol, true);
            };
            values_.for_each_expr_in(s.body, see);
            values_.for_each_expr(s.step, see);
        }
        exits_.resize(exits);
    }

    /// True if the end of the loop may differ between work-items.
    bool test(const Statement& s) { return evaluate(s.expr) && !has_same_trip_count(values_, s); }

    void meet_barrier(std::int32_t token) {
        if (!controls_.empty()) return report_branch(token);
        if (!exits_.empty()) return report_exit(exits_.back().place, token);
        for (const Frame& frame : frames_)
            if (frame.returned != kNone) report_exit(frame.returned, token);
    }

    bool is_loop(std::int32_t control) const {
        const Place& word = program_.place(control);
        return word.text == "for" || word.text == "while" || word.text == "do";
    }

    /// The innermost branch, or the innermost loop if there is no branch. A loop inside a divergent branch is
    /// not blamed: its counter is divergent only because of the branch, even if the loop ends at the same
    /// number for all work-items.
    std::size_t blamed_control() const {
        for (std::size_t i = controls_.size(); i-- > 0;)
            if (!is_loop(controls_[i])) return i;
        return controls_.size() - 1;
    }

    void report_branch(std::int32_t barrier) {
        const std::size_t blamed = blamed_control();
        const std::int32_t control = controls_[blamed];
        // Find the frame that contains the branch. If the barrier is in a function called from there, report
        // the call.
        std::size_t holder = frames_.size() - 1;
        while (holder > 0 && frames_[holder].controls_below > blamed) --holder;
        const bool through_call = holder + 1 < frames_.size();
        const std::int32_t at = through_call ? frames_[holder + 1].call : barrier;
        const Place& word = program_.place(control);
        const bool loop = is_loop(control);
        const std::string place = fmt::format("the `{}` of line {}", word.text, word.line);
        const std::string what = through_call ? fmt::format("The call of {}, which waits at a barrier, is",
                                                            program_.place(at).text)
                                              : std::string("This barrier is");
        findings_.add(
            program_.place(at), "barrier",
            loop
                ? fmt::format(
                      "{} inside {}, whose number of rounds differs between the work-items of a group, so "
                      "that some wait where others never come (undefined, even if the result looks right); "
                      "let every work-item make the same number of rounds and guard the work inside instead.",
                      what, place)
                : fmt::format(
                      "{} inside {}, whose condition differs between the work-items of a group, so that some "
                      "wait where others never come, and a barrier in the other branch does not count "
                      "(undefined, even if the result looks right); move it out, so that every work-item "
                      "reaches it.",
                      what, place));
    }

    void report_exit(std::int32_t exit, std::int32_t barrier) {
        const std::string_view word = program_.place(exit).text;
        findings_.add(
            program_.place(exit), "exit",
            fmt::format("Only some work-items of a group take this `{}`, and they miss the barrier in line "
                        "{}, where the others wait for them (undefined, even if the result looks right); "
                        "let all stay, and put the condition around the loads and stores instead.",
                        word, program_.place(barrier).line));
    }

    /// @return  true if the value may differ between the work-items of a group
    bool evaluate(ExprId id) {
        if (id == kNone || !steps_.take()) return false;
        const Expr& e = program_.expr(id);
        switch (e.kind) {
            case ExprKind::Name:
                return e.symbol != kNone && differs(e.symbol);
            case ExprKind::Unary:
            case ExprKind::Postfix: {
                const bool value = evaluate(e.a);
                if (is_increment(e)) assign(e.a, value, true);
                return value;
            }
            case ExprKind::Binary: {
                const bool a = evaluate(e.a), b = evaluate(e.b);
                return (a || b) && !is_group_constant(values_, e);
            }
            case ExprKind::Assign: {
                const bool value = evaluate(e.b);
                const bool before = e.op != "=" && evaluate(e.a);
                assign(e.a, value, e.op != "=");
                return value || before;
            }
            case ExprKind::Choice: {
                const bool some = evaluate(e.a);
                if (some) controls_.push_back(e.place);
                const bool b = evaluate(e.b), c = evaluate(e.c);
                if (some) controls_.pop_back();
                return some || b || c;
            }
            case ExprKind::Call:
                return call(e);
            default:
                bool any = false;
                for (ExprId part : {e.a, e.b, e.c}) any |= evaluate(part);
                for (ExprId item : e.items) any |= evaluate(item);
                return any;
        }
    }

    /// @param value  true if the stored value may differ
    /// @param keeps  the new value depends on the old one, as with `+=`
    void assign(ExprId target, bool value, bool keeps) {
        const SymbolId symbol = values_.base(target);
        if (program_.expr(target).kind == ExprKind::Index) value |= evaluate(program_.expr(target).b);
        if (symbol == kNone) return;
        const bool whole = program_.expr(target).kind == ExprKind::Name;
        // a store through a pointer changes memory, not the pointer
        if (!whole && program_.symbol(symbol).pointer) return;
        const bool now = value || divergent();
        set(symbol, now || ((keeps || !whole) && differs(symbol)));
    }

    bool call(const Expr& e) {
        bool any = false;
        std::vector<char> arguments;
        for (ExprId item : e.items) {
            arguments.push_back(evaluate(item));
            any |= arguments.back() != 0;
        }
        if (is_barrier(e.op)) {
            meet_barrier(e.place);
            return false;
        }
        if (is_id_function(e.op)) return true;
        const Function* callee = program_.find_function(e.op);
        bool result = any;
        if (callee != nullptr) {
            result = enter(*callee, e, arguments) || any;
        } else if (e.op.starts_with("get_") || e.op.starts_with("work_group_all") ||
                   e.op.starts_with("work_group_any") || e.op.starts_with("work_group_reduce") ||
                   e.op.starts_with("work_group_broadcast")) {
            result = false;
        } else if (e.op.starts_with("work_group_scan") ||
                   (is_atomic(e.op) && !e.op.starts_with("atomic_load"))) {
            result = true;
        }
        for (ExprId item : e.items) {  // the function may have written through &x
            const Expr& argument = program_.expr(item);
            if (argument.kind == ExprKind::Unary && argument.op == "&" && result)
                assign(argument.a, true, true);
        }
        return result;
    }

    bool enter(const Function& callee, const Expr& e, const std::vector<char>& arguments) {
        if (!callee.readable || frames_.size() > kMostCalls) return false;
        for (const Frame& frame : frames_)
            if (frame.function == &callee) return false;  // recursion is reported by another analysis
        for (std::size_t i = 0; i < callee.parameters.size(); ++i)
            set(callee.parameters[i], i < arguments.size() && arguments[i] != 0);
        frames_.push_back({&callee, e.place, controls_.size(), kNone, false});
        const auto breakables = std::exchange(breakables_, {});
        walk(callee.body);
        breakables_ = breakables;
        const bool result = frames_.back().result_differs;
        frames_.pop_back();
        return result;
    }

    std::vector<char> differs_;           // indexed by symbol
    std::vector<std::int32_t> controls_;  // enclosing branches and loops that only some work-items enter
    std::vector<Exit> exits_;             // jumps out of enclosing loops that only some work-items take
    std::vector<Breakable> breakables_;
    std::vector<Frame> frames_;
};

}  // namespace

void find_divergent_barriers(const Values& values, Findings& findings) {
    for (const Function& function : values.program.functions)
        if (function.kernel && function.readable) Divergence(values, findings).run(function);
}

}  // namespace kwb::hints
