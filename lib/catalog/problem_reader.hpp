// SPDX-License-Identifier: Apache-2.0
// Reads the [problem] table, in which the user declares a problem.
#pragma once

#include "catalog/toml_reader.hpp"
#include "model/problem_spec.hpp"

namespace kwb {

/// Read one [launch] table; also part of the front matter of kernels.
LaunchSpec read_launch(const TomlReader& reader, const toml::node& node);

/// @param node  the value of `problem`, a table
/// @return  a declaration that is as consistent as can be checked without sizes; its name may be empty
/// @throws BadInput with the place: unknown key, fill, type or tolerance, a name declared twice, no size, no
///          output, no expected values for an output
ProblemSpec read_problem(const TomlReader& reader, const toml::node& node);

}  // namespace kwb
