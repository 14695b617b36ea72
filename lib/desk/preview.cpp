#include "desk/preview.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/declared_problem.hpp"
#include "desk/work_groups.hpp"
#include "model/finding_words.hpp"
#include "problems/problem.hpp"
#include "report/labels.hpp"
#include "session/plan.hpp"

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

/// A problem that a contestant declares under this name, or else a built-in one.
const Problem* find_chosen_problem(const std::string& chosen, const OpenedKernels& kernels) {
    for (const auto& [name, opened] : kernels)
        if (opened.kernel && opened.kernel->own_problem && opened.kernel->own_problem->name() == chosen)
            return opened.kernel->own_problem.get();
    return find_problem(chosen);
}

/// The chosen parameters, without those that an edit has removed from the file.
NamedList<std::string> known_params(const Choices::Contestant& choice, const KernelSpec& spec) {
    NamedList<std::string> known;
    for (const auto& param : choice.params)
        if (find_named(spec.params, param.name) != nullptr) known.push_back(param);
    return known;
}

PlanInput::Entry entry_of(const Choices::Contestant& choice, const OpenedKernels& kernels) {
    PlanInput::Entry entry{choice.kernel};
    if (choice.kernel == kHostBlasName) return entry;
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
    entry.choices.params = known_params(choice, entry.file->spec);
    try {
        if (!choice.local.empty()) choose_local(entry.choices, choice.local);
    } catch (const Refused& refused) {
        entry.bad_input = refused.finding();
    }
    return entry;
}

RunRequest request_of(const Choices& choices) {
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
                         const Contestant& contestant, const Plan& plan, const DeviceInfo* device) {
    Preview::Contestant shown;
    if (const auto& obstacle = found.bad_input ? found.bad_input : found.misfit)
        shown.obstacle = sentence_of(*obstacle, Face::Window);
    for (const Finding& warning : found.warnings)
        shown.warnings.push_back(sentence_of(warning, Face::Window));
    if (!contestant.kernel) {
        shown.title = "The host's own BLAS library, on the processor";
        return shown;
    }
    shown.unsaved = entry.unsaved;
    shown.unreadable = entry.file == nullptr;
    if (shown.unreadable) return shown;
    shown.title = entry.file->spec.title;
    shown.file = entry.file->spec.file;
    shown.params = show_params(entry.file->spec, entry.choices.params, contestant.kernel->params);
    shown.geometry = describe_geometry(*contestant.kernel);
    if (plan.instance && device != nullptr)
        shown.locals = offer_work_groups(*entry.file, *plan.instance, *device, entry.choices);
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
        return "No OpenCL device was found; to use the processor as one: apt-get install "
               "pocl-opencl-icd";
    if (!plan.instance) return sentence_of(*plan.bad_input, Face::Window);
    if (plan.misfit) return sentence_of(*plan.misfit, Face::Window);
    if (std::ranges::all_of(shown, [](const Preview::Contestant& one) { return one.obstacle.has_value(); }))
        return shown.size() == 1 ? shown.front().obstacle
                                 : "None of these kernels can run like this; each says why.";
    if (plan.bad_input) return sentence_of(*plan.bad_input, Face::Window);
    return std::nullopt;
}

}  // namespace

Preview make_preview(const Choices& choices, const OpenedKernels& kernels, const DeviceInfo* device,
                     std::uint64_t free_memory_bytes) {
    PlanInput input;
    for (const Choices::Contestant& choice : choices.contestants)
        input.entries.push_back(entry_of(choice, kernels));
    input.request = request_of(choices);
    input.problem = find_chosen_problem(choices.problem, kernels);
    input.device = device;
    input.free_memory_bytes = free_memory_bytes;
    Plan plan = plan_run(input);

    Preview preview;
    preview.device_bytes = plan.device_bytes;
    std::vector<LabelParts> parts;
    for (std::size_t i = 0; i < plan.entries.size(); ++i) {
        const Choices::Contestant& choice = choices.contestants[i];
        const Contestant& contestant = plan.contestants[i];
        preview.contestants.push_back(show(input.entries[i], plan.entries[i], contestant, plan, device));
        if (!contestant.kernel)
            parts.push_back({choice.kernel, {}, ""});
        else if (contestant.kernel->launches.empty())  // as typed, because there is no plan
            parts.push_back({choice.kernel, choice.params, choice.local});
        else
            parts.push_back(label_parts(*contestant.kernel));
    }
    const std::vector<std::string> labels = make_labels(parts);
    for (std::size_t i = 0; i < labels.size(); ++i) preview.contestants[i].label = labels[i];
    preview.obstacle = find_obstacle(preview, plan, device != nullptr);
    if (!preview.obstacle) preview.request = std::move(plan.request);
    return preview;
}

}  // namespace kwb
