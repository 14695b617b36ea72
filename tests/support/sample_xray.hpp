// SPDX-License-Identifier: Apache-2.0
// What X-ray would say of a tiled product, for tests of what shows it.
#pragma once

#include <cstdint>

#include "model/xray.hpp"

namespace kwb::test {

struct SampleXray {
    std::uint32_t edge = 16;       ///< of the work-group and of the tile
    std::uint32_t launches = 1;    ///< the same one several times
    bool is_undefined = false;     ///< the barrier before the tile is read is missing
    std::uint64_t first_line = 9;  ///< of the kernel's accesses, which are in four lines
};

/// Group (0, 0) is traced: each work-item loads an element of A and stores it to the tile `a` (line 1,
/// columns 20 and 10), passes a barrier, then `edge` times loads from `a` and B (line 3, columns 24 and 40),
/// and stores to C (line 4).
XrayReport sample_xray(const SampleXray& options = {});

}  // namespace kwb::test
