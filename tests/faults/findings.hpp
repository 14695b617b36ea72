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
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/result.hpp"

namespace kwb::test {

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
