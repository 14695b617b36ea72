// One line on standard error that tells where a run is.
#pragma once

#include <string>

#include "session/snapshot.hpp"

namespace kwb::cli {

/// Draws only where standard error is a terminal; leaves nothing behind.
class ProgressLine {
public:
    /// @param headline  put first, e.g. "size 3 of 12"; may be empty
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
