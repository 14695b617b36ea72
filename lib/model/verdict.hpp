// The closed list of verdicts.
#pragma once

#include "base/record.hpp"

namespace kwb {

enum class Verdict {
    Correct,
    Wrong,
    OutOfBounds,
    CompileError,
    CompilerCrashed,
    LaunchError,
    KernelCrashed,
    Timeout,
    Constraint,   ///< does not fit the device, or a `require` is false; decided before the launch
    Unsupported,  ///< the device lacks a feature that the kernel needs
    Skipped,
};

template <>
inline constexpr auto kEnumNames<Verdict> = std::to_array<std::string_view>(
    {"correct", "wrong", "out_of_bounds", "compile_error", "compiler_crashed", "launch_error",
     "kernel_crashed", "timeout", "constraint", "unsupported", "skipped"});

template <>
inline constexpr const char* kEnumMeaning<Verdict> =
    "correct: equal to the reference within the error bound. wrong: some element is not. out_of_bounds: the "
    "kernel accessed memory outside a buffer, or changed an input. compile_error: the compiler rejected the "
    "source. compiler_crashed, kernel_crashed: the process died while compiling or while running. "
    "launch_error: the driver refused the launch. timeout: took longer than allowed. constraint: does not "
    "fit the device, or a requirement of the kernel does not hold; decided before the launch. unsupported: "
    "the device lacks a feature. skipped: not run.";

}  // namespace kwb
