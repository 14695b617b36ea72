// SPDX-License-Identifier: Apache-2.0
#include "grade/deadline.hpp"

#include <cmath>

namespace kwb {

std::chrono::sys_seconds extended(const DueDate& deadline, const Extension& extension) {
    if (extension.until) return *extension.until;
    // The same time of day, also if summer time begins or ends in between.
    const std::chrono::local_seconds local(
        (deadline.at + deadline.zone.offset_at(deadline.at)).time_since_epoch());
    return deadline.zone.to_utc(local + std::chrono::days(extension.days));
}

double days_late(const DueDate& deadline, const Extension& extension, std::chrono::sys_seconds handed_in) {
    const std::chrono::sys_seconds due = extended(deadline, extension);
    if (handed_in <= due + deadline.grace) return 0;
    return std::ceil(std::chrono::duration<double, std::chrono::days::period>(handed_in - due).count());
}

}  // namespace kwb
