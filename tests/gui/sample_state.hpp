// Hand-made states of the desk, for tests of panels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "desk/state.hpp"

namespace kwb::test {

/// Nothing has run; one device, one kernel chosen.
DeskState empty_state();

/// A correct, timed result.
/// @param median_ms  of `rounds` samples around it, always the same ones
KernelResult timed_result(const std::string& kernel, double median_ms, std::size_t rounds = 40);

/// One of each kind: correct, wrong (with a map), out of bounds, compile error, timeout.
DeskState mixed_state();

/// Eight correct kernels.
DeskState many_kernels(std::size_t rounds = 40);

/// A run with these results, labels made of the kernels' names.
std::shared_ptr<ShownRun> shown_run(std::vector<KernelResult> results);

/// A run under way, with two results so far.
DeskState running_state();

/// Eight kernels beside an earlier run of two of them.
DeskState compared_state();

/// What should not happen: no numbers among the times, endless names, a label missing, a map without cells.
DeskState odd_state();

/// A finished sweep of three kernels over six sizes, and ceilings.
DeskState sweep_state();
/// The same beside an earlier sweep of two of its kernels, slower and over other sizes.
DeskState compared_sweeps_state();

}  // namespace kwb::test
