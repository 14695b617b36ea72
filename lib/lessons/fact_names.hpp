// SPDX-License-Identifier: Apache-2.0
// The names that conditions of lessons and rubrics may use.
#pragma once

#include <string>

#include "catalog/expression.hpp"

namespace kwb {

/// The fault in the names of a condition, as a clause; empty: each may be one of facts_of(), add_words(),
/// add_gpu_facts(), add_speed_facts(), or of a program for the host, and it is compared only with what it can
/// be: `'data_rce' in findings` never holds.
std::string fault_of_names(const Expression& condition);

}  // namespace kwb
