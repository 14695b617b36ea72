// One fault: a kernel file of cases/ that says in `//` lines how it is launched and what must come of it. It
// is given to the judge as it is, so that the lines named in its findings are those that an editor shows.
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

namespace kwb::test {

/// How a kernel is launched.
struct Recipe {
    bool check_only = true;  ///< verb `check`; false: `run`
    std::string size;        ///< "17x19x23"; always given
    KernelChoices choices;   ///< --param, --local
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> rounds;
    double timeout_ms = 20'000;     ///< shorter than kwb's own, so that a forgotten one costs little
    bool unreadable_pages = false;  ///< --check
    bool foreign = false;           ///< --foreign
};

/// @param command  what follows `kwb`, without the kernel: "run --check --size 17x19x23 --rounds 3 --timeout
/// 2s"
/// @throws BadInput  naming the word that is not understood, or what is missing
Recipe parse_recipe(std::string_view command);

struct FaultCase {
    std::string name;  ///< of its file: "bounds_write_one_past"
    std::filesystem::path kernel;
    Recipe recipe;
    std::string processor;  ///< the only one on which the case makes sense, as `uname -m` says it; empty: any
    std::vector<std::string> expected;  ///< findings, see below
};

/// Read the block of `//` lines that begins with `// kwb`, and nothing else of the kernel:
///   // kwb check --size 17x19x23
///   // needs x86_64               (only where the case makes sense on one processor alone)
///   // verdict out_of_bounds
///   // reason *element 391 of A*
///   // exit 1
/// @throws BadInput  there is no such block, or one of its lines is wrong; begins with the case's name
FaultCase read_fault_case(const std::filesystem::path& kernel);

/// The kernel files of `cases` whose name begins with "<group>_", sorted.
std::vector<std::filesystem::path> cases_of(const std::filesystem::path& cases, std::string_view group);

/// What a face would ask of a judge.
/// @throws BadInput  as a face refuses the kernel file or the choices
RunRequest make_request(const FaultCase& fault, const DeviceInfo& device);

// What came of a run as lines, and whether they are those that were expected.
//
//   refusal  KEY WORDS            the face did not even ask the judge
//   verdict  out_of_bounds
//   reason   KEY WORDS
//   diagnostic LINE error KEY WORDS
//   hint     LINE KEY WORDS
//   warning  KEY WORDS
//   output   KEY WORDS            everything that the kernel printed
//   exit     0 or 1 (or 2 after a refusal), as kwb would end
//
// in this order. In an expected line `*` stands for any text, also for none and for several lines.

std::vector<std::string> findings_of(const KernelResult& result);

/// After the face refused: what it said.
std::vector<std::string> findings_of_refusal(const std::string& message);

/// @throws BadInput  a line that begins with no known word, or that could never match
void require_expectations(const std::vector<std::string>& expected);

/// `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text);

/// Pair findings with expected lines, in order, each with one.
/// @return  empty if all found their partner; else a line for each that did not:
///   "missing: …" for what was expected, "surplus: …" for what was found
std::vector<std::string> compare(const std::vector<std::string>& expected,
                                 const std::vector<std::string>& findings);

}  // namespace kwb::test
