// A run or sweep on display: the current one, or one from the history.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "history/history.hpp"
#include "model/result.hpp"

namespace kwb {

/// Immutable once shared: an update creates a new object.
struct ShownRun {
    PastRun run;                      ///< id 0: not in the history yet
    std::vector<std::string> labels;  ///< one for each of run.results: unique and short, for charts
    std::size_t baseline = 0;         ///< index into run.results
    bool finished = true;             ///< false: more rounds follow, and results are not judged yet
    bool stopped = false;             ///< by the user
    std::string error;                ///< a sentence: why the run failed; empty if it did not
};

/// The measurements of a sweep so far: results[i][k] is for sizes[i] and labels[k].
struct ShownSweep {
    std::int64_t id = 0;                         ///< in the history; 0: not added yet
    std::chrono::system_clock::time_point when;  ///< start time, UTC
    std::string problem;
    Environment environment;
    std::vector<std::string> labels;
    std::vector<Sizes> sizes;
    std::vector<std::vector<KernelResult>> results;  ///< one list for each size measured so far
    bool finished = false;
    std::string error;
    std::size_t planned = 0;  ///< number of sizes to measure that fit; 0: from the history
};

}  // namespace kwb
