// SPDX-License-Identifier: Apache-2.0
#include "experiment/starting_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

constexpr std::string_view kOpen = "/*+++\n";
constexpr std::string_view kClose = "+++*/";
constexpr std::string_view kLicence = "// SPDX-License-Identifier: ";

bool is_word_sign(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The naive kernel of the problem, else the first in the order of the catalogue.
const CatalogueEntry& first_rung(const Problem& problem, const Catalogue& catalogue) {
    const CatalogueEntry* first = nullptr;
    for (const CatalogueEntry& entry : catalogue.entries()) {
        if (!entry.kernel || entry.kernel->spec.problem != problem.name()) continue;
        const KernelSpec& spec = entry.kernel->spec;
        // Skip kernels that are shipped as examples of errors, and those without a front matter.
        if (!spec.expect.empty() || !spec.source_text.starts_with(kOpen)) continue;
        if (entry.name.ends_with("/naive")) return entry;
        if (first == nullptr) first = &entry;
    }
    if (first == nullptr)
        throw BadInput(
            fmt::format("there is no kernel for {} to start from; write one and declare how it is run with "
                        "'kwb adopt', or name a folder of kernels with --kernels",
                        problem.name()));
    return *first;
}

std::string describe_shape(const BufferSpec& buffer, const Sizes& sizes) {
    std::vector<std::string> extents;
    for (const std::uint64_t extent : buffer.shape) {
        std::string text = std::to_string(extent);
        for (const auto& [name, value] : sizes) {
            if (static_cast<std::uint64_t>(value) == extent) text = name;
            for (const auto& [other, more] : sizes)  // an image with the border that a filter needs
                if (other < name && static_cast<std::uint64_t>(value + more - 1) == extent)
                    text = "(" + name + " + " + other + " - 1)";
        }
        extents.push_back(text);
    }
    return join(extents, " x ");
}

/// The problem with sizes that differ, so that each extent can be attributed to one of them.
ProblemInstance telling_instance(const Problem& problem) {
    Sizes sizes = problem.default_sizes();
    std::int64_t extent = 1009;
    constexpr std::int64_t kFew = 100;  // small sizes, e.g. steps or a filter's edge, are kept
    for (auto& size : sizes)
        if (size.value > kFew) size.value = extent += 12;
    return problem.at(sizes);
}

/// "#   A        float, M x K, read"
/// @param mark  of a comment
std::string describe_arguments(const ProblemInstance& instance, std::string_view mark = "#") {
    std::string text;
    for (const BufferSpec& buffer : instance.buffers) {
        const char* use = buffer.access == Access::Read    ? "read"
                          : buffer.access == Access::Write ? "to be written"
                                                           : "read and written";
        text += fmt::format("{}   {:<8} {}, {}, {}\n", mark, buffer.name, to_string(buffer.type),
                            describe_shape(buffer, instance.sizes), use);
    }
    for (const ScalarSpec& scalar : instance.scalars)
        text += fmt::format("{}   {:<8} {}{}\n", mark, scalar.name, to_string(scalar.type),
                            find_named(instance.sizes, scalar.name) != nullptr ? ", a size" : "");
    return text;
}

/// The commands to type, each with its purpose, aligned in a column.
/// @param rung the kernel that it was started from
std::string commands(const std::string& file, const std::string& rung) {
    const std::string run = "kwb run " + file + " " + rung;
    const std::string check = "kwb check " + file;
    const std::string show = "kwb kernels";
    return fmt::format(
        "#   {:<{}}  is it faster?\n"
        "#   {:<{}}  is it still right, at awkward sizes too?\n"
        "#   {:<{}}  other kernels to learn from\n",
        run, run.size(), check, run.size(), show, run.size());
}

std::string introduction(const Problem& problem, const std::string& rung, const std::string& file,
                         StartingBody body) {
    const std::string state =
        body == StartingBody::Solved
            ? fmt::format("It starts as a correct copy of {}. Change it, and watch:", rung)
            : fmt::format("Fill in the blanks, ____; 'kwb show {}' has one solution. Then:", rung);
    return fmt::format(
        "# Your kernel for {0}: {1}.\n"
        "# {2}\n"
        "#\n"
        "{4}#\n"
        "# Arguments that it can take, recognised by name, in any order (leave out those that it does not "
        "need):\n"
        "{3}# All matrices are row-major. This front matter is TOML; the compiler sees a comment.\n",
        problem.name(), problem.title(), state, describe_arguments(telling_instance(problem)),
        commands(file, rung));
}

/// An explanation before a line of the front matter, given once.
struct Comment {
    std::string_view before;  ///< the line begins with it
    std::string_view text;
};

constexpr std::string_view kLaunchComment =
    "# global: number of work-items in x (and y, z); local: work-items per work-group. local.x is the first "
    "number\n"
    "# of local, or of --local. round_up() makes whole work-groups, so guard the edge.\n";

constexpr Comment kComments[] = {
    {"[params]",
     "# Values passed to the compiler as -DNAME=value; the first is the default. Choose with --param "
     "NAME=VALUE.\n"},
    {"[scratch]",
     "# The kernel's own buffers between launches, with their number of floats. They are uninitialised at "
     "first.\n"},
    {"[init]", "# The content of a buffer before every run; writing it is not timed.\n"},
    {"[launch]", kLaunchComment},
    {"[[launch]]", kLaunchComment},
    {"[[launch]]",
     "# Several [[launch]] run in turn: those whose `when` is true, `repeat` times each; after every repeat "
     "the\n"
     "# two buffers of `swap` change places. args: the values of arguments that have another name.\n"}};

/// The front matter of a catalogue kernel, with a new title and a comment before each table.
std::string explained(std::string_view toml, const Problem& problem, const std::string& rung) {
    std::string text;
    for (const std::string& line : split_lines(toml)) {
        if (line.starts_with("title")) {
            text += fmt::format("title   = \"My kernel for {}, started from {}\"\n", problem.name(), rung);
            continue;
        }
        if (line.starts_with("source")) continue;
        for (const Comment& comment : kComments)
            if (line.starts_with(comment.before) && text.find(comment.text) == std::string::npos)
                text += comment.text;
        text += line + '\n';
    }
    return text;
}

/// The end of the expression that begins at `at`: before a ';', ',' or ')' outside its brackets.
std::size_t end_of_expression(std::string_view code, std::size_t at) {
    int depth = 0;
    for (; at < code.size(); ++at) {
        const char c = code[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (depth == 0 && (c == ';' || c == ',' || c == ')')) return at;
        if (c == ')' || c == ']' || c == '}') --depth;
    }
    return at;
}

/// Kernels' source with ____ instead of conditions after `if`, and of values that are assigned, unless they
/// are a name or a number. Headers of loops stay.
std::string with_blanks(const std::string& source) {
    constexpr std::string_view kSignsBefore = "=<>!";  // of == <= >= !=, which compare
    const std::string code = blank_comments(source);
    std::string text;
    std::size_t kept = 0;  // of `source`, in `text`
    const auto blank = [&](std::size_t begin, std::size_t end) {
        text += source.substr(kept, begin - kept) + "____";
        kept = end;
    };
    const auto follows_word = [&](std::size_t at, std::string_view word) {
        const std::string_view before = trim(std::string_view(code).substr(0, at));
        return before.ends_with(word) &&
               (before.size() == word.size() || !is_word_sign(before[before.size() - word.size() - 1]));
    };
    std::size_t i = code.find("kernel void");
    for (i = std::min(code.find('{', std::min(i, code.size())), code.size()); i < code.size(); ++i) {
        if (code[i] == '#' && (i == 0 || code[i - 1] == '\n')) {  // a directive
            i = std::min(code.find('\n', i), code.size());
        } else if (code[i] == '(' && follows_word(i, "for")) {
            int depth = 0;
            for (; i < code.size(); ++i) {
                depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
                if (depth == 0) break;
            }
        } else if (code[i] == '(' && follows_word(i, "if")) {
            const std::size_t end = end_of_expression(code, i + 1);
            blank(i + 1, end);
            i = end;
        } else if (code[i] == '=' && code[i + 1] != '=' &&
                   kSignsBefore.find(code[i - 1]) == std::string_view::npos) {
            const std::size_t begin = code.find_first_not_of(" \n", i + 1);
            const std::size_t end = end_of_expression(code, begin);
            const std::string_view value = std::string_view(code).substr(begin, end - begin);
            const bool is_plain =
                std::ranges::all_of(value, [](char c) { return is_word_sign(c) || c == '.'; });
            if (!is_plain && !value.starts_with('{')) blank(begin, end);
            i = end - 1;
        }
    }
    return text + source.substr(kept);
}

}  // namespace

std::string starting_point(const Problem& problem, const Catalogue& catalogue, const std::string& file,
                           StartingBody body) {
    const CatalogueEntry& rung = first_rung(problem, catalogue);
    const std::string& source = rung.kernel->spec.source_text;
    const std::size_t close = source.find(kClose);
    const std::string_view toml = std::string_view(source).substr(kOpen.size(), close - kOpen.size());
    // The front matter is inside a comment, so the name must not contain the end of one.
    const bool plain =
        file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
        std::string::npos;
    // Without the last line, which states our licence: the new kernel is the person's.
    const std::string kernels = source.substr(close, source.rfind(kLicence) - close);
    return std::string(kOpen) + introduction(problem, rung.name, plain ? file : "FILE.cl", body) +
           explained(toml, problem, rung.name) +
           (body == StartingBody::Solved ? kernels : with_blanks(kernels));
}

std::string blank_kernel(const Problem& problem, const std::string& file) {
    std::string function;
    for (const char c : file.substr(0, file.find('.')))
        function += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    if (function.empty() || (function.front() >= '0' && function.front() <= '9')) function = "my_" + function;
    const ProblemInstance instance = telling_instance(problem);
    std::vector<std::string> arguments;
    std::string outputs;
    for (const BufferSpec& buffer : instance.buffers) {
        arguments.push_back(fmt::format("__global {}{}* {}", buffer.access == Access::Read ? "const " : "",
                                        to_string(buffer.type), buffer.name));
        if (buffer.access != Access::Read) outputs += (outputs.empty() ? "" : " and ") + buffer.name;
    }
    for (const ScalarSpec& scalar : instance.scalars)
        arguments.push_back(to_string(scalar.type) + " " + scalar.name);
    return fmt::format(
        "// Your kernel for {}: {}.\n"
        "// Arguments that it can take, recognised by name, in any order (leave out those that it does not "
        "need):\n"
        "{}// All matrices are row-major. There is one work-item per element of the output, unless a guard\n"
        "// such as if (get_global_id(0) >= n) return; limits them.\n"
        "__kernel void {}({}) {{\n"
        "    // Write {} here.\n"
        "}}\n",
        problem.name(), problem.title(), describe_arguments(instance, "//"), function, join(arguments, ", "),
        outputs);
}

}  // namespace kwb
