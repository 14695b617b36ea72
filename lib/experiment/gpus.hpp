// SPDX-License-Identifier: Apache-2.0
// GPUs that the machine need not have, for which kernels are compiled: the built-in ones and the user's own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/gpu_profile.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "report/xray_report.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The GPUs of assets/gpus.toml.
/// @throws BadInput  the file is wrong, which tests show
std::vector<GpuProfile> shipped_gpus();

/// @throws BadInput  "FILE:LINE: …": the file cannot be read, a figure is missing, or cannot be true
std::vector<GpuProfile> read_gpus(const std::filesystem::path& file);

/// The GPUs of gpus.toml in the settings folder, if that file exists, then the shipped ones. Of equal names,
/// the first counts.
/// @throws BadInput  as above
std::vector<GpuProfile> known_gpus();

/// The targets that kernels are compiled for, and the GPUs whose occupancy is shown.
struct Targets {
    bool is_device = false;          ///< the chosen device, by its own driver
    std::vector<std::string> codes;  ///< for compilers, each once: "gfx906"
    std::vector<GpuProfile> gpus;
};

/// @param names  of compilers' targets ("gfx906": also all GPUs of that target), parts of GPUs' names
/// ("a100"),
///               kDeviceTarget, or "all", which is all GPUs
/// @throws BadInput  a name that is neither
Targets choose_targets(const std::vector<std::string>& names, const std::vector<GpuProfile>& gpus);

/// Work-items of a sub-group of all these GPUs; 32 if they differ, or if X-ray does not observe as many.
std::uint32_t common_sub_group(const std::vector<GpuProfile>& gpus);

/// Compiles for all of them at once, in as many threads; see compile_for().
std::vector<TargetReport> compile_for_targets(const std::vector<std::string>& codes, const SourceText& text);

/// Whether X-ray can form such sub-groups.
bool is_observable(std::uint32_t sub_group);

/// Adds occupancy and the shortest possible time on each GPU whose compiler accepted the kernel.
/// @param kernel   with its targets
/// @param observe  observes the kernel with sub-groups of this many work-items
void add_gpus(ObservedKernel& kernel, const std::vector<GpuProfile>& gpus,
              const std::function<XrayReport(std::uint32_t sub_group)>& observe);

/// The built-in GPU for which reasons are computed if none is named.
Targets usual_target();

/// Sets KernelResult::gpus of each kernel that X-ray counted. Compiles for 0.1 to 0.2 s.
/// @param results  of `run`, in the order of its contestants
/// @param targets  of sub-groups as large as those that were counted
void add_gpus(std::span<KernelResult> results, const RunRequest& run, const Targets& targets);

}  // namespace kwb
