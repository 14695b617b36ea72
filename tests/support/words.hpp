// Whether a message says what it should.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace kwb::test {

inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Every one of `parts` stands in `text`.
inline bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (!has(text, part)) return false;
    return true;
}

}  // namespace kwb::test
