// What stands below a table: what went wrong, hints, warnings and what the programs printed.
#pragma once

#include <string>
#include <vector>

#include "model/finding_words.hpp"
#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// A paragraph for every result that is not correct, or correct against what its file expects: verdict,
/// reason, the work-item that did it, first wrong elements, the compiler's messages, else the last lines of
/// its log. A kernel that fails in one way at many sizes is told once, at the first of them.
/// @return  empty if there is nothing to tell
std::string fault_notes(const std::vector<KernelResult>& results, const TableOptions& options);

/// Hints, each sentence once with all files and lines that it points at; warnings, each once with all kernels
/// that it is about; how results were checked that were not compared in full; then the first lines of what
/// the programs printed, and how much of it was not kept.
/// @return  empty if there are none
std::string remarks(const std::vector<KernelResult>& results, const TableOptions& options);

// What a check by random vectors has shown, in words.

/// "checked by random vectors, as a full reference would take too long: the chance of missing a wrong element
/// is at most 2.3e-10 (with random inputs, of one that is off by more than 0.021); 196608 elements were
/// compared one by one". No full stop.
std::string describe(const RandomCheck& check);

// Doubts about a result.

/// All of a result, those about missing rounds first.
std::vector<Finding> warnings_of(const KernelResult& result);

/// The same in words, with advice in terms of the face's own controls.
std::vector<std::string> warning_sentences(const KernelResult& result, Face face);

}  // namespace kwb
