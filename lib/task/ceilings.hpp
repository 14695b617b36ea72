// SPDX-License-Identifier: Apache-2.0
// The ceilings of the roofline: the best arithmetic rate and memory bandwidth of a device, measured with
// small kernels.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.hpp"
#include "catalog/catalogue.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// The best measured rate.
struct Ceiling {
    double value = 0;              ///< from the median time of the fastest kernel; above 0
    std::optional<Interval> ci95;  ///< within this run; empty after too few rounds
    std::string kernel;            ///< the kernel that reached it: "fma_chain/fma_chain"
    ParamChoice params;            ///< the values of its parameters
};

struct Ceilings {
    std::optional<Ceiling> gflops;    ///< GFLOP/s in single precision; empty: not measured
    std::optional<Ceiling> gbytes_s;  ///< GB/s of reads and writes together, between device memory and kernel
    std::optional<std::chrono::system_clock::time_point> when = {};  ///< of the measurement, if it is known
};

/// The requests that measure both ceilings, one run each: chains of multiply-adds with several vector widths
/// and numbers of chains, then copies. Together they take about ten seconds.
/// @param kernels  open_catalogue({}): only the shipped kernels, which kernels of the user cannot replace
/// @throws BadInput  a kernel is missing or broken
std::vector<RunRequest> make_ceiling_requests(const Catalogue& kernels, const DeviceInfo& device);

/// The requests that measure the highest possible speed of a kernel of a shipped problem, for bound_rates():
/// copies within the caches, and for products chains of multiply-adds; one kernel each, because a rough
/// figure is enough. Together they take about a second.
std::vector<RunRequest> make_bound_requests(const Catalogue& kernels, const DeviceInfo& device,
                                            std::string_view problem);

/// Sets the request's most_gflops and most_gbytes_s, which expose implausible times. The margins: a kernel
/// that only reads is up to twice as fast as a copy, and products take fewer operations than counted with the
/// method of V. Strassen, "Gaussian elimination is not optimal", 1969: 7/8 for each of the few levels that
/// pay. Both are doubled, because a busy machine may have slowed even the fastest round, and other vector
/// widths may be faster. Only the arithmetic of products is bounded: the other problems have methods that
/// need much less than is counted.
/// @param request of a shipped problem; any other is left unchanged, because its author declares its cost
/// @param results  of make_bound_requests()
void bound_rates(RunRequest& request, std::span<const KernelResult> results);

/// Number of chains for the compute ceiling: enough work for each compute unit, using at most an eighth of
/// the device's memory.
Sizes choose_compute_size(const DeviceInfo& device);

/// Number of floats to copy for the memory ceiling: X and Y together take at least 256 MiB, far more than any
/// cache, but at most an eighth of the device's memory, so a device with less than 2 GiB gets less.
Sizes choose_memory_size(const DeviceInfo& device);

/// @param results  of the requests above, in any order; results of other problems, and those that are not
///                 `correct` or were not timed, are ignored
Ceilings find_ceilings(std::span<const KernelResult> results);

}  // namespace kwb
