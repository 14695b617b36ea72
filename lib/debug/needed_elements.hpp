// SPDX-License-Identifier: Apache-2.0
// What a wrong element needs by its problem's definition, against what was read for it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "debug/player.hpp"
#include "model/problem.hpp"

namespace kwb::debug {

/// Elements of input buffers, by their names.
using Elements = NamedList<std::set<std::uint64_t>>;

/// What an element of an output needs: of shipped problems that are products, sums, one step of a stencil, or
/// copies.
/// @return  none: it is not known
Elements needed_elements(const ProblemInstance& instance, const std::string& buffer,
                         const std::vector<std::uint64_t>& index);

/// "[0 … 14]", "[3][0 … 7]", "[0 … 7][3]", "[0 … 2][1 … 4]" or "5 elements, the first [1][2]"
std::string elements_text(const std::set<std::uint64_t>& elements, const std::vector<std::uint64_t>& shape);

/// "C[0][0] needs A[0][0 … 15] and B[0 … 15][0]. What was computed for it read A[0][0 … 7] twice, and never
/// read A[0][8 … 15]." It states only what is certain: what was never read, and what the lines that computed
/// the value have read more often than the other elements.
/// @param store    the event that stored the element
/// @param buffers  names of the first regions of the recording, as in the problem
/// @param sources  texts of the kernel's files, its own one without a name
/// @return  empty: everything that it needs was read alike, or that is not certain
std::string reads_text(const Player& player, std::uint32_t store, const std::string& element,
                       const ProblemInstance& instance, const Elements& needed,
                       const std::vector<std::string>& buffers, const NamedList<std::string>& sources);

}  // namespace kwb::debug
