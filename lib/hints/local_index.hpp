// Describes the index of an access to a local array, and whether two accesses from different work-items may
// overlap.
#pragma once

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

/// True if a work-item's store at `store` and another work-item's read at `read` may access the same element.
/// False if unsure. Both have one entry for each index of the access.
bool may_meet(const std::vector<Dimension>& store, const std::vector<Dimension>& read);

}  // namespace kwb::hints
