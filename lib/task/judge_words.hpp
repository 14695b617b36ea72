// SPDX-License-Identifier: Apache-2.0
// Why a judge did not start or was lost: a message for the user, with a remedy.
#pragma once

#include <optional>
#include <string>

#include "ipc/child.hpp"
#include "task/judge_place.hpp"

namespace kwb {

struct JudgeEnd {
    std::optional<ExitStatus> status;  ///< none if it has closed its pipes but not ended
    bool was_up = false;               ///< it had sent its greeting
    bool cut_off = false;              ///< in the middle of a message
    std::string last_lines;            ///< of its standard error; elsewhere only
};

/// The launch command could not be executed. @param cause  "cannot start ssh: No such file or directory"
std::string explain_no_start(const JudgePlace& place, const std::string& cause);

/// It sent no greeting in time.
std::string explain_no_greeting(const JudgePlace& place, const std::string& last_line);

/// It greeted wrongly, as another version or another program. @param fault  from find_hello_fault()
std::string explain_wrong_greeting(const JudgePlace& place, const std::string& fault);

/// Its first bytes are not a message. @param fault  of the ProtocolError
std::string explain_no_protocol(const JudgePlace& place, const std::string& fault);

std::string explain_end(const JudgePlace& place, const JudgeEnd& end);

/// It does not react to a stop.
std::string explain_no_answer(const JudgePlace& place);

/// The judge elsewhere ended during a command. Without the remedy.
/// @param doing  what was in progress; empty if unknown
std::string explain_loss(const JudgePlace& place, const JudgeEnd& end, const std::string& doing);

}  // namespace kwb
