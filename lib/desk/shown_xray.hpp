// SPDX-License-Identifier: Apache-2.0
// What X-ray observed of a contestant, prepared for the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "desk/xray_play.hpp"
#include "experiment/experiment.hpp"
#include "model/machine_code.hpp"
#include "model/xray.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// The file of a place, which is relative to the kernel's folder.
inline std::filesystem::path file_of(const XrayPlace& place, const std::filesystem::path& kernel) {
    return place.file.empty() ? kernel : (kernel.parent_path() / place.file).lexically_normal();
}

// For the margin of the source: the lines in which basic blocks begin or memory is accessed (line_heat.cpp).

/// Of a line of the source, in the observed groups.
struct LineHeat {
    std::uint64_t executions = 0;        ///< by work-items
    std::uint64_t bytes = 0;             ///< requested by its accesses, of any memory
    double share = 0;                    ///< of the line that is executed most, on a logarithmic scale
    std::vector<std::string> sentences;  ///< about the line, then about each of its accesses
    bool has_code = false;               ///< the GPU machine code on display has instructions of it
};

/// By line, from 0.
using LineHeats = std::map<std::uint32_t, LineHeat>;

/// By file, relative to the kernel's folder; empty: the kernel's own.
using SourceHeat = std::map<std::string, LineHeats>;

/// @param targets  whose machine code is shown
SourceHeat source_heat(const XrayReport& report, const std::vector<TargetReport>& targets = {});

/// What is observed while nothing else runs.
struct XrayTarget {
    std::vector<std::size_t> contestants;   ///< indices of Experiment::contestants, the first one first
    std::vector<std::size_t> counted = {};  ///< others, of which only the counts are needed, of no GPU
    std::uint32_t sub_group = 32;           ///< of the counts; the bounds of a GPU use its own
    std::uint32_t launch = 0;               ///< of the traced group
    std::vector<std::uint64_t> group = {0, 0, 0};  ///< the traced group
    std::string gpu = {};  ///< one of DeskState::gpus, installed or not; kDeviceTarget; empty: none

    friend bool operator==(const XrayTarget&, const XrayTarget&) = default;
};

/// Everything that an answer depends on.
struct XrayKey {
    Setting setting;
    ChosenKernel kernel;
    XrayTarget target;  ///< without contestants

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
    std::shared_ptr<const ShownXray> shown;        ///< nullptr: not observed yet
    bool is_outdated = false;                      ///< text, parameters, sizes or target have changed since
    std::shared_ptr<const ShownXray> counts = {};  ///< not outdated but for the GPU; nullptr: not known
};

}  // namespace kwb
