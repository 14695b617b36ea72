// A request that came to nothing, and the sentence for it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "model/result.hpp"

namespace kwb {

/// Why a request came to nothing: a verdict with its sentence and evidence.
struct Loss {
    Verdict verdict = Verdict::LaunchError;
    std::string reason;
    Evidence evidence;
    std::optional<FaultNote> fault = {};  ///< what the runner saw of its own death; untrusted
    bool is_refusal = false;              ///< the driver said no; the runner did not die of it
};

/// A reply, or what became of the request instead.
template <class Reply>
using Answer = std::variant<Reply, Loss>;

/// What is known of a runner's end.
struct Death {
    std::string stage;                      ///< the last that it entered; empty: none
    std::optional<ExitStatus> status = {};  ///< none: it closed its ends and ran on
    std::optional<FaultNote> fault = {};
    std::string last_words = {};  ///< what it printed
};

/// A runner that ended by itself, or was killed by somebody else.
Loss explain_death(const Death& death);

/// A stage, or a request outside of any, that took longer than `timeout_ms`.
Loss explain_timeout(const Death& death, double timeout_ms);

/// A runner that was ended because it took more than `limit_bytes` of memory.
/// @param has_started_others  there was more than one process in its group
Loss explain_memory(const Death& death, std::uint64_t limit_bytes, bool has_started_others = false);

/// A launch that the device broke off, as GPUs do after a stray access.
/// @param driver  what the driver says, a sentence
Loss explain_broken_launch(const Death& death, const std::string& driver);

/// A runner that noticed itself that its process is damaged.
/// @param finding  a clause
Loss explain_damage(const Death& death, const std::string& finding);

/// A runner that said what no honest one can say.
/// @param finding  a clause
Loss explain_lie(const Death& death, const std::string& finding);

}  // namespace kwb
