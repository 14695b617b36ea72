// SPDX-License-Identifier: Apache-2.0
// What the race observer knows of each granule of memory.
#pragma once

#include <cstdint>
#include <utility>

#include "xray/observer.hpp"

namespace kwb::xray {

/// A span of one group between two barriers; 0: none. Each has its own number, and a later one a larger. A
/// work-item that fences continues in its own. Whether a barrier orders two accesses depends on its
/// fence.
using Epoch = std::uint32_t;

struct User {
    Epoch epoch;
    std::uint32_t item;
    std::uint32_t site;
};

/// The state of a granule. All zero: unused.
struct Cell {
    Epoch write_epoch;
    std::uint32_t write_item;
    std::uint32_t write_site;
    std::uint32_t write_is_atomic;
    User one;            ///< in the last epoch in which somebody read
    User another;        ///< another work-item of the same epoch
    std::uint32_t seen;  ///< the value that `one` read
    std::uint32_t copy;  ///< the asynchronous copy that wrote or read it last; 0: none
};

/// Rarely used state of a granule, kept apart so that Cell stays small in the cache.
struct RareCell {
    User atomic;     ///< another work-item's atomic operation before the last write, which was atomic, too
    User plain;      ///< the last plain write, if the last write was atomic
    User failed;     ///< the last work-item whose exchange failed there
    User elsewhere;  ///< a reader of an earlier group
    std::uint32_t seen_elsewhere;  ///< the value that it read
};

struct Shadow {
    /// Bytes are tracked separately once an access smaller than a granule occurs.
    void refine(Region& region, const AccessEvent& event) {
        while (region.granule_bytes > 1 &&
               (event.bytes % region.granule_bytes != 0 || event.offset % region.granule_bytes != 0))
            region.granule_bytes /= 2;
        if (granule_bytes == region.granule_bytes) return;
        LazyArray<Cell> fine(region.granules());
        LazyArray<RareCell> fine_rare(region.granules());
        if (granule_bytes > 0) {
            const std::uint64_t factor = granule_bytes / region.granule_bytes;
            for (std::uint64_t i = 0; i < fine.size(); ++i) {
                const std::uint64_t shift = i % factor * region.granule_bytes * 8;
                fine[i] = cells[i / factor];
                fine[i].seen >>= shift;
                fine_rare[i] = rare[i / factor];
                fine_rare[i].seen_elsewhere >>= shift;
            }
        }
        cells = std::move(fine);
        rare = std::move(fine_rare);
        granule_bytes = region.granule_bytes;
    }

    LazyArray<Cell> cells;
    LazyArray<RareCell> rare;
    std::uint64_t granule_bytes = 0;
};

}  // namespace kwb::xray
