// SPDX-License-Identifier: Apache-2.0
#include "desk/preview.hpp"

#include "desk/lone_contestant.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/declared_problem.hpp"
#include "catalog/expression.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_words.hpp"
#include "experiment/plan.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"
#include "model/plan.hpp"
#include "problems/problem.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace {

// ---- Suitable work-group sizes ----

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

/// The kernel's default first ("auto" if it leaves the choice to the driver), then others that fit the
/// device, divide the NDRange and meet the kernel's requirements. If `local` is an expression over
/// parameters, these are the sizes that the listed parameter values produce. Otherwise they are powers of
/// two, either with an aspect ratio of at most eight or a single row, and "auto".
/// @param choices  chosen parameters; the chosen work-group size is ignored
/// @return  in the form that choose_local() parses; empty if nothing can be evaluated
/// Does not throw because of the kernel or the choices.
std::vector<std::string> offer_work_groups(const KernelFile& kernel, const ProblemInstance& problem,
                                           const DeviceInfo& device, const KernelChoices& choices) {
    if (kernel.spec.launches.empty()) return {};
    try {
        return Offer(kernel, problem, device, choices).list();
    } catch (const BadInput&) {
        return {};  // the contestant's obstacle explains it
    }
}

// ---- The preview of a contestant ----

std::string spaced(const std::vector<std::uint64_t>& extents) {
    std::vector<std::string> texts;
    for (const std::uint64_t extent : extents) texts.push_back(std::to_string(extent));
    return join(texts, " \u00d7 ");
}

/// "64 × 64 work-groups of 16 × 16"
std::string describe_geometry(const KernelPlan& plan) {
    if (plan.launches.empty()) return "";
    const LaunchPlan& launch = plan.launches.front();
    std::string text;
    if (!launch.local) {
        text = spaced(launch.global) + " work-items, the driver chooses the work-groups";
    } else {
        std::vector<std::uint64_t> groups = launch.global;
        for (std::size_t d = 0; d < groups.size(); ++d)
            groups[d] /= std::max<std::uint64_t>(1, (*launch.local)[d]);
        text = spaced(groups) + " work-groups of " + spaced(*launch.local);
    }
    if (plan.launches.size() > 1) text += ", first of " + std::to_string(plan.launches.size()) + " launches";
    return text;
}

bool mentions_name(std::string_view text, std::string_view name) {
    const auto belongs = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !belongs(text[at - 1])) && (end == text.size() || !belongs(text[end]))) return true;
    }
    return false;
}

LaunchShape shape_of(const KernelPlan& plan, const KernelSpec& spec, const Sizes& sizes) {
    LaunchShape shape;
    if (plan.launches.size() != 1 || spec.launches.size() != 1) return shape;
    const LaunchPlan& launch = plan.launches.front();
    shape.global = launch.global;
    if (launch.local) shape.local = *launch.local;
    shape.along.resize(shape.global.size());
    for (std::size_t d = 0; d < shape.global.size() && d < spec.launches.front().global.size(); ++d) {
        const std::uint64_t step = shape.local.empty() ? 1 : std::max<std::uint64_t>(1, shape.local[d]);
        std::vector<std::string> names;
        for (const auto& size : sizes)
            if (mentions_name(spec.launches.front().global[d].text, size.name)) names.push_back(size.name);
        if (names.size() != 1) continue;
        const auto extent = static_cast<std::uint64_t>(*find_named(sizes, names.front()));
        if (shape.global[d] == (extent + step - 1) / step * step) shape.along[d] = names.front();
    }
    return shape;
}

/// A problem that a contestant declares under this name, or else a built-in one.
const Problem* find_chosen_problem(const std::string& chosen, const OpenedKernels& kernels) {
    for (const auto& [name, opened] : kernels)
        if (opened.kernel && opened.kernel->own_problem && opened.kernel->own_problem->name() == chosen)
            return opened.kernel->own_problem.get();
    return find_problem(chosen);
}

PlanInput::Entry entry_of(const Experiment::Contestant& choice, const OpenedKernels& kernels,
                          const DeviceList& known) {
    PlanInput::Entry entry{choice.kernel};
    if (choice.kernel == kHostBlasName) return entry;
    if (!choice.device.empty()) {
        const auto found = std::ranges::find(known.devices, choice.device, &DeviceInfo::id);
        if (found != known.devices.end())
            entry.device = &*found;
        else
            entry.bad_input = remark(
                "the device " + choice.device + " was not found; choose another one for " + choice.kernel,
                FindingCode::BadInput);
    }
    const OpenedKernel* opened = find_named(kernels, choice.kernel);
    entry.unsaved = opened != nullptr && opened->unsaved;
    if (opened == nullptr || !opened->kernel) {
        entry.bad_input =
            remark(opened == nullptr || opened->error.empty() ? choice.kernel + ": there is no such kernel"
                                                              : opened->error,
                   FindingCode::BadInput);
        return entry;
    }
    entry.file = &*opened->kernel;
    entry.functions = opened->functions;
    entry.choices.params = choice.params;
    entry.choices = choices_for(std::move(entry.choices), entry.file->spec);  // an edit may remove some
    try {
        if (!choice.local.empty()) choose_local(entry.choices, choice.local);
    } catch (const Refused& refused) {
        entry.bad_input = refused.finding();
    }
    return entry;
}

RunRequest request_of(const Experiment& choices) {
    RunRequest request;
    request.problem = choices.problem;
    request.sizes = choices.sizes;
    request.seed = choices.seed;
    request.baseline = choices.baseline;
    request.time_budget_ms = choices.time_budget_ms;
    // A shorter time budget than the default means a quick look, without extra time for intervals.
    if (choices.time_budget_ms >= kDefaultTimeBudgetMs) request.interval_budget_ms = kDefaultIntervalBudgetMs;
    request.timeout_ms = choices.timeout_ms;
    request.unreadable_pages = choices.unreadable_pages;
    return request;
}

std::vector<ParamPreview> show_params(const KernelSpec& spec, const NamedList<std::string>& typed,
                                      const ParamChoice& planned) {
    std::vector<ParamPreview> params;
    for (const auto& [name, values] : spec.params) {
        ParamPreview& param = params.emplace_back();
        param.name = name;
        for (const ParamValue& value : values) param.values.push_back(to_string(value));
        const std::string* chosen = find_named(typed, name);
        param.chosen = chosen != nullptr ? *chosen : param.values.front();
        if (const ParamValue* value = find_named(planned, name)) param.chosen = to_string(*value);
    }
    return params;
}

Preview::Contestant show(const PlanInput::Entry& entry, const Plan::Entry& found,
                         const Contestant& contestant, const Plan& plan, const Sizes& sizes,
                         const DeviceInfo* device) {
    Preview::Contestant shown;
    if (const auto& obstacle = found.bad_input ? found.bad_input : found.misfit)
        shown.obstacle = sentence_of(*obstacle, Face::Window);
    shown.place = found.place;
    for (const Finding& warning : found.warnings)
        shown.warnings.push_back(sentence_of(warning, Face::Window));
    if (!contestant.kernel) {
        shown.title = "The CPU's BLAS library";
        return shown;
    }
    shown.unsaved = entry.unsaved;
    shown.unreadable = entry.file == nullptr;
    if (shown.unreadable) return shown;
    shown.title = entry.file->spec.title;
    shown.file = entry.file->spec.file;
    shown.params = show_params(entry.file->spec, entry.choices.params, contestant.kernel->params);
    shown.geometry = describe_geometry(*contestant.kernel);
    shown.launch = shape_of(*contestant.kernel, entry.file->spec, sizes);
    if (entry.device != nullptr) device = entry.device;
    if (plan.instance && device != nullptr)
        shown.locals = offer_work_groups(*entry.file, *plan.instance, *device, entry.choices);
    return shown;
}

std::string words_for_type(const KernelParameter& parameter) {
    std::string words;
    if (!parameter.is_value() && parameter.space != AddressSpace::Other)
        words = std::string(to_string(parameter.space)) + " ";
    if (parameter.is_const) words += "const ";
    return words + parameter.type_name;
}

/// Lists to choose from.
void offer(CompletedLaunch& shown, const SourceKernel& function, const ProblemInstance& problem) {
    const std::vector<ArgumentOffer> offers = offer_arguments(function, problem);
    for (std::size_t i = 0; i < offers.size(); ++i) shown.arguments[i].offer = offers[i];
    shown.macros = offer_expressions(problem);
    shown.ranges = offer_ranges(problem);
    for (const BufferSpec& buffer : problem.buffers) {
        const std::string type = to_string(buffer.type);
        if (std::ranges::find(shown.macros, type) == shown.macros.end()) shown.macros.push_back(type);
        if (buffer.access != Access::Read) shown.outputs.push_back(buffer.name);
    }
    shown.macros.insert(shown.macros.end(), {"1", "8", "16", "32", "64", "256"});
}

/// What was chosen by name, before there is a launch. Values without a name count for all arguments.
void take_chosen(CompletedLaunch& shown, const OwnText& own) {
    try {
        const OwnOptions options = read_own_text(own);
        NamedList<std::string> values = options.local_mem;
        for (const std::string& piece : options.args) {
            const std::size_t at = piece.find('=');
            if (at != std::string::npos)
                values.push_back(
                    {std::string(trim(piece.substr(0, at))), std::string(trim(piece.substr(at + 1)))});
            else
                shown.is_by_order = true;
        }
        for (CompletedLaunch::Argument& argument : shown.arguments)
            if (const std::string* const value = find_named(values, argument.parameter))
                argument.value = *value;
    } catch (const BadInput&) {  // the kernel's error says so
    }
}

CompletedLaunch completed_launch(const OpenedKernel& opened, const OwnText* own,
                                 const std::optional<ProblemInstance>& problem) {
    CompletedLaunch shown;
    const LaunchSpec* launch = nullptr;
    if (opened.kernel && !opened.kernel->spec.launches.empty())
        launch = &opened.kernel->spec.launches.front();
    const std::vector<SourceKernel>& functions = *opened.functions;
    if (launch != nullptr)
        shown.function = launch->kernel;
    else if (own != nullptr && !own->entry.empty())
        shown.function = own->entry;
    else if (functions.size() == 1)
        shown.function = functions.front().name;
    const auto function = std::ranges::find(functions, shown.function, &SourceKernel::name);
    if (function == functions.end()) return shown;
    for (const KernelParameter& parameter : function->parameters) {
        std::string value;
        if (launch != nullptr) {
            value = parameter.name;  // unless it is bound to something else
            if (const Written* bound = find_named(launch->args, parameter.name)) value = bound->text;
            if (const Written* elements = find_named(launch->local_mem, parameter.name))
                value = elements->text + " elements";
        }
        shown.arguments.push_back({parameter.name, words_for_type(parameter), value});
    }
    if (problem) offer(shown, *function, *problem);
    if (launch == nullptr && own != nullptr) take_chosen(shown, *own);
    if (launch == nullptr) return shown;
    shown.global = join_written(launch->global, ", ");
    if (launch->local) shown.local = join_written(*launch->local, ", ");
    return shown;
}

/// Why nothing can run; empty if something can.
std::optional<std::string> find_obstacle(const Preview& preview, const Plan& plan, bool has_device) {
    const std::vector<Preview::Contestant>& shown = preview.contestants;
    if (shown.empty()) return "No kernel is chosen: add one from the list, or open a file.";
    if (shown.size() > kMostContestants)
        return std::to_string(shown.size()) + " kernels are chosen, but at most " +
               std::to_string(kMostContestants) + " can be compared; remove some.";
    if (!has_device)
        return "No OpenCL device was found; to use the CPU as one: apt-get install "
               "pocl-opencl-icd";
    if (!plan.instance) return sentence_of(*plan.bad_input, Face::Window);
    if (plan.misfit) return sentence_of(*plan.misfit, Face::Window);
    if (std::ranges::all_of(shown, [](const Preview::Contestant& one) { return one.obstacle.has_value(); }))
        return shown.size() == 1 ? shown.front().obstacle
                                 : "None of these kernels can run like this; each shows the reason.";
    if (plan.bad_input) return sentence_of(*plan.bad_input, Face::Window);
    return std::nullopt;
}

}  // namespace

bool CompletedLaunch::is_guessed() const {
    if (is_by_order) return false;
    const auto is_open = [](const Argument& one) { return one.value.empty(); };
    return std::ranges::any_of(arguments, is_open) &&
           std::ranges::all_of(
               arguments, [&](const Argument& one) { return !is_open(one) || !one.offer.guess.empty(); });
}

std::string CompletedLaunch::missing() const {
    if (is_by_order) return "";
    if (function.empty()) return "choose the kernel function";
    if (is_guessed()) return "check what each argument gets, then press Run";
    std::vector<std::string> open;
    for (const Argument& argument : arguments)
        if (argument.value.empty() && argument.offer.guess.empty()) open.push_back(argument.parameter);
    return open.empty() ? "" : "choose what is passed for " + enumerate(open);
}

Preview make_preview(const Experiment& choices, const OpenedKernels& kernels, const DeviceInfo* device,
                     const DeviceList& known, PreviewFor purpose) {
    PlanInput input;
    for (const Experiment::Contestant& choice : choices.contestants)
        input.entries.push_back(entry_of(choice, kernels, known));
    input.request = request_of(choices);
    input.request.xray = choices.xray && purpose == PreviewFor::Run;
    input.problem = find_chosen_problem(choices.problem, kernels);
    input.device = device;
    input.free_memory_bytes = known.free_memory_bytes;
    Plan plan = plan_run(input);

    Preview preview;
    preview.device_bytes = plan.device_bytes;
    std::vector<LabelParts> parts;
    for (std::size_t i = 0; i < plan.entries.size(); ++i) {
        const Experiment::Contestant& choice = choices.contestants[i];
        const Contestant& contestant = plan.contestants[i];
        preview.contestants.push_back(
            show(input.entries[i], plan.entries[i], contestant, plan, choices.sizes, device));
        const OpenedKernel* opened = find_named(kernels, choice.kernel);
        Preview::Contestant& shown = preview.contestants.back();
        if (opened != nullptr && !opened->error.empty()) shown.place = opened->place;
        if (opened != nullptr && opened->is_bare) {
            shown.is_bare = true;
            shown.may_keep = opened->may_keep;
            shown.notes = opened->notes;
            shown.missing_macros = opened->missing_macros;
            if (opened->functions) {
                for (const SourceKernel& function : *opened->functions)
                    shown.functions.push_back(function.name);
                shown.completed =
                    completed_launch(*opened, find_named(choices.own, choice.kernel), plan.instance);
                // In terms of the form, unless what was chosen there is at fault.
                if (const std::string missing = shown.completed.missing();
                    !opened->error.empty() && !missing.empty())
                    shown.obstacle = std::filesystem::path(choice.kernel).filename().string() + ": " +
                                     missing + ", in its row under Kernels" +
                                     (opened->assumed_problem.empty() ? "" : "\n" + opened->assumed_problem);
            }
        }
        if (!contestant.kernel)
            parts.push_back({choice.kernel, {}, ""});
        else if (contestant.kernel->launches.empty())  // as typed, because there is no plan
            parts.push_back({choice.kernel, choice.params, choice.local});
        else
            parts.push_back(label_parts(*contestant.kernel));
        if (contestant.kernel && parts.back().device.empty() && device != nullptr)
            parts.back().device = device->id;
    }
    const std::vector<std::string> labels = make_labels(parts);
    for (std::size_t i = 0; i < labels.size(); ++i) preview.contestants[i].label = labels[i];
    preview.obstacle = find_obstacle(preview, plan, device != nullptr);
    if (!preview.obstacle) preview.request = std::move(plan.request);
    return preview;
}

LoneContestant lone_contestant(const Experiment& choices, std::size_t contestant,
                               const OpenedKernels& kernels, const DeviceInfo& device,
                               const DeviceList& known) {
    const PlanInput::Entry entry = entry_of(choices.contestants[contestant], kernels, known);
    if (entry.bad_input) throw BadInput(sentence_of(*entry.bad_input, Face::Window));
    LoneContestant one;
    one.device = entry.device != nullptr ? *entry.device : device;
    one.experiment.contestants = {*entry.file};
    one.experiment.choices = entry.choices;
    one.experiment.seed = choices.seed;
    one.experiment.timeout_ms = choices.timeout_ms;
    one.experiment.check_only = true;
    one.experiment.unsaved = entry.unsaved;
    one.experiment.xray = choices.xray;
    return one;
}

}  // namespace kwb
