// SPDX-License-Identifier: Apache-2.0
// Failed requests to a runner, and the sentences that explain them.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/processes/runner_limits.hpp"
#include "model/result.hpp"

namespace kwb {

/// Why a request failed: a verdict with its sentence and evidence.
struct Failure {
    Verdict verdict = Verdict::LaunchError;
    std::string reason;
    Evidence evidence;
    std::optional<FaultNote> fault = {};  ///< what the runner reported about its own death; untrusted
    bool is_refusal = false;              ///< the driver refused; the runner survived
};

/// A reply, or the reason why there is none.
template <class Reply>
using Answer = std::variant<Reply, Failure>;

/// What is known about the end of a runner.
struct Death {
    std::string stage;                      ///< the last stage that it entered; empty if none
    std::optional<ExitStatus> status = {};  ///< nullopt: it closed its pipes but is still running
    std::optional<FaultNote> fault = {};
    std::string last_words = {};     ///< its output
    bool ran_out_of_memory = false;  ///< the system killed a process for lack of memory while it ran
};

/// A runner that ended on its own or was killed by another process.
Failure explain_death(const Death& death);

/// A stage, or a request outside any stage, that exceeded `timeout_ms`.
Failure explain_timeout(const Death& death, double timeout_ms);

/// A request that took longer than `whole_ms`, which nothing extends, although none of its stages did.
Failure explain_endless(const Death& death, double whole_ms);

/// A runner that was killed because it took more than it may.
Failure explain_excess(const Death& death, const Excess& excess);

/// A kernel that ended while `processes` that it had started were still running.
Failure explain_left_behind(const Death& death, std::size_t processes);

/// A kernel whose processes continued themselves while the judge had stopped them.
Failure explain_restless(const Death& death);

/// A launch that the device aborted, as GPUs do after an out-of-bounds access.
/// @param driver  the driver's message, a sentence
Failure explain_broken_launch(const Death& death, const std::string& driver);

/// A runner that detected damage to its own process.
/// @param finding  a clause
Failure explain_damage(const Death& death, const std::string& finding);

/// A runner that sent a message that an intact runner never sends.
/// @param finding  a clause
Failure explain_garbage(const Death& death, const std::string& finding);

}  // namespace kwb
