// A kernel with all expressions evaluated: what is built, launched and expected at one size on one device.
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
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Kernels of different trust levels never share a process or a compiler cache: cached binaries are executed.
enum class Trust {
    Shipped,  ///< installed with the workbench
    Own,      ///< from the user's own folders
    Foreign   ///< from somebody else: each has its own process and a temporary cache
};

template <>
inline constexpr auto kEnumNames<Trust> = std::to_array<std::string_view>({"shipped", "own", "foreign"});

/// What an argument is bound to: a buffer (of the problem or scratch) by name, a number, or a vector of
/// numbers.
struct BufferName {
    std::string name;
};
/// One number per component: two for float2.
using VectorValue = std::vector<ScalarValue>;
using Binding = std::variant<BufferName, ScalarValue, VectorValue>;

struct LaunchPlan {
    std::string kernel;
    std::vector<std::uint64_t> global;                ///< 1 to 3 extents, work-items
    std::optional<std::vector<std::uint64_t>> local;  ///< as many as global; nullopt: the driver chooses
    NamedList<Binding> args;
    NamedList<std::uint64_t> local_mem;  ///< __local pointer argument → number of elements
    std::uint64_t repeat = 1;
    std::optional<std::pair<std::string, std::string>> swap;
};

struct ScratchPlan {
    ElementType type;
    std::uint64_t elements = 0;
};

struct Expectation {
    std::vector<Verdict> verdicts;
    std::string why;
};

struct KernelPlan {
    std::string name;
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
