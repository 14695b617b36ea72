// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "model/argument_names.hpp"
#include "problems/problem.hpp"
#include "source/builtins.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

std::vector<std::string> names_of_buffers(const ProblemInstance& problem) {
    std::vector<std::string> names;
    for (const BufferSpec& buffer : problem.buffers) names.push_back(buffer.name);
    return names;
}

std::vector<std::string> names_of_numbers(const ProblemInstance& problem) {
    std::vector<std::string> names;
    for (const ScalarSpec& scalar : problem.scalars) names.push_back(scalar.name);
    return names;
}

/// "a buffer of float", "an int"
std::string describe(const KernelParameter& parameter) {
    if (parameter.is_image()) return "an image";
    if (parameter.is_buffer()) return "a buffer of " + parameter.element_type();
    if (parameter.is_sampler()) return "a sampler";
    if (parameter.is_local()) return "a __local pointer to " + parameter.element_type();
    return "a plain " + parameter.element_type();
}

/// The number of elements of a list "[…]", else 1.
std::size_t count_numbers(const std::string& value) {
    if (!value.starts_with('[') || !value.ends_with(']')) return 1;
    const std::string_view inside = trim(std::string_view(value).substr(1, value.size() - 2));
    return inside.empty() ? 0 : split_list("--args", inside).size();
}

class ArgumentBinder {
public:
    ArgumentBinder(const std::string& file, const SourceKernel& kernel, const ProblemInstance& problem,
                   const OwnOptions& options)
        : file_(file), kernel_(kernel), problem_(problem) {
        for (const KernelParameter& parameter : kernel.parameters) {
            if (parameter.is_local()) continue;
            const bool is_known = parameter.is_image() ? parameter.type_name == kImage
                                                       : parameter.is_buffer() || parameter.is_value() ||
                                                             parameter.is_sampler();
            if (parameter.type_name.starts_with("pipe"))
                refuse(fmt::format("argument '{}' belongs to {}", parameter.name, find_unsupported("pipe")));
            if (!is_known)
                refuse(
                    fmt::format("argument '{}' has the unsupported type {}; kwb can pass only __global, "
                                "__constant and __local pointers, {}, sampler_t and numbers",
                                parameter.name, parameter.element_type(), kImage));
            if (parameter.is_value() && !parse_element_type(parameter.element_type()) &&
                find_named(kernel.records, parameter.name) == nullptr)
                refuse(fmt::format(
                    "argument '{}' has the unsupported type {}{}; kwb can pass only __global, __constant and "
                    "__local pointers, numbers, vectors and structures of them",
                    parameter.name, parameter.element_type(), advise_on_type(parameter.element_type())));
            arguments_.push_back({parameter, {}});
        }
        for (const std::string& piece : options.args) read_piece(piece);
        for (BoundArgument& argument : arguments_)
            if (argument.parameter.is_sampler() && is_open(argument))
                argument.value.text = to_string(Sampler{});
    }

    std::vector<BoundArgument> bind() {
        const std::vector<std::optional<MatchedArgument>> matches = match_names();
        place_values(matches);
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (is_open(arguments_[i]) && matches[i]) arguments_[i].value.text = matches[i]->name;
        eliminate();
        for (const BoundArgument& argument : arguments_)
            if (!is_open(argument)) check(argument);
        require_all();
        require_outputs();
        return std::move(arguments_);
    }

private:
    /// The number of components of a vector or a structure; 1 for anything else.
    std::size_t components_of(const KernelParameter& parameter) const {
        if (const std::size_t* const numbers = find_named(kernel_.records, parameter.name)) return *numbers;
        const auto type = parse_element_type(parameter.element_type());
        return type && parameter.is_value() ? type->width : 1;
    }

    /// "a=…", or for a vector or a structure "shape=[…,…]": only the person knows the value.
    std::string gap_for(const KernelParameter& parameter) const {
        if (parameter.is_value() && components_of(parameter) > 1)
            return parameter.name + "=[" +
                   join(std::vector<std::string>(components_of(parameter), "…"), ",") + "]";
        return parameter.name + "=…";
    }

    static bool is_open(const BoundArgument& argument) { return argument.value.text.empty(); }

    [[noreturn]] void refuse(const std::string& what) const {
        throw BadInput(fmt::format("{}:{}: {}: {}", file_, kernel_.line, kernel_.name, what));
    }

    std::vector<std::string> argument_names() const {
        std::vector<std::string> names;
        for (const BoundArgument& argument : arguments_) names.push_back(argument.parameter.name);
        return names;
    }

    void read_piece(const std::string& piece) {
        const std::string name(leading_identifier(piece));
        const std::string_view rest = trim(std::string_view(piece).substr(name.size()));
        const bool is_setting = !name.empty() && rest.starts_with('=') && !rest.starts_with("==");
        if (!is_setting) {
            values_.push_back(option_expression("--args", piece));
            return;
        }
        const std::string value(trim(rest.substr(1)));
        const auto found = std::find_if(arguments_.begin(), arguments_.end(),
                                        [&](const BoundArgument& a) { return a.parameter.name == name; });
        if (found == arguments_.end()) {
            for (const KernelParameter& parameter : kernel_.parameters)
                if (parameter.name == name)
                    throw BadInput(
                        fmt::format("--args {}: {} of {} is {}; give its size with --local-arg {}=256", piece,
                                    name, kernel_.name, describe(parameter), name));
            throw BadInput(fmt::format("--args {}: {} has no argument '{}'; it has {}.{}", piece,
                                       kernel_.name, name, enumerate(argument_names()),
                                       did_you_mean(name, argument_names())));
        }
        if (value.empty())
            throw BadInput("--args " + piece + ": has no value for " + name + "; give one, e.g. " +
                           gap_for(found->parameter));
        if (!is_open(*found))
            throw BadInput(fmt::format("--args sets {} twice; leave one of them out", name));
        found->value = option_expression("--args " + name, value);
    }

    std::vector<std::optional<MatchedArgument>> match_names() const {
        std::vector<NamedArgument> named;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (!is_open(arguments_[i])) continue;
            named.push_back(named_argument(arguments_[i].parameter));
            places.push_back(i);
        }
        std::vector<std::optional<MatchedArgument>> matches(arguments_.size());
        const auto found = match_arguments(named, problem_, {}, spellings_of(problem_));
        for (std::size_t i = 0; i < places.size(); ++i) matches[places[i]] = found[i];
        return matches;
    }

    void eliminate() {
        std::vector<NamedArgument> named;
        std::vector<std::optional<MatchedArgument>> matches;
        std::vector<std::string> taken;
        for (const BoundArgument& argument : arguments_) {
            named.push_back(named_argument(argument.parameter));
            matches.emplace_back();
            if (is_open(argument)) continue;
            matches.back() = MatchedArgument{argument.value.text, NameMatch::Exact};
            // As for the judge: which number an expression stands for is unknown.
            if (argument.parameter.is_value() && problem_.find_scalar(argument.value.text) == nullptr)
                taken = names_of_numbers(problem_);
        }
        match_by_elimination(named, matches, problem_, {}, std::move(taken));
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (is_open(arguments_[i]) && matches[i]) {
                arguments_[i].value.text = matches[i]->name;
                arguments_[i].by_elimination = true;
            }
    }

    bool names_buffer(const Written& value) const { return problem_.find_buffer(value.text) != nullptr; }

    /// Assign the values without a name to arguments.
    void place_values(const std::vector<std::optional<MatchedArgument>>& matches) {
        if (values_.empty()) return;
        std::vector<std::size_t> all, buffers, numbers, unmatched, unclear;
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (!is_open(arguments_[i])) continue;
            all.push_back(i);
            (arguments_[i].parameter.is_buffer() ? buffers : numbers).push_back(i);
            if (!matches[i]) unmatched.push_back(i);
            if (!matches[i] || matches[i]->how == NameMatch::Synonym) unclear.push_back(i);
        }
        /// How many values have the kind that their argument requires; -1 if the counts differ.
        const auto fitting = [&](const std::vector<std::size_t>& places) {
            if (places.size() != values_.size()) return -1;
            int count = 0;
            for (std::size_t v = 0; v < values_.size(); ++v) {
                const bool wants_buffer = arguments_[places[v]].parameter.is_buffer();
                if (wants_buffer == names_buffer(values_[v])) ++count;
            }
            return count;
        };
        // If no group fits completely, check() reports the error for the best one.
        const std::vector<std::size_t>* chosen = nullptr;
        int best = 0;
        for (const auto* places : {&all, &buffers, &numbers, &unmatched, &unclear})
            if (const int count = fitting(*places); count > best) {
                best = count;
                chosen = places;
            }
        if (chosen == nullptr && values_.size() == all.size()) chosen = &all;
        if (chosen == nullptr) refuse_count(all, buffers, numbers, unmatched);
        for (std::size_t v = 0; v < values_.size(); ++v) arguments_[(*chosen)[v]].value = values_[v];
    }

    std::string listed(const std::vector<std::size_t>& places) const {
        std::vector<std::string> names;
        for (const std::size_t place : places) names.push_back(arguments_[place].parameter.name);
        return join(names, ", ");
    }

    [[noreturn]] void refuse_count(const std::vector<std::size_t>& all,
                                   const std::vector<std::size_t>& buffers,
                                   const std::vector<std::size_t>& numbers,
                                   const std::vector<std::size_t>& unmatched) const {
        std::vector<std::string> counts = {fmt::format("all {} arguments ({})", all.size(), listed(all))};
        if (!buffers.empty() && buffers.size() != all.size())
            counts.push_back(fmt::format("the {} ({})", counted(buffers.size(), "buffer"), listed(buffers)));
        if (!numbers.empty() && numbers.size() != all.size())
            counts.push_back(fmt::format("the {} ({})", counted(numbers.size(), "number"), listed(numbers)));
        if (!unmatched.empty() && unmatched.size() != all.size() && unmatched.size() != buffers.size() &&
            unmatched.size() != numbers.size())
            counts.push_back(
                fmt::format("the {} that no name identifies ({})", unmatched.size(), listed(unmatched)));
        refuse(
            fmt::format("--args gives {}, but values without a name must cover {}; give one value for each, "
                        "or argument=value",
                        counted(values_.size(), "value"), enumerate(counts, "or")));
    }

    void require_all() const {
        std::vector<std::string> open, gaps;
        for (const BoundArgument& argument : arguments_) {
            if (!is_open(argument)) continue;
            gaps.push_back(gap_for(argument.parameter));
            open.push_back(fmt::format("'{}' ({})", argument.parameter.name, describe(argument.parameter)));
        }
        if (open.empty()) return;
        const std::string& first = open.front();
        const std::string name = first.substr(1, first.find('\'', 1) - 1);
        std::vector<std::string> known = problem_.argument_names();
        refuse(fmt::format(
            "cannot tell what to pass for {}; {} has the buffers {} and the numbers {}.{} Use --args {}",
            enumerate(open), problem_.problem, enumerate(names_of_buffers(problem_)),
            enumerate(names_of_numbers(problem_)), did_you_mean(name, known), join(gaps, ",")));
    }

    /// An output that is not bound to an argument would never be written.
    void require_outputs() const {
        std::vector<std::string> missing;
        for (const BufferSpec& buffer : problem_.buffers) {
            const bool given =
                std::any_of(arguments_.begin(), arguments_.end(), [&](const BoundArgument& argument) {
                    return argument.parameter.is_buffer() && argument.value.text == buffer.name;
                });
            if (buffer.access != Access::Read && !given) missing.push_back(buffer.name);
        }
        if (missing.empty()) return;
        std::vector<std::string> given;
        for (const BoundArgument& argument : arguments_)
            given.push_back(argument.parameter.name + " = " + argument.value.text);
        refuse(
            fmt::format("no argument is bound to the output {}, so it would never be written ({}); set with "
                        "--args which argument is {}",
                        enumerate(missing), given.empty() ? "the kernel has no arguments" : join(given, ", "),
                        missing.front()));
    }

    void check(const BoundArgument& argument) const {
        const KernelParameter& parameter = argument.parameter;
        const BufferSpec* buffer = problem_.find_buffer(argument.value.text);
        const std::string from = argument.value.option.empty() ? "" : "--args: ";
        if (parameter.is_sampler() && !parse_sampler(argument.value.text))
            refuse(fmt::format("{}argument '{}' is a sampler, but '{}' is not; {}", from, parameter.name,
                               argument.value.text, kSamplerNames));
        if (parameter.is_buffer() && !parameter.is_image() && argument.value.text == kNullPointer) return;
        if (parameter.is_buffer() && buffer == nullptr) {
            const auto names = names_of_buffers(problem_);
            refuse(fmt::format("{}argument '{}' is {}, but '{}' is not a buffer of {}; its buffers are {}.{}",
                               from, parameter.name, describe(parameter), argument.value.text,
                               problem_.problem, enumerate(names), did_you_mean(argument.value.text, names)));
        }
        if (parameter.is_value() && buffer != nullptr)
            refuse(
                fmt::format("{}argument '{}' is {}, but {} is a buffer; give it a number: {}, or an "
                            "expression",
                            from, parameter.name, describe(parameter), buffer->name,
                            enumerate(names_of_numbers(problem_), "or")));
        const auto type = parse_element_type(parameter.element_type());
        if (parameter.is_value()) {
            const std::size_t numbers = count_numbers(argument.value.text);
            if (numbers != components_of(parameter))
                refuse(fmt::format("{}argument '{}' is {}, but '{}' is {}; give {}", from, parameter.name,
                                   describe(parameter), argument.value.text,
                                   argument.value.text.starts_with('[')
                                       ? "a list of " + counted(numbers, "number")
                                       : "one number",
                                   gap_for(parameter)));
        }
        if (buffer == nullptr) return;
        if (type && type->scalar != buffer->type.scalar)
            refuse(
                fmt::format("argument '{}' points to {}, but {} of {} holds {}, so the kernel would misread "
                            "every element. Bind another buffer with --args, or choose another problem{}; {}",
                            parameter.name, parameter.element_type(), buffer->name, problem_.problem,
                            to_string(buffer->type), problem_with({type->scalar, 1}), kOwnProblemAdvice));
    }

    /// ", such as vector_add:int", if the problem exists with this type.
    std::string problem_with(const ElementType& type) const {
        const Problem* const other =
            find_problem(fmt::format("{}:{}", split_typed_name(problem_.problem).first, to_string(type)));
        return other != nullptr ? ", such as " + other->name() : "";
    }

    const std::string& file_;
    const SourceKernel& kernel_;
    const ProblemInstance& problem_;
    std::vector<BoundArgument> arguments_;
    std::vector<Written> values_;  ///< values of --args without a name
};

}  // namespace

std::string advise_on_type(const std::string& type) {
    if (const std::string advice = advise_argument_type(type); !advice.empty()) return " (" + advice + ")";
    const bool may_be_macro =
        leading_identifier(type) == type &&
        std::none_of(type.begin(), type.end(), [](unsigned char c) { return std::islower(c) != 0; });
    return may_be_macro ? fmt::format(" (if its host program defines {0}, use -D {0}=float)", type) : "";
}

std::vector<BoundArgument> bind_arguments(const std::string& file, const SourceKernel& kernel,
                                          const ProblemInstance& problem, const OwnOptions& options) {
    return ArgumentBinder(file, kernel, problem, options).bind();
}

NamedList<Written> size_local_memory(const std::string& file, const SourceKernel& kernel,
                                     const OwnOptions& options) {
    std::vector<std::string> names;
    for (const KernelParameter& parameter : kernel.parameters)
        if (parameter.is_local()) names.push_back(parameter.name);
    NamedList<Written> sizes;
    for (const auto& [name, text] : options.local_mem) {
        const std::string option = "--local-arg " + name;
        const auto parameter =
            std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                         [&, &wanted = name](const KernelParameter& p) { return p.name == wanted; });
        const std::string instead =
            names.empty() ? " It has no __local pointer; leave the option out."
                          : " Its __local pointers are " + enumerate(names) + "." + did_you_mean(name, names);
        if (parameter == kernel.parameters.end())
            throw BadInput(
                fmt::format("{}={}: {} has no argument '{}'.{}", option, text, kernel.name, name, instead));
        if (!parameter->is_local())
            throw BadInput(fmt::format(
                "{}={}: argument '{}' of {} is not a __local pointer but {}; set it with --args.{}", option,
                text, name, kernel.name, describe(*parameter), instead));
        if (find_named(sizes, name) != nullptr)
            throw BadInput(fmt::format("{} is given twice; leave one of them out", option));
        sizes.push_back({name, option_expression(option, text)});
    }
    for (const KernelParameter& parameter : kernel.parameters)
        if (parameter.is_local() && find_named(sizes, parameter.name) == nullptr)
            throw BadInput(fmt::format(
                "{}:{}: {}: argument '{}' is {}; give its number of elements, e.g. --local-arg {}=local.x",
                file, kernel.line, kernel.name, parameter.name, describe(parameter), parameter.name));
    return sizes;
}

}  // namespace kwb
