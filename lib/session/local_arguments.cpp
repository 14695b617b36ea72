#include "session/local_arguments.hpp"

#include <cctype>

#include "base/text.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view trim_right(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

/// Take the last word off.
std::string_view take_word(std::string_view& text) {
    text = trim_right(text);
    std::size_t at = text.size();
    while (at > 0 && is_word(text[at - 1])) --at;
    const std::string_view word = text.substr(at);
    text = text.substr(0, at);
    return word;
}

/// @param before  the source up to the argument's name
std::optional<ElementType> type_before(std::string_view before) {
    std::string_view rest = before;
    for (std::string_view copy = rest; take_word(copy).find("restrict") != std::string_view::npos;)
        rest = copy;
    rest = trim_right(rest);
    if (!rest.ends_with('*')) return std::nullopt;
    rest.remove_suffix(1);
    bool is_local = false;
    std::string type;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        if (word == "local" || word == "__local")
            is_local = true;
        else if (word != "const" && word != "volatile")
            type = std::string(word) + (type.empty() ? "" : " ") + type;
    }
    return is_local ? parse_element_type(type) : std::nullopt;
}

}  // namespace

std::optional<ElementType> find_local_argument_type(std::string_view source, std::string_view name) {
    for (std::size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(source[at - 1])) || (end < source.size() && is_word(source[end]))) continue;
        if (const auto type = type_before(source.substr(0, at))) return type;
    }
    return std::nullopt;
}

std::uint64_t local_argument_bytes(const LaunchPlan& launch, std::string_view source) {
    std::uint64_t bytes = 0;
    for (const auto& [name, elements] : launch.local_mem)
        if (const auto type = find_local_argument_type(source, name))
            bytes = add_bytes(bytes, multiply_bytes(elements, type->bytes()));
    return bytes;
}

}  // namespace kwb
