// SPDX-License-Identifier: Apache-2.0
#include "xray/array_names.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kwb::xray {
namespace {

bool is_name_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "__local float[2][256]" as the debug information writes it.
TypeInfo parse_type(std::string_view text) {
    TypeInfo type;
    const std::size_t bracket = std::min(text.find('['), text.size());
    std::string_view name = text.substr(0, bracket);
    while (!name.empty() && (name.ends_with(' ') || name.ends_with('*'))) name.remove_suffix(1);
    while (name.starts_with("__") || name.starts_with("const ") || name.starts_with("volatile "))
        name.remove_prefix(std::min(name.find(' '), name.size() - 1) + 1);
    type.name = name;
    for (std::size_t at = bracket; at < text.size() && text[at] == '[';) {
        std::uint64_t extent = 0;
        const auto [end, error] = std::from_chars(text.data() + at + 1, text.data() + text.size(), extent);
        if (error != std::errc()) break;
        type.extents.push_back(extent);
        at = static_cast<std::size_t>(end - text.data()) + 1;
    }
    return type;
}

std::string text_of(const TypeInfo& type) {
    std::string text = type.name;
    for (const std::uint64_t extent : type.extents) text += "[" + std::to_string(extent) + "]";
    return text;
}

/// True if an element of `whole`, or `whole` itself, is an array of the type `part`.
bool has_part(const TypeInfo& whole, const TypeInfo& part) {
    return whole.name == part.name && whole.extents.size() >= part.extents.size() &&
           std::equal(part.extents.rbegin(), part.extents.rend(), whole.extents.rbegin());
}

/// "t", "p.values", "q->values", if an index follows.
struct Indexed {
    std::string name;
    std::size_t at = 0;
};

std::vector<Indexed> find_indexed(std::string_view text) {
    std::vector<Indexed> all;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_name_part(text[at]) || std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
            // Numbers include their suffixes: 0x10u.
            const bool is_number = is_name_part(text[at]);
            ++at;
            while (is_number && at < text.size() && is_name_part(text[at])) ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (is_name_part(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                                                 is_name_part(text[end + 1]))))
            ++end;
        while (text.substr(end).starts_with("->")) {
            end += 2;
            while (end < text.size() && is_name_part(text[end])) ++end;
        }
        std::size_t next = end;
        while (next < text.size() && text[next] == ' ') ++next;
        if (next < text.size() && text[next] == '[')
            all.push_back({std::string(text.substr(at, end - at)), at});
        at = end;
    }
    return all;
}

}  // namespace

ArrayName name_array(std::string_view text, std::string_view type, const DebugInfo& debug) {
    const TypeInfo indexed = parse_type(type);
    const std::vector<Indexed> names = find_indexed(text);
    ArrayName found{"", text_of(indexed)};
    for (const Indexed& name : names) {
        const std::vector<const TypeInfo*> types = debug.types_of(name.name);
        const auto whole =
            std::ranges::find_if(types, [&](const TypeInfo* one) { return has_part(*one, indexed); });
        if (whole == types.end()) continue;
        std::string called = name.name;
        for (std::size_t i = indexed.extents.size(); i < (*whole)->extents.size(); ++i) called += "[…]";
        if (found.name == called) continue;
        if (!found.name.empty()) return {"", text_of(indexed)};  // ambiguous
        found = {called, text_of(**whole)};
        if (name.at == 0) return found;
    }
    // A member of a structure, or the target of a pointer.
    if (found.name.empty() && !names.empty() && names.front().at == 0 &&
        debug.types_of(names.front().name).empty())
        found.name = names.front().name;
    return found;
}

std::string indices_of(std::int64_t element, const std::vector<std::uint64_t>& extents) {
    std::string text;
    for (std::size_t i = extents.size(); i-- > 1;) {
        const auto extent = static_cast<std::int64_t>(std::max<std::uint64_t>(extents[i], 1));
        const std::int64_t rest = (element % extent + extent) % extent;
        text.insert(0, "[" + std::to_string(rest) + "]");
        element = (element - rest) / extent;
    }
    return "[" + std::to_string(element) + "]" + text;
}

}  // namespace kwb::xray
