// The closed list of outcomes, used everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    Constraint,   ///< does not fit the device, or a `require` is false: said before the launch
    Unsupported,  ///< the device lacks something that the kernel needs
    Skipped,
};

/// "correct", "out_of_bounds", …
std::string to_string(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view name);
std::vector<std::string> verdict_names();

}  // namespace kwb
