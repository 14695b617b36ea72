// SPDX-License-Identifier: Apache-2.0
// What-if experiments (model/effect.hpp): a kernel, changed in one thing, is timed in turns with the kernel
// as it is. Each change has a process of its own. Its outputs are never judged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/contestant_state.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/verification.hpp"
#include "model/effect.hpp"
#include "model/request.hpp"

namespace kwb {

/// The cache that repeated memory stays in.
struct RepeatingCache {
    std::uint32_t level = 1;
    std::uint64_t bytes = 0;  ///< of memory that surely stays in it; 0: unknown
};

/// The nearest cache, or the second-level one where repeated pages are slow (base/repeated_memory.hpp).
RepeatingCache find_repeating_cache();

/// Most mappings of pages in one process; Linux allows 65,530 (vm.max_map_count).
inline constexpr std::uint64_t kMostMappings = 48'000;

/// How many bytes of memory stand for each buffer, so that all of them stay in the cache: as few pages as the
/// number of mappings allows in the nearest one, as many as have room in the second one.
/// @param sizes  of the buffers, in bytes
/// @return  0: the buffers have too many pages
std::uint64_t choose_repeated_bytes(const RepeatingCache& cache, const std::vector<std::uint64_t>& sizes);

class Experiments {
public:
    /// Called before each turn. @param rounds  completed ones
    using Report = std::function<void(const ContestantState&, std::uint32_t rounds)>;

    /// All references must outlive it.
    /// @param data  the inputs
    Experiments(const RunRequest& request, const ProblemInstance& instance, const Verification& verification,
                const PassData& data, Report report);

    /// Sets KernelResult::effects. A failure of an experiment costs only its own effect.
    /// @param contestant  on a device, and correct
    void perform(ContestantState& contestant);

private:
    /// The kernel as it is, or changed.
    struct Subject {
        Effect effect;
        KernelPlan plan;
        std::vector<std::string> repeated;  ///< buffers whose pages are all the same memory
        std::uint64_t repeated_bytes = 0;
        std::unique_ptr<DeviceBench> bench;
        ContestantState state;
        ExecuteRequest request;
        double last_ms = 0;  ///< of its last run
        std::vector<double> samples_ms;
    };

    std::vector<Subject> subjects_of(const ContestantState& contestant) const;
    /// What keeps all experiments from being measured; empty: nothing.
    static std::string find_obstacle(const ContestantState& contestant, std::size_t processes);
    /// Starts its process. @return  why it cannot be measured; empty if it can
    std::string prepare(Subject& subject, const ContestantState& contestant) const;
    std::string take_turn(Subject& subject) const;
    /// Each input alone can save no more than all of them together.
    static void drop_single_inputs(std::vector<Subject>& subjects);
    static bool are_narrow(const std::vector<Subject>& subjects);
    void time(std::vector<Subject>& subjects, const ContestantState& contestant) const;

    const RunRequest& request_;
    const ProblemInstance& instance_;
    const Verification& verification_;
    const PassData& data_;
    Report report_;
};

}  // namespace kwb
