// Where in a local array an access goes, and whether two accesses may meet from different work-items.
#pragma once

#include <string>
#include <vector>

#include "hints/values.hpp"

namespace kwb::hints {

/// A summand of an index.
struct Term {
    std::string text;
    bool ids = false;         ///< depends on the work-item's ids
    bool direct = false;      ///< is an id itself: neighbours are one apart
    bool product = false;     ///< i * WIDTH: often the place of a buffer or a strip
    bool opaque = false;      ///< depends on ids in a way that this analysis does not follow
    bool group_size = false;  ///< as large as the group, or meant to be: get_local_size(0), a macro
};

struct Dimension {
    std::string text;
    bool ids = false;
    std::vector<Term> terms;
};

/// @return  the index as a sum; casts and names of unchanged variables are looked through
Dimension read_dimension(const Values& values, ExprId index);

/// May a work-item's store at `store` and another one's read at `read` touch the same element? Says no where
/// unsure. Both have as many dimensions as the array has indices there.
bool may_meet(const std::vector<Dimension>& store, const std::vector<Dimension>& read);

}  // namespace kwb::hints
