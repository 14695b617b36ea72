#include "desk/preview.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "catalog/declared_problem.hpp"
#include "desk/work_groups.hpp"
#include "model/device_fit.hpp"
#include "problems/problem.hpp"
#include "report/short_labels.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"

namespace kwb {
namespace {

/// Sentences that name a terminal's options, in the words of a window.
std::string for_window(std::string sentence) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {" (--force takes others)", ""},
        {"say it with --problem, keep it beside the file with", "adopt it in a terminal with"},
        {"leave out `auto`, or add --force to see what happens", "choose another work-group"},
        {"--local", "work-group"},
        {"--size", "size"},
    };
    for (const auto& [option, words] : kWords)
        for (std::size_t at = sentence.find(option); at != std::string::npos; at = sentence.find(option))
            sentence.replace(at, option.size(), words);
    return sentence;
}

std::vector<std::string> problems_of_library() {
    std::vector<std::string> names;
    for (const Problem* problem : all_problems())
        if (problem->has_host_library()) names.push_back(problem->name());
    return names;
}

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

/// Bytes of a launch's __local arguments; those of unknown type are left out.
std::uint64_t local_argument_bytes(const LaunchPlan& launch, const OpenedKernel& opened) {
    if (!opened.functions) return 0;
    const auto kernel = std::ranges::find(*opened.functions, launch.kernel, &SourceKernel::name);
    if (kernel == opened.functions->end()) return 0;
    std::uint64_t bytes = 0;
    for (const auto& [name, elements] : launch.local_mem) {
        const auto parameter = std::ranges::find(kernel->parameters, name, &SourceParameter::name);
        if (parameter == kernel->parameters.end() || parameter->kind != SourceParameter::Kind::Local)
            continue;
        if (const auto type = parse_element_type(parameter->type))
            bytes = add_bytes(bytes, multiply_bytes(elements, type->bytes()));
    }
    return bytes;
}

class Previewer {
public:
    Previewer(const Choices& choices, const OpenedKernels& kernels, const DeviceInfo* device,
              std::uint64_t free_memory_bytes)
        : choices_(choices), kernels_(kernels), device_(device), free_memory_bytes_(free_memory_bytes) {}

    Preview make() {
        find_instance();
        for (const ContestantChoice& choice : choices_.contestants) add(choice);
        const std::vector<std::string> labels = make_labels(label_parts_);
        for (std::size_t i = 0; i < labels.size(); ++i) preview_.contestants[i].label = labels[i];
        check_memory();
        preview_.obstacle = find_obstacle();
        if (!preview_.obstacle) preview_.obstacle = add_request();
        return std::move(preview_);
    }

private:
    void find_instance() {
        problem_ = find_chosen_problem();
        try {
            const Problem& problem = problem_ != nullptr ? *problem_ : get_problem(choices_.problem);
            std::vector<std::string> names = problem.size_names();
            if (names_of(choices_.sizes) != names)
                throw BadInput(problem.name() + " has the sizes " + enumerate(names) + "; give each of them");
            for (const auto& [name, value] : choices_.sizes)
                if (value < 1) throw BadInput(name + " is " + std::to_string(value) + "; give at least 1");
            instance_ = problem.at(choices_.sizes);
            checking_limit_ = problem.find_checking_limit(choices_.sizes);
        } catch (const BadInput& error) {
            bad_size_ = error.what();
        }
    }

    /// Of the workbench, or the first that a contestant declares under this name.
    const Problem* find_chosen_problem() const {
        for (const auto& [name, opened] : kernels_)
            if (opened.kernel && opened.kernel->own_problem &&
                opened.kernel->own_problem->name() == choices_.problem)
                return opened.kernel->own_problem.get();
        return find_problem(choices_.problem);
    }

    void add(const ContestantChoice& choice) {
        ContestantPreview shown;
        LabelParts parts{choice.kernel, choice.params,
                         choice.local};  // as typed, in case nothing comes of it
        std::optional<KernelPlan> plan;
        if (choice.kernel == kHostBlasName) {
            shown.title = "The host's own BLAS library, on the processor";
            parts = {choice.kernel, {}, ""};
            if (problem_ != nullptr && !problem_->has_host_library())
                shown.obstacle = "The processor's library has no routine for " + problem_->name() +
                                 "; remove " + kHostBlasName + ", or choose the problem " +
                                 enumerate(problems_of_library(), "or");
        } else {
            plan = add_kernel(choice, shown);
            if (!plan->launches.empty()) parts = label_parts(*plan);
        }
        if (shown.obstacle) shown.obstacle = for_window(*shown.obstacle);
        if (plan && shown.obstacle && plan->launches.empty() && !plan->refusal)
            plan->refusal = shown.obstacle;
        preview_.contestants.push_back(std::move(shown));
        label_parts_.push_back(std::move(parts));
        plans_.push_back({std::move(plan)});
    }

    /// @return  a plan, without launches where there is an obstacle to one
    KernelPlan add_kernel(const ContestantChoice& choice, ContestantPreview& shown) {
        KernelPlan plan;
        plan.name = choice.kernel;
        plan.file = choice.kernel;
        const OpenedKernel* opened = find_named(kernels_, choice.kernel);
        shown.unsaved = opened != nullptr && opened->unsaved;
        if (opened == nullptr || !opened->kernel) {
            shown.unreadable = true;
            shown.obstacle = opened == nullptr || opened->error.empty()
                                 ? choice.kernel + ": there is no such kernel"
                                 : opened->error;
            return plan;
        }
        const KernelFile& file = *opened->kernel;
        shown.title = file.spec.title;
        shown.file = plan.file = file.spec.file;
        plan.source_text = file.spec.source_text;
        plan.source_sha256 = sha256_hex(plan.source_text);
        const NamedList<std::string> typed = known_params(choice, file.spec);
        show_params(file.spec, typed, shown);
        shown.obstacle = find_mismatch(file);
        if (shown.obstacle || !instance_ || device_ == nullptr) return plan;

        PlanChoices choices;
        choices.params = typed;
        shown.locals = offer_work_groups(file, *instance_, *device_, choices);
        try {
            if (!choice.local.empty()) choose_local(choices, choice.local);
            plan = make_plan(file, *instance_, *device_, choices);
            if (opened->unsaved) plan.trust = Trust::Own;  // whoever wrote the file did not write this
        } catch (const BadInput& error) {
            shown.obstacle = error.what();
            return plan;
        }
        shown.obstacle = plan.refusal;
        shown.geometry = describe_geometry(plan);
        for (ParamPreview& param : shown.params)
            if (const ParamValue* value = find_named(plan.params, param.name))
                param.chosen = to_string(*value);
        for (const LaunchPlan& launch : plan.launches) look_at_launch(*opened, launch, shown);
        return plan;
    }

    void look_at_launch(const OpenedKernel& opened, const LaunchPlan& launch,
                        ContestantPreview& shown) const {
        const std::uint64_t local_bytes = local_argument_bytes(launch, opened);
        if (!shown.obstacle)
            shown.obstacle = find_local_memory_fault(launch.kernel, 0, local_bytes, *device_);
        for (std::string& warning : warn_of_typical_gpus(
                 launch.kernel, launch.local.value_or(std::vector<std::uint64_t>{}), local_bytes))
            if (std::find(shown.warnings.begin(), shown.warnings.end(), warning) == shown.warnings.end())
                shown.warnings.push_back(std::move(warning));
    }

    /// A parameter that an edit took out of the file is no longer asked for.
    static NamedList<std::string> known_params(const ContestantChoice& choice, const KernelSpec& spec) {
        NamedList<std::string> known;
        for (const auto& param : choice.params)
            if (find_named(spec.params, param.name) != nullptr) known.push_back(param);
        return known;
    }

    static void show_params(const KernelSpec& spec, const NamedList<std::string>& typed,
                            ContestantPreview& shown) {
        for (const auto& [name, values] : spec.params) {
            ParamPreview param;
            param.name = name;
            for (const ParamValue& value : values) param.values.push_back(to_string(value));
            const std::string* chosen = find_named(typed, name);
            param.chosen = chosen != nullptr ? *chosen : param.values.front();
            shown.params.push_back(std::move(param));
        }
    }

    std::optional<std::string> find_mismatch(const KernelFile& file) const {
        const std::string& own = file.spec.problem;
        if (!file.own_problem && (own.empty() || find_problem(own) == nullptr)) {
            try {
                const auto* declared = dynamic_cast<const DeclaredProblem*>(problem_);
                if (own.empty())
                    refuse_without_problem(file, declared ? declared->file().string() : choices_.problem);
                common_problem({file});
            } catch (const BadInput& error) {
                return error.what();
            }
        }
        if (own != choices_.problem)
            return file.spec.name + " solves " + own + ", but " + choices_.problem + " is chosen; choose " +
                   own + " as the problem, or remove this kernel";
        if (file.own_problem && problem_ != nullptr && !is_same_problem(*file.own_problem, *problem_))
            return file.spec.name + " declares a problem '" + own +
                   "', and so does another of these kernels; remove one, or give the problem another name";
        return std::nullopt;
    }

    void check_memory() {
        if (!instance_ || device_ == nullptr) return;
        std::vector<BufferNeed> needs;
        for (const BufferSpec& buffer : instance_->buffers)
            needs.push_back({buffer.name, multiply_bytes(buffer.elements(), buffer.type.bytes()), 0});
        for (const auto& contestant : plans_)
            if (contestant.kernel)
                for (const auto& [name, scratch] : contestant.kernel->scratch)
                    needs.push_back({name, multiply_bytes(scratch.elements, scratch.type.bytes()), 0});
        for (const BufferNeed& need : needs)
            preview_.device_bytes = add_bytes(preview_.device_bytes, need.payload_bytes);
        auto fault = find_memory_fault(needs, *device_);
        if (!fault) fault = checking_limit_;
        // All buffers lie in the memory shared with the runner, too; guard zones and pages are small change.
        if (!fault)
            fault = find_checking_fault(add_bytes(reference_bytes(*instance_), preview_.device_bytes),
                                        free_memory_bytes_);
        if (fault) bad_memory_ = for_window(*fault);
    }

    std::optional<std::string> find_obstacle() const {
        const std::vector<ContestantPreview>& shown = preview_.contestants;
        if (shown.empty()) return "No kernel is chosen: add one from the list, or open a file.";
        if (shown.size() > kMostContestants)
            return std::to_string(shown.size()) + " kernels are chosen, but at most " +
                   std::to_string(kMostContestants) + " can be compared; remove some.";
        if (device_ == nullptr)
            return "No OpenCL device was found; the processor itself becomes one with: apt-get install "
                   "pocl-opencl-icd";
        if (!bad_size_.empty()) return bad_size_;
        if (bad_memory_) return bad_memory_;
        const bool any =
            std::any_of(shown.begin(), shown.end(), [](const auto& one) { return !one.obstacle; });
        if (any) return std::nullopt;
        if (shown.size() == 1) return shown.front().obstacle;
        return "None of these kernels can run like this; each says why.";
    }

    /// @return  why there is none: what a problem of a person's own needs is missing or broken
    std::optional<std::string> add_request() {
        RunRequest request = make_request();
        try {
            if (problem_ != nullptr) add_declared(request, *problem_, *device_, false);
        } catch (const BadInput& error) {
            return error.what();
        }
        preview_.request = std::move(request);
        return std::nullopt;
    }

    RunRequest make_request() {
        RunRequest request;
        request.device = device_->id;
        request.problem = choices_.problem;
        request.sizes = choices_.sizes;
        request.seed = choices_.seed;
        request.contestants = std::move(plans_);
        request.baseline = std::min(choices_.baseline, request.contestants.size() - 1);
        request.time_budget_ms = choices_.time_budget_ms;
        // Less time than usual was chosen for a quick look.
        if (choices_.time_budget_ms >= kDefaultTimeBudgetMs)
            request.interval_budget_ms = kDefaultIntervalBudgetMs;
        request.timeout_ms = choices_.timeout_ms;
        request.unreadable_pages = choices_.unreadable_pages;
        return request;
    }

    const Choices& choices_;
    const OpenedKernels& kernels_;
    const DeviceInfo* device_;
    std::uint64_t free_memory_bytes_;
    const Problem* problem_ = nullptr;
    std::optional<std::string> checking_limit_;
    std::optional<ProblemInstance> instance_;
    std::string bad_size_;
    std::optional<std::string> bad_memory_;
    std::vector<Contestant> plans_;
    std::vector<LabelParts> label_parts_;
    Preview preview_;
};

}  // namespace

Preview make_preview(const Choices& choices, const OpenedKernels& kernels, const DeviceInfo* device,
                     std::uint64_t free_memory_bytes) {
    return Previewer(choices, kernels, device, free_memory_bytes).make();
}

}  // namespace kwb
