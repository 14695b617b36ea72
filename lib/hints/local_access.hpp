// An access to local memory with the conditions around it, and whether two of them race.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "hints/local_index.hpp"
#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// A condition around an access that depends on the work-item's ids.
struct Guard {
    std::string text;
    ExprId condition = kNone;
    /// Values that an id is compared with by ==: a single work-item, or one of each row.
    std::vector<std::string> only;
};

/// A store or a read of an element, as the kernel comes to it.
struct LocalAccess {
    SymbolId array = kNone;
    bool store = false;
    std::vector<Dimension> index;
    std::vector<Guard> guards;
    std::int32_t place = 0;
    StatementId statement = kNone;
    std::int32_t carried_by = kNone;              ///< the loop in whose earlier round it was
    const std::set<SymbolId>* changed = nullptr;  ///< variables that this loop changes

    /// Does the index differ between work-items?
    bool has_ids() const {
        return std::any_of(index.begin(), index.end(), [](const Dimension& d) { return d.ids; });
    }
    /// Does a single work-item come here, or one of each row?
    bool single() const {
        return std::any_of(guards.begin(), guards.end(), [](const Guard& g) { return !g.only.empty(); });
    }
};

/// Read the condition of a branch, `lid == 0` or `!lid`, also as parts joined by &&.
Guard read_guard(const Values& values, ExprId condition);

/// May different work-items touch the same element at the same time, one of them storing? Says no where
/// unsure.
/// @param before, now  accesses to one array, one a store and the other a read, with no barrier between
bool may_race(const Values& values, const LocalAccess& before, const LocalAccess& now);

}  // namespace kwb::hints
