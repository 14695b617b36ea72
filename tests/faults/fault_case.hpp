// SPDX-License-Identifier: Apache-2.0
// A fault case: a kernel whose `//` lines state how to launch it and the expected result. The files of cases/
// hold several, each below a line `//// bounds_read_one_past: what it does`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "model/result.hpp"
#include "support/case_file.hpp"

namespace kwb::test {

/// How a kernel is launched.
struct Recipe {
    bool check_only = true;  ///< verb `check`; false: `run`
    std::string size;        ///< "17x19x23"; always given
    KernelChoices choices;   ///< --param, --local
    std::optional<std::uint64_t> seed = {};
    std::optional<std::uint32_t> rounds;
    double timeout_ms = 120'000;    ///< by default only a hang takes as long
    bool unreadable_pages = false;  ///< --check
    bool foreign = false;           ///< --foreign
    bool xray = true;               ///< false: --no-xray
};

/// @param command  the arguments of `kwb` without the kernel: "run --check --size 17x19x23 --rounds 3
///     --timeout 2s"
/// @throws BadInput  names the unknown word or the missing option
Recipe parse_recipe(std::string_view command);

struct CaseSource : CaseText {
    std::filesystem::path file;     ///< "cases/bounds_write_one_past.cl": the kernel file that the judge sees
    std::string declarations = {};  ///< TOML; empty: in the text, or nowhere
};

/// The cases of all files in `folder`, by name. A front matter above a file's first case holds for those that
/// have none.
std::vector<CaseSource> cases_in(const std::filesystem::path& folder);

struct FaultCase : CaseSource {
    Recipe recipe;
    std::string processor;              ///< as from `uname -m`: run the case only there; empty: everywhere
    std::vector<std::string> expected;  ///< findings, see below
};

/// Parse the block of `//` lines that begins with `// kwb`; the rest of the kernel is ignored:
///   // kwb check --size 17x19x23
///   // needs x86_64               (only if the case is limited to one processor architecture)
///   // verdict out_of_bounds
///   // reason *element 391 of A*
///   // exit 1
/// @throws BadInput  the block is missing or one of its lines is invalid; the message begins with the case's
///     name
FaultCase read_fault_case(const CaseSource& source);

/// @param wanted  names of cases or patterns, separated by commas
/// @throws BadInput  one of them fits none of `names`
void require_known(std::string_view wanted, const std::vector<std::string>& names);

/// The request that a front end would send to the judge.
/// @throws BadInput  a front end would reject the kernel file or the options
RunRequest make_request(const FaultCase& fault, const DeviceInfo& device);

// The outcome of a run as lines of text, and their comparison with the expected lines:
//
//   refusal  KEY WORDS            rejected by the front end, before any request
//   verdict  out_of_bounds
//   reason   KEY WORDS
//   diagnostic LINE error KEY WORDS
//   hint     LINE KEY WORDS
//   warning  KEY WORDS
//   output   KEY WORDS            the complete output of the kernel
//   exit     0 or 1 (or 2 after a refusal), kwb's exit status
//
// in this order. In an expected line `*` matches any text, including the empty text and line breaks.

std::vector<std::string> findings_of(const KernelResult& result);

/// The findings if the front end rejected the request with `message`.
std::vector<std::string> findings_of_refusal(const std::string& message);

/// Check the syntax of the expected lines.
/// @throws BadInput  a line begins with an unknown keyword, can never match, or would match nearly anything
void require_expectations(const std::vector<std::string>& expected);

/// Match findings with expected lines one to one, preserving the order (longest common subsequence).
/// @return  empty if all lines match; otherwise one line for each unmatched one:
///   "missing: …" for an expected line, "surplus: …" for a finding
std::vector<std::string> compare(const std::vector<std::string>& expected,
                                 const std::vector<std::string>& findings);

}  // namespace kwb::test
