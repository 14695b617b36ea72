// SPDX-License-Identifier: Apache-2.0
#include "desk/preview.hpp"

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "catalog/declared_problem.hpp"
#include "desk/lone_contestant.hpp"
#include "desk/work_group_offers.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_words.hpp"
#include "experiment/plan.hpp"
#include "model/finding_words.hpp"
#include "model/plan.hpp"
#include "problems/problem.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace {

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
