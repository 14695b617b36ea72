// SPDX-License-Identifier: Apache-2.0
// Sentences for the findings of X-ray, for finding_words.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/finding.hpp"
#include "model/xray.hpp"

namespace kwb {

/// The sentence of a finding: work-item, access, element, place and remedy.
/// @return  nullopt: not one of X-ray's findings
std::optional<std::string> xray_sentence_of(const Finding& finding);

/// Reads "line:column" or "file:line:column", the form in findings of X-ray and of sources. Text that is not
/// a number counts as 0.
XrayPlace place_from(std::string_view text);
/// The inverse: "49:19", "tile.h:3:5".
std::string place_text(const XrayPlace& place);

}  // namespace kwb
