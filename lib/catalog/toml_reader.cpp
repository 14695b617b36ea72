// SPDX-License-Identifier: Apache-2.0
#include "catalog/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/text.hpp"
#include "base/toml_text.hpp"
#include "catalog/expression.hpp"
#include "model/element.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

Place to_place(const toml::source_position& position) {
    return {position.line, position.column};
}

/// toml++ 3.3 counts the final line break as a separate column if an error is at the end of the text. Move
/// such a place back to the end of the line.
Place place_within(std::string_view text, std::size_t line_start, Place place) {
    const std::size_t line_end = std::min(text.find('\n', line_start), text.size());
    const Place end = place_of(text.substr(line_start, line_end - line_start), line_end - line_start);
    return {place.line, std::min(place.column, end.column)};
}

const char* kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::string:
            return "a text";
        case toml::node_type::integer:
            return "a whole number";
        case toml::node_type::floating_point:
            return "a decimal number";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time";
    }
}

/// Words that OpenCL C reserves, other than the names of element types. Arguments and functions cannot have
/// these names. Macros can: `-D half=float` is a common way to adapt a third-party kernel. Source: The OpenCL
/// C Specification 3.0, 6.3 "Supported Data Types" and 6.11 "Keywords"; C99, 6.4.1.
// clang-format off
constexpr std::array<std::string_view, 68> kReservedWords = {
    "__constant", "__generic", "__global", "__kernel", "__local", "__private", "__read_only",
    "__read_write", "__write_only", "_Bool", "_Complex", "_Imaginary", "auto", "bool", "break", "case",
    "clk_event_t", "const", "constant", "continue", "default", "do", "else", "enum", "event_t", "extern",
    "for", "global", "goto", "if", "image1d_array_t", "image1d_buffer_t", "image1d_t",
    "image2d_array_depth_t", "image2d_array_t", "image2d_depth_t", "image2d_t", "image3d_t", "inline",
    "intptr_t", "kernel", "local", "ndrange_t", "pipe", "private", "ptrdiff_t", "queue_t", "read_only",
    "read_write", "register", "reserve_id_t", "restrict", "return", "sampler_t", "signed", "size_t",
    "sizeof", "static", "struct", "switch", "typedef", "uintptr_t", "union", "unsigned", "void",
    "volatile", "while", "write_only"};
// clang-format on

bool is_reserved_word(std::string_view name) {
    return parse_element_type(name).has_value() ||
           std::ranges::find(kReservedWords, name) != kReservedWords.end();
}

}  // namespace

TomlReader::TomlReader(std::string file, std::string text, std::size_t most_bytes)
    : file_(std::move(file)), text_(std::move(text)) {
    if (trim(text_).size() > most_bytes)
        throw BadInput(
            fmt::format("{}: its declarations are longer than {}. Check that this is the right file", file_,
                        format_bytes(most_bytes)));
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
    try {
        root_ = parse_toml(text_);
    } catch (const toml::parse_error& error) {
        const Place place = to_place(error.source().begin);
        const std::size_t line = std::clamp<std::size_t>(place.line, 1, line_starts_.size());
        refuse_at(
            file_, place_within(text_, line_starts_[line - 1], place),
            fmt::format(
                "invalid TOML: {}. Write texts and expressions in quotes, numbers without (https://toml.io)",
                error.description()));
    }
}

void TomlReader::refuse(const toml::node& node, const std::string& message) const {
    refuse_at(file_, to_place(node.source().begin), message);
}

void TomlReader::refuse(const Item& item, const std::string& message) const {
    refuse_at(file_, item.place, message);
}

std::vector<TomlReader::Item> TomlReader::items(const toml::node& node, const std::string& what) const {
    const toml::table* table = node.as_table();
    if (!table) refuse(node, fmt::format("{} must be a table (name = value), not {}", what, kind_of(node)));
    std::vector<Item> items;
    for (const auto& [key, value] : *table) {
        items.push_back({std::string(key.str()), &value, to_place(key.source().begin)});
        if (const std::size_t bytes = items.back().name.size(); bytes > kMostNameBytes)
            refuse(items.back(), fmt::format("a name in {} has {} letters; at most {} are allowed", what,
                                             bytes, kMostNameBytes));
        if (std::ranges::any_of(items.back().name, is_control))  // messages quote it
            refuse(items.back(),
                   fmt::format("a name in {} has a line break or another control character", what));
    }
    if (items.size() > kMostTomlItems)
        refuse(node,
               fmt::format("{} has {} entries; at most {} are allowed", what, items.size(), kMostTomlItems));
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return items;
}

void TomlReader::allow_only(const toml::node& node, const std::string& what,
                            const std::vector<std::string>& known) const {
    for (const Item& item : items(node, what))
        if (std::find(known.begin(), known.end(), item.name) == known.end())
            refuse(item, fmt::format("{} has no key `{}`. Known keys: {}.{}", what, item.name,
                                     enumerate(known), did_you_mean(item.name, known)));
}

std::string TomlReader::text(const toml::node& node, const std::string& what) const {
    if (const auto* text = node.as_string()) {
        if (text->get().size() > kMostExpressionBytes)
            refuse(node, fmt::format("{} has {} bytes; at most {} are allowed", what, text->get().size(),
                                     kMostExpressionBytes));
        if (std::ranges::any_of(text->get(), is_control))
            refuse(node, fmt::format("{} must be one line, without tabs or other control characters", what));
        return text->get();
    }
    refuse(node, fmt::format("{} must be a text in quotes, not {}", what, kind_of(node)));
}

Written TomlReader::written(const toml::node& node, const std::string& what) const {
    if (const auto* text = node.as_string()) return place_text(node, text->get());
    const Place place = to_place(node.source().begin);
    if (const auto* whole = node.as_integer())
        return {fmt::format("{}", whole->get()), place.line, place.column};
    if (const auto* truth = node.as_boolean())
        return {truth->get() ? "True" : "False", place.line, place.column};
    if (const auto* decimal = node.as_floating_point(); decimal && std::isfinite(decimal->get()))
        return {fmt::format("{}", decimal->get()), place.line, place.column};
    refuse(node, fmt::format("{} must be a number or an expression in quotes, not {}", what,
                             node.is_floating_point() ? "infinity or not-a-number" : kind_of(node)));
}

/// Skip the opening quotes, so that the place is that of the first character of the text.
Written TomlReader::place_text(const toml::node& node, std::string text) const {
    const Place begin = to_place(node.source().begin);
    Written out{std::move(text), begin.line, begin.column};
    if (begin.line == 0 || begin.line > line_starts_.size()) return out;
    std::size_t at = line_starts_[begin.line - 1];
    for (std::uint32_t column = 1; column < begin.column && at < text_.size(); ++column) do
            ++at;
        while (at < text_.size() && !starts_character(text_[at]));
    const std::string_view rest = std::string_view(text_).substr(at);
    if (!rest.starts_with("\"\"\"") && !rest.starts_with("'''")) {
        ++out.column;
        ++at;
    } else if (rest.substr(3).starts_with('\n') || rest.substr(3).starts_with("\r\n")) {
        ++out.line;
        out.column = 1;
        at = line_starts_[out.line - 1];
    } else {
        out.column += 3;
        at += 3;
    }
    out.is_verbatim = std::string_view(text_).substr(at).starts_with(out.text);
    return out;
}

Written TomlReader::expression(const toml::node& node, const std::string& what) const {
    Written written = this->written(node, what);
    located(file_, written, [&] { return Expression::parse(written.text); });
    return written;
}

NamedList<Written> TomlReader::expressions(const toml::node& node, const std::string& what) const {
    NamedList<Written> list;
    for (const Item& item : items(node, what)) {
        const std::string place = fmt::format("{}.{}", what, item.name);
        Written one = written(*item.node, place);
        const auto is_exact = [](const std::string& number) { return parse_exact_float(number).has_value(); };
        if (std::ranges::none_of(list_items(one.text), is_exact)) one = expression(*item.node, place);
        list.push_back({item.name, std::move(one)});
    }
    return list;
}

std::vector<const toml::node*> TomlReader::one_or_more(const toml::node& node) const {
    std::vector<const toml::node*> out;
    if (const toml::array* array = node.as_array()) {
        if (array->size() > kMostTomlElements)
            refuse(node, fmt::format("this list has {} elements; at most {} are allowed", array->size(),
                                     kMostTomlElements));
        for (const toml::node& element : *array) out.push_back(&element);
    } else {
        out.push_back(&node);
    }
    return out;
}

void TomlReader::require_word(const Item& item, const std::string& what) const {
    if (item.name.empty() || leading_identifier(item.name) != item.name)
        refuse(item, fmt::format("`{}` cannot be {}. Use only letters, digits and _", item.name, what));
}

void TomlReader::require_identifier(const Item& item, const std::string& what) const {
    require_word(item, what);
    if (is_reserved_word(item.name))
        refuse(item, fmt::format("`{0}` cannot be {1}, because OpenCL C reserves it. Call it e.g. `my_{0}`",
                                 item.name, what));
}

TomlReader::Item TomlReader::name_in(const toml::node& node, const std::string& what) const {
    return {text(node, what), &node, to_place(node.source().begin)};
}

}  // namespace kwb
