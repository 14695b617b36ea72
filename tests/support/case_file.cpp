// SPDX-License-Identifier: Apache-2.0
#include "support/case_file.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb::test {

CaseFile read_case_file(const std::filesystem::path& file) {
    constexpr std::string_view kMark = "//// ";
    CaseFile read;
    for (const std::string& line : split_lines(read_file(file))) {
        if (line.starts_with(kMark))
            read.cases.push_back({line.substr(kMark.size(), line.find(':') - kMark.size()), ""});
        else
            (read.cases.empty() ? read.shared : read.cases.back().text) += line + "\n";
    }
    return read;
}

bool matches(std::string_view pattern, std::string_view text) {
    // Greedy glob matching: after a mismatch, let the last star consume one more character.
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

}  // namespace kwb::test
