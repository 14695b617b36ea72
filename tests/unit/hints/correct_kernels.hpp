// Typical good code: not one hint for it.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>

#include "expect_hints.hpp"

namespace kwb {

struct CorrectKernel {
    const char* name;
    const char* text;
};

template <std::size_t N>
void expect_silence(const CorrectKernel (&kernels)[N]) {
    for (const CorrectKernel& kernel : kernels) {
        CAPTURE(kernel.name);
        expect_hints(kernel.text);
    }
}

}  // namespace kwb
