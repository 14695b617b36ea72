// Which of a problem's arguments a kernel's argument means, by its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/problem.hpp"

namespace kwb {

/// An argument of a kernel function that is to be matched.
struct NamedArgument {
    std::string name;
    bool is_pointer = false;  ///< else a number
};

/// How surely a name tells.
enum class NameMatch { Exact, OtherCase, Synonym };

struct MatchedArgument {
    std::string name;  ///< of a buffer or scalar of the problem
    NameMatch how = NameMatch::Exact;
};

/// A name of the problem's → what else it is called, in small letters and without underscores: M → "ha",
/// "rowsa".
using Spellings = NamedList<std::vector<std::string>>;

/// @param arguments  in the order of the kernel function
/// @param scratch    further buffers, matched by their exact name
/// @param spellings  the problem's own: spellings_of() in problems/problem.hpp; names that it lacks are no
/// matter
/// @return  one for each argument: what it means, or nothing
///
/// First the same name; then the same but for upper and lower case; then a usual other spelling: words such
/// as `d_A`, `A_dev`, `matA` for A, `n`, `size`, `num_elements` for the only size, `in`, `src` for the only
/// input and `out`, `dst` for the only output, and those that the problem itself knows. A spelling counts
/// only where it fits one name alone, which no other argument of the kernel claims: two arguments called
/// `in1` and `in2` both stay open.
std::vector<std::optional<MatchedArgument>> match_arguments(const std::vector<NamedArgument>& arguments,
                                                            const ProblemInstance& problem,
                                                            const std::vector<std::string>& scratch = {},
                                                            const Spellings& spellings = {});

}  // namespace kwb
