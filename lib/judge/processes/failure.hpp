// Requests to a runner that failed, and the sentences that explain why.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "model/result.hpp"

namespace kwb {

/// Why a request failed: a verdict with its sentence and evidence.
struct Failure {
    Verdict verdict = Verdict::LaunchError;
    std::string reason;
    Evidence evidence;
    std::optional<FaultNote> fault = {};  ///< what the runner reported of its own death; untrusted
    bool is_refusal = false;              ///< the driver refused; the runner survived
};

/// A reply, or why there is none.
template <class Reply>
using Answer = std::variant<Reply, Failure>;

/// What is known about a runner's end.
struct Death {
    std::string stage;                      ///< the last one that it entered; empty: none
    std::optional<ExitStatus> status = {};  ///< none: it closed its pipes but ran on
    std::optional<FaultNote> fault = {};
    std::string last_words = {};  ///< what it printed
};

/// A runner that ended by itself or was killed from outside.
Failure explain_death(const Death& death);

/// A stage, or a request outside of any stage, that took longer than `timeout_ms`.
Failure explain_timeout(const Death& death, double timeout_ms);

/// A runner that was killed because it used more than `limit_bytes` of memory.
/// @param has_started_others  there was more than one process in its group
Failure explain_memory(const Death& death, std::uint64_t limit_bytes, bool has_started_others = false);

/// A launch that the device aborted, as GPUs do after a stray access.
/// @param driver  what the driver says, a sentence
Failure explain_broken_launch(const Death& death, const std::string& driver);

/// A runner that found its own process damaged.
/// @param finding  a clause
Failure explain_damage(const Death& death, const std::string& finding);

/// A runner that sent what no intact runner sends.
/// @param finding  a clause
Failure explain_garbage(const Death& death, const std::string& finding);

}  // namespace kwb
