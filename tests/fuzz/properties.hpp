// SPDX-License-Identifier: Apache-2.0
// Shared by all fuzz targets: the input as text, and a failure that libFuzzer recognises.
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

/// Abort unless `holds`, so that libFuzzer keeps the input.
/// @param what  the property, as a sentence
inline void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "property broken: %s\n", what);
    std::abort();
}

}  // namespace kwb::fuzz

/// Called by libFuzzer with every input.
/// An exception that leaves it is a finding: each target catches only the types that the tested header
/// documents.
/// Source: LLVM, "libFuzzer – a library for coverage-guided fuzz testing".
/// @return  0
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
