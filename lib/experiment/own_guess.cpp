// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_guess.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "model/argument_names.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

/// Sizes and other whole numbers of the problem, such as the bins of a histogram.
std::vector<std::string> sizes_of(const ProblemInstance& problem) {
    std::vector<std::string> names;
    for (const auto& size : problem.sizes) names.push_back(size.name);
    for (const ScalarSpec& scalar : problem.scalars)
        if (!scalar.type.is_floating() && std::ranges::find(names, scalar.name) == names.end())
            names.push_back(scalar.name);
    return names;
}

bool fits(const KernelParameter& parameter, const BufferSpec& buffer) {
    const auto type = parse_element_type(parameter.element_type());
    return parameter.is_image() || !type || type->scalar == buffer.type.scalar;
}

bool is_offset(const std::string& name) {
    const std::string lower = to_lower(name);
    return std::ranges::any_of(std::vector<std::string_view>{"off", "start", "begin", "base"},
                               [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// The numbers of a vector or structure: the problem's factors and 1.
std::vector<std::string> lists_of(const ProblemInstance& problem, std::size_t numbers) {
    std::vector<std::string> items = {"1", "0"};
    for (const ScalarSpec& scalar : problem.scalars)
        if (scalar.type.is_floating()) items.insert(items.begin(), scalar.name);
    std::vector<std::string> lists;
    for (const std::string& first : items)
        for (const std::string& rest : items)
            lists.push_back("[" + first + std::string() + [&] {
                std::string words;
                for (std::size_t i = 1; i < numbers; ++i) words += ", " + rest;
                return words;
            }() + "]");
    return lists;
}

}  // namespace

std::vector<ArgumentOffer> offer_arguments(const SourceKernel& kernel, const ProblemInstance& problem) {
    std::vector<NamedArgument> named;
    for (const KernelParameter& parameter : kernel.parameters) named.push_back(named_argument(parameter));
    const auto matches = match_arguments(named, problem, {}, spellings_of(problem));
    std::set<std::string> taken;
    for (std::size_t i = 0; i < matches.size(); ++i)
        if (matches[i] && !kernel.parameters[i].is_local()) taken.insert(matches[i]->name);
    std::vector<ArgumentOffer> offers;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const KernelParameter& parameter = kernel.parameters[i];
        ArgumentOffer& offer = offers.emplace_back();
        if (parameter.is_local()) {
            offer.choices = {"local.x", "local.x * local.y", "local.x * (local.y + 1)", "2 * local.x"};
            for (const std::string& size : sizes_of(problem)) offer.choices.push_back(size);
            continue;
        }
        if (parameter.is_buffer()) {
            for (const BufferSpec& buffer : problem.buffers)
                if (fits(parameter, buffer)) offer.choices.push_back(buffer.name);
            if (matches[i]) offer.guess = matches[i]->name;
            const auto take_next = [&](bool is_output) {
                for (const BufferSpec& buffer : problem.buffers)
                    if (offer.guess.empty() && fits(parameter, buffer) &&
                        (buffer.access != Access::Read) == is_output && taken.insert(buffer.name).second)
                        offer.guess = buffer.name;
            };
            take_next(!parameter.is_const);
            if (!parameter.is_const) take_next(false);
            continue;
        }
        if (!parameter.is_value()) continue;
        const auto type = parse_element_type(parameter.element_type());
        const std::size_t* const numbers = find_named(kernel.records, parameter.name);
        const std::size_t width = numbers != nullptr ? *numbers : type ? type->width : 1;
        if (width > 1) {
            offer.choices = lists_of(problem, width);
            continue;
        }
        for (const ScalarSpec& scalar : problem.scalars) offer.choices.push_back(scalar.name);
        offer.choices.insert(offer.choices.end(), {"0", "1"});
        for (const std::string& expression : offer_expressions(problem))
            if (std::ranges::find(offer.choices, expression) == offer.choices.end())
                offer.choices.push_back(expression);
        if (matches[i]) {
            offer.guess = matches[i]->name;
        } else if (is_offset(parameter.name)) {
            offer.guess = "0";
        } else if (!speaks_of_no_size(parameter.name)) {
            const bool is_floating = type && type->is_floating();
            for (const ScalarSpec& scalar : problem.scalars)
                if (offer.guess.empty() && scalar.type.is_floating() == is_floating &&
                    taken.insert(scalar.name).second)
                    offer.guess = scalar.name;
        }
    }
    return offers;
}

std::vector<std::string> offer_expressions(const ProblemInstance& problem) {
    const std::vector<std::string> sizes = sizes_of(problem);
    std::vector<std::string> offered = sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        for (std::size_t k = i + 1; k < sizes.size(); ++k) {
            offered.push_back(sizes[i] + " * " + sizes[k]);
            offered.push_back(sizes[i] + " + " + sizes[k] + " - 1");
        }
    return offered;
}

std::vector<std::string> offer_ranges(const ProblemInstance& problem) {
    const std::vector<std::string> sizes = sizes_of(problem);
    std::vector<std::string> offered = {"1"};
    offered.insert(offered.end(), sizes.begin(), sizes.end());
    for (const std::string& x : sizes)
        for (const std::string& y : sizes)
            if (x != y) offered.push_back(x + ", " + y);
    offered.insert(offered.end(), {"256", "1024"});
    return offered;
}

}  // namespace kwb
