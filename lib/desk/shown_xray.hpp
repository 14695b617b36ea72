// SPDX-License-Identifier: Apache-2.0
// What X-ray observed of a contestant, prepared for the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "desk/line_heat.hpp"
#include "desk/xray_play.hpp"
#include "experiment/experiment.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// The file of a place, which is relative to the kernel's folder.
inline std::filesystem::path file_of(const XrayPlace& place, const std::filesystem::path& kernel) {
    return place.file.empty() ? kernel : (kernel.parent_path() / place.file).lexically_normal();
}

/// What is observed while nothing else runs.
struct XrayTarget {
    std::vector<std::size_t> contestants;  ///< indices of Experiment::contestants, the first one first
    std::uint32_t sub_group = 32;
    std::uint32_t launch = 0;                      ///< of the traced group
    std::vector<std::uint64_t> group = {0, 0, 0};  ///< the traced group
    std::string gpu = {};  ///< one of DeskState::gpus, installed or not; kDeviceTarget; empty: none

    friend bool operator==(const XrayTarget&, const XrayTarget&) = default;
};

/// Everything that an answer depends on.
struct XrayKey {
    Setting setting;
    ChosenKernel kernel;
    XrayTarget target;  ///< without the contestants

    friend bool operator==(const XrayKey&, const XrayKey&) = default;
};

/// Immutable once shared.
struct ShownXray {
    XrayKey key;
    std::string error;  ///< a sentence: why there is no report; empty if there is one
    ObservedKernel observed = {};
    XrayPlay play = {};
    SourceHeat heat = {};

    bool has_report() const { return error.empty() && !observed.report.launches.empty(); }
};

struct ContestantXray {
    std::shared_ptr<const ShownXray> shown;  ///< nullptr: not observed yet
    bool is_outdated = false;                ///< text, parameters, sizes or target have changed since
};

}  // namespace kwb
