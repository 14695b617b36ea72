// A kernel as its file declares it: front matter read, nothing evaluated yet.
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
#include "base/text.hpp"
#include "model/element.hpp"
#include "model/verdict.hpp"

namespace kwb {

/// A piece of text that a person wrote, usually an expression, with its place in the file.
struct Written {
    std::string text;
    std::uint32_t line = 0;    ///< from 1; 0: not from a file
    std::uint32_t column = 0;  ///< of the text's first character
    std::string option = {};   ///< that it was given with, e.g. "--global"; empty: from a file
    std::string guess = {};    ///< nobody wrote it: says so, and how to say it instead; else empty
    bool is_verbatim = true;   ///< false: written with escapes, so that only its beginning has a place
};

/// A compile-time parameter's value, given to the compiler as -DNAME=value.
using ParamValue = std::variant<std::int64_t, std::string>;

inline std::string to_string(const ParamValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
}

/// Chosen parameters, or parameters with all their values; in the order of the file.
using ParamChoice = NamedList<ParamValue>;
using ParamSpace = NamedList<std::vector<ParamValue>>;

struct LaunchSpec {
    std::string kernel;                         ///< the kernel function's name
    std::vector<Written> global;                ///< 1 to 3 expressions, work-items
    std::optional<std::vector<Written>> local;  ///< none ("auto"): the driver chooses
    NamedList<Written> args;                    ///< bindings: argument → buffer name or expression
    NamedList<Written> local_mem;               ///< __local pointer argument → elements
    std::optional<Written> repeat;              ///< times to enqueue; 1 if missing
    std::optional<std::pair<std::string, std::string>> swap;  ///< buffers exchanged after each repeat
    std::optional<Written> when;                              ///< launched only if true
};

struct ScratchSpec {
    ElementType type;  ///< float unless said otherwise
    Written elements;
};

/// How a buffer is restored before every run, untimed: zeros (or another number), or its first content.
struct InitSpec {
    bool to_input = false;
    double value = 0;  ///< used unless to_input
};

/// A kernel shipped because it is wrong: what is expected where. The first rule whose `mode` and `when`
/// apply counts; where none applies, `correct` is expected.
struct ExpectSpec {
    enum class Mode { Both, Run, Check };
    Mode mode = Mode::Both;
    std::vector<Verdict> verdicts;  ///< any of these
    std::optional<Written> when;    ///< over sizes, parameters and device
    std::string why;
};

struct ProblemSpec;  // problem_spec.hpp

struct KernelSpec {
    std::string name;         ///< "matmul/tiled", or the path as the person typed it
    std::string file;         ///< path, for messages and for the result
    std::string source_text;  ///< the .cl file's whole text
    std::string title;
    std::string problem;  ///< may be empty: then an option must say it
    /// What [problem] declares; null: `problem` names one of the workbench, or a file that declares one.
    std::shared_ptr<const ProblemSpec> declares = nullptr;
    std::string source;  ///< who described the idea first
    ParamSpace params;   ///< each with at least one value; the first is the default
    std::vector<LaunchSpec> launches;
    NamedList<ScratchSpec> scratch;
    NamedList<InitSpec> init;
    std::string build_options;
    NamedList<Written> defines;  ///< macro → expression
    NamedList<Written> require;  ///< name → expression that must be true
    std::vector<ExpectSpec> expect;
    std::optional<Written> flops;  ///< overrides of the problem's cost
    std::optional<Written> moves;  ///< bytes
};

/// "N x M": extents as they were written.
inline std::string join_written(const std::vector<Written>& extents, std::string_view separator) {
    std::vector<std::string> texts;
    for (const Written& extent : extents) texts.push_back(extent.text);
    return join(texts, separator);
}

}  // namespace kwb
