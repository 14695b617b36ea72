// Accesses to local memory with their conditions, and whether two of them race.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "hints/values.hpp"

namespace kwb::hints {

/// A term of the sum that forms an index.
struct Term {
    std::string text;
    bool ids = false;         ///< depends on the work-item's ids
    bool direct = false;      ///< is itself an id: adjacent work-items differ by one
    bool product = false;     ///< i * WIDTH: often the offset of a buffer or a strip
    bool opaque = false;      ///< depends on ids in a way that this analysis does not follow
    bool group_size = false;  ///< equal to the group size, or meant to be: get_local_size(0), a macro
};

struct Dimension {
    std::string text;
    bool ids = false;
    std::vector<Term> terms;
};

/// @return  the index as a sum; casts and names of unchanged variables are resolved
Dimension read_dimension(const Values& values, ExprId index);

/// A condition around an access that depends on the work-item's ids.
struct Guard {
    std::string text;
    ExprId condition = kNone;
    /// Values with which an id is compared by ==: only one work-item, or one in each row, satisfies it.
    std::vector<std::string> only;
};

/// A load or store of an array element, in execution order.
struct LocalAccess {
    SymbolId array = kNone;
    bool store = false;
    std::vector<Dimension> index;
    std::vector<Guard> guards;
    std::int32_t place = 0;
    StatementId statement = kNone;
    std::int32_t carried_by = kNone;              ///< the loop in an earlier iteration of which it occurred
    const std::set<SymbolId>* changed = nullptr;  ///< variables that this loop changes

    /// True if the index depends on the work-item's ids.
    bool has_ids() const { return std::ranges::any_of(index, &Dimension::ids); }
    /// True if a single work-item, or one in each row, reaches this access.
    bool single() const {
        return std::ranges::any_of(guards, [](const Guard& guard) { return !guard.only.empty(); });
    }
};

/// Analyzes the condition of a branch: `lid == 0` or `!lid`, also as operands of &&.
Guard read_guard(const Values& values, ExprId condition);

/// True if different work-items may access the same element at the same time, one of them storing. False if
/// unsure.
/// @param before, now  accesses to the same array, one a store and the other a read, without a barrier in
///                     between
bool may_race(const Values& values, const LocalAccess& before, const LocalAccess& now);

}  // namespace kwb::hints
