// SPDX-License-Identifier: Apache-2.0
// A kernel with all expressions evaluated: its build, launches and expected verdicts at one size on one
// device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/finding.hpp"
#include "model/image.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Only shipped kernels share a process and a compiler cache: cached binaries are executed, and in a process
/// a kernel can change the code and the times of others.
enum class Trust {
    Shipped,  ///< installed with the workbench
    Own,      ///< from the user's own folders: each text has its own process, and a cache that is kept
    Foreign   ///< judged strictly: also with a temporary cache, and the file's claims are ignored
};

template <>
inline constexpr auto kEnumNames<Trust> = std::to_array<std::string_view>({"shipped", "own", "foreign"});

/// The binding of an argument: a buffer (of the problem or scratch) by name, a number, a vector of numbers,
/// or a sampler.
struct BufferName {
    std::string name;
};
/// One number per component, two for float2, or per number in a structure; none: a null pointer.
using VectorValue = std::vector<ScalarValue>;
using Binding = std::variant<BufferName, ScalarValue, VectorValue, Sampler>;

/// Most launches of one run, with repetitions: a runner keeps an event of each.
inline constexpr std::uint64_t kMostLaunches = 100'000;

struct LaunchPlan {
    std::string kernel;
    std::vector<std::uint64_t> global;                ///< 1 to 3 extents, work-items
    std::optional<std::vector<std::uint64_t>> local;  ///< as many as global; nullopt: the driver chooses
    NamedList<Binding> args;
    NamedList<std::uint64_t> local_mem;  ///< __local pointer argument → number of elements
    std::uint64_t repeat = 1;
    std::optional<std::pair<std::string, std::string>> swap;
    /// Of a launch with counters: which [[launch]] of the file it is, from 0. All of its launches are one in
    /// a result.
    std::optional<std::uint32_t> counted;
};

/// Which launch of a result each of these is.
std::vector<std::size_t> places_in_result(const std::vector<LaunchPlan>& launches);

struct ScratchPlan {
    ElementType type;
    std::uint64_t elements = 0;
};

struct Expectation {
    std::vector<Verdict> verdicts;
    std::string why;
};

/// The folder of included files, as compilers show it.
inline constexpr const char* kIncludeFolderName = "kwb-included";

struct KernelPlan {
    std::string name;
    std::string device;  ///< DeviceInfo::id; empty: that of the request
    std::string file;
    std::string source_text;
    std::string source_sha256;
    NamedList<std::string> includes;  ///< included files: path relative to the kernel's folder → text
    std::string build_options;
    NamedList<std::string> defines;  ///< macro → value
    ParamChoice params;
    Trust trust = Trust::Own;
    std::vector<LaunchPlan> launches;
    NamedList<ScratchPlan> scratch;
    NamedList<InitSpec> init;
    std::optional<double> flops;     ///< overrides the problem's cost
    std::optional<double> bytes;     ///< likewise
    std::optional<Finding> refusal;  ///< why it cannot run: a requirement fails, or a shape does not fit
    std::optional<Expectation> expected;
};

/// The user's choices for a kernel, apart from its size.
struct KernelChoices {
    NamedList<std::string> params;  ///< as typed, NAME=VALUE
    bool force_params = false;      ///< accept values that the file does not list
    std::optional<std::vector<std::uint64_t>> local;
    bool local_auto = false;  ///< the driver chooses
    bool checking = false;    ///< selects the rules of `expect`
};

}  // namespace kwb
