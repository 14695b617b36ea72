// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of reasons.
#pragma once

#include "base/record.hpp"
#include "model/gpu_fields.hpp"
#include "model/reason.hpp"
#include "model/xray_fields.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, ReasonSide& side) {
    f.record("reason_side", "One kernel's side of a reason.");
    f("value", side.value, "In the unit of the kind and its basis.");
    f("ci95", side.interval, "95 % interval of a measured value; null: no effect was seen, or not measured.");
    f("time_ms", side.time_ms, "The time of which a measured value is a share.");
    f("is_none", side.is_none, "Measured: the kernel has nothing of this kind.");
    f("places", side.places, "The most important places in its source.");
    f("bound", side.bound, "Of gpu_time: what takes so long; null: no single part.");
    f("limit", side.limit, "Of occupancy: what prevents more work-groups.");
}

template <class Fields>
void describe(Fields& f, Reason& reason) {
    f.record("reason", "Why one kernel is faster than another; docs/why.md explains each kind.");
    f("kind", reason.kind,
      "The unit of the values: measured ones are shares of a kernel's time. Counted: bytes of "
      "global_traffic and local_traffic, multiples of the ideal of coalescing and bank_conflicts, bytes per "
      "access of width, "
      "the share of active lanes of divergence, executed operations of barriers, atomicity, local_atomicity "
      "and work (basic "
      "blocks), work-items at one address of contention, launches, work_groups of a launch, work-items of "
      "group_size. Computed: milliseconds of gpu_time, per cent of occupancy, bytes per work-item of "
      "private_memory, the share of floating-point instructions of precision.");
    f("basis", reason.basis,
      "measured: a what-if experiment on this device. counted: by X-ray. computed: for a GPU that need not "
      "be "
      "here.");
    f("subject", reason.subject, "A buffer, or of computed reasons a GPU; empty: neither.");
    f("cache_level", reason.cache_level, between(1, 2), "Of cache_misses: of the cache that is missed.");
    f("faster", reason.faster, "The faster kernel's.");
    f("slower", reason.slower, "The slower kernel's.");
    f("is_scaled", reason.is_scaled, "Counted in some work-groups, and scaled to whole launches.");
    f("is_for", reason.is_for, "False: it speaks against the faster kernel.");
    f("gap_share", reason.gap_share,
      "Of a measured reason: the share of the difference of both times that it accounts for, by the best "
      "estimates; those of "
      "several reasons overlap. null: it speaks against the faster kernel, or the times are not known.");
    f("weight", reason.weight, "For the order; comparable within a basis.");
}

}  // namespace kwb
