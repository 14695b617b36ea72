// Analyzes statements and reports the barriers that it finds.
#include "hints/divergence.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hints/analyses.hpp"
#include "hints/tree.hpp"
#include "hints/uniform.hpp"

namespace kwb::hints {
namespace {

constexpr int kMostRounds = 6;  // maximum number of passes over a loop until nothing changes

}  // namespace

void Divergence::run(const Function& kernel) {
    differs_.assign(program_.symbols.size(), 0);
    frames_ = {{&kernel, kNone, 0, kNone, false}};
    controls_.clear();
    exits_.clear();
    walk(kernel.body);
}

void Divergence::walk(StatementId id) {
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
            const bool value = s.expr != kNone && evaluate(s.expr);
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

void Divergence::walk_if(const Statement& s) {
    const bool some = evaluate(s.expr);
    if (some) controls_.push_back(s.place);
    auto before = copy();
    walk(s.body);
    if (ends_in_jump(program_, s.body)) {
        differs_ = before;
        walk(s.otherwise);
    } else {
        std::swap(differs_, before);
        walk(s.otherwise);
        if (ends_in_jump(program_, s.otherwise))
            differs_ = before;
        else
            join(before);
    }
    if (some) controls_.pop_back();
}

void Divergence::walk_exit(const Statement& s) {
    // A break leaves the innermost loop or switch, a continue the innermost loop.
    for (auto around = breakables_.rbegin(); around != breakables_.rend(); ++around) {
        if (!around->loop && s.kind == StatementKind::Continue) continue;
        if (around->loop && controls_.size() > around->controls)
            exits_.push_back({s.place, s.kind == StatementKind::Break});
        return;
    }
}

void Divergence::walk_loop(const Statement& s) {
    walk(s.init);
    const std::size_t exits = exits_.size();
    bool last_test_differs = false;
    for (int round = 0; round < kMostRounds && !steps_.used_up(); ++round) {
        const auto head = copy();
        const bool tested_first = s.kind != StatementKind::DoWhile;
        bool some = tested_first && test(s);
        if (!tested_first && round > 0) some = last_test_differs;
        if (some) controls_.push_back(s.place);
        breakables_.push_back({true, controls_.size()});
        walk(s.body);
        breakables_.pop_back();
        // after a continue a work-item takes part in the next round, after a break it does not
        exits_.erase(std::remove_if(exits_.begin() + static_cast<std::ptrdiff_t>(exits), exits_.end(),
                                    [](const Exit& exit) { return !exit.for_good; }),
                     exits_.end());
        if (s.step != kNone) evaluate(s.step);
        if (!tested_first) last_test_differs = test(s);
        if (some) controls_.pop_back();
        join(head);
        if (differs_ == head && round > 0) break;
    }
    if (exits_.size() > exits) {  // work-items left in different rounds, with different values
        const auto see = [&](ExprId id, Access access) {
            const Expr& e = program_.expr(id);
            if (e.kind == ExprKind::Name && access != Access::Read && e.symbol != kNone) set(e.symbol, true);
        };
        for_each_expr_in(program_, s.body, steps_, see);
        for_each_expr(program_, s.step, steps_, see);
    }
    exits_.resize(exits);
}

bool Divergence::test(const Statement& s) {
    if (s.expr == kNone) return false;
    const bool differs = evaluate(s.expr);
    return differs && !has_same_trip_count(values_, s);
}

void Divergence::meet_barrier(std::int32_t token) {
    if (!controls_.empty()) return report_branch(token);
    if (!exits_.empty()) return report_exit(exits_.back().place, token);
    for (const Frame& frame : frames_)
        if (frame.returned != kNone) report_exit(frame.returned, token);
}

bool Divergence::is_loop(std::int32_t control) const {
    const Place& word = program_.place(control);
    return word.text == "for" || word.text == "while" || word.text == "do";
}

std::size_t Divergence::blamed_control() const {
    for (std::size_t i = controls_.size(); i-- > 0;)
        if (!is_loop(controls_[i])) return i;
    return controls_.size() - 1;
}

void Divergence::report_branch(std::int32_t barrier) {
    const std::size_t blamed = blamed_control();
    const std::int32_t control = controls_[blamed];
    // Find the frame that contains the branch. If the barrier is in a function called from there, report the
    // call.
    std::size_t holder = frames_.size() - 1;
    while (holder > 0 && frames_[holder].controls_below > blamed) --holder;
    const bool through_call = holder + 1 < frames_.size();
    const std::int32_t at = through_call ? frames_[holder + 1].call : barrier;
    const Place& word = program_.place(control);
    const bool loop = is_loop(control);
    const std::string place = fmt::format("the `{}` of line {}", word.text, word.line);
    const std::string what =
        through_call ? fmt::format("The call of {}, which waits at a barrier, is", program_.place(at).text)
                     : std::string("This barrier is");
    findings_.add(
        program_.place(at), "barrier",
        loop ? fmt::format(
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

void Divergence::report_exit(std::int32_t exit, std::int32_t barrier) {
    const std::string_view word = program_.place(exit).text;
    findings_.add(
        program_.place(exit), "exit",
        fmt::format("Only some work-items of a group take this `{}`, and they miss the barrier in line "
                    "{}, where the others wait for them (undefined, even if the result looks right); "
                    "let all stay, and put the condition around the loads and stores instead.",
                    word, program_.place(barrier).line));
}

void find_divergent_barriers(const Values& values, Steps& steps, Findings& findings) {
    for (const Function& function : values.program().functions)
        if (function.kernel && function.readable && !steps.used_up())
            Divergence(values, steps, findings).run(function);
}

}  // namespace kwb::hints
