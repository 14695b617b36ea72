// The results that a fake judge hands out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb::test {

/// Correct, and nothing else is known.
KernelResult result_named(const std::string& name);

/// What was asked for, so that a face finds its own again.
void describe(KernelResult& result, const RunRequest& request, const Contestant& contestant);

/// Make a result what `behaviour` says; one that it says nothing about stays as it is.
/// @param index  of the contestant in the request
///
/// timed           12 rounds, the same for every judge
/// many-samples    10,000 rounds
/// wrong           one element
/// compile-error   an error and a warning
/// hint            at line 2
/// guard-zone      a write one element behind C
/// input-changed   A is another after the launch
/// printing        the program's own output, with colours and bytes that are no text
/// long-texts      10,000 messages of the compiler, a log of a megabyte, a reason of 20,000 characters
/// odd-times       times that are no numbers, infinite, zero, negative, tiny or huge
/// lesson          times with noise that follow the size; wrong, rejected or stray where the kernel's name
///                 says "wrong", "typo" or "stray"
void apply_behaviour(KernelResult& result, const std::string& behaviour, std::size_t index);

/// Where both were timed, and no speed-up is there yet.
void add_speedups(std::vector<KernelResult>& results, std::size_t baseline);

}  // namespace kwb::test
