// SPDX-License-Identifier: Apache-2.0
// Text from the clipboard that should become a kernel file.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

struct PastedKernel {
    std::string name;  ///< of the file to propose: "blur.cl" for `__kernel void blur(…)`
    std::string flaw;  ///< a sentence: why the text cannot be a kernel file; empty if it can
};

/// @param text  at most kMostSourceBytes, with a word `kernel` or `__kernel` before `void`
PastedKernel look_at_pasted(std::string_view text);

}  // namespace kwb
