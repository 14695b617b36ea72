// Which value each parameter takes: typed, following from the work-group's dimensions, or the default.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/expression.hpp"
#include "catalog/kernel_file.hpp"
#include "model/plan.hpp"

namespace kwb {

/// @param scope  sizes and device, without parameters
/// @return  every parameter of the file, in its order
/// @throws  BadInput: unknown parameter (with the nearest), a value that the file does not list (unless
///          choices.force_params), dimensions that no value yields (with those that are possible)
///
/// Where a launch's `local` is an expression over parameters, chosen dimensions select the first values, in
/// the file's order, that yield them. Dimensions apply to every launch with as many extents.
ParamChoice choose_params(const KernelFile& file, const Scope& scope, const PlanChoices& choices);

/// Whether a launch's extent depends on a parameter; otherwise it is a default that may be changed freely.
bool depends_on_params(const Written& extent, const ParamSpace& params);

}  // namespace kwb
