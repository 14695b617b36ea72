// SPDX-License-Identifier: Apache-2.0
// Check and change texts.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kwb::test {

inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Does `text` contain all `parts`?
inline bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (!has(text, part)) return false;
    return true;
}

/// Does `text` contain `part`, perhaps with line breaks where `part` has blanks? Where lines break depends on
/// the lengths of names, such as that of the processor.
inline bool says(const std::string& text, std::string_view part) {
    const auto begins_at = [&](std::size_t at) {
        for (const char c : part) {
            if (at >= text.size()) return false;
            if (c == ' ' && text[at] == '\n')
                at = std::min(text.find_first_not_of(' ', at + 1), text.size());
            else if (text[at++] != c)
                return false;
        }
        return true;
    };
    for (std::size_t at = 0; at < text.size(); ++at)
        if (begins_at(at)) return true;
    return part.empty();
}

/// `text` with the only occurrence of `from` replaced. @throws std::runtime_error  there is none, or more
/// than one
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
        throw std::runtime_error("'" + from + "' is not there exactly once");
    return text.replace(at, from.size(), to);
}

}  // namespace kwb::test
