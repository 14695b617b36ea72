// What a runner's dying words about a memory access mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "judge/processes/runner_process.hpp"
#include "judge/verify/layout.hpp"

namespace kwb {

/// An access outside of a buffer.
struct Trespass {
    const Slot* slot = nullptr;
    std::int64_t element = 0;  ///< the one that holds the faulting byte; a wide access may have begun before
    FaultNote::Access access = FaultNote::Access::Unknown;
};

/// @return  nothing if the loss has no note, or the note names no buffer of the layout, or a place within it
std::optional<Trespass> find_trespass(const Loss& loss, const Layout& layout);

/// "read element 65536 of A (valid 0 … 65535), one past the end"
std::string describe(const Trespass& trespass);

/// The processor did not tell the address: most often a vector that is not aligned to its size.
bool is_of_unknown_address(const Loss& loss);

/// What a fault note adds to a loss: `out_of_bounds` with buffer and element, or a crash with the address and
/// the usual causes. A loss without a note, or one of the compiler's, comes back as it is.
Loss explain_fault(Loss loss, const Layout& layout);

/// "by work-item (64, 0)"
std::string describe_work_item(const std::vector<std::uint64_t>& global_id);

}  // namespace kwb
