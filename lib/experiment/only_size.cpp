// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_launch.hpp"

#include <algorithm>
#include <set>

#include "catalog/expression.hpp"
#include "experiment/check_names.hpp"
#include "model/argument_names.hpp"
#include "source/kernels.hpp"

namespace kwb {
namespace {

/// Functions that return sizes which a kernel may use as the problem's.
constexpr const char* kTellSizes[] = {"get_global_size", "get_num_groups", "get_image_width",
                                      "get_image_dim"};

struct Told {
    std::set<std::string> sizes, buffers;
};

/// The values that the arguments of a launch are bound to, as in the judge.
void add_arguments(const LaunchSpec& launch, const SourceKernel& kernel, const ProblemInstance& instance,
                   Told& told) {
    std::vector<NamedArgument> open;
    for (const KernelParameter& parameter : kernel.parameters) {
        if (parameter.is_local()) continue;
        const Written* const given = find_named(launch.args, parameter.name);
        if (given == nullptr) {
            open.push_back(named_argument(parameter));
            continue;
        }
        told.buffers.insert(given->text);
        for (std::string& name : Expression::parse(given->text).names()) told.sizes.insert(std::move(name));
    }
    std::vector<std::optional<MatchedArgument>> matches =
        match_arguments(open, instance, {}, spellings_of(instance));
    match_by_elimination(open, matches, instance);
    for (std::size_t i = 0; i < open.size(); ++i)
        if (matches[i]) (open[i].is_pointer ? told.buffers : told.sizes).insert(matches[i]->name);
}

}  // namespace

std::string only_size_of(const KernelFile& file, const Problem& problem) {
    const std::vector<std::string> names = problem.size_names();
    if (names.size() < 2 || !file.spec.require.empty()) return "";
    const Reading reading = read_source(source_text_of(file));
    if (!reading.program || !reading.program->faults.empty()) return "";
    for (const char* function : kTellSizes)
        if (find_first_call(*reading.program, function)) return "";
    const std::vector<SourceKernel> kernels = kernel_functions_of(*reading.program);
    const ProblemInstance instance = problem.at(problem.default_sizes());
    Told told;
    for (const auto& [name, macro] : file.spec.defines)
        for (std::string& used : Expression::parse(macro.text).names()) told.sizes.insert(std::move(used));
    for (const LaunchSpec& launch : file.spec.launches) {
        const auto kernel = std::ranges::find(kernels, launch.kernel, &SourceKernel::name);
        if (kernel == kernels.end()) return "";
        add_arguments(launch, *kernel, instance, told);
    }
    std::vector<std::string> sizes;
    for (const std::string& name : names)
        if (told.sizes.contains(name)) sizes.push_back(name);
    if (sizes.size() != 1) return "";
    for (const NamedShape& shape : named_shapes(problem))
        for (std::size_t d = 1; d < shape.extents.size(); ++d)  // the first does not matter for a row's place
            if (const std::string& extent = shape.extents[d];
                told.buffers.contains(shape.buffer) && !extent.empty() && extent != sizes.front())
                return sizes.front();
    return "";
}

}  // namespace kwb
