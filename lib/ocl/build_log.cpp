// SPDX-License-Identifier: Apache-2.0
#include "ocl/build_log.hpp"

#include <array>
#include <regex>

#include "base/text.hpp"
#include "model/plan.hpp"

namespace kwb {
namespace {

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

/// Replaces the names of temporary files. Most drivers follow #line; the cases below do not always.
std::string rename_files(std::string line, std::string_view file_name) {
    line = replace_all(std::move(line), std::string(kIncludeFolderName) + "/", "");
    for (const std::string_view own : {"<kernel>:", "<program source>:"})
        line = replace_all(std::move(line), own, std::string(file_name) + ":");
    // PoCL: /cache/tempfile_Ab3dE9.cl
    const std::size_t temporary = line.find("/tempfile_");
    if (temporary != std::string::npos) {
        const std::size_t end = line.find_first_of(":>", temporary);
        std::size_t start = line.find_last_of(" =", temporary);
        start = start == std::string::npos ? 0 : start + 1;
        line.replace(start, (end == std::string::npos ? line.size() : end) - start, file_name);
    }
    return line;
}

/// PoCL adds where a macro's text was defined: "a.cl:4:7 <Spelling=t.h:1:15>: …". Removes that.
std::string drop_spelling(std::string line) {
    const std::size_t start = line.find(" <Spelling=");
    if (start == std::string::npos) return line;
    const std::size_t end = line.find('>', start);
    if (end != std::string::npos) line.erase(start, end + 1 - start);
    return line;
}

/// "error: a.cl:1:5: text" (PoCL) → "a.cl:1:5: error: text" (clang, gcc)
std::string place_first(const std::string& line) {
    constexpr std::array<std::string_view, 5> kSeverities = {
        "fatal error: ", "error: ", "warning: ", "note: ", "remark: "};
    for (const std::string_view severity : kSeverities) {
        if (!line.starts_with(severity)) continue;
        static const std::regex kPlace(R"(:\d+:\d+: )");
        std::smatch place;
        const auto begin = line.begin() + static_cast<std::ptrdiff_t>(severity.size());
        if (!std::regex_search(begin, line.end(), place, kPlace)) return line;
        return std::string(begin, place[0].second) + std::string(severity) +
               std::string(place[0].second, line.end());
    }
    return line;
}

}  // namespace

std::string line_directive(std::string_view file_name) {
    std::string directive = "#line 1 \"";
    for (const char c : file_name) {
        if (c == '"' || c == '\\') directive += '\\';
        directive += (c == '\n' || c == '\r' || c == '\0') ? '?' : c;
    }
    return directive + "\"\n";
}

std::string clean_build_log(std::string_view log, std::string_view file_name) {
    while (log.ends_with('\0')) log.remove_suffix(1);
    std::string cleaned;
    std::string last;
    for (const std::string& raw : split_lines(to_utf8(log))) {
        if (raw.starts_with("Device ") && raw.ends_with(" failed to build the program")) continue;
        const std::string line = place_first(drop_spelling(rename_files(raw, file_name)));
        // PoCL preprocesses twice, which repeats #warning messages.
        if (!line.empty() && line == last) continue;
        cleaned += line + "\n";
        last = line;
    }
    return std::string(trim(cleaned));
}

}  // namespace kwb
