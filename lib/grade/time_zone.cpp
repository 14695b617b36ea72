// SPDX-License-Identifier: Apache-2.0
#include "grade/time_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <regex>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
namespace {

constexpr std::size_t kMostZoneBytes = 1u << 20;

/// "+01:00", "-0330", "Z", "UTC"
std::optional<minutes> parse_offset(const std::string& text) {
    static const std::regex kOffset("([+-])([0-9]{2}):?([0-9]{2})");
    if (text == "Z" || text == "UTC") return 0min;
    std::smatch parts;
    if (!std::regex_match(text, parts, kOffset)) return std::nullopt;
    const minutes offset(60 * std::stoi(parts[2]) + std::stoi(parts[3]));
    if (offset > 14h) return std::nullopt;
    return parts[1] == "-" ? -offset : offset;
}

/// Big-endian numbers of a TZif file (RFC 8536).
class Bytes {
public:
    explicit Bytes(std::string_view text) : text_(text) {}
    std::string_view take(std::size_t count) {
        is_short_ = is_short_ || count > text_.size();
        const std::string_view part = text_.substr(0, is_short_ ? 0 : count);
        text_.remove_prefix(part.size());
        return part;
    }
    std::int64_t number(std::size_t bytes) {
        const std::string_view part = take(bytes);
        std::uint64_t value = !part.empty() && (part.front() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
        for (const char c : part) value = value << 8u | static_cast<unsigned char>(c);
        return static_cast<std::int64_t>(value);
    }
    bool is_short() const { return is_short_; }
    std::string_view rest() const { return text_; }

private:
    std::string_view text_;
    bool is_short_ = false;
};

struct TzifHeader {
    std::size_t utc_marks, standard_marks, leaps, times, types, letters;
    std::size_t bytes(std::size_t time_bytes) const {
        return times * (time_bytes + 1) + types * 6 + letters + leaps * (time_bytes + 4) + standard_marks +
               utc_marks;
    }
};

std::optional<TzifHeader> read_header(Bytes& bytes) {
    if (bytes.take(4) != "TZif") return std::nullopt;
    bytes.take(16);
    std::array<std::size_t, 6> counts{};
    for (std::size_t& count : counts) count = static_cast<std::size_t>(bytes.number(4)) & 0xFFFFu;
    if (bytes.is_short()) return std::nullopt;
    return TzifHeader{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

}  // namespace

/// Reads the second block of a file, which has 64-bit times and ends with the rules.
bool TimeZone::read_file(std::string_view text) {
    Bytes bytes(text);
    const auto first = read_header(bytes);
    if (!first) return false;
    bytes.take(first->bytes(4));
    const auto header = read_header(bytes);
    if (!header || header->types == 0) return false;
    for (std::size_t i = 0; i < header->times; ++i) changes_.push_back(bytes.number(8));
    const std::string_view types = bytes.take(header->times);
    std::vector<seconds> offset_of;
    for (std::size_t i = 0; i < header->types; ++i) {
        offset_of.emplace_back(bytes.number(4));
        bytes.take(2);
    }
    bytes.take(header->letters + header->leaps * 12 + header->standard_marks + header->utc_marks);
    if (bytes.is_short()) return false;
    offsets_ = {offset_of.front()};
    for (const char type : types) {
        if (static_cast<unsigned char>(type) >= offset_of.size()) return false;
        offsets_.push_back(offset_of[static_cast<unsigned char>(type)]);
    }
    rules_ = read_rules(trim(bytes.rest()));
    return std::ranges::is_sorted(changes_);
}

/// "CET-1CEST,M3.5.0,M10.5.0/3": POSIX counts offsets westwards.
std::optional<TimeZone::Rules> TimeZone::read_rules(std::string_view text) {
    static const std::string kAbbreviation = "(?:[A-Za-z]+|<[^>]+>)", kTime = "([+-]?[0-9]+(?::[0-9]+){0,2})";
    static const std::string kRule = ",M([0-9]+)\\.([1-5])\\.([0-6])(?:/" + kTime + ")?";
    static const std::regex kRules(kAbbreviation + kTime + "(?:" + kAbbreviation + kTime + "?" + kRule +
                                   kRule + ")?");
    const auto time_of = [](const std::string& part) {
        const bool is_negative = part.starts_with('-');
        seconds sum{0}, unit = 1h;
        for (const std::string& number : split(part.substr(part.find_first_of("0123456789")), ':')) {
            sum += std::stoi(number) * unit;
            unit /= 60;
        }
        return is_negative ? -sum : sum;
    };
    std::match_results<std::string_view::const_iterator> parts;
    if (!std::regex_match(text.begin(), text.end(), parts, kRules)) return std::nullopt;
    Rules rules;
    rules.standard = rules.summer = -time_of(parts[1]);
    if (!parts[3].matched) return rules;
    rules.summer = parts[2].matched ? -time_of(parts[2]) : rules.standard + 1h;
    const auto rule_at = [&](std::size_t i) {
        const auto number = [&](std::size_t part) {
            return static_cast<unsigned>(std::stoul(parts[part].str()));
        };
        return YearlyRule{number(i), number(i + 1), number(i + 2),
                          parts[i + 3].matched ? time_of(parts[i + 3]) : seconds(2h)};
    };
    rules.begin = rule_at(3);
    rules.end = rule_at(7);
    return rules;
}

TimeZone TimeZone::open(const std::string& name, const fs::path& database) {
    if (const auto offset = parse_offset(name)) return fixed(*offset);
    constexpr std::string_view kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-/";
    std::error_code missing;
    TimeZone zone;
    if (!name.empty() && name.find_first_not_of(kLetters) == std::string::npos && name.front() != '/' &&
        fs::is_regular_file(database / name, missing) &&
        zone.read_file(kwb::read_file(database / name, kMostZoneBytes)))
        return zone;
    throw BadInput(fs::exists(database / "Europe", missing)
                       ? fmt::format("there is no time zone \"{}\". Write e.g. Europe/Berlin or +01:00", name)
                       : fmt::format("time zones have no names on this machine, because {} is missing. Write "
                                     "an offset such as +01:00, or install tzdata",
                                     database.string()));
}

TimeZone TimeZone::fixed(minutes offset) {
    TimeZone zone;
    zone.offsets_ = {offset};
    return zone;
}

seconds TimeZone::offset_at(sys_seconds time) const {
    const auto after = std::ranges::upper_bound(changes_, time.time_since_epoch().count());
    if (!rules_ || after != changes_.end())
        return offsets_[static_cast<std::size_t>(after - changes_.begin())];
    if (!rules_->begin) return rules_->standard;
    const auto year = std::chrono::year_month_day(std::chrono::floor<days>(time + rules_->standard)).year();
    const auto begins = [&](const YearlyRule& rule, seconds offset_before) {
        const auto month = year / std::chrono::month(rule.month);
        const std::chrono::weekday weekday(rule.weekday);
        const sys_days day = rule.week == 5 ? sys_days(month / weekday[std::chrono::last])
                                            : sys_days(month / weekday[rule.week]);
        return day + rule.time - offset_before;
    };
    const sys_seconds begin = begins(*rules_->begin, rules_->standard);
    const sys_seconds end = begins(*rules_->end, rules_->summer);
    const bool is_summer = begin < end ? begin <= time && time < end : time < end || begin <= time;
    return is_summer ? rules_->summer : rules_->standard;
}

sys_seconds TimeZone::to_utc(local_seconds local) const {
    const sys_seconds as_utc(local.time_since_epoch());
    const seconds before = offset_at(as_utc - 24h), after = offset_at(as_utc + 24h);
    if (offset_at(as_utc - after) == after) return as_utc - after;
    return as_utc - before;
}

std::string TimeZone::format(sys_seconds time) const {
    const seconds offset = offset_at(time);
    const sys_seconds local = time + offset;
    const auto day = std::chrono::floor<days>(local);
    const std::chrono::year_month_day date(day);
    const auto of_day = std::chrono::floor<minutes>(local - day).count();
    const auto away = std::chrono::abs(std::chrono::floor<minutes>(offset)).count();
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} {}{:02}:{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), of_day / 60,
                       of_day % 60, offset < 0s ? '-' : '+', away / 60, away % 60);
}

sys_seconds WrittenTime::in(const TimeZone& zone) const {
    return offset ? TimeZone::fixed(*offset).to_utc(local) : zone.to_utc(local);
}

std::optional<WrittenTime> parse_time(std::string_view text) {
    static const std::regex kIso(
        "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[Tt ]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\\.[0-9]+)?)? *"
        "(Z|[+-][0-9]{2}:?[0-9]{2})?");
    static const std::regex kMoodle(
        "(?:[^,0-9]+, *)?([0-9]{1,2})\\.? ([^ 0-9]+) ([0-9]{4}),? ([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))? *"
        "([AaPp][Mm])?");
    // By their first letters, in English and German.
    static const std::vector<std::vector<std::string>> kMonths = {
        {"jan"}, {"feb"}, {"mar", "mär"}, {"apr"},        {"may", "mai"}, {"jun"},
        {"jul"}, {"aug"}, {"sep"},        {"oct", "okt"}, {"nov"},        {"dec", "dez"}};
    constexpr std::size_t kMostLetters = 100;  // std::regex recurses
    const std::string trimmed(trim(text).substr(0, kMostLetters));
    std::smatch parts;
    const auto number = [&](std::size_t part) { return parts[part].matched ? std::stoi(parts[part]) : 0; };
    int year = 0, hour = 0;
    unsigned month = 0, day = 0;
    WrittenTime read;
    if (std::regex_match(trimmed, parts, kIso)) {
        year = number(1);
        month = static_cast<unsigned>(number(2));
        day = static_cast<unsigned>(number(3));
        hour = number(4);
        if (parts[7].matched && !(read.offset = parse_offset(parts[7]))) return std::nullopt;
    } else if (std::regex_match(trimmed, parts, kMoodle)) {
        const std::string word = to_lower(parts[2].str());
        const auto named = std::ranges::find_if(kMonths, [&](const std::vector<std::string>& names) {
            return std::ranges::any_of(names,
                                       [&](const std::string& name) { return word.starts_with(name); });
        });
        year = number(3);
        month = static_cast<unsigned>(named - kMonths.begin()) + 1;
        day = static_cast<unsigned>(number(1));
        hour = number(4);
        if (const std::string half = to_lower(parts[7].str()); !half.empty()) {
            if (hour < 1 || hour > 12) return std::nullopt;
            hour = hour % 12 + (half == "pm" ? 12 : 0);
        }
    } else {
        return std::nullopt;
    }
    const auto date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
    if (!date.ok() || hour > 23 || number(5) > 59 || number(6) > 59) return std::nullopt;
    read.local =
        std::chrono::local_days(date) + std::chrono::hours(hour) + minutes(number(5)) + seconds(number(6));
    return read;
}

}  // namespace kwb
