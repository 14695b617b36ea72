// SPDX-License-Identifier: Apache-2.0
// Compiles the kernels of a run in several processes at once, before anything is timed.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "judge/contestant_state.hpp"

namespace kwb {

/// With as few work-groups as have PoCL compile the same code. A launch that leaves the work-group to the
/// driver keeps them all.
std::vector<Launch> shortest(std::vector<Launch> launches);

/// Helpers that fill the compiler cache, from the last contestant to the first, while the bench compiles and
/// checks all of them from the first to the last: where they meet, everything is compiled. Nothing depends on
/// a helper: the bench compiles what a helper did not. The helpers end with this object, which
/// should be when each contestant has run once. PoCL compiles for the work-group size in the first launch, so
/// a helper also launches each kernel, with as few work-groups as give the same code, on uninitialised
/// buffers.
class CompileAhead {
public:
    /// Starts helpers for these contestants and has them build their programs. Starts none if it would not
    /// help: few contestants, no processor to spare, a driver without a compiler cache that is known here, or
    /// untrusted kernels, each of which has its own cache.
    /// @param members  of one bench, which must outlive this object
    CompileAhead(DeviceBench& bench, const std::vector<ContestantState*>& members);
    ~CompileAhead();
    CompileAhead(const CompileAhead&) = delete;
    CompileAhead& operator=(const CompileAhead&) = delete;

    /// Has the helpers compile the launches. Call this once they are bound.
    void launch();

    /// Call this before the bench first launches a contestant, in their order. Waits a few seconds if a
    /// helper is compiling it; ends the helpers that have come to what the bench has launched.
    /// @throws StopRequested, FaceGone
    void meet(const ContestantState& contestant);

private:
    struct Helper {
        std::unique_ptr<RunnerProcess> runner;
        std::vector<const ContestantState*> contestants;  ///< in its order
        std::size_t built = 0;                            ///< the first of them have been sent to be built
        std::size_t sent_bytes = 0;                       ///< of sources
        /// For each reply that is awaited, the contestant that is launched, if any.
        std::deque<const ContestantState*> awaited = {};
    };
    template <class Request>
    void post(Helper& helper, const Request& request, const ContestantState* launched = nullptr);
    bool build_next(Helper& helper);
    bool has_met(Helper& helper, const ContestantState& contestant);

    DeviceBench& bench_;
    std::vector<Helper> helpers_;
    bool has_helped_ = false;
};

}  // namespace kwb
