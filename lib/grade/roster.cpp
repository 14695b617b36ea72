// SPDX-License-Identifier: Apache-2.0
#include "grade/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
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

std::string digits(const std::string& text) {
    std::string found;
    std::ranges::copy_if(text, std::back_inserter(found),
                         [](unsigned char c) { return std::isdigit(c) != 0; });
    return found;
}

char separator_of(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    const std::string_view candidates = ",;\t";
    return *std::ranges::max_element(candidates, {}, [&](char c) { return std::ranges::count(header, c); });
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
    if (!column) return "";
    const std::string number = digits(rows[row][*column]);  // "Participant 123" in Moodle
    return number.empty() ? to_lower(trim(rows[row][*column])) : number;
}

double Roster::days_late(std::size_t row) const {
    const auto column = find_column({"days late", "days_late", "late"});
    if (!column) return 0;
    const std::string_view text = trim(rows[row][*column]);
    double days = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
    if (text.empty()) return 0;
    if (error != std::errc{} || end != text.data() + text.size() || !(days >= 0 && days <= 1000))
        throw BadInput(fmt::format("{}: {}: '{}' is not a number of days", file, name(row), text));
    return days;
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
    std::vector<std::size_t> found;
    const auto finds = [&](const auto& is_it) {
        for (std::size_t row = 0; row < roster.rows.size(); ++row)
            if (roster.is_student[row] && is_it(row)) found.push_back(row);
        return !found.empty();
    };
    const std::string plain = plain_name(name), letters = squashed(name), lower = to_lower(name);
    const auto address = roster.find_column(kAddress);
    if (!id.empty() && finds([&](std::size_t row) { return roster.id(row) == id; })) return found;
    if (finds([&](std::size_t row) { return plain_name(roster.name(row)) == plain; })) return found;
    if (finds([&](std::size_t row) { return squashed(roster.name(row)) == letters; })) return found;
    if (address)
        finds([&](std::size_t row) {
            const std::string text = to_lower(roster.rows[row][*address]);
            return text == lower || text.substr(0, text.find('@')) == lower;
        });
    return found;
}

}  // namespace kwb
