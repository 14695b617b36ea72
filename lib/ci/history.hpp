// SPDX-License-Identifier: Apache-2.0
// The times of the last runs, which kwb ci --record keeps, and the page of --report that shows them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ci/outcome.hpp"

namespace kwb {

/// Of one test at one size, on one device with one driver on one kind of machine.
struct TestTimes {
    struct Run {
        std::int64_t at_s = 0;  ///< seconds since 1970
        double median_ms = 0;
    };
    static constexpr std::size_t kMostRuns = 50;

    std::vector<Run> runs = {};  ///< the oldest first
};

/// @throws BadInput  the file is not one of --record, is damaged, or cannot be written
void require_times_file(const std::filesystem::path& file);

/// Adds the times that were measured now, and drops the oldest of more than TestTimes::kMostRuns.
/// @return  for each outcome the times of its test at the same place, the new one last; none if it was not
///          timed
/// @throws BadInput  as require_times_file()
std::vector<TestTimes> record_times(const std::filesystem::path& file, const std::vector<CiOutcome>& outcomes,
                                    std::int64_t now_s);

/// @param times  as record_times() returns them; empty: nothing was recorded
/// @param made   when and where, as shown to the reader
std::string outcomes_page(const std::vector<CiOutcome>& outcomes, const std::vector<TestTimes>& times,
                          const std::string& made);

}  // namespace kwb
