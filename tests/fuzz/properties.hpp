// What every fuzz target shares: the input as text, and an end that libFuzzer takes for a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace kwb::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// End the process, so that libFuzzer keeps the input, unless `holds`.
/// @param what  the property, as a sentence
inline void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "property broken: %s\n", what);
    std::abort();
}

}  // namespace kwb::fuzz

/// Called by libFuzzer with every input.
/// @return  0
/// An exception that leaves it is a finding: each target catches the types that the header of what it
/// tries documents, and no other.
/// Source: LLVM, "libFuzzer – a library for coverage-guided fuzz testing".
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
