// The file beside a kernel that says how it is run.
#pragma once

#include <filesystem>
#include <string>

#include "model/kernel_spec.hpp"

namespace kwb {

/// "mine.cl" → "mine.cl.toml"
std::filesystem::path side_car_of(const std::filesystem::path& kernel);

/// TOML that says what `spec` says: problem, launches, macros, init. Read back by parse_front_matter() it
/// gives the same plan. What `kwb adopt` cannot know (parameters, requirements, …) is left out.
std::string side_car_text(const KernelSpec& spec);

}  // namespace kwb
