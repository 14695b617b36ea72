// SPDX-License-Identifier: Apache-2.0
#include "experiment/check_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/expression.hpp"
#include "model/problem_spec.hpp"
#include "problems/problem.hpp"
#include "source/builtins.hpp"
#include "source/directives.hpp"
#include "source/kernels.hpp"

namespace kwb {
namespace {

/// Every identifier that the compiler may read: in the source, its includes, parameters, macros and options.
class Words {
public:
    explicit Words(const KernelFile& file) {
        add_source(file.spec.source_text);
        for (const auto& include : file.includes) add_source(include.value);
        for (const auto& [name, values] : file.spec.params)
            for (const ParamValue& value : values) add(to_string(value));
        for (const auto& define : file.spec.defines) add(define.value.text);
        add(file.spec.build_options);
        has_texts_ = !file.spec.build_options.empty() || !file.spec.defines.empty();
    }

    /// False if this name cannot occur in the source, not even by macro expansion.
    bool may_have(const std::string& name) const { return pastes_ || words_.count(name) > 0; }

    /// True if reading the source without preprocessing it finds everything in it.
    bool is_plain() const { return !pastes_ && !has_conditions_ && !has_texts_; }

private:
    void add_source(std::string_view source) {
        const std::string blanked = blank_comments(source);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword.starts_with("if")) has_conditions_ = true;
            if (line.keyword == "include" && !line.rest.starts_with('"')) pastes_ = true;
        }
        if (blanked.find("##") != std::string::npos) pastes_ = true;
        add(blanked);
    }

    void add(std::string_view text) {
        while (!text.empty()) {
            const std::string_view word = leading_identifier(text);
            if (!word.empty()) words_.emplace(word);
            text.remove_prefix(std::max<std::size_t>(word.size(), 1));
        }
    }

    std::set<std::string, std::less<>> words_;
    bool pastes_ = false;
    bool has_conditions_ = false;
    bool has_texts_ = false;  ///< macros from outside the source, which may expand to names
};

class NameCheck {
public:
    NameCheck(const KernelFile& file, std::optional<std::vector<SourceKernel>> kernels)
        : file_(file), spec_(file.spec), words_(file), kernels_(std::move(kernels)) {}

    void check() const {
        for (std::size_t i = 0; i < spec_.launches.size(); ++i) check_function(i);
        if (const auto known = known_numbers()) check_expressions(*known);
    }

private:
    void check_function(std::size_t i) const {
        if (!kernels_) return;
        const LaunchSpec& launch = spec_.launches[i];
        std::vector<std::string> names;
        for (const SourceKernel& kernel : *kernels_) {
            names.push_back(kernel.name);
            if (kernel.name == launch.kernel) return check_arguments(launch, kernel);
        }
        if (names.empty() || (words_.may_have(launch.kernel) && !words_.is_plain())) return;
        refuse_key(file_, fmt::format("launch.{}.kernel", i),
                   fmt::format("{} has no kernel function `{}`; it has {}.{}", spec_.file, launch.kernel,
                               enumerate(names), did_you_mean(launch.kernel, names)));
    }

    void check_arguments(const LaunchSpec& launch, const SourceKernel& kernel) const {
        std::vector<std::string> names;
        for (const KernelParameter& parameter : kernel.parameters) {
            names.push_back(parameter.name);
            if (parameter.type_name.starts_with("pipe"))
                throw BadInput(fmt::format("{}:{}: {}: argument '{}' belongs to {}", spec_.file, kernel.line,
                                           kernel.name, parameter.name, find_unsupported("pipe")));
        }
        const auto check_key = [&](const char* what, const Named<Written>& entry) {
            if (std::find(names.begin(), names.end(), entry.name) != names.end()) return;
            if (words_.may_have(entry.name) && !words_.is_plain()) return;
            refuse_at(file_.declared_in, entry.value,
                      fmt::format("{} names `{}`, which is not an argument of {}; {}.{}", what, entry.name,
                                  kernel.name,
                                  names.empty()
                                      ? "it has none"
                                      : (names.size() == 1 ? "it has only " : "it has ") + enumerate(names),
                                  did_you_mean(entry.name, names)));
        };
        for (const auto& entry : launch.args) check_key("args", entry);
        for (const auto& entry : launch.local_mem) check_key("local_mem", entry);
    }

    /// The names that expressions may use; nullopt if the problem is unknown.
    std::optional<std::vector<std::string>> known_numbers() const {
        std::vector<std::string> known = make_scope({}, {}).names();
        const auto add = [&](const std::vector<std::string>& names) {
            known.insert(known.end(), names.begin(), names.end());
        };
        if (file_.own_problem) {
            add(names_of(file_.own_problem->spec().sizes));
            add(names_of(file_.own_problem->spec().scalars));
        } else if (const Problem* problem = find_problem(spec_.problem)) {
            add(make_scope(problem->at(problem->default_sizes()), {}).names());
        } else {
            return std::nullopt;
        }
        add(names_of(spec_.params));
        add(names_of(spec_.defines));
        return known;
    }

    void check_expressions(const std::vector<std::string>& known) const {
        std::vector<std::string> in_launch = known;
        in_launch.insert(in_launch.end(), {"local.x", "local.y", "local.z"});
        const auto check = [&](const Written& written, const std::vector<std::string>& names) {
            located(file_.declared_in, written,
                    [&] { Expression::parse(written.text).require_names(names); });
        };
        for (const LaunchSpec& launch : spec_.launches) {
            std::vector<std::string> counted = in_launch;
            for (const auto& [counter, times] : launch.counters) {
                check(times, counted);
                counted.push_back(counter);
            }
            for (const Written& extent : launch.global) check(extent, counted);
            for (const Written& extent : launch.local.value_or(std::vector<Written>{})) check(extent, known);
            for (const auto& entry : launch.local_mem) check(entry.value, counted);
            if (launch.repeat) check(*launch.repeat, counted);
            if (launch.when) check(*launch.when, counted);
        }
        for (const auto& entry : spec_.scratch) check(entry.value.elements, in_launch);
        for (const auto& entry : spec_.defines) check(entry.value, in_launch);
        for (const auto& entry : spec_.require) check(entry.value, in_launch);
        for (const ExpectSpec& rule : spec_.expect)
            if (rule.when) check(*rule.when, in_launch);
        for (const auto* cost : {&spec_.flops, &spec_.moves})
            if (*cost) check(**cost, in_launch);
    }

    const KernelFile& file_;
    const KernelSpec& spec_;
    Words words_;
    std::optional<std::vector<SourceKernel>> kernels_;
};

/// Values for the names in expressions that are known before sizes and a device are chosen.
Scope default_scope(const KernelFile& file) {
    Scope scope;
    if (const Problem* problem = find_problem_of(file))
        for (const auto& [name, value] : problem->default_sizes()) scope.set(name, value);
    for (const auto& [name, values] : file.spec.params) scope.set(name, to_value(values.front()));
    add_local(scope, {1, 1, 1});
    return scope;
}

/// The text of a macro's value. A value that cannot be evaluated yet, e.g. because it depends on the device,
/// becomes 1: any number is good enough to read the source.
std::string stand_in(const Written& macro, const Scope& scope) {
    try {
        return macro_text_of(Expression::parse(macro.text).evaluate(scope)).value_or("1");
    } catch (const ExpressionError&) {
        return "1";
    }
}

}  // namespace

const Problem* find_problem_of(const KernelFile& file) {
    return file.own_problem ? file.own_problem.get() : find_problem(file.spec.problem);
}

void check_names(const KernelFile& file) {
    check_names(file, find_kernel_functions(source_text_of(file)));
}

void check_names(const KernelFile& file, const std::optional<std::vector<SourceKernel>>& kernels) {
    NameCheck(file, kernels).check();
}

SourceText source_text_of(const KernelFile& file) {
    SourceText source{file.spec.source_text, file.includes, {}, file.spec.build_options};
    for (const auto& [name, values] : file.spec.params)
        source.macros.push_back({name, to_string(values.front())});
    const Scope scope = default_scope(file);
    for (const auto& [name, macro] : file.spec.defines)
        source.macros.push_back({name, stand_in(macro, scope)});
    return source;
}

}  // namespace kwb
