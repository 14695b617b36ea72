// A run as it is shown: the present one, or one from the history.
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

/// Never changed once it is shared: a later state is another object.
struct ShownRun {
    PastRun run;                      ///< id 0: not kept yet
    std::vector<std::string> labels;  ///< of run.results: unique and short, for charts
    std::size_t baseline = 0;         ///< of run.results
    bool finished = true;             ///< false: rounds still come in, and no result is judged yet
    bool stopped = false;             ///< by the person
    std::string error;                ///< why it came to a bad end: a sentence; empty if it did not
};

/// The points of a sweep over sizes so far: results[i][k] is of sizes[i] and label k.
struct ShownSweep {
    std::int64_t id = 0;                         ///< in the history; 0: not kept yet
    std::chrono::system_clock::time_point when;  ///< it was begun, UTC
    std::string problem;
    Environment environment;
    std::vector<std::string> labels;
    std::vector<Sizes> sizes;
    std::vector<std::vector<KernelResult>> results;  ///< one list a size measured so far
    bool finished = false;
    std::string error;
    std::size_t planned = 0;  ///< sizes to measure, those that do not fit left out; 0: of the history
};

}  // namespace kwb
