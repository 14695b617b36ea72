// A line on standard error that shows the progress of a run.
#pragma once

#include <string>

#include "session/snapshot.hpp"

namespace kwb::cli {

/// Draws only if standard error is a terminal; erases itself at the end.
class ProgressLine {
public:
    /// @param headline  printed first, e.g. "size 3 of 12"; may be empty
    explicit ProgressLine(std::string headline);
    ~ProgressLine() { clear(); }

    void show(const Snapshot& snapshot);
    void clear();

private:
    std::string headline_;
    bool enabled_;
    bool drawn_ = false;
};

/// "time: matmul/tiled, round 7, 63 runs, 12.3 ms (12.1 – 12.6)"
std::string describe_progress(const Snapshot& snapshot);

}  // namespace kwb::cli
