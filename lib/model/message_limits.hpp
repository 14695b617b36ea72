// What one message between the workbench's programs may carry.
#pragma once

#include <cstddef>

namespace kwb {

/// Beside its JSON: contents of buffers.
inline constexpr std::size_t kMostAttachmentBytes = std::size_t{256} << 20;

}  // namespace kwb
