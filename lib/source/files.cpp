// SPDX-License-Identifier: Apache-2.0
#include "source/files.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "source/compiler.hpp"
#include "source/directives.hpp"

namespace kwb::source {
namespace {

namespace fs = std::filesystem;

std::uint32_t line_at(std::string_view text, std::size_t offset) {
    return static_cast<std::uint32_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

std::string normal(const fs::path& path) {
    return path.lexically_normal().string();
}

}  // namespace

Files::Files(const SourceText& text, const std::string& folder, Strings& strings)
    : text_(text), strings_(strings), folder_(folder), main_(folder + kMainName) {
    texts_.emplace(main_, text.text);
    for (const auto& [name, content] : text.includes) texts_.emplace(normal(folder + name), content);
    if (text.includes.empty()) return;

    // A file's own includes are attributed to the same line as the file itself.
    std::vector<std::pair<std::string, std::uint32_t>> open{{main_, 0}};
    while (!open.empty()) {
        const auto [path, line] = std::move(open.back());
        open.pop_back();
        const std::string_view content = texts_.find(path)->second;
        const std::string blanked = blank_comments(content);
        for (const Directive& directive : find_directives(blanked)) {
            if (directive.keyword != "include" || !directive.rest.starts_with('"')) continue;
            const std::string name(directive.rest.substr(1, directive.rest.find('"', 1) - 1));
            for (const fs::path& parent : {fs::path(path).parent_path(), fs::path(folder)}) {
                const std::string target = normal(parent / name);
                if (!texts_.contains(target)) continue;
                const std::uint32_t through = line > 0 ? line : line_at(content, directive.offset);
                if (include_lines_.emplace(target, through).second) open.emplace_back(target, through);
                break;
            }
        }
    }
}

std::uint32_t Files::include_line(std::string_view file) const {
    const auto found = include_lines_.find(normal(file));
    return found == include_lines_.end() ? 0 : found->second;
}

std::string_view Files::name_of(const Location& location) const {
    if (is_own(location)) return {};
    std::string_view name = location.file;
    if (name.starts_with(folder_)) name.remove_prefix(folder_.size());
    return strings_.keep(normal(name));
}

Place Files::place_of(const Spot& spot) const {
    const bool as_written = !spot.macro || (spot.argument && texts_.contains(normal(spot.spelling.file)) &&
                                            !is_in_define(spot.spelling));
    const Location& at = as_written && !spot.spelling.file.empty() ? spot.spelling : spot.expansion;
    Place place{.line = at.line, .column = at.column, .own = is_own(at)};
    if (!place.own) place.line = include_line(at.file);
    place.given = spot.macro && spot.spelling.file == "<built-in>";
    return place;
}

/// True if the location is in a #define line: then the word comes from that macro.
bool Files::is_in_define(const Location& spelling) const {
    const auto file = texts_.find(normal(spelling.file));
    if (file == texts_.end() || spelling.offset > file->second.size()) return false;
    const std::string_view text = file->second;
    std::size_t start = text.rfind('\n', spelling.offset);
    while (start != std::string_view::npos && start > 0 && text[start - 1] == '\\')
        start = text.rfind('\n', start - 1);
    const std::size_t begin = start == std::string_view::npos ? 0 : start + 1;
    const std::string_view line =
        trim(text.substr(begin, std::max(begin, std::size_t{spelling.offset}) - begin));
    return line.starts_with('#') && leading_identifier(trim(line.substr(1))) == "define";
}

std::string_view Files::text_between(const Location& first, const Location& last) const {
    const auto file = texts_.find(normal(first.file));
    if (file == texts_.end() || last.file != first.file || last.offset < first.offset) return {};
    const std::size_t end = last.offset + last.length;
    return end > file->second.size() ? "" : file->second.substr(first.offset, end - first.offset);
}

std::string_view Files::macro_of(const Node& expression) const {
    const Spot& first = expression.begin;
    const Spot& last = expression.end;
    const Location& at = first.expansion;
    if (!first.macro || !last.macro || last.expansion.file != at.file || last.expansion.offset != at.offset)
        return {};
    const std::string_view name = text_between(at, at);
    if (name.empty() || leading_identifier(name) != name) return {};
    const std::string_view rest = texts_.find(normal(at.file))->second.substr(at.offset + at.length);
    return trim(rest.substr(0, rest.find('\n'))).starts_with('(') ? "" : strings_.keep(name);
}

bool Files::encloses(const Node& node, std::string_view file, std::uint32_t line) {
    const Location& first = node.begin.expansion;
    const Location& last = node.end.expansion;
    return first.file == file && last.file == file && first.line <= line && line <= last.line;
}

std::string Files::macro_value(std::string_view name) const {
    if (const std::string* given = find_named(text_.macros, name)) return *given;
    std::string value;
    for (const auto& [path, content] : texts_) {
        const std::string blanked = blank_comments(content);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "define" || leading_identifier(line.rest) != name) continue;
            const std::string found(trim(line.rest.substr(name.size())));
            if (!value.empty() && value != found) return "";
            value = found;
        }
    }
    return value;
}

}  // namespace kwb::source
