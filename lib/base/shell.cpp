#include "base/shell.hpp"

#include <algorithm>
#include <cctype>

namespace kwb {

std::string quote_for_shell(std::string_view word) {
    constexpr std::string_view kPlain = "_-./,:=+@%";
    const auto is_plain = [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos;
    };
    // A `=` in front is zsh's.
    if (!word.empty() && word.front() != '=' && std::all_of(word.begin(), word.end(), is_plain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace kwb
