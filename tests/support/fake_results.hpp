// SPDX-License-Identifier: Apache-2.0
// The results that the fake judge sends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb::test {

/// A correct result without measurements.
KernelResult result_named(const std::string& name);

/// Copy the properties of the request into the result, so that the front end can match it with its
/// contestant.
void describe(KernelResult& result, const RunRequest& request, const Contestant& contestant);

/// Change a result as `behaviour` says; an unknown behaviour leaves it unchanged.
/// @param index  of the contestant in the request
///
/// timed           12 rounds, the same for every judge
/// explained       as timed; the fake judge also experiments, and its device is a CPU
/// many-samples    10,000 rounds
/// wrong           one wrong element
/// compile-error   an error and a warning
/// hint            a hint at line 2
/// guard-zone      a write one element past the end of C
/// input-changed   the launch changed A
/// printing        output of the kernel with colours and invalid UTF-8
/// long-texts      10,000 compiler messages, a build log of a megabyte, a reason of 20,000 characters
/// odd-times       times that are zero, tiny or huge; rates and intervals that are NaN or infinite, too
/// lesson          noisy times that depend on the size; wrong, rejected or stray if the kernel's name
///                 contains "wrong", "typo" or "stray"
void apply_behaviour(KernelResult& result, const std::string& behaviour, std::size_t index);

/// Add the missing speed-ups of results that were timed, as was the baseline.
void add_speedups(std::vector<KernelResult>& results, std::size_t baseline);

}  // namespace kwb::test
