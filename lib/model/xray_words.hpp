// SPDX-License-Identifier: Apache-2.0
// Sentences for X-ray's findings, for finding_words.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/finding.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Which work-item did what, where, to which element, and the remedy.
/// @param knows_init  advice may name [init] of the front matter
/// @return  nullopt: not one of X-ray's findings
std::optional<std::string> xray_sentence_of(const Finding& finding, bool knows_init = true);

/// The cause in one short clause with its lines, without work-items and remedy: "nothing waits between line
/// 53 (reads) and line 49 (writes)".
/// @return  empty: not undefined behaviour, nor an out-of-bounds access that X-ray saw
std::string xray_cause_of(const Finding& finding);

/// Reads "line:column" or "file:line:column", the form in findings of X-ray and of sources. A part that is
/// not a number counts as 0.
XrayPlace place_from(std::string_view text);
/// The inverse: "49:19", "tile.h:3:5".
std::string place_text(const XrayPlace& place);

/// The row-major index of an element; missing extents count as 1.
std::uint64_t linear_index(const std::vector<std::uint64_t>& index,
                           const std::vector<std::uint64_t>& extents);

}  // namespace kwb
