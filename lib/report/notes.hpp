// The text below a table: faults, hints, warnings and the output of the kernels.
#pragma once

#include <string>
#include <vector>

#include "model/finding_words.hpp"
#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// A paragraph for every result that is not correct, or that is correct although its file expects otherwise:
/// verdict, reason, first wrong elements, and the compiler's messages or, without any, the last lines of its
/// log. A kernel that fails in the same way at several sizes is reported once, at the first of them.
/// @return  empty if there is nothing to report
std::string fault_notes(const std::vector<KernelResult>& results, const TableOptions& options);

/// Hints, each once with all files and lines that it refers to; how results were checked that were not
/// compared in full; warnings, each once with all kernels that it applies to; then the first lines of what
/// the kernels printed, and how much output was discarded.
/// @return  empty if there are none
std::string remarks(const std::vector<KernelResult>& results, const TableOptions& options);

// The result of a check with random vectors, in words.

/// "checked by random vectors, as a full reference would take too long: the chance of missing a wrong element
/// is at most 2.3e-10 (with random inputs, of one that is off by more than 0.021); 196608 elements were
/// compared one by one". No full stop.
std::string describe(const RandomCheck& check);

// Warnings about a result.

/// All warnings of a result; the one about too few rounds comes first.
std::vector<Finding> warnings_of(const KernelResult& result);

/// The warnings as sentences, with advice in terms of the controls of the given user interface.
std::vector<std::string> warning_sentences(const KernelResult& result, Face face);

}  // namespace kwb
