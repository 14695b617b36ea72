// SPDX-License-Identifier: Apache-2.0
// Finds the smallest size at which a kernel's index overflows.
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
/// observations: it bisects, so it assumes that an index that overflows at one size overflows at all larger
/// ones. Covers only the first overflow, since the others tend to follow from it.
/// @param report  at `sizes`. All extents shrink in proportion.
void find_overflow_size(XrayReport& report, const Sizes& sizes, const ObserveAt& observe_at);

}  // namespace kwb
