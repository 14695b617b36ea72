// How much local memory a launch asks for through its arguments, read from the source alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/element.hpp"
#include "model/plan.hpp"

namespace kwb {

/// The element type of an argument as it is declared: `__local float4* name`.
/// @return  nothing where it is not written in one piece like this, e.g. behind a macro
std::optional<ElementType> find_local_argument_type(std::string_view source, std::string_view name);

/// @return  bytes of the launch's __local arguments; those of unknown type are left out
std::uint64_t local_argument_bytes(const LaunchPlan& launch, std::string_view source);

}  // namespace kwb
