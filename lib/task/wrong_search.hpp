// SPDX-License-Identifier: Apache-2.0
// Looks for the first wrong element of a kernel at one size after the other, and records who stored it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "debug/wrong_words.hpp"
#include "experiment/opened_experiment.hpp"
#include "ipc/channel.hpp"
#include "task/session.hpp"

namespace kwb {

/// At the sizes with all extents halved again and again, the smallest first, then at those of `kwb check`. If
/// all elements are right everywhere, it records a group in which X-ray sees undefined behaviour.
class WrongSearch {
public:
    /// @param experiment  with one contestant
    /// @param options     for the recordings
    /// @param tries_all   false: larger sizes are tried until one takes a second
    WrongSearch(const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                const DeviceInfo& device, XrayOptions options, bool tries_all);

    /// What to ask next; without an answer in between, the same again. nullopt: the search has ended.
    std::optional<XrayRequest> next();
    /// @param answer  without an error
    void take(const Snapshot& answer);

    /// The last answer has the wrong element, or the recording of what is undefined.
    bool has_found() const { return has_found_; }
    /// What is undefined, instead of a wrong element.
    const std::optional<debug::UndefinedPlace>& undefined() const { return undefined_; }
    /// The kernel ran at no size to its end, for the reason explain().
    bool is_stopped() const { return obstacle_.has_value(); }
    /// Of the last answer.
    const RunRequest& run() const { return run_; }
    /// Why there is no wrong element: a sentence without its full stop. Of undefined behaviour, with that.
    std::string explain() const;

private:
    std::string explain_none() const;

    /// Those of the asked size, and those of `kwb check`; what is left of them.
    std::array<std::vector<RunRequest>, 2> runs_;
    XrayOptions options_;
    bool tries_all_;
    std::size_t list_ = 0;  ///< of `runs_`; behind the last one: undefined behaviour is looked for
    RunRequest run_;
    std::vector<RunRequest> right_;  ///< whose elements are all right
    std::size_t right_sizes_ = 0;
    std::optional<Finding> obstacle_;  ///< why the kernel ran at no size to its end
    std::optional<debug::UndefinedPlace> undefined_;
    bool has_found_ = false;
    Stopwatch watch_;  ///< since the last request
    double undefined_ms_ = 0;
};

}  // namespace kwb
