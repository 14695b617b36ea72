// SPDX-License-Identifier: Apache-2.0
// A kernel at all the sizes at which kernels tend to be wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/experiment.hpp"
#include "model/result.hpp"

namespace kwb {

/// Everything that a check depends on; the setting is without sizes.
struct CheckKey {
    Setting setting;
    ChosenKernel kernel;
    std::optional<std::uint64_t> seed;
    double timeout_ms = 0;
    bool xray = true;

    friend bool operator==(const CheckKey&, const CheckKey&) = default;
};

/// Immutable once shared.
struct ShownCheck {
    CheckKey key;
    std::size_t planned = 0;            ///< sizes
    std::vector<KernelResult> results;  ///< of each size so far, without maps

    bool is_finished() const { return results.size() == planned; }
    std::size_t faults() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(results, [](const KernelResult& result) { return !result.as_expected(); }));
    }
    /// nullptr: none is at fault
    const KernelResult* first_fault() const {
        const auto found = std::ranges::find_if_not(results, &KernelResult::as_expected);
        return found != results.end() ? &*found : nullptr;
    }
};

}  // namespace kwb
