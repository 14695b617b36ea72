// SPDX-License-Identifier: Apache-2.0
// Records the work-group of another kernel that does what a recorded one does, and compares them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/difference.hpp"
#include "debug/wanted_part.hpp"
#include "model/recording.hpp"
#include "model/request.hpp"
#include "task/session.hpp"

namespace kwb {

/// The same group if both kernels have the same launches, else the one that stores the same element last.
/// Parts of long records are asked for and compared one after the other, up to the first that differ.
class Counterpart {
public:
    struct Recorded {
        std::shared_ptr<const debug::Player> player;
        std::vector<std::string> buffers;  ///< of the problem, its first regions
        RunRequest run;                    ///< with the recorded kernel as its only contestant
    };
    /// @param run      of the other kernel, its only contestant, at the sizes of the recorded one
    /// @param options  for the recording
    /// @throws BadInput  the other kernel cannot run
    Counterpart(Recorded ours, RunRequest run, XrayOptions options);

    /// What to ask next; without an answer in between, the same again. nullopt: compare() can go on.
    std::optional<XrayRequest> next() const;
    /// @param answer  without an error
    /// @throws BadInput  the other kernel could not be recorded
    void take(const Snapshot& answer);
    /// Compares what has been recorded; takes seconds. @return  false: it is done, else next() follows
    bool compare();

    debug::Comparison take_comparison() { return comparer_->take(); }
    /// The part of the recorded group that has the first difference; nullptr: the one given, or there is
    /// none.
    std::shared_ptr<debug::Player> part() const { return has_difference_ ? part_ : nullptr; }

private:
    using Side = debug::Comparer::Side;
    struct PartRequest {
        Side side = Side::Ours;
        debug::WantedPart part = {};
    };
    static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
    void ask_for_theirs();
    void take_their_group(const Snapshot& answer);
    const debug::Player& ours() const { return part_ != nullptr ? *part_ : *ours_.player; }
    const KernelPlan& plan_of(Side side) const {
        return *(side == Side::Ours ? ours_.run : run_).contestants.front().kernel;
    }

    Recorded ours_;
    RunRequest run_;
    std::array<XrayOptions, 2> options_;       ///< by side
    std::optional<XrayElement> element_;       ///< whose group is looked for
    std::optional<PartRequest> request_;       ///< the part that is recorded next, or was recorded last
    std::shared_ptr<const Recording> answer_;  ///< to be compared
    std::shared_ptr<debug::Player> part_;  ///< of the recorded group, compared last; nullptr: the one given
    std::array<std::uint64_t, 2> ends_{};  ///< by side: the first event after what was compared
    std::vector<std::string> buffers_;     ///< of theirs
    std::optional<debug::Comparer> comparer_;
    bool has_difference_ = false;
    int parts_ = 0;  ///< that were compared
};

}  // namespace kwb
