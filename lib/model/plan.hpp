// A kernel with everything evaluated: what is built, launched and expected at one size on one device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

namespace kwb {

/// Kernels of different trust never share a compiler cache, which is written and executed, nor a process.
enum class Trust {
    Shipped,  ///< installed with the workbench
    Own,      ///< from the person's own folders
    Foreign   ///< a stranger's: each one alone, with a cache that is thrown away afterwards
};

template <>
inline constexpr auto kEnumNames<Trust> = std::to_array<std::string_view>({"shipped", "own", "foreign"});

/// What an argument is bound to: a buffer of the problem or scratch by name, a number, or a vector of
/// numbers.
struct BufferName {
    std::string name;
};
/// One number for each component: float2 takes two.
using VectorValue = std::vector<ScalarValue>;
using Binding = std::variant<BufferName, ScalarValue, VectorValue>;

struct LaunchPlan {
    std::string kernel;
    std::vector<std::uint64_t> global;                ///< 1 to 3 extents, work-items
    std::optional<std::vector<std::uint64_t>> local;  ///< as many as global; none: the driver chooses
    NamedList<Binding> args;
    NamedList<std::uint64_t> local_mem;  ///< elements
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
    NamedList<std::string> includes;  ///< neighbours: name as included → text
    std::string build_options;
    NamedList<std::string> defines;  ///< macro → value
    ParamChoice params;
    Trust trust = Trust::Own;
    std::vector<LaunchPlan> launches;
    NamedList<ScratchPlan> scratch;
    NamedList<InitSpec> init;
    std::optional<double> flops;  ///< overrides of the problem's cost
    std::optional<double> bytes;
    std::optional<std::string> refusal;  ///< a requirement that does not hold, as a sentence
    std::optional<Expectation> expected;
};

/// What a person may choose about a kernel besides its size.
struct PlanChoices {
    NamedList<std::string> params;  ///< as typed, NAME=VALUE
    bool force_params = false;      ///< take values that the file does not list
    std::optional<std::vector<std::uint64_t>> local;
    bool local_auto = false;  ///< the driver chooses
    bool checking = false;    ///< selects the rules of `expect`
};

}  // namespace kwb
