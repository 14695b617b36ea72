// SPDX-License-Identifier: Apache-2.0
// What Gradescope runs for each submission.
#pragma once

#include <string>

#include "base/named.hpp"
#include "grade/rubric.hpp"

namespace kwb {

/// The files of an autograder, path → text: setup.sh and run_autograder, both to be executable, the rubric,
/// and the files that it names by path. Only the package of kwb is missing. Source:
/// https://gradescope-autograders.readthedocs.io/en/latest/specs/
/// @throws BadInput  a reference is outside of the rubric's folder
NamedList<std::string> autograder_files(const Rubric& rubric);

}  // namespace kwb
