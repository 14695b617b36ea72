// SPDX-License-Identifier: Apache-2.0
// Sample states of the desk for tests of panels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "desk/state.hpp"
#include "support/sample_xray.hpp"

namespace kwb::test {

/// No run yet; one device and one chosen kernel.
DeskState empty_state();

/// A correct result with times.
/// @param median_ms  median of the `rounds` samples, which are the same in every call
KernelResult timed_result(const std::string& kernel, double median_ms, std::size_t rounds = 40);

/// One of each kind: correct, wrong (with a map), out of bounds, compile error, timeout.
DeskState mixed_state();

/// Eight correct kernels.
DeskState many_kernels(std::size_t rounds = 40);

/// A run with these results; the labels are the kernels' names.
std::shared_ptr<ShownRun> shown_run(std::vector<KernelResult> results);

/// A run in progress, with two results so far.
DeskState running_state();

/// Eight kernels compared with an earlier run of two of them.
DeskState compared_state();

/// Degenerate data: NaN among the times, very long names, a missing label, a map without cells.
DeskState odd_state();

/// A finished sweep of three kernels over six sizes, and ceilings.
DeskState sweep_state();
/// The same, compared with an earlier sweep of two of its kernels, slower and over different sizes.
DeskState compared_sweeps_state();

/// A run of "naive" and "tiled" that X-ray has counted and that were experimented with: half of naive's time
/// is misses of B.
DeskState explained_state();

/// Two kernels, "tiled" and "naive", that X-ray has observed; the first is a group of edge × edge work-items.
DeskState observed_state(const SampleXray& tiled = {});

/// What the desk makes of a report.
std::shared_ptr<const ShownXray> shown_xray(const std::string& label, XrayReport report);

}  // namespace kwb::test
