// SPDX-License-Identifier: Apache-2.0
#include "catalog/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/expression.hpp"
#include "catalog/place.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

using Extents = std::vector<std::uint64_t>;

/// Limit on the launches of a kernel with counters, because each is sent, bound and enqueued separately.
constexpr std::uint64_t kMostCounted = 4096;

/// Arguments of all launches, a list by its numbers: the judge takes no message of more than kMostJsonValues.
constexpr std::size_t kMostBound = 200'000;

class Resolver {
public:
    Resolver(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
             const KernelChoices& choices)
        : file_(file), spec_(file.spec), problem_(problem), device_(device), choices_(choices) {}

    KernelPlan resolve() {
        if (spec_.launches.empty())
            throw BadInput(
                fmt::format("{}: the launch of this kernel is not declared. Add a front matter with [launch] "
                            "to its first comment, or write {}.toml",
                            file_.declared_in, spec_.file));
        copy_text();
        scope_ = make_scope(problem_, device_);
        for (const auto& param : spec_.params)
            if (scope_.find(param.name))
                refuse_key(file_, "params." + param.name,
                           fmt::format("parameter {} has the same name as a size of {}. Rename it",
                                       param.name, problem_.problem));
        plan_.params = choose_params(file_, scope_, choices_);
        add_params(scope_, plan_.params);
        add_macros();
        base_scope_ = scope_;
        check_requirements(false);
        try {
            // Outside a launch, local.x refers to the first launch.
            std::vector<std::optional<Extents>> locals;
            for (const LaunchSpec& launch : spec_.launches) locals.push_back(local_of(launch));
            if (locals.front()) add_local(scope_, *locals.front());
            check_requirements(true);
            resolve_build();
            resolve_buffers();
            resolve_launches(locals);
            resolve_cost();
        } catch (const BadInput&) {
            // At a size that a requirement excludes, expressions may have no value.
            if (!plan_.refusal) throw;
        }
        resolve_expectation();
        return std::move(plan_);
    }

private:
    // ---- Evaluation of expressions with their places ----

    template <typename Evaluate>
    auto evaluated(const Written& written, const Evaluate& evaluate) const {
        return located(file_.declared_in, written, [&] { return evaluate(parsed(written.text)); });
    }

    /// Launches that count evaluate the same expressions thousands of times.
    const Expression& parsed(const std::string& text) const {
        const auto known = parsed_.find(text);
        return known != parsed_.end() ? known->second
                                      : parsed_.emplace(text, Expression::parse(text)).first->second;
    }

    std::uint64_t count(const Written& written, const Scope& scope) const {
        return evaluated(written, [&](const Expression& e) { return e.evaluate_count(scope); });
    }
    bool truth(const Written& written, const Scope& scope) const {
        return evaluated(written, [&](const Expression& e) { return e.evaluate_truth(scope); });
    }
    Value value(const Written& written, const Scope& scope) const {
        return evaluated(written, [&](const Expression& e) { return e.evaluate(scope); });
    }
    std::uint64_t positive(const Written& written, const Scope& scope, const char* what) const {
        const std::uint64_t result = count(written, scope);
        if (result == 0)
            refuse_at(file_.declared_in, written, fmt::format("{} is 0. It must be at least 1", what));
        return result;
    }
    void refuse(Finding finding) {
        if (!plan_.refusal) plan_.refusal = std::move(finding);
    }

    // ---- Parts of the plan ----

    void copy_text() {
        plan_.name = spec_.name;
        plan_.file = spec_.file;
        plan_.source_text = spec_.source_text;
        plan_.source_sha256 = sha256_hex(spec_.source_text);
        plan_.includes = file_.includes;
        plan_.build_options = spec_.build_options;
    }

    bool has_chosen_local(const LaunchSpec& launch) const {
        return choices_.local && !choices_.local_auto && choices_.local->size() == launch.global.size();
    }

    std::optional<Extents> local_of(const LaunchSpec& launch) const {
        if (choices_.local_auto) {
            for (const Written& extent : launch.local.value_or(std::vector<Written>{}))
                if (depends_on_params(extent, spec_.params) && !choices_.force_params)
                    throw Refused({.code = FindingCode::WorkGroupIsFixed,
                                   .subject = spec_.name,
                                   .texts = {{"extent", extent.text}},
                                   .remedy = Remedy{RemedyKind::WorkGroup}});
            return std::nullopt;
        }
        if (has_chosen_local(launch)) return choices_.local;
        if (!launch.local) return std::nullopt;
        Extents local;
        for (const Written& extent : *launch.local)
            local.push_back(positive(extent, scope_, "this local size"));
        return local;
    }

    /// Macros from [defines] can be used in expressions too, unless a size or parameter has the same name.
    /// Macros that depend on local.x cannot, because the work-group size may in turn depend on them.
    void add_macros() {
        for (const auto& [name, written] : spec_.defines) {
            if (scope_.find(name) != nullptr) continue;
            const std::vector<std::string> used = Expression::parse(written.text).names();
            const bool known = std::all_of(used.begin(), used.end(),
                                           [&](const std::string& other) { return scope_.find(other); });
            if (!known) continue;
            try {
                scope_.set(name, value(written, scope_));
            } catch (const BadInput&) {  // reported by resolve_build(), unless a requirement fails
            }
        }
    }

    /// @param of_local requirements about the work-group; others may exclude that it has a size
    void check_requirements(bool of_local) {
        for (const auto& [name, condition] : spec_.require) {
            if (plan_.refusal) return;
            const std::vector<std::string> names = parsed(condition.text).names();
            const auto is_local = [](const std::string& used) { return used.starts_with("local."); };
            if (std::ranges::any_of(names, is_local) != of_local || truth(condition, scope_)) continue;
            std::vector<std::string> values;
            for (const std::string& used : names)
                if (const Value* known = scope_.find(used))
                    values.push_back(fmt::format("{} = {}", used, to_string(*known)));
            refuse({.code = FindingCode::RequirementFails,
                    .subject = name,
                    .texts = {{"condition", condition.text}, {"values", enumerate(values)}}});
        }
    }

    void resolve_build() {
        for (const auto& param : plan_.params) plan_.defines.push_back({param.name, to_string(param.value)});
        for (const auto& [name, expression] : spec_.defines) {
            const auto text = macro_text_of(value(expression, scope_));
            if (!text)
                refuse_at(file_.declared_in, expression, "a macro cannot be a list. Use a number or a text");
            plan_.defines.push_back({name, *text});
        }
    }

    std::vector<std::string> buffer_names() const {
        std::vector<std::string> names = names_of(spec_.scratch);
        for (const BufferSpec& buffer : problem_.buffers) names.push_back(buffer.name);
        return names;
    }

    bool is_buffer(std::string_view name) const {
        return problem_.find_buffer(name) || find_named(spec_.scratch, name);
    }

    void require_buffer(const std::string& name, const char* where, const std::string& key) const {
        if (is_buffer(name)) return;
        refuse_key(file_, key,
                   fmt::format("{} names `{}`, which is not a buffer; the buffers are {}.{}", where, name,
                               enumerate(buffer_names()), did_you_mean(name, buffer_names())));
    }

    /// [init] must not change an input: the kernel would be blamed for the wrong result.
    void require_written(const std::string& name) const {
        const BufferSpec* buffer = problem_.find_buffer(name);
        if (buffer == nullptr || buffer->access != Access::Read) return;
        std::vector<std::string> outputs;
        for (const BufferSpec& other : problem_.buffers)
            if (other.access != Access::Read) outputs.push_back(other.name);
        refuse_key(file_, "init." + name,
                   fmt::format("{} is only read, but init works for outputs: {}", name, enumerate(outputs)));
    }

    void resolve_buffers() {
        for (const auto& [name, scratch] : spec_.scratch) {
            if (problem_.find_buffer(name))
                refuse_at(file_.declared_in, scratch.elements,
                          fmt::format("{} is already a buffer of {}. Give the scratch buffer another name",
                                      name, problem_.problem));
            const std::uint64_t elements = positive(scratch.elements, scope_, "the size of this buffer");
            if (device_.max_alloc_bytes != 0 && elements > device_.max_alloc_bytes / scratch.type.bytes())
                refuse({.code = FindingCode::ScratchTooLarge,
                        .subject = name,
                        .numbers = {{"elements", static_cast<double>(elements)},
                                    {"most_bytes", static_cast<double>(device_.max_alloc_bytes)}},
                        .remedy = Remedy{RemedyKind::Size}});
            plan_.scratch.push_back({name, {scratch.type, elements}});
        }
        for (const auto& init : spec_.init) {
            require_buffer(init.name, "[init]", "init." + init.name);
            require_written(init.name);
        }
        plan_.init = spec_.init;
    }

    void resolve_launches(const std::vector<std::optional<Extents>>& locals) {
        add_launches(locals, 0, spec_.launches.size(), 0, base_scope_);
        if (plan_.launches.empty()) refuse({.code = FindingCode::NoLaunchApplies, .subject = spec_.name});
    }

    /// Adds the launches [first, last), which have the same first `depth` counters, for one value of each.
    void add_launches(const std::vector<std::optional<Extents>>& locals, std::size_t first, std::size_t last,
                      std::size_t depth, const Scope& outer) {
        for (std::size_t i = first; i < last && !stopped_; ++i) {
            const LaunchSpec& launch = spec_.launches[i];
            Scope scope = outer;
            if (locals[i]) add_local(scope, *locals[i]);
            if (launch.counters.size() <= depth) {
                add_launch(i, locals[i], scope);
                continue;
            }
            const auto& [name, times] = launch.counters[depth];
            if (scope.find(name) != nullptr)
                refuse_at(file_.declared_in, times,
                          fmt::format("{} already has a value. Give the counter another name", name));
            const std::size_t begin = i;
            while (i + 1 < last && counts_alike(launch, spec_.launches[i + 1], depth)) ++i;
            const std::uint64_t values = count(times, scope);
            Scope inner = outer;
            for (std::uint64_t value = 0; value < values && !stopped_; ++value) {
                counted_ += i + 1 - begin;
                if (counted_ > kMostCounted) return refuse_launches();
                inner.set(name, static_cast<std::int64_t>(value));
                add_launches(locals, begin, i + 1, depth + 1, inner);
            }
        }
    }

    void refuse_launches() {
        stopped_ = true;
        refuse({.code = FindingCode::TooManyLaunches,
                .subject = spec_.name,
                .numbers = {{"most", static_cast<double>(kMostCounted)}},
                .remedy = Remedy{RemedyKind::Size}});
    }

    static bool counts_alike(const LaunchSpec& one, const LaunchSpec& other, std::size_t depth) {
        return other.counters.size() > depth && one.counters[depth].name == other.counters[depth].name &&
               one.counters[depth].value.text == other.counters[depth].value.text;
    }

    void add_launch(std::size_t i, const std::optional<Extents>& local, const Scope& scope) {
        const LaunchSpec& launch = spec_.launches[i];
        if (launch.when && !truth(*launch.when, scope)) return;
        const std::uint64_t repeat = launch.repeat ? count(*launch.repeat, scope) : 1;
        if (repeat == 0) return;
        repeated_ += std::min(repeat, kMostLaunches + 1);
        if (repeated_ > kMostLaunches)
            refuse_at(file_.declared_in, launch.repeat ? *launch.repeat : launch.global.front(),
                      fmt::format("with {} of this launch, the run has more than {} launches. Repeat fewer "
                                  "times, or do more per launch",
                                  repeat, kMostLaunches));
        plan_.launches.push_back(resolve_launch(launch, local, scope));
        plan_.launches.back().repeat = repeat;
        if (!launch.counters.empty()) plan_.launches.back().counted = static_cast<std::uint32_t>(i);
        bound_ += bound_values(plan_.launches.back());
        if (bound_ > kMostBound) refuse_launches();
    }

    static std::size_t bound_values(const LaunchPlan& launch) {
        std::size_t values = launch.local_mem.size();
        for (const auto& [name, given] : launch.args) {
            const auto* list = std::get_if<VectorValue>(&given);
            values += list != nullptr ? list->size() : 1;
        }
        return values;
    }

    LaunchPlan resolve_launch(const LaunchSpec& launch, const std::optional<Extents>& local,
                              const Scope& scope) {
        LaunchPlan plan;
        plan.kernel = launch.kernel;
        plan.local = local;
        // If the driver chooses the work-group size, any global size is valid, so local.x … evaluate to 1.
        Scope global_scope = scope;
        if (!local) add_local(global_scope, Extents(launch.global.size(), 1));
        for (const Written& extent : launch.global)
            plan.global.push_back(positive(extent, global_scope, "this global size"));
        if (local) check_shape(launch, plan);

        for (const auto& [name, written] : launch.args) plan.args.push_back({name, binding(written, scope)});
        for (const auto& [name, elements] : launch.local_mem)
            plan.local_mem.push_back({name, positive(elements, scope, "the size of this local memory")});
        if (launch.swap) {
            const std::string key = fmt::format("launch.{}.swap", &launch - spec_.launches.data());
            require_buffer(launch.swap->first, "swap", key);
            require_buffer(launch.swap->second, "swap", key);
            plan.swap = launch.swap;
        }
        return plan;
    }

    Binding binding(const Written& written, const Scope& scope) const {
        const std::string name(trim(written.text));
        if (is_buffer(name)) return BufferName{name};
        if (const ScalarSpec* known = problem_.find_scalar(name)) return known->value;
        if (name == kNullPointer && !scope.find(name)) return VectorValue{};
        if (const auto sampler = parse_sampler(name)) return *sampler;
        if (auto exact = exact_numbers(written, scope)) return std::move(*exact);
        if (!scope.find(name) && (name.starts_with("nearest") || name.starts_with("linear")))
            refuse_at(file_.declared_in, written,
                      fmt::format("`{}` is not a sampler; {}", name, kSamplerNames));
        const auto names = parsed(written.text).names();
        if (names.size() == 1 && names.front() == name && !scope.find(name)) {
            std::vector<std::string> known = buffer_names();
            const std::vector<std::string> numbers = scope.names();
            known.insert(known.end(), numbers.begin(), numbers.end());
            refuse_at(file_.declared_in, written,
                      fmt::format("`{}` is neither a buffer nor a number; the buffers are {}.{}", name,
                                  enumerate(buffer_names()), did_you_mean(name, known)));
        }
        const Value result = value(written, scope);
        if (const auto number = scalar(result)) return *number;
        if (const Value::List* list = result.list();
            list && !list->empty() && list->size() <= kMostComponents) {
            VectorValue vector;
            for (const Value& component : *list)
                if (const auto number = scalar(component)) vector.push_back(*number);
            if (vector.size() == list->size()) return vector;
        }
        refuse_at(file_.declared_in, written,
                  fmt::format("an argument is a buffer's name, a number, null for no buffer, or a list of "
                              "numbers, e.g. [1, 2] for a float2 or a structure; this is {}",
                              result.kind()));
    }

    static constexpr std::size_t kMostComponents = 64;

    /// "inf", "[N, 0x1.8p3]"; nullopt if none of them needs this form.
    std::optional<Binding> exact_numbers(const Written& written, const Scope& scope) const {
        const std::vector<std::string> items = list_items(written.text);
        const auto exact_of = [&](const std::string& item) {
            return scope.find(item) ? std::nullopt : parse_exact_float(item);
        };
        if (items.size() > kMostComponents ||
            std::ranges::none_of(items, [&](const std::string& item) { return exact_of(item).has_value(); }))
            return std::nullopt;
        VectorValue numbers;
        for (const std::string& item : items) {
            if (const auto exact = exact_of(item)) {
                numbers.emplace_back(*exact);
                continue;
            }
            Written one = written;
            one.text = item;
            const auto number = scalar(value(one, scope));
            if (!number) return std::nullopt;
            numbers.push_back(*number);
        }
        return written.text.find('[') != std::string::npos ? Binding(numbers) : Binding(numbers.front());
    }

    static std::optional<ScalarValue> scalar(const Value& value) {
        if (const Number* number = value.number())
            return number->is_whole() ? ScalarValue(number->numerator()) : ScalarValue(number->to_double());
        if (const bool* flag = value.truth()) return ScalarValue(std::int64_t{*flag ? 1 : 0});
        return std::nullopt;
    }

    /// A work-group size that the user chose is bad input. One that the file declares is a refusal, because
    /// it may fit another problem size or device.
    void check_shape(const LaunchSpec& launch, const LaunchPlan& plan) {
        std::optional<Finding> fault = find_shape_fault(plan, device_);
        if (!fault) return;
        if (has_chosen_local(launch)) {
            fault->place = spec_.name;
            throw Refused(std::move(*fault));
        }
        refuse(std::move(*fault));
    }

    void resolve_cost() {
        const auto cost = [&](const std::optional<Written>& written) -> std::optional<double> {
            if (!written) return std::nullopt;
            const Number number =
                evaluated(*written, [&](const Expression& e) { return e.evaluate_number(scope_); });
            if (number < Number(0))
                refuse_at(file_.declared_in, *written, fmt::format("{} is negative", to_string(number)));
            return number.to_double();
        };
        plan_.flops = cost(spec_.flops);
        plan_.bytes = cost(spec_.moves);
    }

    void resolve_expectation() {
        const auto other_mode = choices_.checking ? ExpectSpec::Mode::Run : ExpectSpec::Mode::Check;
        for (const ExpectSpec& rule : spec_.expect) {
            if (rule.mode == other_mode || (rule.when && !truth(*rule.when, scope_))) continue;
            plan_.expected = Expectation{rule.verdicts, rule.why};
            return;
        }
    }

    const KernelFile& file_;
    const KernelSpec& spec_;
    const ProblemInstance& problem_;
    const DeviceInfo& device_;
    const KernelChoices& choices_;
    Scope base_scope_;  ///< parameters, sizes, device
    Scope scope_;       ///< base_scope_ and, once known, the first launch's local size
    mutable std::map<std::string, Expression> parsed_;  ///< by text
    KernelPlan plan_;
    bool stopped_ = false;        ///< by refuse_launches()
    std::uint64_t counted_ = 0;   ///< values of all counters so far, each once a launch that has it
    std::size_t bound_ = 0;       ///< arguments of all launches so far
    std::uint64_t repeated_ = 0;  ///< launches so far, repeats included
};

}  // namespace

KernelPlan resolve(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
                   const KernelChoices& choices) {
    return Resolver(file, problem, device, choices).resolve();
}

}  // namespace kwb
