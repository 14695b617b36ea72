// SPDX-License-Identifier: Apache-2.0
// Finds the reasons why one kernel is faster than another, in what was measured, counted and computed of
// both. What is none of these is not said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/effect.hpp"
#include "model/reason.hpp"
#include "model/result.hpp"

namespace kwb {

/// What X-ray counted differently (XrayOutcome::counts), the largest difference first. Counts are facts about
/// the sources; whether they cost time on a device is for an experiment to show.
/// @return  empty if one of them was not counted
std::vector<Reason> counted_reasons(const KernelResult& faster, const KernelResult& slower);

/// How the loops differ in which both spend their time (KernelResult::hot_loop), in the device's machine
/// code.
/// @return  empty if one of them is not known
std::vector<Reason> code_reasons(const KernelResult& faster, const KernelResult& slower);

/// The kind of reason that an experiment shows. @return  nullopt: of several
std::optional<ReasonKind> kind_of_effect(WhatIf what);

/// What costs one of them time and the other one less (KernelResult::effects), the largest cost in
/// milliseconds first.
/// @return  empty if no effect of either was seen, or nothing was measured
std::vector<Reason> measured_reasons(const KernelResult& faster, const KernelResult& slower);

/// How both differ on GPUs that the machine need not have (KernelResult::gpus). `is_for` is about those GPUs,
/// where the other kernel may be the faster one.
std::vector<Reason> computed_reasons(const KernelResult& faster, const KernelResult& slower);

/// Repeated loads that differ between two kernels, and that a cache serves.
struct HiddenLoads {
    std::string buffer;
    std::uint64_t buffer_bytes = 0;
    std::uint64_t cache_bytes = 0;                    ///< at least `buffer_bytes`
    std::optional<std::int64_t> exceeding_size = {};  ///< of equal extents: from here on the buffer is larger
};

/// The buffer whose loads differ most between the kernels, if each element is loaded repeatedly, and the
/// buffer fits in the cache: there the difference costs no more than the time of this cache.
/// @param cache_bytes  0: unknown
std::optional<HiddenLoads> find_hidden_loads(const KernelResult& one, const KernelResult& other,
                                             std::uint64_t cache_bytes);

/// All of them: measured, then counted, in the sources and in the machine code, then computed.
std::vector<Reason> reasons_of(const KernelResult& faster, const KernelResult& slower);

}  // namespace kwb
