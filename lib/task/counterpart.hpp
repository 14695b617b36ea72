// SPDX-License-Identifier: Apache-2.0
// Records the work-group of another kernel that does what a recorded one does, and compares them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/difference.hpp"
#include "model/plan.hpp"
#include "model/recording.hpp"
#include "model/request.hpp"
#include "task/session.hpp"

namespace kwb {

/// The same group if both kernels have the same launches, else the one that stores the same element last.
class Counterpart {
public:
    struct Recorded {
        std::shared_ptr<const debug::Player> player;
        std::vector<std::string> buffers;  ///< of the problem, its first regions
    };
    /// @param plan     of the recorded kernel
    /// @param run      of the other kernel, its only contestant, at the sizes of the recorded one
    /// @param options  for the recording
    /// @throws BadInput  the other kernel cannot run
    Counterpart(const KernelPlan& plan, Recorded ours, RunRequest run, XrayOptions options);

    /// What to ask next; without an answer in between, the same again. nullopt: it has been recorded.
    std::optional<XrayRequest> next() const;
    /// @param answer  without an error
    /// @throws BadInput  the other kernel could not be recorded
    void take(const Snapshot& answer);

    debug::Comparison compare() const;

private:
    Recorded ours_;
    RunRequest run_;
    XrayOptions options_;
    std::optional<XrayElement> element_;  ///< whose group is looked for
    std::shared_ptr<const Recording> recording_;
    std::vector<std::string> buffers_;
};

}  // namespace kwb
