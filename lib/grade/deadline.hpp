// SPDX-License-Identifier: Apache-2.0
// When an assignment is due, and how late a submission is.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "grade/time_zone.hpp"

namespace kwb {

struct DueDate {
    TimeZone zone;
    std::chrono::sys_seconds at;
    std::chrono::minutes grace{0};  ///< after the deadline without a penalty
};

/// What a roster grants one student.
struct Extension {
    int days = 0;                                     ///< after the deadline
    std::optional<std::chrono::sys_seconds> until{};  ///< instead of the deadline
};

/// The deadline of one student.
std::chrono::sys_seconds extended(const DueDate& deadline, const Extension& extension);

/// Days begun since the deadline; 0 until the grace has passed.
double days_late(const DueDate& deadline, const Extension& extension, std::chrono::sys_seconds handed_in);

}  // namespace kwb
