// SPDX-License-Identifier: Apache-2.0
#include "grade/time_zone.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>

#include "base/error.hpp"

using namespace kwb;
using namespace std::chrono_literals;

namespace {

std::string in_zone(const std::string& text, const std::string& zone) {
    const auto read = parse_time(text);
    const TimeZone at = TimeZone::open(zone);
    return read ? at.format(read->in(at)) : "no time";
}

std::string refusal_of_zone(const std::string& name, const std::string& database = "/usr/share/zoneinfo") {
    try {
        TimeZone::open(name, database);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a time zone agrees with the C library, also after its table of changes ends") {
    const char* const before = std::getenv("TZ");
    const std::string restored = before != nullptr ? before : "";
    for (const char* name : {"Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata",
                             "Africa/Casablanca", "America/Nuuk", "America/Santiago", "Asia/Tokyo", "UTC"}) {
        CAPTURE(name);
        const TimeZone zone = TimeZone::open(name);
        ::setenv("TZ", name, 1);
        ::tzset();
        for (std::time_t time = 0; time < 4'100'000'000; time += 1'234'567) {
            std::tm local{};
            ::localtime_r(&time, &local);
            CAPTURE(time);
            REQUIRE(zone.offset_at(std::chrono::sys_seconds(std::chrono::seconds(time))).count() ==
                    local.tm_gmtoff);
        }
    }
    before != nullptr ? ::setenv("TZ", restored.c_str(), 1) : ::unsetenv("TZ");
    ::tzset();
}

TEST_CASE("a local time that summer time skips or repeats has one meaning") {
    CHECK(in_zone("2026-03-29 02:30", "Europe/Berlin") == "2026-03-29 03:30 +02:00");
    CHECK(in_zone("2026-10-25 02:30", "Europe/Berlin") == "2026-10-25 02:30 +01:00");
    CHECK(in_zone("2045-07-01 12:00", "Europe/Berlin") == "2045-07-01 12:00 +02:00");
}

TEST_CASE("times are read as people and platforms write them") {
    for (const char* text :
         {"2026-12-01 23:59", "2026-12-01T23:59:00", " 2026-12-1 23:59 ", "2026-12-01T22:59Z",
          "2026-12-01T17:59-05:00", "Tuesday, 1 December 2026, 11:59 PM", "1 December 2026, 23:59",
          "Dienstag, 1. Dezember 2026, 23:59", "Tuesday, 1 Dec 2026 11:59 pm"}) {
        CAPTURE(text);
        CHECK(in_zone(text, "Europe/Berlin") == "2026-12-01 23:59 +01:00");
    }
    CHECK(in_zone("1. März 2026, 8:05", "+05:30") == "2026-03-01 08:05 +05:30");
    CHECK(in_zone("1 March 2026, 12:05 AM", "-03:30") == "2026-03-01 00:05 -03:30");
    for (const char* text : {"", "-", "2026-02-30 10:00", "2026-12-01 24:00", "2026-12-01", "soon",
                             "1 Smarch 2026, 10:00", "13 May 2026, 13:00 PM", "2026-12-01 10:00 +99:00"}) {
        CAPTURE(text);
        CHECK(in_zone(text, "UTC") == "no time");
    }
}

TEST_CASE("a zone that does not exist is refused") {
    for (const char* name : {"Europe/Berlinn", "", "../../etc/passwd", "/etc/localtime", "Europe", "+25:00"})
        CHECK(refusal_of_zone(name) ==
              "there is no time zone \"" + std::string(name) + "\". Write e.g. Europe/Berlin or +01:00");
    CHECK(refusal_of_zone("Europe/Berlin", "/nowhere") ==
          "time zones have no names on this machine, because /nowhere is missing. Write an offset such as "
          "+01:00, or install tzdata");
}
