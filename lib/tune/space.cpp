// SPDX-License-Identifier: Apache-2.0
#include "tune/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/place.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

constexpr std::array<const char*, 3> kLocalNames = {"local.x", "local.y", "local.z"};
constexpr std::uint16_t kNoIndex = 0xFFFF;

/// Larger spaces would take minutes to enumerate, or gigabytes to keep.
constexpr std::uint64_t kMostSteps = 1'000'000'000;
constexpr std::size_t kMostValid = 10'000'000;

/// Results of a restriction are kept if it depends on no more combinations than this.
constexpr std::uint64_t kMostKept = 4u << 20;

ParamSpace wanted_params(const KernelFile& file, const KernelChoices& choices) {
    if (file.spec.params.empty())
        throw BadInput(
            fmt::format("{} has no parameters, so there is nothing to tune. Declare some in [params] of {}, "
                        "e.g. TILE = [16, 8, 32]",
                        file.spec.name, file.spec.file));
    NamedList<std::vector<std::string>> lists;
    for (const auto& [name, text] : choices.params) lists.push_back({name, split_values(name, text)});
    return narrow_params(file, lists, choices.force_params);
}

/// The work-group of a launch as expressions; empty: the driver chooses.
std::vector<std::string> extents_of(const LaunchSpec& launch, const KernelChoices& choices) {
    std::vector<std::string> extents;
    if (choices.local_auto) return extents;
    if (choices.local && choices.local->size() == launch.global.size())
        for (const std::uint64_t extent : *choices.local) extents.push_back(std::to_string(extent));
    else if (launch.local)
        for (const Written& extent : *launch.local) extents.push_back("(" + extent.text + ")");
    return extents;
}

/// The limits that find_shape_fault() and choose_params() enforce, as conditions.
void add_shape_limits(SpaceInput& input, const KernelFile& file, const DeviceInfo& device,
                      const KernelChoices& choices) {
    const std::vector<LaunchSpec>& launches = file.spec.launches;
    for (const LaunchSpec& launch : launches) {
        const std::vector<std::string> extents = extents_of(launch, choices);
        // In an expression outside its launch, `local.x` is the work-group of the first one.
        const auto is_known = [&](const Written& text) {
            return &launch == &launches.front() || text.text.find("local.") == std::string::npos;
        };
        if (extents.empty() || !launch.counters.empty() || (launch.when && !is_known(*launch.when))) continue;
        const std::string unless = launch.when ? "not (" + launch.when->text + ") or " : "";
        const auto limit = [&](const char* name, const std::string& condition) {
            input.restrictions.push_back({name, {unless + condition}, true});
        };
        for (std::size_t d = 0; d < extents.size(); ++d) {
            if (choices.local && launch.local && depends_on_params((*launch.local)[d], input.params))
                limit("work-groups other than --local",
                      fmt::format("({}) == {}", (*launch.local)[d].text, extents[d]));
            if (d < device.max_work_item_sizes.size() && device.max_work_item_sizes[d] != 0)
                limit("work-groups too long for the device",
                      fmt::format("{} <= {}", extents[d], device.max_work_item_sizes[d]));
            if (is_known(launch.global[d]))
                limit("work-groups that do not divide the NDRange",
                      fmt::format("({}) % {} == 0", launch.global[d].text, extents[d]));
        }
        if (device.max_work_group_size != 0)
            limit("work-groups too large for the device",
                  fmt::format("{} <= {}", join(extents, " * "), device.max_work_group_size));
    }
}

}  // namespace

SpaceInput space_of(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
                    const KernelChoices& choices) {
    SpaceInput input;
    input.file = file.declared_in;
    input.params = wanted_params(file, choices);
    input.scope = make_scope(problem, device);
    input.derived = file.spec.defines;
    if (!file.spec.launches.empty()) {
        const std::vector<std::string> local = extents_of(file.spec.launches.front(), choices);
        for (std::size_t d = 0; d < local.size(); ++d) input.derived.push_back({kLocalNames[d], {local[d]}});
    }
    for (const auto& [name, condition] : file.spec.require)
        input.restrictions.push_back({condition.option.empty() ? "[require] " + name : name, condition});
    add_shape_limits(input, file, device, choices);
    return input;
}

/// Goes through the combinations, parameter by parameter.
class Space::Search {
public:
    Search(Space& space, SpaceInput input)
        : space_(space),
          file_(std::move(input.file)),
          scope_(std::move(input.scope)),
          at_(space.params_.size()),
          in_scope_(space.params_.size(), kNoIndex),
          below_(space.params_.size() + 1, 1) {
        for (std::size_t p = at_.size(); p-- > 0;)
            below_[p] = multiply_bytes(below_[p + 1], space_.params_[p].value.size());
        add_derived(input.derived);
        for (Restriction& restriction : space_.restrictions_) add(restriction);
    }

    std::uint64_t combinations() const { return below_.front(); }

    void run() {
        if (meets_all(0)) visit(0);
    }

private:
    struct Derived {
        std::string name;
        Expression expression;
    };
    struct Condition {
        Restriction& restriction;
        Expression expression;
        std::vector<std::size_t> params;    ///< that it depends on
        std::vector<std::size_t> derived;   ///< that it depends on, in order
        std::vector<std::uint8_t> results;  ///< by values of `params`: 0 unknown, 1 fails, 2 holds; or empty
    };

    void add_derived(const NamedList<Written>& derived) {
        for (const auto& [name, written] : derived)
            if (scope_.find(name) == nullptr && find_named(space_.params_, name) == nullptr)
                derived_.push_back({name, located(file_, written, [&, &text = written.text] {
                                        return Expression::parse(text);
                                    })});
    }

    void add(Restriction& restriction) {
        std::vector<std::string> known = scope_.names();
        for (const auto& param : space_.params_) known.push_back(param.name);
        for (const Derived& derived : derived_) known.push_back(derived.name);
        try {
            located(file_, restriction.condition, [&] {
                Expression expression = Expression::parse(restriction.condition.text);
                expression.require_names(known);
                Condition condition{restriction, std::move(expression), {}, {}, {}};
                depend_on(condition, condition.expression);
                std::ranges::sort(condition.params);
                std::ranges::sort(condition.derived);
                std::uint64_t results = 1;
                for (const std::size_t p : condition.params)
                    results = multiply_bytes(results, space_.params_[p].value.size());
                if (results <= kMostKept) condition.results.resize(results);
                const std::size_t depth = condition.params.empty() ? 0 : condition.params.back() + 1;
                conditions_.resize(std::max(conditions_.size(), at_.size() + 1));
                conditions_[depth].push_back(std::move(condition));
            });
        } catch (const BadInput&) {
            if (!restriction.is_limit) throw;
        }
    }

    void depend_on(Condition& condition, const Expression& expression) const {
        const auto add_once = [](std::vector<std::size_t>& list, std::size_t i) {
            const bool is_new = std::ranges::find(list, i) == list.end();
            if (is_new) list.push_back(i);
            return is_new;
        };
        for (const std::string& name : expression.names()) {
            for (std::size_t p = 0; p < at_.size(); ++p)
                if (space_.params_[p].name == name) add_once(condition.params, p);
            for (std::size_t i = 0; i < derived_.size(); ++i)
                if (derived_[i].name == name && add_once(condition.derived, i))
                    depend_on(condition, derived_[i].expression);
        }
    }

    void visit(std::size_t depth) {
        if (depth == at_.size()) {
            if (space_.indices_.size() >= kMostValid * at_.size()) refuse();
            space_.indices_.insert(space_.indices_.end(), at_.begin(), at_.end());
            return;
        }
        for (std::size_t value = 0; value < space_.params_[depth].value.size(); ++value) {
            if (++steps_ > kMostSteps) refuse();
            at_[depth] = static_cast<std::uint16_t>(value);
            if (meets_all(depth + 1)) visit(depth + 1);
        }
    }

    /// Evaluates the conditions whose last parameter is the one before `depth`.
    bool meets_all(std::size_t depth) {
        if (conditions_.empty()) return true;
        for (Condition& condition : conditions_[depth]) {
            if (holds(condition)) continue;
            condition.restriction.removed += below_[depth];
            return false;
        }
        return true;
    }

    bool holds(Condition& condition) {
        if (condition.results.empty()) return evaluate(condition);
        std::size_t i = 0;
        for (const std::size_t p : condition.params) i = i * space_.params_[p].value.size() + at_[p];
        std::uint8_t& result = condition.results[i];
        if (result == 0) result = evaluate(condition) ? 2 : 1;
        return result == 2;
    }

    bool evaluate(const Condition& condition) {
        for (const std::size_t p : condition.params)
            if (std::exchange(in_scope_[p], at_[p]) != at_[p])
                scope_.set(space_.params_[p].name, to_value(space_.params_[p].value[at_[p]]));
        try {
            return located(file_, condition.restriction.condition, [&] {
                if (condition.derived.empty()) return condition.expression.evaluate_truth(scope_);
                return condition.expression.evaluate_truth(with_derived(condition.derived));
            });
        } catch (const BadInput&) {
            if (!condition.restriction.is_limit) throw;
            return true;
        }
    }

    /// A name without a value is missing, as in make_kernel_plan().
    Scope with_derived(const std::vector<std::size_t>& derived) const {
        Scope scope = scope_;
        for (const std::size_t i : derived) {
            try {
                scope.set(derived_[i].name, derived_[i].expression.evaluate(scope));
            } catch (const ExpressionError&) {
            }
        }
        return scope;
    }

    [[noreturn]] static void refuse() {
        throw BadInput(
            fmt::format("the space is too large, because it has more than {} valid configurations, or more "
                        "than {} must be tried to find them. Leave out values with --param",
                        kMostValid, kMostSteps));
    }

    Space& space_;
    std::string file_;
    Scope scope_;
    std::vector<Derived> derived_;
    std::vector<std::vector<Condition>> conditions_;  ///< by the number of parameters that must have a value
    std::vector<std::uint16_t> at_;                   ///< the values of the combination at hand
    std::vector<std::uint16_t> in_scope_;             ///< the values that `scope_` has
    std::vector<std::uint64_t> below_;                ///< combinations of the parameters from this one on
    std::uint64_t steps_ = 0;
};

Space::Space(SpaceInput input) {
    expects(!input.params.empty(), "a space has parameters");
    params_ = std::exchange(input.params, {});
    restrictions_ = std::exchange(input.restrictions, {});
    for (const auto& [name, values] : params_)
        if (values.size() >= kNoIndex)
            throw BadInput(
                fmt::format("{} has {} values. Give at most {}", name, values.size(), kNoIndex - 1));
    Search search(*this, std::move(input));
    combinations_ = search.combinations();
    search.run();
}

ParamChoice Space::at(std::size_t i) const {
    ParamChoice choice;
    const std::span<const std::uint16_t> chosen = indices(i);
    for (std::size_t p = 0; p < params_.size(); ++p)
        choice.push_back({params_[p].name, params_[p].value[chosen[p]]});
    return choice;
}

std::optional<std::size_t> Space::find(const ParamChoice& choice) const {
    std::vector<std::uint16_t> wanted;
    for (const auto& [name, values] : params_) {
        const ParamValue* value = find_named(choice, name);
        if (value == nullptr) return std::nullopt;
        const auto found = std::ranges::find(values, *value);
        if (found == values.end()) return std::nullopt;
        wanted.push_back(static_cast<std::uint16_t>(found - values.begin()));
    }
    return find(std::span<const std::uint16_t>(wanted));
}

std::optional<std::size_t> Space::find(std::span<const std::uint16_t> wanted) const {
    // The configurations are in lexicographical order of their indices.
    std::size_t first = 0;
    for (std::size_t count = size(); count > 0;) {
        const std::size_t half = count / 2;
        if (std::ranges::lexicographical_compare(indices(first + half), wanted)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    if (first == size() || !std::ranges::equal(indices(first), wanted)) return std::nullopt;
    return first;
}

std::vector<Restriction> removing_restrictions(const Space& space) {
    std::vector<Restriction> removing;
    for (const Restriction& restriction : space.restrictions()) {
        if (restriction.removed == 0) continue;
        const auto same = std::ranges::find(removing, restriction.name, &Restriction::name);
        if (same != removing.end() && restriction.is_limit)
            same->removed += restriction.removed;
        else
            removing.push_back(restriction);
    }
    return removing;
}

}  // namespace kwb
