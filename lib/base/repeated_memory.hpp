// SPDX-License-Identifier: Apache-2.0
// One piece of memory, mapped repeatedly over a range of addresses.
#pragma once

#include <cstddef>

namespace kwb {

/// Maps shared memory of `piece_bytes`, zeroed, readable and writable, at every piece of the range, in place
/// of what is mapped there. The last piece may be shorter.
/// @param begin, bytes, piece_bytes  multiples of the page size
/// @return  false, with errno: no memory, or too many mappings (vm.max_map_count); some pieces may be mapped
bool map_repeatedly(std::byte* begin, std::size_t bytes, std::size_t piece_bytes);

/// Whether this CPU reads a page that is mapped at many addresses as fast as a page at one address: measured
/// once, in a few milliseconds, when first asked. CPUs whose nearest cache finds its lines by a part of
/// the virtual address do not (AMD since Zen: M. Lipp and others, "Take a way: exploring the security
/// implications of AMD's cache way predictors", 2020).
bool has_fast_repeated_pages();

}  // namespace kwb
