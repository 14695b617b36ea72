// SPDX-License-Identifier: Apache-2.0
// A kernel as declared in its file: the parsed front matter, with expressions not evaluated yet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "base/text.hpp"
#include "model/element.hpp"

namespace kwb {

/// Text that the user wrote, usually an expression, with its location.
struct Written {
    std::string text;
    std::uint32_t line = 0;    ///< from 1; 0: not from a file
    std::uint32_t column = 0;  ///< of the text's first character
    std::string option = {};   ///< the command-line option that set it, e.g. "--global"; empty: from a file
    std::string guess =
        {};  ///< if the value was guessed: a message that states it and how to specify the value
    bool is_verbatim = true;  ///< false: written with escapes, so only its first character has a known place
};

/// Value of a compile-time parameter, passed to the compiler as -DNAME=value.
using ParamValue = std::variant<std::int64_t, std::string>;

inline std::string to_string(const ParamValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
}

/// Chosen parameter values, and parameters with all their values; both in the order of the file.
using ParamChoice = NamedList<ParamValue>;
using ParamSpace = NamedList<std::vector<ParamValue>>;

/// The binding of an argument that is a null pointer.
inline constexpr std::string_view kNullPointer = "null";

struct LaunchSpec {
    std::string kernel;                         ///< the kernel function's name
    std::vector<Written> global;                ///< 1 to 3 expressions, work-items
    std::optional<std::vector<Written>> local;  ///< nullopt ("auto"): the driver chooses
    NamedList<Written> args;                    ///< bindings: argument → buffer name or expression
    NamedList<Written> local_mem;               ///< __local pointer argument → number of elements
    std::optional<Written> repeat;              ///< number of times to enqueue the kernel; default 1
    /// Counters from 0, outermost first, each with its number of values, which may depend on those before it.
    /// Neighbouring launches that count with the same names take turns.
    NamedList<Written> counters;
    std::optional<std::pair<std::string, std::string>> swap;  ///< buffers exchanged after each repeat
    std::optional<Written> when;                              ///< launched only if true
};

struct ScratchSpec {
    ElementType type;  ///< default: float
    Written elements;
};

/// How a buffer is reset before every run, outside the timing: to a constant, or to its initial content.
struct InitSpec {
    bool to_input = false;
    double value = 0;  ///< used unless to_input
};

/// The closed list of verdicts.
enum class Verdict {
    Correct,
    Ran,  ///< there is nothing to compare the result with
    Wrong,
    Undefined,  ///< right on this device, but not guaranteed by the language; see model/xray.hpp
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
    {"correct", "ran", "wrong", "undefined", "out_of_bounds", "compile_error", "compiler_crashed",
     "launch_error", "kernel_crashed", "timeout", "constraint", "unsupported", "skipped"});

template <>
inline constexpr const char* kEnumMeaning<Verdict> =
    "correct: equal to the reference within the error bound. ran: there was nothing to compare the result "
    "with; no undefined element and no out-of-bounds access was found. wrong: some element is not correct, "
    "or is undefined. "
    "undefined: the result is right on this device, but OpenCL C does not guarantee it (a data race, a "
    "barrier that not all reach, a read of uninitialised memory, an access outside an array); X-ray observed "
    "it. out_of_bounds: the kernel accessed memory outside a buffer, or changed an input. compile_error: the "
    "compiler rejected the source. compiler_crashed, kernel_crashed: the process died while compiling or "
    "while running. launch_error: the driver refused the launch. timeout: took longer than allowed. "
    "constraint: does not fit the device, or a requirement of the kernel does not hold; decided before the "
    "launch. unsupported: the device lacks a feature. skipped: not run.";

/// Whether a kernel with this verdict is timed and compared.
constexpr bool is_good(Verdict verdict) {
    return verdict == Verdict::Correct || verdict == Verdict::Ran;
}

/// Expected verdicts of a kernel that is shipped as an example of a mistake. The first rule whose `mode` and
/// `when` apply is used; if none applies, `correct` is expected, or `ran`.
struct ExpectSpec {
    enum class Mode { Both, Run, Check };
    Mode mode = Mode::Both;
    std::vector<Verdict> verdicts;  ///< any of these
    std::optional<Written> when;    ///< over sizes, parameters and device
    std::string why;
};

struct ProblemSpec;  // problem_spec.hpp

struct KernelSpec {
    std::string name;         ///< "matmul/tiled", or the path as the user typed it
    std::string file;         ///< path, for messages and for the result
    std::string source_text;  ///< complete text of the .cl file
    std::string title;
    std::string problem;  ///< may be empty: then it must be given by an option
    std::string type;     ///< of the shipped problem's numbers, already part of `problem`; empty: its own
    /// The file's [problem] section; null: `problem` names a shipped problem, or a file that declares one.
    std::shared_ptr<const ProblemSpec> declares = nullptr;
    std::string source;  ///< who first described the algorithm
    ParamSpace params;   ///< each with at least one value; the first is the default
    std::vector<LaunchSpec> launches;
    /// The only [launch], without its kernel or global size: a guess completes it, and becomes the launch.
    std::optional<LaunchSpec> begun = std::nullopt;
    NamedList<ScratchSpec> scratch;
    NamedList<InitSpec> init;
    std::string build_options;
    NamedList<Written> defines;  ///< macro → expression
    NamedList<Written> require;  ///< name → expression that must be true
    std::vector<ExpectSpec> expect;
    std::optional<Written> flops;  ///< overrides the problem's floating-point operations
    std::optional<Written> moves;  ///< overrides the problem's bytes moved
};

/// The extents' expressions, joined: "N x M".
inline std::string join_written(const std::vector<Written>& extents, std::string_view separator) {
    std::vector<std::string> texts;
    for (const Written& extent : extents) texts.push_back(extent.text);
    return join(texts, separator);
}

// A parameter of a kernel function, as reported by the driver or declared in the source.

/// Address space of a parameter, or of the memory it points to. Other: samplers, pipes, pointers of unknown
/// address space.
enum class AddressSpace { Private, Global, Constant, Local, Image, Other };

template <>
inline constexpr auto kEnumNames<AddressSpace> =
    std::to_array<std::string_view>({"private", "global", "constant", "local", "image", "other"});

struct KernelParameter {
    std::string name;
    std::string type_name;  ///< as clGetKernelArgInfo writes it, without qualifiers: "float*", "uint"; with
                            ///< typedefs resolved if the source was read
    AddressSpace space = AddressSpace::Private;
    bool is_const = false;  ///< pointer to const, or read-only image

    bool is_value() const { return space == AddressSpace::Private; }
    bool is_local() const { return space == AddressSpace::Local; }
    bool is_image() const { return space == AddressSpace::Image; }
    bool is_sampler() const { return type_name == "sampler_t"; }
    /// It takes a buffer, perhaps as an image.
    bool is_buffer() const {
        return space == AddressSpace::Global || space == AddressSpace::Constant || is_image();
    }
    /// The type of the value, or of the pointer's target: "float" for "float*".
    std::string element_type() const {
        return type_name.substr(0, type_name.size() - (type_name.ends_with('*') ? 1 : 0));
    }

    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

}  // namespace kwb
