// Hints on a contestant's source, and which verdicts they may explain.
#pragma once

#include <string>
#include <vector>

#include "hints/hints.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "source/text.hpp"

namespace kwb {

/// A kernel's source with its neighbours, and the macros and options that its compiler gets.
SourceText read_plan_source(const KernelPlan& plan);

/// Look at a kernel's source with the macros that its compiler gets.
std::vector<Hint> find_plan_hints(const KernelPlan& plan, const Sizes& sizes);

/// "; see the hint at line 14", for a verdict that the fault hinted at may have caused; else nothing.
std::string refer_to_hints(Verdict verdict, const std::vector<Hint>& hints);

}  // namespace kwb
