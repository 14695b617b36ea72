// SPDX-License-Identifier: Apache-2.0
// Expressions of OpenCL C over the variables of a work-item at a moment of its recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "debug/player.hpp"
#include "debug/scope.hpp"
#include "debug/values.hpp"

namespace kwb::debug {

/// The value of an expression: of memory, or computed.
struct Evaluated {
    std::uint32_t type = kUnknownType;
    std::optional<std::uint64_t> address = {};  ///< of memory; nullopt: it was computed
    std::uint64_t bytes = 0;
    MemoryBytes memory = {};                   ///< of memory
    std::optional<Number> number = {};         ///< of numbers and pointers, if it is known
    std::optional<std::uint32_t> target = {};  ///< of a computed pointer: the type that it points to
};

/// The expression has no value here, and may have one elsewhere.
class DivisionByZero : public BadInput {
public:
    using BadInput::BadInput;
};

/// A variable or element at a known address.
Evaluated value_at(const Scope& scope, std::uint32_t type, std::uint64_t address);

/// Assignments, calls but for those of work-item functions, and casts of anything but numbers are not
/// supported.
/// @throws BadInput  it does not parse, names nothing that is visible; DivisionByZero
Evaluated evaluate(std::string_view expression, const Scope& scope);

/// "7", "not set yet", "not recorded"
/// @param most  as in value_text()
std::string memory_text(const Recording& recording, std::uint32_t type, const MemoryBytes& value,
                        std::size_t most);
std::string evaluated_text(const Evaluated& value, const Recording& recording, std::size_t most = 256);

}  // namespace kwb::debug
