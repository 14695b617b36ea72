// The [problem] table, which declares your own problem.
#pragma once

#include <functional>

#include "catalog/toml_reader.hpp"
#include "model/problem_spec.hpp"

namespace kwb {

/// Reads one [launch].
using LaunchReader = std::function<LaunchSpec(const toml::node&)>;

/// @param node  the value of `problem`, a table
/// @return  a declaration that is consistent as far as can be told without sizes; its name may be empty
/// @throws  BadInput with the place: unknown key, fill, type or tolerance, a name given twice, no size, no
///          output, nothing to compare an output with
ProblemSpec read_problem(const TomlReader& reader, const toml::node& node, const LaunchReader& read_launch);

}  // namespace kwb
