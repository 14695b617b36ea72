// Whose code a kernel is.
#pragma once

#include "base/record.hpp"

namespace kwb {

/// Kernels of different trust never share a compiler cache, which is written and executed, nor a process.
enum class Trust {
    Shipped,  ///< installed with the workbench
    Own,      ///< from the person's own folders
    Foreign   ///< a stranger's: each one alone, with a cache that is thrown away afterwards
};

template <>
inline constexpr auto kEnumNames<Trust> = std::to_array<std::string_view>({"shipped", "own", "foreign"});

}  // namespace kwb
