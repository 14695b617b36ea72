// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "tuning.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostT1Bytes = 4u << 20;

/// Searches next to the T1 file, in the folder above it and in the current folder.
std::string find_kernel_file(const T1File& t1) {
    if (t1.kernel_file.empty())
        throw BadInput(fmt::format(
            "{}: KernelSpecification.KernelFile is missing; name the kernel before --t1", t1.name));
    const fs::path folder = fs::path(t1.name).parent_path();
    for (const fs::path& base : {folder, folder / "..", fs::path()}) {
        std::error_code missing;
        const fs::path path = (base / t1.kernel_file).lexically_normal();
        if (fs::is_regular_file(path, missing)) return path.string();
    }
    throw BadInput(
        fmt::format("{}: KernelSpecification.KernelFile: {} was not found next to this file, in the folder "
                    "above it or in the current folder. Put it there, or name the kernel before --t1",
                    t1.name, t1.kernel_file));
}

/// The problem of --problem, or else of the kernel.
/// @param opened  keeps the problem alive, if it is declared in a file
const Problem& problem_for(const T1File& t1, const KernelFile& kernel, const OwnOptions& own,
                           std::shared_ptr<const DeclaredProblem>& opened) {
    if (own.problem && names_problem_file(*own.problem)) return *(opened = open_problem(*own.problem));
    if (own.problem) return get_problem(*own.problem);
    if (kernel.spec.problem.empty())
        throw BadInput(
            fmt::format("{}: a T1 file does not define a correct result; name the problem that {} solves "
                        "with --problem ('kwb kernels' shows some)",
                        t1.name, kernel.spec.name));
    return problem_of(kernel);
}

T1Case case_of(const Problem& problem) {
    std::string buffer;
    return {problem.name(), problem.size_names(), natural_extents(problem, buffer), 1};
}

void apply_params(const T1File& t1, KernelFile& kernel) {
    ParamSpace params = t1.params;
    std::vector<std::string> added;
    for (const auto& [name, values] : params)
        if (find_named(kernel.spec.params, name) == nullptr) added.push_back(name);
    for (const auto& [name, values] : kernel.spec.params)
        if (find_named(params, name) == nullptr) params.push_back({name, {values.front()}});
    for (const std::string& name : added)
        if (find_named(kernel.spec.defines, name) != nullptr)
            refuse_key(kernel, "defines." + name,
                       fmt::format("{} has the parameter {}, which [defines] already defines; remove it here",
                                   t1.name, name));
    check_param_guards(kernel.spec.file, kernel.spec.source_text, added);
    for (const auto& [name, text] : kernel.includes)
        check_param_guards((fs::path(kernel.spec.file).parent_path() / name).string(), text, added);
    kernel.spec.params = std::move(params);
    for (const auto& condition : t1.conditions) kernel.spec.require.push_back(condition);
}

}  // namespace

T1File open_t1(const std::string& file, const OutputOptions& outputs) {
    for (const auto& [option, output] : outputs.files())
        if (is_same_file(output, file))
            throw BadInput(fmt::format("{} {} would replace the --t1 file; give the output another name",
                                       option, output));
    return read_t1(read_file(file, kMostT1Bytes), file);
}

std::string kernel_of(const T1File& t1) {
    std::string kernel = find_kernel_file(t1);
    if (!t1.language.empty() && t1.language != "OpenCL")
        throw BadInput(
            fmt::format("{}: KernelSpecification.Language is {}, but kwb runs OpenCL C; name an OpenCL "
                        "version of {} before --t1",
                        t1.name, t1.language, t1.kernel_file));
    return kernel;
}

std::optional<StrategyKind> strategy_of(T1File& t1) {
    if (!t1.search) return std::nullopt;
    const std::optional<StrategyKind> strategy = t1_strategy(*t1.search);
    if (!strategy) t1.unused.push_back(fmt::format("Search {} (choose with --strategy)", t1.search->text));
    return strategy;
}

void apply_t1(const T1File& t1, KernelFile& kernel, ExperimentOptions& options, Notes& notes) {
    OwnOptions& own = options.own;
    const bool is_bare = kernel.spec.launches.empty() && !kernel.spec.begun;
    apply_params(t1, kernel);
    std::shared_ptr<const DeclaredProblem> opened;
    const Problem& problem = problem_for(t1, kernel, own, opened);
    T1Case about = case_of(problem);
    OwnOptions taken;
    std::string words;
    if (!options.size) {
        options.size = t1_size(t1, about);
        if (options.size) words = " --size " + *options.size;
    }
    if (is_bare) {
        if (!own.entry && !t1.kernel_name.empty()) own.entry = taken.entry = t1.kernel_name;
        if (own.local.empty()) own.local = taken.local = t1_local(t1);
        about.dimensions = own.local.size();
        if (own.global.empty()) own.global = taken.global = t1_global(t1, about);
    }
    words += own_option_words(taken);
    if (!words.empty()) notes.push_back(t1.name + " sets" + words);
}

std::vector<std::int64_t> cached_size(const std::optional<T1File>& t1, const Problem& problem,
                                      const Sizes& sizes) {
    try {
        const auto size = t1 ? t1_size(*t1, case_of(problem)) : std::nullopt;
        if (size && parse_sizes(problem, *size) == sizes) return t1_numbers(*t1);
    } catch (const BadInput&) {  // it leaves out a size
    }
    return {};
}

std::string param_words(const ParamChoice& params, const ParamSpace& declared) {
    std::string words;
    bool is_listed = true;
    for (const auto& [name, value] : params) {
        const auto* values = find_named(declared, name);
        const bool is_text = std::holds_alternative<std::string>(value);
        const std::string text = to_string(value);
        if (values != nullptr) {
            words += " --param " + quote_for_shell(name + "=" + text);
            is_listed = is_listed && std::ranges::find(*values, value) != values->end();
        } else {
            words += " -D " + quote_for_shell(name + "=" + (is_text ? "'" + text + "'" : text));
        }
    }
    return words + (is_listed ? "" : " --force");
}

}  // namespace kwb::cli
