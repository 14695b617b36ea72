// The roofline's ceilings: how fast a device computes and moves data at best, measured by two small kernels.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/interval.hpp"
#include "catalog/catalogue.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// The best rate seen.
struct Ceiling {
    double value = 0;              ///< by the median of the fastest kernel, above 0
    std::optional<Interval> ci95;  ///< within this run; missing after too few rounds
    std::string kernel;            ///< who reached it: "fma_chain/fma_chain"
    ParamChoice params;            ///< with these values
};

struct Ceilings {
    std::optional<Ceiling> gflops;    ///< GFLOP/s in single precision; missing: not measured
    std::optional<Ceiling> gbytes_s;  ///< GB/s of reads and writes together, between device memory and kernel
};

/// The requests that measure both ceilings, a run each: chains of multiply-adds with some choices of vectors
/// and registers, then copies. Together they take some ten seconds.
/// @param kernels  open_catalogue({}): the shipped ones, and nobody's own under their names
/// @throws BadInput  kernels are missing or broken
std::vector<RunRequest> make_ceiling_requests(const Catalogue& kernels, const DeviceInfo& device);

/// Chains for the first: enough work for each compute unit, at most an eighth of the device's memory.
Sizes choose_compute_size(const DeviceInfo& device);

/// Floats to copy for the second: X and Y are together 256 MiB or more, far beyond any cache, and at most an
/// eighth of the device's memory (a device with less than 2 GiB gets less).
Sizes choose_memory_size(const DeviceInfo& device);

/// @param results  of the requests above, in any order; others, and those that are not `correct` or were not
///                 timed, do not count
Ceilings find_ceilings(std::span<const KernelResult> results);

}  // namespace kwb
