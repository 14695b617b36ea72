// SPDX-License-Identifier: Apache-2.0
// A kernel's text with one thing taken away, for what-if experiments.
#pragma once

#include <optional>
#include <string>

#include "model/effect.hpp"
#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Neither: there is nothing to take away.
struct ChangedKernel {
    std::optional<KernelPlan> plan = {};  ///< with a changed text whose lines keep their numbers
    std::string obstacle = {};            ///< why it cannot be changed: a clause
};

/// @param what     neither CacheHits nor Sorted, which change memory, nor Together, which applies others in
/// turn. An
///                 EmptyKernel must come first, because it uses the places of `program`
/// @param program  of the plan's source
ChangedKernel change_kernel(const KernelPlan& plan, const source::Program& program, WhatIf what);

}  // namespace kwb
