// SPDX-License-Identifier: Apache-2.0
// Test cases as data: a file holds several, each below a line `//// name: what it shows`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::test {

struct CaseText {
    std::string name;  ///< up to the colon
    std::string text;  ///< the lines after that with the name, so that line numbers count from there
};

struct CaseFile {
    std::string shared;  ///< the lines above the first case
    std::vector<CaseText> cases;
};

CaseFile read_case_file(const std::filesystem::path& file);

/// Glob match in which only `*` is special; it stands for any text, also for none and for line breaks.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace kwb::test
