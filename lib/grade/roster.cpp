// SPDX-License-Identifier: Apache-2.0
#include "grade/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "grade/submissions.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostRosterBytes = 16u << 20;

const std::vector<std::string> kName = {"name", "full name", "student"};
const std::vector<std::string> kFirst = {"first name", "given name"};
const std::vector<std::string> kLast = {"last name", "surname", "family name"};
const std::vector<std::string> kId = {"id", "identifier"};
const std::vector<std::string> kAddress = {"email",        "email address",   "login",      "username",
                                           "sis login id", "github_username", "identifier", "id"};

/// The words of a name in any order, in small letters: "Doe, Jane" is "Jane Doe".
std::string plain_name(std::string text) {
    for (char& c : text)
        if (std::ispunct(static_cast<unsigned char>(c)) != 0) c = ' ';
    std::istringstream in(to_lower(text));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    std::ranges::sort(words);
    return join(words, " ");
}

/// As Canvas writes names in files: "Doe, Jane" is "doejane".
std::string squashed(const std::string& text) {
    std::string letters;
    for (const char c : to_lower(text))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0) letters += c;
    return letters;
}

/// As submissions have it: the number of Moodle's "Participant 123", which Moodle translates; else the whole.
std::string plain_id(std::string_view text) {
    const std::string whole = to_lower(trim(text));
    const std::size_t blank = whole.find_last_of(' ');
    const bool is_numbered = blank != std::string::npos &&
                             whole.find_first_not_of("0123456789", blank + 1) == std::string::npos &&
                             whole.find_first_of("0123456789") > blank;
    return is_numbered ? whole.substr(blank + 1) : whole;
}

char separator_of(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    const std::string_view candidates = ",;\t";
    return *std::ranges::max_element(candidates, {}, [&](char c) { return std::ranges::count(header, c); });
}

/// From 0 to 1000.
std::optional<double> read_number(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    return is_number && number >= 0 && number <= 1000 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> Roster::find_column(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (to_lower(trim(columns[i])) == name) return i;
    return std::nullopt;
}

std::string Roster::name(std::size_t row) const {
    if (const auto column = find_column(kName)) return rows[row][*column];
    const auto first = find_column(kFirst), last = find_column(kLast);
    if (first && last) return rows[row][*first] + ' ' + rows[row][*last];
    if (const auto column = find_column(kAddress)) return rows[row][*column];
    return id(row);
}

std::string Roster::id(std::size_t row) const {
    const auto column = find_column(kId);
    return column ? plain_id(rows[row][*column]) : "";
}

std::string_view Roster::cell(std::size_t row, const std::vector<std::string>& names) const {
    const auto column = find_column(names);
    const std::string_view text = column ? trim(rows[row][*column]) : std::string_view();
    return text == "-" ? std::string_view() : text;
}

void Roster::refuse(std::size_t row, const std::string& why) const {
    throw BadInput(fmt::format("{}: {}: {}", file, name(row), why));
}

std::optional<std::chrono::sys_seconds> Roster::handed_in(std::size_t row, const TimeZone& zone) const {
    const std::string_view text = cell(row, {"submitted", "last modified (submission)"});
    if (text.empty()) return std::nullopt;
    const auto time = parse_time(text);
    if (!time) refuse(row, fmt::format("'{}' is not a time. Write it as 2026-12-01 23:59", text));
    return time->in(zone);
}

Extension Roster::extension(std::size_t row, const TimeZone& zone) const {
    const std::string_view text = cell(row, {"extension"});
    if (const auto time = parse_time(text)) return {0, time->in(zone)};
    const auto days = read_number(text);
    if (!text.empty() && (!days || *days != std::floor(*days)))
        refuse(row, fmt::format("the extension '{}' is neither a whole number of days, at most 1000, nor a "
                                "time such as 2026-12-01 23:59",
                                text));
    return {static_cast<int>(days.value_or(0)), {}};
}

double Roster::days_late(std::size_t row) const {
    const std::string_view text = cell(row, {"days late", "days_late", "late"});
    const auto days = read_number(text);
    if (!text.empty() && !days) refuse(row, fmt::format("'{}' is not a number of days", text));
    return days.value_or(0);
}

void Roster::require_times(const std::optional<DueDate>& deadline) const {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        days_late(row);
        if (!deadline || !is_student[row]) continue;
        handed_in(row, deadline->zone);
        extension(row, deadline->zone);
    }
}

Roster read_roster(const std::filesystem::path& file) {
    const std::string text = decode_text(read_file(file, kMostRosterBytes));
    std::vector<std::vector<std::string>> records = read_csv(text, separator_of(text));
    Roster roster;
    roster.file = file.string();
    if (!records.empty()) roster.columns = records.front();
    if (!roster.find_column(kName) && !(roster.find_column(kFirst) && roster.find_column(kLast)) &&
        !roster.find_column(kId) && !roster.find_column(kAddress))
        throw BadInput(
            fmt::format("{}:1: no column identifies the students. Add one of name, id, email or login, or "
                        "first name and last name",
                        roster.file));
    if (roster.find_column({"identifier"}) && roster.find_column({"grade"}))
        roster.kind = Roster::Kind::Moodle;
    else if (roster.find_column({"student"}) && roster.find_column({"id"}))
        roster.kind = Roster::Kind::Canvas;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (records[i].size() != roster.columns.size())
            throw BadInput(fmt::format("{}: record {} has {}, but the header has {}", roster.file, i + 1,
                                       counted(records[i].size(), "field"), roster.columns.size()));
        roster.rows.push_back(std::move(records[i]));
        const std::size_t row = roster.rows.size() - 1;
        const bool is_points = roster.kind == Roster::Kind::Canvas &&
                               trim(to_lower(roster.name(row))).starts_with("points possible");
        roster.is_student.push_back(!is_points && !trim(roster.name(row)).empty());
        if (!roster.is_student.back()) continue;
        const std::string key = roster.id(row).empty() ? plain_name(roster.name(row)) : roster.id(row);
        if (const auto [first, is_new] = seen.emplace(key, i + 1); !is_new)
            throw BadInput(
                fmt::format("{}: record {}: {} appears twice, already in record {}. Give each student one "
                            "row, and an id if two have the same name",
                            roster.file, i + 1, trim(roster.name(row)), first->second));
    }
    if (std::ranges::find(roster.is_student, true) == roster.is_student.end())
        throw BadInput(roster.file + ": no students, only a header");
    return roster;
}

std::vector<std::size_t> find_students(const Roster& roster, const std::string& name, const std::string& id) {
    using Rows = std::vector<std::size_t>;
    const auto find = [&](const auto& is_it) {
        Rows found;
        for (std::size_t row = 0; row < roster.rows.size(); ++row)
            if (roster.is_student[row] && is_it(row)) found.push_back(row);
        return found;
    };
    const std::string plain = plain_name(name), letters = squashed(name), lower = to_lower(name);
    const auto address = roster.find_column(kAddress);
    Rows by_name = find([&](std::size_t row) { return plain_name(roster.name(row)) == plain; });
    if (by_name.empty())
        by_name = find([&](std::size_t row) { return squashed(roster.name(row)) == letters; });
    if (by_name.empty() && address)
        by_name = find([&](std::size_t row) {
            const std::string text = to_lower(roster.rows[row][*address]);
            return text == lower || text.substr(0, text.find('@')) == lower;
        });
    Rows by_id = id.empty() ? Rows() : find([&](std::size_t row) { return roster.id(row) == id; });
    if (by_id.empty()) return by_name;
    if (by_name.empty() || std::ranges::find_first_of(by_id, by_name) != by_id.end()) return by_id;
    by_id.insert(by_id.end(), by_name.begin(), by_name.end());
    return by_id;
}

}  // namespace kwb
