// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel for a GPU that the machine need not have: AMD's by clang and libclc, NVIDIA's by the same
// to PTX, and by NVIDIA's ptxas, where it is installed, to machine code.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "model/machine_code.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// "gfx906" (AMD) or "sm_80" (NVIDIA), in any case of letters; empty if it is neither.
std::string normal_target(const std::string& name);

/// Blocks for 0.1 to 0.2 s, at most five seconds for each compiler. Thread-safe. Never throws because of
/// the text. The compilers are confined as source::run_compiler() does it.
/// @param target  see normal_target()
TargetReport compile_for(const std::string& target, const SourceText& text, const std::stop_token& stop = {});

/// The ptxas of $KWB_PTXAS, of PATH, or of /usr/local/cuda; empty: there is none.
std::string find_ptxas();

}  // namespace kwb
