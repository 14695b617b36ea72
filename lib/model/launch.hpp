// SPDX-License-Identifier: Apache-2.0
// A built program in a runner: its kernel functions, launches of them, and why a launch failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/image.hpp"
#include "model/kernel_spec.hpp"
#include "model/result.hpp"

namespace kwb {

/// A kernel function with what the compiler reports about it.
struct FunctionInfo {
    std::string name;
    std::vector<KernelParameter> arguments;  ///< empty if the driver does not report them
    KernelInfo info;
    std::vector<std::uint64_t> required_local;  ///< reqd_work_group_size; empty if not given
};

struct BufferArgument {
    std::uint32_t buffer = 0;
};
struct ValueArgument {
    std::vector<std::uint8_t> bytes;  ///< none: a null pointer
};
struct LocalArgument {
    std::uint64_t bytes = 0;
};
/// A buffer as an image: its content is copied to the image before a run and, if the kernel may write it,
/// back when it is read; neither is timed.
struct ImageArgument {
    std::uint32_t buffer = 0;
    ImageShape shape;
    bool is_written = false;
};
struct SamplerArgument {
    Sampler sampler;
};
using Argument = std::variant<BufferArgument, ValueArgument, LocalArgument, ImageArgument, SamplerArgument>;

/// A launch with all its arguments bound: to numbered buffers, to values in the device's representation, to
/// local memory, or to samplers.
struct Launch {
    std::string kernel;
    std::vector<std::uint64_t> global;  ///< 1 to 3 dimensions, each at least 1
    std::vector<std::uint64_t> local;   ///< as many dimensions, or empty: the driver chooses
    std::vector<Argument> arguments;    ///< all of them, in order
    std::uint64_t repeat = 1;
    /// After each repeat the two buffers are swapped in the arguments of this and all later launches of the
    /// run. The next run starts unswapped.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> swap;
};

/// An OpenCL call failed, or (without a call) a request was refused because it cannot be performed.
struct FailedReply {
    static constexpr const char* kType = "failed";
    std::string call;       ///< "clEnqueueNDRangeKernel"; empty if no call was made
    std::string code_name;  ///< "CL_OUT_OF_RESOURCES"
    std::int64_t code = 0;
    std::string cause;      ///< likely cause, a clause
    std::string next_step;  ///< what to try, a sentence without its full stop
    /// The driver accepted the launch, which then failed on the device; `call` only reported that. GPUs
    /// report out-of-bounds accesses this way.
    bool is_of_launch = false;

    /// "clBuildProgram failed with CL_OUT_OF_HOST_MEMORY (-6): cause. Next step"
    std::string describe() const {
        std::string sentence =
            call.empty() ? "" : call + " failed with " + code_name + " (" + std::to_string(code) + ")";
        if (!cause.empty()) sentence += (sentence.empty() ? "" : ": ") + cause;
        if (!next_step.empty()) sentence += ". " + next_step;
        return sentence;
    }
};

}  // namespace kwb
