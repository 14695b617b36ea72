// Barriers that only some work-items of a group reach.
//
// Follows every kernel from its first statement, including calls, and tracks for each private variable
// whether its value may differ between the work-items of a group (divergence analysis, after V. Sarkar and
// others). A variable becomes divergent through the assigned value, or when it is assigned in code that only
// some work-items reach. Values in local and global memory are uniform if they are read at a uniform index.
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

    /// Reports the barriers in a kernel and in the functions it calls that only some work-items of a group
    /// reach.
    void run(const Function& kernel);

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
    bool divergent() const {
        return !controls_.empty() ||
               std::any_of(exits_.begin(), exits_.end(), [](const Exit& exit) { return !exit.for_good; });
    }

    // statements
    void walk(StatementId id);
    void walk_if(const Statement& s);
    void walk_exit(const Statement& s);
    void walk_loop(const Statement& s);
    /// True if the end of the loop may differ between work-items.
    bool test(const Statement& s);

    // expressions
    /// @return  true if the value may differ between the work-items of a group
    bool evaluate(ExprId id);
    /// @param value  true if the stored value may differ
    /// @param keeps  the new value depends on the old one, as with `+=`
    void assign(ExprId target, bool value, bool keeps);
    bool call(const Expr& e);
    bool enter(const Function& callee, const Expr& e, const std::vector<char>& arguments);

    // barriers
    void meet_barrier(std::int32_t token);
    void report_branch(std::int32_t barrier);
    void report_exit(std::int32_t exit, std::int32_t barrier);
    bool is_loop(std::int32_t control) const;
    /// The innermost branch, or the innermost loop if there is no branch. A loop inside a divergent branch is
    /// not blamed: its counter is divergent only because of the branch, even if the loop ends at the same
    /// number for all work-items.
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
    std::vector<char> differs_;           // indexed by symbol
    std::vector<std::int32_t> controls_;  // enclosing branches and loops that only some work-items enter
    std::vector<Exit> exits_;             // jumps out of enclosing loops that only some work-items take
    std::vector<Breakable> breakables_;
    std::vector<Frame> frames_;
};

}  // namespace kwb::hints
