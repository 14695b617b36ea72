// SPDX-License-Identifier: Apache-2.0
// The options of own_options.hpp as words: of a command line, or of a line that the window takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "experiment/experiment.hpp"
#include "experiment/own_options.hpp"
#include "model/plan.hpp"

namespace CLI {
class App;
}

namespace kwb {

/// @param own, choices  get what is read, a work-group in plain numbers in both; must outlive `verb`
/// Parsing throws BadInput if the text of an option is malformed.
void add_own_options(CLI::App& verb, OwnOptions& own, KernelChoices& choices);

/// @param name  of one of these options, e.g. "--args"
/// @throws BadInput  its text is malformed
void read_own_option(const std::string& name, const std::string& text, OwnOptions& own);

/// The fields of the window; expressions are checked later, with the kernel.
/// @throws BadInput  with the option that a field represents
OwnOptions read_own_text(const OwnText& text);

/// The options as they are typed, each after a blank: " --entry scale --args n=N"; without --problem.
std::string own_option_words(const OwnOptions& options);

struct OwnLine {
    std::optional<std::string> problem;  ///< a shipped problem's name, or the file that declares one
    OwnText text;                        ///< its settings and, unless it is a whole line, the previous ones
};

/// Read a line such as "--problem histogram -D NUM_BINS=BINS --local 64", with the quotes of a shell. It
/// changes only what it names. A whole line, "kwb check mine.cl --problem …", also with other kernels,
/// replaces everything.
/// @param file  the name of the file that it is about
/// @param now the settings so far
/// @throws BadInput  with the place: "column 9, at '--lokal': …"
OwnLine read_own_line(std::string_view line, const std::string& file, const OwnText& now);

}  // namespace kwb
