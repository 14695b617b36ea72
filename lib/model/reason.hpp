// SPDX-License-Identifier: Apache-2.0
// Why one kernel is faster than another: reasons as data. report/reason_words.hpp words them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.hpp"
#include "base/record.hpp"
#include "model/gpu_profile.hpp"
#include "model/xray.hpp"

namespace kwb {

enum class ReasonKind {
    CacheMisses,       ///< accesses of `subject` that miss a cache: share of the time
    Barriers,          ///< measured: share of the time; counted: barriers that all work-groups pass
    Atomicity,         ///< measured: share of the time; counted: atomic operations on global memory
    StartUp,           ///< starting the work-groups: share of the time
    ValueOrder,        ///< the order of the values in `subject`: share of the time
    GlobalTraffic,     ///< bytes of global memory that work-items load and store, without atomic operations
    Coalescing,        ///< bytes of the sectors that sub-groups touch, by the bytes that they request
    LocalTraffic,      ///< bytes of local memory that work-items load and store, without atomic operations
    BankConflicts,     ///< cycles of local memory, by those without conflicts
    Divergence,        ///< share of the lanes that are active in a basic block, on average
    WorkGroups,        ///< the most work-groups of a launch: fewer than GPUs have compute units
    GroupSize,         ///< work-items of a work-group, on average: they leave lanes of sub-groups empty
    Launches,          ///< launches of a run
    Width,             ///< bytes of global memory that a work-item accesses at once, on average
    LocalAtomicity,    ///< atomic operations on local memory
    Contention,        ///< atomic operations of a sub-group that go to one address, on average
    Work,              ///< basic blocks that work-items execute
    VectorLanes,       ///< numbers that an arithmetic instruction of the hot loop computes (HotLoop)
    LoopInstructions,  ///< instructions of the hot loop by floating-point operations
    GpuTime,           ///< the shortest possible time on the GPU `subject`, in milliseconds
    Occupancy,         ///< per cent of the sub-groups that a compute unit of the GPU `subject` can hold
    PrivateMemory,     ///< bytes of memory that a work-item needs on the GPU `subject` for lack of registers
    Precision          ///< share of floating-point instructions in double precision, on the GPU `subject`
};

template <>
inline constexpr auto kEnumNames<ReasonKind> =
    std::to_array<std::string_view>({"cache_misses",   "barriers",       "atomicity",         "start_up",
                                     "value_order",    "global_traffic", "coalescing",        "local_traffic",
                                     "bank_conflicts", "divergence",     "work_groups",       "group_size",
                                     "launches",       "width",          "local_atomicity",   "contention",
                                     "work",           "vector_lanes",   "loop_instructions", "gpu_time",
                                     "occupancy",      "private_memory", "precision"});

/// Where a reason comes from.
enum class ReasonBasis {
    Measured,  ///< a what-if experiment on this device (model/effect.hpp)
    Counted,   ///< by X-ray, exactly or scaled to whole launches
    Computed   ///< for a GPU that the machine need not have, from its figures and X-ray's counts
};

template <>
inline constexpr auto kEnumNames<ReasonBasis> = std::to_array<std::string_view>({"measured", "counted",
                                                                                 "computed"});

/// One side of a reason.
struct ReasonSide {
    double value = 0;                          ///< in the unit of the kind and its basis
    std::optional<Interval> interval = {};     ///< 95 %, of a measured value
    std::optional<double> time_ms = {};        ///< of the run, of which a measured value is a share
    bool is_none = false;                      ///< measured: it has nothing of this kind
    std::vector<XrayPlace> places = {};        ///< in its source
    std::optional<BoundKind> bound = {};       ///< of GpuTime: what takes so long, if that is known
    std::optional<OccupancyLimit> limit = {};  ///< of Occupancy: what prevents more work-groups
};

struct Reason {
    ReasonKind kind = ReasonKind::GlobalTraffic;
    ReasonBasis basis = ReasonBasis::Counted;
    std::string subject = {};       ///< a buffer or a GPU; empty: none
    std::uint32_t cache_level = 1;  ///< of CacheMisses: of the cache that is missed
    bool is_by_subscripts = false;  ///< of CacheMisses: as in Effect
    ReasonSide faster;
    ReasonSide slower;
    bool is_scaled = false;  ///< counted in some work-groups of one of them, and scaled to whole launches
    /// False: this speaks against the faster kernel, which is faster all the same.
    bool is_for = true;
    /// Of a measured one that speaks for the faster kernel: the share of the difference of their times that
    /// it accounts for, by the best estimates. Those of several reasons overlap.
    std::optional<double> gap_share = {};
    double weight = 0;  ///< for the order, the largest first; comparable within a basis
};

}  // namespace kwb
