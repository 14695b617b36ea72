// Results as comma-separated values.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace kwb {

/// A header line, then one row a result; numbers in full precision, units in the column names, an empty field
/// for what was not measured. Sizes are columns size_<NAME>, parameters param_<NAME> (all that any result
/// has). Lines end with CR LF, fields are quoted where needed (RFC 4180).
std::string results_to_csv(const std::vector<KernelResult>& results);

}  // namespace kwb
