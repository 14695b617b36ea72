// SPDX-License-Identifier: Apache-2.0
// Which of its kernels the host's BLAS runs. OpenBLAS chooses them when it is loaded, by the model of the
// CPU, and takes one that is newer than itself for an old one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kwb {

/// The widest vectors that a CPU, or a kernel, uses.
enum class VectorLevel { Sse, Avx, Avx2, Avx512 };

/// Of this CPU, as far as the system lets programs use them; nullopt: not an x86-64.
std::optional<VectorLevel> processor_vectors();

/// @param taken  a name of OpenBLAS, e.g. "Prescott"
/// @return  the name of kernels that use more of the CPU; nullopt: there are none, or `taken` is
/// unknown
std::optional<std::string> better_blas_kernels(std::string_view taken, std::optional<VectorLevel> processor);

/// What OpenBLAS must find in the environment when it is loaded, and does not yet: the program sets these and
/// executes itself again. A person's own settings stay.
/// @param taken  the kernels that it has chosen by itself
std::vector<std::pair<std::string, std::string>> missing_blas_settings(std::string_view taken,
                                                                       std::optional<VectorLevel> processor);

/// The same, of the library that is loaded and of this CPU.
std::vector<std::pair<std::string, std::string>> missing_blas_settings();

/// "SkylakeX kernels", and who chose them, if it was not the library.
std::string describe_blas_kernels();

}  // namespace kwb
