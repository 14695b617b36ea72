// SPDX-License-Identifier: Apache-2.0
#include "desk/work_group_offers.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "catalog/expression.hpp"
#include "model/device_fit.hpp"
#include "model/plan.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

using Extents = std::vector<std::uint64_t>;

/// Limit on the configurations (sets of parameter values) that are tried.
constexpr std::size_t kMostCombinations = 2000;
/// Smaller work-groups are inefficient on any device.
constexpr std::uint64_t kFewestItems = 16;
constexpr int kMostLogRatio = 3;
constexpr int kMostLogExtent = 12;
constexpr std::size_t kMostOffered = 48;

class Offer {
public:
    Offer(const KernelFile& kernel, const ProblemInstance& problem, const DeviceInfo& device,
          const KernelChoices& choices)
        : spec_(kernel.spec), device_(device), scope_(make_scope(problem, device)) {
        KernelChoices without = choices;
        without.local.reset();
        without.local_auto = false;
        params_ = choose_params(kernel, scope_, without);
        for (const auto& [name, values] : spec_.params)
            space_.push_back(find_named(choices.params, name) != nullptr
                                 ? std::vector<ParamValue>{*find_named(params_, name)}
                                 : values);
        for (const LaunchSpec& launch : spec_.launches) globals_.push_back(parse_all(launch.global));
        if (const auto& local = spec_.launches.front().local) local_ = parse_all(*local);
        for (const auto& require : spec_.require)
            requirements_.push_back(Expression::parse(require.value.text));
    }

    std::vector<std::string> list() {
        add(local_.empty() ? "auto" : format_extents(local_with(params_)));
        const auto depends = [&](const Written& extent) { return depends_on_params(extent, spec_.params); };
        if (!local_.empty() && std::ranges::any_of(*spec_.launches.front().local, depends)) {
            add_from_params();
        } else {
            for (const Extents& shape : powers_of_two()) add_if_it_fits(shape, params_);
            add("auto");
        }
        return texts_;
    }

private:
    static std::vector<Expression> parse_all(const std::vector<Written>& texts) {
        std::vector<Expression> expressions;
        for (const Written& text : texts) expressions.push_back(Expression::parse(text.text));
        return expressions;
    }

    void add(const std::string& text) {
        if (texts_.size() < kMostOffered && std::ranges::find(texts_, text) == texts_.end())
            texts_.push_back(text);
    }

    Extents local_with(const ParamChoice& params) const {
        Scope scope = scope_;
        add_params(scope, params);
        Extents local;
        for (const Expression& extent : local_) local.push_back(extent.evaluate_count(scope));
        return local;
    }

    /// Adds the size unless a requirement excludes it, or a launch with this number of dimensions cannot use
    /// it.
    void add_if_it_fits(const Extents& local, const ParamChoice& params) {
        if (count_items(local) == 0) return;
        Scope scope = scope_;
        add_params(scope, params);
        add_local(scope, local);
        try {
            for (const Expression& condition : requirements_)
                if (!condition.evaluate_truth(scope)) return;
            for (std::size_t i = 0; i < globals_.size(); ++i) {
                if (globals_[i].size() != local.size()) continue;
                LaunchPlan plan;
                plan.kernel = spec_.launches[i].kernel;
                plan.local = local;
                for (const Expression& extent : globals_[i])
                    plan.global.push_back(extent.evaluate_count(scope));
                if (count_items(plan.global) == 0 || find_shape_fault(plan, device_)) return;
            }
            add(format_extents(local));
        } catch (const BadInput&) {  // cannot be evaluated for this size
        }
    }

    void add_from_params() {
        ParamChoice choice = params_;
        std::vector<std::size_t> at(space_.size(), 0);
        for (std::size_t tried = 0; tried < kMostCombinations; ++tried) {
            for (std::size_t p = 0; p < at.size(); ++p) choice[p].value = space_[p][at[p]];
            try {
                add_if_it_fits(local_with(choice), choice);
            } catch (const BadInput&) {  // no extent for these values; others may have one
            }
            std::size_t p = 0;
            while (p < at.size() && ++at[p] == space_[p].size()) at[p++] = 0;
            if (p == at.size()) break;
        }
    }

    /// The shapes worth trying, the smallest first.
    std::vector<Extents> powers_of_two() const {
        const std::uint64_t most = device_.max_work_group_size;
        std::vector<Extents> shapes = {{}};
        for (std::size_t d = 0; d < globals_.front().size(); ++d) {
            std::vector<Extents> longer;
            for (Extents shape : shapes) {
                shape.push_back(0);
                for (int log = kMostLogExtent; log >= 0; --log) {
                    shape.back() = std::uint64_t{1} << log;
                    if (most == 0 || count_items(shape) <= most) longer.push_back(shape);
                }
            }
            shapes = std::move(longer);
        }
        std::erase_if(shapes, [](const Extents& shape) { return !is_worth(shape); });
        std::ranges::stable_sort(shapes, {}, [](const Extents& shape) { return count_items(shape); });
        return shapes;
    }

    static bool is_worth(const Extents& shape) {
        if (count_items(shape) < kFewestItems) return false;
        const bool is_row =
            std::all_of(shape.begin() + 1, shape.end(), [](std::uint64_t e) { return e == 1; });
        // Limit the depth: a work-group that is deep in the third dimension is small in the others.
        if (is_row || shape.size() == 1) return true;
        if (shape.size() == 3 && shape[2] > 8) return false;
        const int ratio = __builtin_ctzll(shape[0]) - __builtin_ctzll(shape[1]);
        return std::abs(ratio) <= kMostLogRatio;
    }

    const KernelSpec& spec_;
    const DeviceInfo& device_;
    Scope scope_;  ///< with sizes and device
    ParamChoice params_;
    std::vector<std::vector<ParamValue>> space_;    ///< values to try for each parameter, in the file's order
    std::vector<std::vector<Expression>> globals_;  ///< of each launch
    std::vector<Expression> local_;                 ///< of the first launch; empty: left to the driver
    std::vector<Expression> requirements_;
    std::vector<std::string> texts_;  ///< offered so far
};

}  // namespace

std::vector<std::string> offer_work_groups(const KernelFile& kernel, const ProblemInstance& problem,
                                           const DeviceInfo& device, const KernelChoices& choices) {
    if (kernel.spec.launches.empty()) return {};
    try {
        return Offer(kernel, problem, device, choices).list();
    } catch (const BadInput&) {
        return {};  // the contestant's obstacle explains it
    }
}

}  // namespace kwb
