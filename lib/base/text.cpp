// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace kwb {
namespace {

/// Length of the valid UTF-8 sequence at offset `at`, or 0. Source: Unicode 15, table 3-7.
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) > 0x8F;
        return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// Number of edits that turn `a` into `b`: insert, delete or replace a character, or swap two adjacent ones.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string to_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text, at);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++at;
        } else {
            out += text.substr(at, length);
            at += length;
        }
    }
    return out;
}

std::string enumerate(const std::vector<std::string>& items, std::string_view last) {
    if (items.empty()) return "";
    if (items.size() == 1) return items.front();
    std::string out = items.front();
    for (std::size_t i = 1; i + 1 < items.size(); ++i) out += ", " + items[i];
    return out + " " + std::string(last) + " " + items.back();
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
    return fmt::format("{}", fmt::join(items, separator));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    for (;;) {
        const std::size_t end = text.find(separator);
        pieces.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines = split(text, '\n');
    for (std::string& line : lines)
        if (line.ends_with('\r')) line.pop_back();
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

std::string to_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

namespace {

/// @return  at most three of `names`, best first
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 3;
    constexpr std::size_t kLongest = 256;  // the time grows with the product of both lengths
    if (wanted.size() > kLongest) return {};
    const std::string needle = to_lower(wanted);
    // Short names need a smaller tolerance; otherwise every short name would match.
    const std::size_t tolerated =
        needle.size() < 4 ? needle.size() / 2 : std::max<std::size_t>(2, needle.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;  // distance, name
    for (const std::string& name : names) {
        const std::string hay = to_lower(name);
        std::size_t distance = edit_distance(needle, hay);
        // Two letters occur in many long names by chance, so they count only in short ones.
        const std::size_t least = std::min(needle.size(), hay.size());
        const bool contained =
            (least > 2 || (least == 2 && std::max(needle.size(), hay.size()) <= 6)) &&
            (hay.find(needle) != std::string::npos || needle.find(hay) != std::string::npos);
        // Users often type only the last part of a name such as "matmul/tiled".
        const std::size_t slash = hay.rfind('/');
        if (slash != std::string::npos)
            distance = std::min(distance, edit_distance(needle, std::string_view(hay).substr(slash + 1)));
        if (contained) distance = std::min<std::size_t>(distance, 1);
        if (distance <= tolerated) near.emplace_back(distance, name);
    }
    std::ranges::stable_sort(near, {}, [](const auto& one) { return one.first; });
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(near.size(), kMost); ++i) out.push_back(near[i].second);
    return out;
}

}  // namespace

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names) {
    const std::vector<std::string> near = nearest_names(wanted, names);
    return near.empty() ? "" : " Did you mean " + enumerate(near, "or") + "?";
}

std::string caret_line(std::string_view source, std::size_t line, std::size_t column) {
    const std::vector<std::string> lines = split_lines(source);
    if (line == 0 || line > lines.size()) return "";
    std::string text = lines[line - 1];
    const std::size_t indent = std::min(column == 0 ? 0 : column - 1, text.size());
    // Keep tabs in the indentation, so that the caret lines up for any tab width.
    std::string blank;
    for (std::size_t i = 0; i < indent; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u) continue;
        blank += text[i] == '\t' ? '\t' : ' ';
    }
    return fmt::format("{:5} | {}\n      | {}^", line, to_utf8(text), blank);
}

std::string counted(unsigned long long count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string group_thousands(std::string text) {
    if (text.find_first_not_of("0123456789") != std::string::npos) return text;
    for (std::size_t left = text.size(); left > 3; left -= 3) text.insert(left - 3, 1, ',');
    return text;
}

std::string format_bytes(unsigned long long bytes) {
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return counted(bytes, "byte");
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1023.95 && unit < 4) {  // 1023.95 would be rounded to 1024.0
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, value == std::floor(value) ? 0 : 1, kUnits[unit]);
}

NumberTexts tell_apart(double first, double second, int least_digits) {
    constexpr int kMostDigits = 17;           // enough to distinguish any two doubles
    constexpr double kLongestInteger = 1e10;  // longer ones are as hard to read as an exponent
    const auto is_short_integer = [](double value) {
        return value == std::trunc(value) && std::fabs(value) < kLongestInteger;
    };
    if (is_short_integer(first) && is_short_integer(second))
        return {fmt::format("{:.0f}", first), fmt::format("{:.0f}", second)};
    const auto format = [](double value, int digits) {
        return std::isnan(value) ? "nan" : fmt::format("{:.{}g}", value, digits);
    };

    NumberTexts texts;
    for (int digits = least_digits; digits <= kMostDigits; ++digits) {
        texts = {format(first, digits), format(second, digits)};
        if (texts.first != texts.second || first == second) break;
    }
    return texts;
}

std::string quote_for_shell(std::string_view word) {
    constexpr std::string_view kPlain = "_-./,:=+@%";
    const auto is_plain = [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos;
    };
    // zsh expands a leading `=`.
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

void Place::pass(char byte) {
    if (byte == '\n') {
        ++line;
        column = 1;
    } else if (starts_character(byte)) {
        ++column;
    }
}

Place place_of(std::string_view text, std::size_t offset) {
    Place place;
    for (const char byte : text.substr(0, offset)) place.pass(byte);
    return place;
}

}  // namespace kwb
