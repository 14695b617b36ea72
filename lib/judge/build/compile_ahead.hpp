// Compiles the kernels of a run in several processes at once, before anything is timed.
#pragma once

#include <memory>
#include <vector>

#include "judge/contestant_state.hpp"

namespace kwb {

/// Helpers that fill the compiler cache: each compiles its share of the contestants, from the last to the
/// first, while the bench compiles and checks all of them from the first to the last. Nobody depends on a
/// helper: the bench compiles itself whatever a helper did not. The helpers end with this object.
/// PoCL compiles for the work-group size in the first launch, so a helper also launches each kernel, with as
/// few work-groups as give the same code, on buffers that nobody has filled.
class CompileAhead {
public:
    /// Starts helpers for these contestants and has them build their programs. Starts none if it would not
    /// help: few contestants, no processor to spare, a driver without a compiler cache that is known here, or
    /// foreign kernels, each of which has a cache of its own.
    /// @param members  of one bench, which must outlive this object
    CompileAhead(DeviceBench& bench, const std::vector<ContestantState*>& members);
    ~CompileAhead();
    CompileAhead(const CompileAhead&) = delete;
    CompileAhead& operator=(const CompileAhead&) = delete;

    /// Has the helpers compile the launches. Call this once they are bound.
    void launch();

    /// Waits for the helpers, but not long. @throws StopRequested, FaceGone
    void wait();

private:
    struct Helper {
        std::unique_ptr<RunnerProcess> runner;
        std::vector<const ContestantState*> share;  ///< its contestants, in its order
    };

    DeviceBench& bench_;
    std::vector<Helper> helpers_;
};

}  // namespace kwb
