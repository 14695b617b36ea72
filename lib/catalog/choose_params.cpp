// SPDX-License-Identifier: Apache-2.0
#include "catalog/choose_params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/place.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

Value whole(std::uint64_t value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::min(value, kMost));
}

/// Empty for NaN, and for a decimal number whose digits do not fit into 64 bits.
std::optional<Number> number_of(const ScalarValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return Number(*number);
    const double decimal = std::get<double>(value);
    try {
        const Number size = Number::parse(fmt::format("{}", std::fabs(decimal)));
        return decimal < 0 ? -size : size;
    } catch (const ValueError&) {
        return std::nullopt;
    }
}

/// A limit of the device. Drivers that do not know it report 0; then anything fits. The substitute value is
/// small enough not to overflow when an expression multiplies it.
Value limit(std::uint64_t reported) {
    constexpr std::uint64_t kNoLimitKnown = std::uint64_t{1} << 40;
    return whole(reported == 0 ? kNoLimitKnown : reported);
}

}  // namespace

Value to_value(const ParamValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    return std::get<std::string>(value);
}

Scope make_scope(const ProblemInstance& problem, const DeviceInfo& device) {
    Scope scope;
    for (const ScalarSpec& scalar : problem.scalars)
        if (const auto number = number_of(scalar.value)) scope.set(scalar.name, *number);
    for (const auto& size : problem.sizes) scope.set(size.name, size.value);

    scope.set("device.kind", to_string(device.kind));
    scope.set("device.compute_units", whole(std::max<std::uint64_t>(1, device.compute_units)));
    scope.set("device.max_clock_mhz", whole(device.max_clock_mhz));
    scope.set("device.max_work_group_size", limit(device.max_work_group_size));
    Value::List sizes;
    for (const std::uint64_t size : device.max_work_item_sizes) sizes.push_back(limit(size));
    scope.set("device.max_work_item_sizes", sizes);
    scope.set("device.local_mem_bytes", limit(device.local_mem_bytes));
    scope.set("device.local_mem_dedicated", device.local_mem_dedicated);
    scope.set("device.global_mem_bytes", limit(device.global_mem_bytes));
    scope.set("device.max_alloc_bytes", limit(device.max_alloc_bytes));
    scope.set("device.max_constant_bytes", limit(device.max_constant_bytes));
    scope.set("device.base_align_bytes", whole(device.base_align_bytes));
    scope.set("device.cache_line_bytes", whole(device.cache_line_bytes));
    scope.set("device.native_float_width", whole(device.native_float_width));
    scope.set("device.has_fp64", device.has_fp64);
    scope.set("device.has_fp16", device.has_fp16);
    scope.set("device.has_work_group_functions", device.has_work_group_functions);
    scope.set("device.has_sub_groups", device.has_sub_groups);
    return scope;
}

void add_params(Scope& scope, const ParamChoice& params) {
    for (const auto& param : params) scope.set(param.name, to_value(param.value));
}

void add_local(Scope& scope, const std::vector<std::uint64_t>& local) {
    constexpr std::array<const char*, 3> kNames = {"local.x", "local.y", "local.z"};
    for (std::size_t i = 0; i < local.size() && i < kNames.size(); ++i) scope.set(kNames[i], whole(local[i]));
}

namespace {

std::optional<std::int64_t> parse_whole(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

ParamValue parse_choice(const KernelFile& file, const std::string& name,
                        const std::vector<ParamValue>& values, const std::string& typed, bool force) {
    const std::string text(trim(typed));
    const auto number = parse_whole(text);
    for (const ParamValue& value : values)
        if (to_string(value) == text || (number && value == ParamValue(*number))) return value;
    if (force) return number ? ParamValue(*number) : ParamValue(text);
    std::vector<std::string> known;
    for (const ParamValue& value : values) known.push_back(to_string(value));
    throw Refused({.code = FindingCode::UnlistedParamValue,
                   .subject = file.spec.name,
                   .texts = {{"param", name}, {"value", text}, {"values", enumerate(known)}},
                   .remedy = Remedy{RemedyKind::Params}});
}

}  // namespace

std::vector<std::string> split_values(const std::string& param, const std::string& text) {
    std::vector<std::string> values = split(text, ',');
    for (const std::string& value : values)
        if (trim(value).empty())
            throw BadInput(
                fmt::format("--param {}={}: a value is empty. Give e.g. {}=8,16", param, text, param));
    return values;
}

ParamSpace narrow_params(const KernelFile& file, const NamedList<std::vector<std::string>>& wanted,
                         bool force) {
    ParamSpace space = file.spec.params;
    std::vector<std::string> typed;
    for (const auto& [name, texts] : wanted) {
        const auto found = std::find_if(space.begin(), space.end(),
                                        [&wish = name](const auto& param) { return param.name == wish; });
        const std::vector<std::string> known = names_of(space);
        if (found == space.end())
            throw BadInput(fmt::format("{} has no parameter {}; {}.{}", file.spec.name, name,
                                       known.empty() ? "it has no parameters" : "it has " + enumerate(known),
                                       did_you_mean(name, known)));
        if (std::find(typed.begin(), typed.end(), name) != typed.end())
            throw BadInput(fmt::format("parameter {} is given twice. Give it once", name));
        typed.push_back(name);
        found->value.clear();
        for (const std::string& text : texts) {
            ParamValue value = parse_choice(file, name, *find_named(file.spec.params, name), text, force);
            if (std::ranges::find(found->value, value) == found->value.end())
                found->value.push_back(std::move(value));
        }
    }
    return space;
}

namespace {

ParamChoice defaults_of(const ParamSpace& space) {
    ParamChoice choice;
    for (const auto& param : space) choice.push_back({param.name, param.value.front()});
    return choice;
}

/// An extent that must equal the one that the user chose.
struct Constraint {
    std::size_t launch;
    std::size_t dimension;
    Expression expression;
    std::uint64_t wanted;
};

std::vector<Constraint> find_constraints(const KernelFile& file, const std::vector<std::uint64_t>& wanted) {
    std::vector<Constraint> constraints;
    for (std::size_t l = 0; l < file.spec.launches.size(); ++l) {
        const LaunchSpec& launch = file.spec.launches[l];
        if (!launch.local || launch.local->size() != wanted.size()) continue;
        for (std::size_t d = 0; d < wanted.size(); ++d)
            if (depends_on_params((*launch.local)[d], file.spec.params))
                constraints.push_back({l, d, Expression::parse((*launch.local)[d].text), wanted[d]});
    }
    return constraints;
}

/// The result of a combination of parameters.
struct Combination {
    std::vector<std::uint64_t> local;  ///< of the first launch that the constraints are about
    bool meets_all = true;
};

/// @return  nothing if an extent has no value with these parameters; others may have one
std::optional<Combination> try_combination(const std::vector<Constraint>& constraints, Scope scope,
                                           const ParamChoice& choice,
                                           const std::vector<std::uint64_t>& wanted) {
    add_params(scope, choice);
    Combination tried{wanted};
    try {
        for (const Constraint& constraint : constraints) {
            const std::uint64_t extent = constraint.expression.evaluate_count(scope);
            tried.meets_all = tried.meets_all && extent == constraint.wanted;
            if (constraint.launch == constraints.front().launch) tried.local[constraint.dimension] = extent;
        }
    } catch (const ExpressionError&) {
        return std::nullopt;
    }
    return tried;
}

/// The parameters that the constraints use, by index.
std::vector<std::size_t> find_involved(const ParamSpace& space, const std::vector<Constraint>& constraints) {
    std::vector<std::size_t> involved;
    for (std::size_t p = 0; p < space.size(); ++p)
        if (std::ranges::any_of(constraints, [&](const Constraint& constraint) {
                const auto names = constraint.expression.names();
                return std::ranges::find(names, space[p].name) != names.end();
            }))
            involved.push_back(p);
    return involved;
}

/// Tries all combinations of the parameters that the constraints use, starting with the defaults.
/// @param possible  receives the distinct work-group sizes of the combinations tried
/// @return  the first choice that meets all constraints
std::optional<ParamChoice> find_combination(const ParamSpace& space, const Scope& scope,
                                            const std::vector<Constraint>& constraints,
                                            const std::vector<std::uint64_t>& wanted,
                                            std::vector<std::string>& possible) {
    constexpr std::size_t kMostTries = 100000;
    const std::vector<std::size_t> involved = find_involved(space, constraints);
    std::vector<std::size_t> at(involved.size());  // indices into the parameters' values
    ParamChoice choice = defaults_of(space);
    for (std::size_t tries = 0; tries < kMostTries; ++tries) {
        for (std::size_t i = 0; i < at.size(); ++i)
            choice[involved[i]].value = space[involved[i]].value[at[i]];
        const std::optional<Combination> tried = try_combination(constraints, scope, choice, wanted);
        if (tried) {
            const std::string text = format_extents(tried->local);
            if (std::ranges::find(possible, text) == possible.end()) possible.push_back(text);
            if (tried->meets_all) return choice;
        }
        std::size_t next = at.size();  // the last parameter changes fastest
        while (next > 0 && ++at[next - 1] == space[involved[next - 1]].value.size()) at[--next] = 0;
        if (next == 0) break;
    }
    return std::nullopt;
}

/// With --force, the chosen extents themselves are also tried as parameter values.
void add_forced_values(ParamSpace& space, const KernelChoices& choices,
                       const std::vector<std::uint64_t>& wanted) {
    for (auto& param : space) {
        if (find_named(choices.params, param.name)) continue;
        for (const std::uint64_t extent : wanted) {
            const ParamValue value = static_cast<std::int64_t>(extent);
            if (std::find(param.value.begin(), param.value.end(), value) == param.value.end())
                param.value.push_back(value);
        }
    }
}

void require_matching_launch(const KernelFile& file, const std::vector<std::uint64_t>& wanted) {
    std::vector<std::string> known;
    for (const LaunchSpec& launch : file.spec.launches) {
        if (launch.global.size() == wanted.size()) return;
        const std::string text = fmt::format("{}", launch.global.size());
        if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
    }
    throw BadInput(fmt::format("{} is launched over {} {}, but a work-group of {} has {}", file.spec.name,
                               enumerate(known, "or"), known.back() == "1" ? "dimension" : "dimensions",
                               format_extents(wanted), wanted.size()));
}

}  // namespace

bool depends_on_params(const Written& extent, const ParamSpace& params) {
    for (const std::string& name : Expression::parse(extent.text).names())
        if (find_named(params, name)) return true;
    return false;
}

ParamChoice choose_params(const KernelFile& file, const Scope& scope, const KernelChoices& choices) {
    NamedList<std::vector<std::string>> typed;
    for (const auto& [name, value] : choices.params) typed.push_back({name, {value}});
    ParamSpace space = narrow_params(file, typed, choices.force_params);
    if (!choices.local || choices.local_auto) return defaults_of(space);

    const std::vector<std::uint64_t>& wanted = *choices.local;
    for (const std::uint64_t extent : wanted)
        if (extent == 0)
            throw BadInput("a work-group needs at least 1 work-item in each dimension. Give e.g. 16x16");
    require_matching_launch(file, wanted);
    const std::vector<Constraint> constraints = find_constraints(file, wanted);
    if (constraints.empty()) return defaults_of(space);
    if (choices.force_params) add_forced_values(space, choices, wanted);
    std::vector<std::string> possible, involved;
    if (auto choice = find_combination(space, scope, constraints, wanted, possible)) return *choice;
    for (const std::size_t p : find_involved(space, constraints)) involved.push_back(space[p].name);
    throw BadInput(fmt::format("{} cannot have work-groups of {}, because {} sets them. Possible: {}",
                               file.spec.name, format_extents(wanted), enumerate(involved),
                               possible.empty() ? "none" : join(possible, ", ")));
}

std::optional<Finding> find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device) {
    expects(plan.local && plan.local->size() == plan.global.size() && plan.global.size() <= 3,
            "find_shape_fault: as many local as global extents");
    const std::vector<std::uint64_t>& local = *plan.local;
    const std::uint64_t items = count_items(local);
    const std::uint64_t most = device.max_work_group_size != 0 ? device.max_work_group_size : UINT64_MAX;
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    const auto too_large = [&](FindingCode code, NamedList<double> numbers) {
        const std::vector<std::uint64_t> fit = shrink_work_group(local, most, device.max_work_item_sizes);
        numbers.push_back({"fit_items", number(count_items(fit))});
        return Finding{.code = code,
                       .subject = format_extents(local),
                       .numbers = std::move(numbers),
                       .remedy = Remedy{RemedyKind::WorkGroup, format_extents(fit)}};
    };
    for (std::size_t d = 0; d < local.size(); ++d)
        if (d < device.max_work_item_sizes.size() && local[d] > device.max_work_item_sizes[d])
            return too_large(FindingCode::WorkGroupTooLong,
                             {{"axis", number(d)}, {"most", number(device.max_work_item_sizes[d])}});
    if (items > most)
        return too_large(FindingCode::WorkGroupTooLarge, {{"items", number(items)}, {"most", number(most)}});

    for (std::size_t d = 0; d < local.size(); ++d)
        if (plan.global[d] % local[d] != 0)
            return Finding{.code = FindingCode::WorkGroupRemainder,
                           .subject = format_extents(local),
                           .numbers = {{"axis", number(d)},
                                       {"global", number(plan.global[d])},
                                       {"local", number(local[d])},
                                       {"rest", number(plan.global[d] % local[d])}},
                           .texts = {{"global", format_extents(plan.global)},
                                     {"kernel", plan.kernel},
                                     {"advice", advise_on_division(plan.global, local, d)}},
                           .remedy = Remedy{RemedyKind::WorkGroup}};
    return std::nullopt;
}

}  // namespace kwb
