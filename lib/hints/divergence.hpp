// Barriers that only some work-items of a group reach.
//
// Follows every kernel from its first statement, calls included, and keeps for each private variable whether
// its value may differ between the work-items of a group (after V. Sarkar's and others' divergence analyses).
// A variable becomes such by its value, or by being assigned where only some work-items come. Values in local
// and global memory read at a place common to the group are common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hints/report.hpp"
#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

class Divergence {
public:
    Divergence(const Values& values, Steps& steps, Findings& findings)
        : values_(values), program_(values.program()), steps_(steps), findings_(findings) {}

    /// Report the barriers of a kernel, and of what it calls, that only some work-items of a group reach.
    void run(const Function& kernel);

private:
    struct Frame {
        const Function* function;
        std::int32_t call;           ///< the word of the call
        std::size_t controls_below;  ///< those of the callers
        std::int32_t returned;       ///< a return that only some work-items take
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

    /// Do only some work-items come here? Those that a break took out of the loop do not count before its
    /// end.
    bool divergent() const {
        return !controls_.empty() ||
               std::any_of(exits_.begin(), exits_.end(), [](const Exit& exit) { return !exit.for_good; });
    }

    // statements
    void walk(StatementId id);
    void walk_if(const Statement& s);
    void walk_exit(const Statement& s);
    void walk_loop(const Statement& s);
    /// May the loop's end differ between work-items?
    bool test(const Statement& s);

    // expressions
    /// @return  may its value differ between the work-items of a group?
    bool evaluate(ExprId id);
    /// @param value  may what is stored differ?
    /// @param keeps  the old value is part of the new one, as with `+=`
    void assign(ExprId target, bool value, bool keeps);
    bool call(const Expr& e);
    bool enter(const Function& callee, const Expr& e, const std::vector<char>& arguments);

    // barriers
    void meet_barrier(std::int32_t token);
    void report_branch(std::int32_t barrier);
    void report_exit(std::int32_t exit, std::int32_t barrier);
    bool is_loop(std::int32_t control) const;
    /// The innermost branch; a loop only where there is none: one inside a branch that only some work-items
    /// enter has a counter that only they set, even if it ends at the same number for all of them.
    std::size_t blamed_control() const;

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

    const Values& values_;
    const Program& program_;
    Steps& steps_;
    Findings& findings_;
    std::vector<char> differs_;           // by symbol
    std::vector<std::int32_t> controls_;  // branches and loops around that only some work-items enter
    std::vector<Exit> exits_;             // jumps out of loops around that only some work-items take
    std::vector<Breakable> breakables_;
    std::vector<Frame> frames_;
};

}  // namespace kwb::hints
