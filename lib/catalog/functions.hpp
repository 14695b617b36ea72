// The functions that expressions may call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/value.hpp"

namespace kwb {

/// abs, ceil_div, log2, max, min, round_up
std::vector<std::string> function_names();

/// @param arguments  how many are given
/// @return  what is wrong with calling `name` so, as a sentence; empty if nothing
std::string find_call_fault(std::string_view name, std::size_t arguments);

/// @param name  and number of arguments: without a call fault
/// @throws ValueError
Value call_function(std::string_view name, const std::vector<Value>& arguments);

}  // namespace kwb
