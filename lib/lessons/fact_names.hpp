// The names that conditions of lessons and rubrics may use.
#pragma once

#include <string>

#include "catalog/expression.hpp"

namespace kwb {

/// What is wrong with the names of a condition, as a clause; empty: each may be one of facts_of(),
/// add_gpu_facts(), add_speed_facts(), or of a program for the host.
std::string fault_of_names(const Expression& condition);

}  // namespace kwb
