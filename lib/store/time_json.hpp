// SPDX-License-Identifier: Apache-2.0
// Times in described records. Include this only in .cpp files, as record_json.hpp.
#pragma once

#include <chrono>

#include "base/record_json.hpp"

namespace kwb {

/// Milliseconds since 1970, UTC.
template <>
struct JsonForm<std::chrono::system_clock::time_point> {
    using Time = std::chrono::system_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    static Json write(const Time& time) {
        return std::chrono::floor<Milliseconds>(time.time_since_epoch()).count();
    }
    static void read(const JsonPlace& place, Time& time) {
        std::int64_t ms = 0;
        read_json(place, ms, between(-1e12, 1e13));
        time = Time(Milliseconds(ms));
    }
};

}  // namespace kwb
