// SPDX-License-Identifier: Apache-2.0
// Local times of a time zone. C++20's own tz database needs libstdc++ 14, and TZ is a setting of the whole
// process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

class TimeZone {
public:
    /// @param name  an offset ("+01:00", "UTC"), or a name of the tz database ("Europe/Berlin")
    /// @throws BadInput  a sentence: there is no such zone
    static TimeZone open(const std::string& name,
                         const std::filesystem::path& database = "/usr/share/zoneinfo");
    static TimeZone fixed(std::chrono::minutes offset);

    /// East of Greenwich.
    std::chrono::seconds offset_at(std::chrono::sys_seconds time) const;
    /// Of a local time that exists twice, as summer time ends, the second; one that does not exist, as summer
    /// time begins, counts with the offset before.
    std::chrono::sys_seconds to_utc(std::chrono::local_seconds local) const;
    /// "2026-12-01 23:59 +01:00"
    std::string format(std::chrono::sys_seconds time) const;

private:
    /// The day on which an offset begins each year: of `month`, the `week`th `weekday`; week 5 is the last.
    struct YearlyRule {
        unsigned month, week, weekday;
        std::chrono::seconds time;  ///< of that day, in the offset before
    };
    /// What holds after the last change of the table: a "TZ string" of POSIX.
    struct Rules {
        std::chrono::seconds standard{}, summer{};
        std::optional<YearlyRule> begin = {}, end = {};  ///< of summer time; nullopt: none
    };
    static std::optional<Rules> read_rules(std::string_view text);
    bool read_file(std::string_view bytes);

    std::vector<std::int64_t> changes_;          ///< seconds since 1970, ascending
    std::vector<std::chrono::seconds> offsets_;  ///< before the first change, then from each on
    std::optional<Rules> rules_;
};

/// A date and time as people and platforms write it.
struct WrittenTime {
    std::chrono::local_seconds local;
    std::optional<std::chrono::minutes> offset = {};

    std::chrono::sys_seconds in(const TimeZone& zone) const;
};

/// Reads "2026-12-01 23:59", with T, seconds, "Z" or "+01:00" if wanted, and what Moodle writes in English
/// and German: "Tuesday, 1 December 2026, 11:59 PM", "Dienstag, 1. Dezember 2026, 23:59".
/// @return  nullopt: it is no time
std::optional<WrittenTime> parse_time(std::string_view text);

}  // namespace kwb
