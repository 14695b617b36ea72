// Check the content of messages.
#pragma once

#include <initializer_list>
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

}  // namespace kwb::test
