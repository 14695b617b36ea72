#include "base/shell.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/text.hpp"

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

std::string find_in_path(std::string_view name) {
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path != nullptr ? path : "", ':')) {
        const std::string candidate = folder + "/" + std::string(name);
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return "";
}

}  // namespace kwb
