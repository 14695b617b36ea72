// SPDX-License-Identifier: Apache-2.0
// The exercise of a lesson about the host side: a C++ program with the OpenCL C++ wrapper that adds two
// vectors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "model/result.hpp"

namespace kwb {

/// The outcome of a program that was built by the system's C++ compiler and run in the sandbox, once at each
/// size and once with a kernel that does not compile.
struct HostCheck {
    std::string obstacle;  ///< why it cannot be built here: a sentence with a remedy; empty: it can
    std::vector<KernelResult> results;  ///< at each size, until one is not correct

    // If the last one ended with an error of OpenCL, and its program printed it as "clFinish (-5)".
    std::string failed_call = {};
    int failed_code = 0;

    // If all are correct. Of the last size:
    std::optional<std::uint64_t> told_ns;  ///< the kernel's time that it printed; nullopt: it printed none
    std::uint64_t run_ns = 0;              ///< of the whole program
    // With the kernel that does not compile:
    int broken_exit = 0;      ///< its exit code; -1: it crashed or hung
    bool broken_log = false;  ///< it printed the build log
};

/// Called as PROGRAM A B C KERNEL.cl, the program reads floats from the files A and B, adds them with the
/// kernel "add" of the file, and writes the sums to the file C; on standard output it prints "kernel_ns=",
/// the kernel's time in nanoseconds, and a line feed.
/// @param file    of the program, for messages
/// @param source  its text
/// @param sizes   of the problem vector_add
HostCheck check_host_program(const std::filesystem::path& file, const std::string& source,
                             const std::vector<Sizes>& sizes, const std::stop_token& stop);

}  // namespace kwb
