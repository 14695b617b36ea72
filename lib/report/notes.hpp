// SPDX-License-Identifier: Apache-2.0
// The text below a table: faults, hints, warnings and the output of the kernels.
#pragma once

#include <string>
#include <vector>

#include "model/finding_words.hpp"
#include "model/result.hpp"
#include "report/tables.hpp"

namespace kwb {

/// The text after a table, each part after an empty line: `foot`, which explains its numbers; a paragraph for
/// every result that is not correct, or that is correct although its file expects otherwise; hints, notes on
/// checks by random vectors and warnings, each once with all places or kernels that it refers to; what the
/// kernels printed.
std::string below_table(const std::string& foot, const std::vector<KernelResult>& results,
                        const TableOptions& options);

/// Findings about several kernels: each is printed once, with the names of all kernels that it applies to.
class GroupedFindings {
public:
    /// Warnings about timings that differ only in their numbers are merged into one with a range:
    /// "8–12 % slower". Of several faults at one place of a source, the first is reported, with the sizes of
    /// all.
    /// @param kernel  the name of the kernel, or a place in its source, as shown to the user
    /// @param size    of the result; empty: all have the same
    void add(const Finding& finding, const std::string& kernel, const std::string& size = {});

    /// "warning: matmul/naive and matmul/tiled: …", one paragraph per finding, in the order of first
    /// appearance. Findings with the same advice are kept together; the advice follows the last of them.
    std::string render(std::string_view kind, const TableOptions& options) const;

private:
    struct Group {
        Finding low;   ///< holds the smallest numbers
        Finding high;  ///< holds the largest numbers
        std::vector<std::string> kernels;
        std::vector<std::string> sizes;
    };
    std::vector<Group> groups_;
};

// Parts of a result in words.

/// "wrong or timeout"
std::string expected_names(const Expectation& expected);

/// "tiled.cl:3:13: error: use of undeclared identifier 'acc'", printable.
std::string describe(const Diagnostic& diagnostic);

/// "checked by random vectors, because a full reference would take too long: the chance of missing a wrong
/// element is at most 2.3e-10 (with random inputs, for an element that is off by more than 0.021), and 196608
/// elements were compared one by one". No full stop.
std::string describe(const RandomCheck& check);

// Warnings about a result.

/// All warnings of a result; the one about too few rounds comes first.
std::vector<Finding> warnings_of(const KernelResult& result);

/// The warnings as sentences, with advice in terms of the controls of the given user interface.
std::vector<std::string> warning_sentences(const KernelResult& result, Face face);

}  // namespace kwb
