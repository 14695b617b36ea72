// The analyses: each looks for one kind of mistake that is often not visible in a run.
#pragma once

#include "hints/hints.hpp"
#include "hints/report.hpp"
#include "hints/values.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

/// Functions that call themselves, directly or through others.
void find_recursion(const Program& program, Findings& findings);

/// Barriers that only some work-items of a group reach.
void find_divergent_barriers(const Values& values, Steps& steps, Findings& findings);

/// Loops over tiles that end at the number of work-groups or at a constant instead of the problem size.
void find_fixed_tile_loops(const Values& values, const std::vector<std::uint64_t>& sizes, Steps& steps,
                           Findings& findings);

/// Guards of two dimensions that are joined by the wrong one of && and ||.
void find_wrong_guards(const Values& values, Steps& steps, Findings& findings);

/// Local memory that is read, and private variables that are updated, before anything was stored to them.
void find_unset_memory(const Values& values, Steps& steps, Findings& findings);

/// Local memory that one work-item stores and another reads without a barrier in between.
void find_races(const Values& values, Steps& steps, Findings& findings);

/// Accesses to local and private arrays that are certainly out of bounds.
void find_overruns(const Values& values, Steps& steps, Findings& findings);

}  // namespace kwb::hints
