// SPDX-License-Identifier: Apache-2.0
// A kernel's text with one thing taken away, for what-if experiments.
#pragma once

#include <optional>

#include "model/effect.hpp"
#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// The plan with a changed text whose lines keep their numbers.
/// @param what     not CacheHits, which changes no text
/// @param program  of the plan's source
/// @return  nullopt: there is nothing to take away
std::optional<KernelPlan> change_kernel(const KernelPlan& plan, const source::Program& program, WhatIf what);

}  // namespace kwb
