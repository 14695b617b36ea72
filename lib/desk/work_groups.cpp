#include "desk/work_groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/expression.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

using Extents = std::vector<std::uint64_t>;

/// Limit on the combinations of parameter values that are tried.
constexpr std::size_t kMostCombinations = 2000;
/// Smaller work-groups are inefficient on any device.
constexpr std::uint64_t kFewestItems = 16;
constexpr int kMostLogRatio = 3;
constexpr int kMostLogExtent = 12;

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
        for (const LaunchSpec& launch : spec_.launches) {
            globals_.push_back(parse_all(launch.global));
            locals_.push_back(launch.local ? parse_all(*launch.local) : std::vector<Expression>{});
        }
        for (const auto& require : spec_.require)
            requirements_.push_back(Expression::parse(require.value.text));
    }

    std::vector<std::string> list() {
        if (locals_.front().empty()) return from_powers("auto");
        const Extents own = local_with(params_);
        for (const Written& extent : *spec_.launches.front().local)
            if (depends_on_params(extent, spec_.params)) return from_params(own);
        return from_powers(format_extents(own));
    }

private:
    static std::vector<Expression> parse_all(const std::vector<Written>& texts) {
        std::vector<Expression> expressions;
        for (const Written& text : texts) expressions.push_back(Expression::parse(text.text));
        return expressions;
    }

    Extents local_with(const ParamChoice& params) const {
        Scope scope = scope_;
        add_params(scope, params);
        Extents local;
        for (const Expression& extent : locals_.front()) local.push_back(extent.evaluate_count(scope));
        return local;
    }

    /// Whether all launches with this number of dimensions can use this work-group size, and no requirement
    /// excludes it.
    bool fits(const Extents& local, const ParamChoice& params) const {
        Scope scope = scope_;
        add_params(scope, params);
        add_local(scope, local);
        try {
            for (const Expression& condition : requirements_)
                if (!condition.evaluate_truth(scope)) return false;
            for (std::size_t i = 0; i < globals_.size(); ++i) {
                if (globals_[i].size() != local.size()) continue;
                LaunchPlan plan;
                plan.kernel = spec_.launches[i].kernel;
                plan.local = local;
                for (const Expression& extent : globals_[i])
                    plan.global.push_back(extent.evaluate_count(scope));
                if (count_items(plan.global) == 0 || find_shape_fault(plan, device_)) return false;
            }
        } catch (const BadInput&) {
            return false;
        }
        return true;
    }

    std::vector<std::string> from_params(const Extents& own) const {
        std::vector<std::string> texts = {format_extents(own)};
        ParamChoice choice = params_;
        std::vector<std::size_t> at(space_.size(), 0);
        for (std::size_t tried = 0; tried < kMostCombinations; ++tried) {
            for (std::size_t p = 0; p < at.size(); ++p) choice[p].value = space_[p][at[p]];
            try {
                const Extents local = local_with(choice);
                if (count_items(local) > 0 && fits(local, choice)) add(texts, format_extents(local));
            } catch (const BadInput&) {  // no extent for these values; others may have one
            }
            std::size_t p = 0;
            while (p < at.size() && ++at[p] == space_[p].size()) at[p++] = 0;
            if (p == at.size()) break;
        }
        return texts;
    }

    std::vector<std::string> from_powers(const std::string& own) const {
        std::vector<std::string> texts = {own};
        std::vector<Extents> shapes;
        collect({}, globals_.front().size(), shapes);
        std::stable_sort(shapes.begin(), shapes.end(),
                         [](const Extents& a, const Extents& b) { return count_items(a) < count_items(b); });
        for (const Extents& shape : shapes)
            if (fits(shape, params_)) add(texts, format_extents(shape));
        add(texts, "auto");
        return texts;
    }

    void collect(const Extents& before, std::size_t dimensions, std::vector<Extents>& shapes) const {
        if (before.size() == dimensions) {
            if (is_worth(before)) shapes.push_back(before);
            return;
        }
        for (int log = kMostLogExtent; log >= 0; --log) {
            Extents longer = before;
            longer.push_back(std::uint64_t{1} << log);
            const std::uint64_t most = device_.max_work_group_size;
            if (most == 0 || count_items(longer) <= most) collect(longer, dimensions, shapes);
        }
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

    static void add(std::vector<std::string>& texts, const std::string& text) {
        if (texts.size() < kMostWorkGroupsOffered &&
            std::find(texts.begin(), texts.end(), text) == texts.end())
            texts.push_back(text);
    }

    const KernelSpec& spec_;
    const DeviceInfo& device_;
    Scope scope_;  ///< with sizes and device
    ParamChoice params_;
    std::vector<std::vector<ParamValue>> space_;  ///< values to try for each parameter, in the file's order
    std::vector<std::vector<Expression>> globals_, locals_;
    std::vector<Expression> requirements_;
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
