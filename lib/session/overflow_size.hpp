// SPDX-License-Identifier: Apache-2.0
// From which size on a kernel's index overflows.
#pragma once

#include <functional>
#include <optional>

#include "model/problem.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Observes a kernel at other sizes. @return  nullopt: it cannot run at this size, or was not observed there
using ObserveAt = std::function<std::optional<XrayReport>(const Sizes&)>;

/// If X-ray saw a signed overflow, look for the smallest size at which it sees that as well, and add it to
/// the finding (texts first_size and clean_size; see FindingCode::SignedOverflow). Takes a dozen
/// observations: it halves the interval, so it takes for granted that what overflows at one size does so at
/// all larger ones. Only of the first of the overflows, since the others tend to follow from it.
/// @param report  at `sizes`. All extents shrink in proportion.
void find_overflow_size(XrayReport& report, const Sizes& sizes, const ObserveAt& observe_at);

}  // namespace kwb
