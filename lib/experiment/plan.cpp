// SPDX-License-Identifier: Apache-2.0
#include "experiment/plan.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "catalog/declared_problem.hpp"
#include "catalog/kernel_folders.hpp"
#include "catalog/resolve.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/xray_request.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// @return  the error of `work`, if it was caused by invalid choices or files
template <class Work>
std::optional<Finding> attempt(const Work& work, std::optional<FilePlace>* place = nullptr) {
    try {
        work();
    } catch (const BadInput& error) {
        if (place != nullptr && error.place() != nullptr) *place = *error.place();
        return finding_of(error);
    }
    return std::nullopt;
}

std::vector<std::string> problems_of_library() {
    std::vector<std::string> names;
    for (const Problem* problem : all_problems())
        if (problem->has_host_library()) names.push_back(problem->name());
    return names;
}

/// Add a problem declared by the user, evaluated at the sizes of the request.
void add_declared(RunRequest& request, const Problem& problem, const DeviceInfo& device, bool foreign) {
    const auto known = problem.evaluate(request.sizes, device);
    if (known == nullptr) return;
    auto declared = std::make_shared<DeclaredInstance>(*known);
    if (auto& reference = declared->reference)
        reference->trust = foreign ? Trust::Foreign : trust_of(reference->file, shipped_kernels());
    request.declared = std::move(declared);
}

/// Size of the __local arguments of a launch in bytes; arguments of unknown type are left out.
std::uint64_t local_argument_bytes(const LaunchPlan& launch,
                                   const std::optional<std::vector<SourceKernel>>& functions) {
    if (!functions) return 0;
    const auto kernel = std::ranges::find(*functions, launch.kernel, &SourceKernel::name);
    if (kernel == functions->end()) return 0;
    std::uint64_t bytes = 0;
    for (const auto& [name, elements] : launch.local_mem) {
        const auto parameter = std::ranges::find(kernel->parameters, name, &KernelParameter::name);
        if (parameter == kernel->parameters.end() || !parameter->is_local()) continue;
        if (const auto type = parse_element_type(parameter->element_type()))
            bytes = add_bytes(bytes, multiply_bytes(elements, type->bytes()));
    }
    return bytes;
}

class Planner {
public:
    explicit Planner(PlanInput input) : input_(std::move(input)), request_(input_.request) {}

    Plan plan() {
        plan_.bad_input = attempt([&] { find_instance(); });
        for (const PlanInput::Entry& entry : input_.entries) add(entry);
        check_memory();
        if (!plan_.bad_input && input_.device != nullptr) make_request();
        return std::move(plan_);
    }

private:
    const Problem& chosen_problem() const {
        return input_.problem != nullptr ? *input_.problem : get_problem(request_.problem);
    }

    void find_instance() {
        const Problem& problem = chosen_problem();
        const std::vector<std::string> names = problem.size_names();
        if (names_of(request_.sizes) != names)
            throw BadInput(problem.name() + " has the sizes " + enumerate(names) + "; give each of them");
        for (const auto& [name, value] : request_.sizes)
            if (value < 1) throw BadInput(name + " is " + std::to_string(value) + "; give at least 1");
        plan_.instance = problem.at(request_.sizes);
        if (auto limit = problem.find_checking_limit(request_.sizes))
            not_checkable_ = remark(std::move(*limit), FindingCode::NotCheckable);
    }

    void add(const PlanInput::Entry& entry) {
        Plan::Entry& found = plan_.entries.emplace_back();
        found.bad_input = entry.bad_input;
        if (entry.name == kHostBlasName) {
            plan_.contestants.emplace_back();
            if (input_.problem != nullptr && !input_.problem->has_host_library())
                found.misfit = Finding{.code = FindingCode::NoHostLibrary,
                                       .subject = input_.problem->name(),
                                       .texts = {{"others", enumerate(problems_of_library(), "or")}},
                                       .remedy = Remedy{RemedyKind::Problem}};
            return;
        }
        KernelPlan plan = unplanned(entry);
        const DeviceInfo* device = entry.device != nullptr ? entry.device : input_.device;
        if (!found.bad_input) found.bad_input = find_mismatch(*entry.file);
        if (!found.bad_input && plan_.instance && device != nullptr)
            found.bad_input = attempt(
                [&] {
                    KernelChoices choices = entry.choices;
                    // A run with unreadable pages detects the same out-of-bounds accesses as a check.
                    choices.checking = request_.mode == RunRequest::Mode::Check || request_.unreadable_pages;
                    plan = make_kernel_plan(*entry.file, *plan_.instance, *device, choices, input_.foreign);
                    if (entry.unsaved) plan.trust = Trust::Own;
                },
                &found.place);
        if (found.bad_input)
            plan.refusal = found.bad_input;
        else if (device != nullptr)
            look_at(plan, entry.functions, *device, found);
        if (entry.device != nullptr && (input_.device == nullptr || entry.device->id != input_.device->id)) {
            plan.device = entry.device->id;
            if (!found.bad_input && !found.misfit && plan_.instance)
                found.misfit = find_memory_fault(needs_of({&plan}), *entry.device);
        }
        std::optional<XraySize> small;
        if (!found.bad_input && !found.misfit && device != nullptr)
            small = small_size_of(entry, plan, *device);
        plan_.contestants.push_back({std::move(plan), std::move(small)});
    }

    /// A check already has small sizes.
    std::optional<XraySize> small_size_of(const PlanInput::Entry& entry, const KernelPlan& plan,
                                          const DeviceInfo& device) const {
        if (!request_.xray || request_.mode == RunRequest::Mode::Check) return std::nullopt;
        return choose_xray_size(*entry.file, plan, chosen_problem(), device, entry.choices);
    }

    /// A plan with only those fields that are known without evaluating the kernel.
    static KernelPlan unplanned(const PlanInput::Entry& entry) {
        KernelPlan plan;
        plan.name = plan.file = entry.name;
        if (entry.file == nullptr) return plan;
        plan.file = entry.file->spec.file;
        plan.source_text = entry.file->spec.source_text;
        if (!entry.file->refusal) plan.source_sha256 = sha256_hex(plan.source_text);
        return plan;
    }

    static void look_at(const KernelPlan& plan, const std::optional<std::vector<SourceKernel>>& functions,
                        const DeviceInfo& device, Plan::Entry& found) {
        found.misfit = plan.refusal;
        for (const LaunchPlan& launch : plan.launches) {
            const std::uint64_t local_bytes = local_argument_bytes(launch, functions);
            if (!found.misfit) found.misfit = find_local_memory_fault(launch.kernel, 0, local_bytes, device);
            for (Finding& warning : warn_of_typical_gpus(
                     launch.kernel, launch.local.value_or(std::vector<std::uint64_t>{}), local_bytes))
                if (std::ranges::find(found.warnings, warning) == found.warnings.end())
                    found.warnings.push_back(std::move(warning));
        }
    }

    /// Find out if the kernel does not solve the chosen problem.
    std::optional<Finding> find_mismatch(const KernelFile& file) const {
        const std::string& own = file.spec.problem;
        if (!file.own_problem && (own.empty() || find_problem(own) == nullptr)) {
            auto unknown = attempt([&] {
                const std::string declared =
                    input_.problem != nullptr ? input_.problem->file().string() : std::string();
                if (own.empty()) refuse_without_problem(file, declared.empty() ? request_.problem : declared);
                common_problem({file});
            });
            if (unknown) return unknown;
        }
        if (own != request_.problem)
            return Finding{.code = FindingCode::OtherProblem,
                           .subject = file.spec.name,
                           .texts = {{"own", own}, {"chosen", request_.problem}},
                           .remedy = Remedy{RemedyKind::Problem, own}};
        if (file.own_problem && input_.problem != nullptr &&
            !is_same_problem(*file.own_problem, *input_.problem))
            return Finding{
                .code = FindingCode::SameProblemName, .subject = file.spec.name, .texts = {{"problem", own}}};
        return std::nullopt;
    }

    /// The buffers of the problem and the scratch buffers of these kernels.
    std::vector<BufferNeed> needs_of(const std::vector<const KernelPlan*>& kernels) const {
        std::vector<BufferNeed> needs;
        for (const BufferSpec& buffer : plan_.instance->buffers)
            needs.push_back({buffer.name, multiply_bytes(buffer.elements(), buffer.type.bytes()), 0});
        for (const KernelPlan* kernel : kernels)
            for (const auto& [name, scratch] : kernel->scratch)
                needs.push_back({name, multiply_bytes(scratch.elements, scratch.type.bytes()), 0});
        return needs;
    }

    void check_memory() {
        if (!plan_.instance || input_.device == nullptr) return;
        std::vector<const KernelPlan*> here;
        for (const Contestant& contestant : plan_.contestants)
            if (contestant.kernel && contestant.kernel->device.empty()) here.push_back(&*contestant.kernel);
        const std::vector<BufferNeed> needs = needs_of(here);
        for (const BufferNeed& need : needs)
            plan_.device_bytes = add_bytes(plan_.device_bytes, need.payload_bytes);
        plan_.misfit = find_memory_fault(needs, *input_.device);
        if (!plan_.misfit) plan_.misfit = not_checkable_;
        // All buffers are also in memory shared with the runner. Guard zones and pages are negligible.
        if (!plan_.misfit)
            plan_.misfit = find_checking_fault(
                add_bytes(reference_bytes(*plan_.instance), plan_.device_bytes), input_.free_memory_bytes);
    }

    void make_request() {
        request_.device = input_.device->id;
        request_.contestants = plan_.contestants;
        if (!request_.contestants.empty())
            request_.baseline = std::min(request_.baseline, request_.contestants.size() - 1);
        if (input_.problem != nullptr)
            plan_.bad_input =
                attempt([&] { add_declared(request_, *input_.problem, *input_.device, input_.foreign); });
        if (!plan_.bad_input) plan_.request = std::move(request_);
    }

    PlanInput input_;
    RunRequest request_;
    std::optional<Finding> not_checkable_;
    Plan plan_;
};

}  // namespace

Plan plan_run(PlanInput input) {
    return Planner(std::move(input)).plan();
}

KernelPlan make_kernel_plan(const KernelFile& kernel, const ProblemInstance& problem,
                            const DeviceInfo& device, const KernelChoices& choices, bool foreign) {
    if (kernel.spec.launches.empty() && kernel.spec.begun)
        refuse_key(
            kernel, "launch",
            "[launch] lacks its kernel or its global size, which only the command line infers; add them");
    if (kernel.spec.launches.empty())
        refuse_undeclared(kernel, "does not declare its launch", "[launch] with kernel, local and global");
    KernelPlan plan = resolve(kernel, problem, device, choices);
    plan.trust = foreign ? Trust::Foreign : trust_of(plan.file, shipped_kernels());
    return plan;
}

KernelChoices choices_for(KernelChoices all, const KernelSpec& spec) {
    std::erase_if(all.params, [&](const Named<std::string>& param) {
        return find_named(spec.params, param.name) == nullptr;
    });
    return all;
}

void choose_local(KernelChoices& choices, const std::string& text) {
    if (text == "auto") {
        choices.local_auto = true;
        return;
    }
    const auto refuse = [&](FindingCode code) {
        throw Refused({.code = code, .subject = text, .remedy = Remedy{RemedyKind::WorkGroup}});
    };
    std::vector<std::uint64_t> local;
    for (const std::string& piece : split(to_lower(text), 'x')) {
        std::uint64_t extent = 0;
        const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), extent);
        if (error != std::errc{} || end != piece.data() + piece.size() || extent == 0 || extent > (1u << 24))
            refuse(FindingCode::MalformedWorkGroup);
        local.push_back(extent);
    }
    if (local.size() > 3) refuse(FindingCode::TooManyDimensions);
    choices.local = local;
}

}  // namespace kwb
