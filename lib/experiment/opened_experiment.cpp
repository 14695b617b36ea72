// SPDX-License-Identifier: Apache-2.0
#include "experiment/opened_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/plan.hpp"
#include "model/finding_words.hpp"
#include "report/tables.hpp"

namespace kwb {
namespace {

constexpr std::int64_t kUsualTile = 16;

std::vector<std::string> device_words(const DeviceList& list) {
    std::vector<std::string> words;
    for (const DeviceInfo& device : list.devices) words.push_back(device.id);
    return words;
}

/// "GPU" for "gpu"; empty if the word is not a kind of device.
std::string kind_asked_for(const std::string& word) {
    if (word == to_string(DeviceKind::Gpu)) return "GPU";
    if (word == to_string(DeviceKind::Cpu)) return "CPU";
    if (word == to_string(DeviceKind::Accelerator)) return "accelerator";
    return "";
}

std::string remedy_for(const std::string& kind) {
    if (kind == "CPU") return "PoCL turns the CPU into one: apt-get install pocl-opencl-icd.";
    return "If this machine has one, its vendor's OpenCL driver is missing or broken; run 'kwb doctor'.";
}

/// Why drivers did not load or have no device; one of them may be for the device that the user expects.
std::string failure_lines(const DeviceList& list) {
    std::string lines;
    for (const DriverFailure& failure : list.failures)
        lines += "\n" + failure.driver_file + ": " + failure.reason;
    for (const IdleDriver& driver : list.idle_drivers) lines += "\n" + describe(driver);
    return lines;
}

/// True if `word` is part of the driver's name, or is the name of its file.
bool is_driver(const std::string& word, const std::string& name, const std::string& file) {
    const std::string stem = to_lower(std::filesystem::path(file).stem().string());
    return to_lower(name).find(word) != std::string::npos || stem == word;
}

/// Throw an error if the requested driver exists but failed to load or has no device.
void refuse_driver(const DeviceList& list, const std::string& wanted, const std::string& word) {
    const std::string driver = word.substr(0, word.find(':'));
    if (driver.empty()) return;
    const std::string there = "; available: " + enumerate(device_words(list));
    for (const IdleDriver& idle : list.idle_drivers)
        if (is_driver(driver, idle.name, idle.driver_file))
            throw EnvironmentError("--device " + wanted + ": " + describe(idle) + there);
    for (const DriverFailure& failure : list.failures)
        if (is_driver(driver, failure.name, failure.driver_file))
            throw EnvironmentError("--device " + wanted + ": " + failure.driver_file + ": " + failure.reason +
                                   there);
}

/// Throw an error that no device has the requested kind. The option is valid, so this is no BadInput.
[[noreturn]] void refuse_kind(const DeviceList& list, const std::string& wanted, const std::string& kind) {
    std::vector<std::string> there;
    for (const DeviceInfo& device : list.devices) there.push_back(device.id + " (" + device.name + ")");
    throw EnvironmentError("--device " + wanted + ": OpenCL finds no " + kind + ", only " + enumerate(there) +
                           "; choose from these, or leave --device out. " + remedy_for(kind) +
                           failure_lines(list));
}

/// A bare number is a position in the list, because the digits in names such as "Xeon E5-2680" are never
/// meant.
bool is_place(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// The device at that place, from 0.
const DeviceInfo& device_at(const DeviceList& list, const std::string& place) {
    std::size_t at = 0;
    const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), at);
    if (error == std::errc{} && at < list.devices.size()) return list.devices[at];
    std::vector<std::string> there;
    for (std::size_t i = 0; i < list.devices.size(); ++i)
        there.push_back(fmt::format("{} ({})", i, list.devices[i].id));
    throw BadInput(fmt::format("--device {}: 'kwb devices' numbers the devices from 0; available: {}", place,
                               enumerate(there)));
}

bool answers_to(const DeviceInfo& device, const std::string& word) {
    if (is_place(word)) return false;  // unknown until the list is complete
    return device.id == word || to_string(device.kind) == word ||
           to_lower(device.name).find(word) != std::string::npos ||
           to_lower(device.platform).find(word) != std::string::npos ||
           device.id.substr(0, device.id.find(':')) == word;
}

std::string name_of(const std::optional<KernelFile>& kernel) {
    return kernel ? kernel->spec.name : kHostBlasName;
}

std::size_t baseline_index(const OpenedExperiment& experiment) {
    if (!experiment.baseline) return 0;
    std::vector<std::string> names;
    for (const auto& kernel : experiment.contestants) names.push_back(name_of(kernel));
    const auto found = std::find(names.begin(), names.end(), *experiment.baseline);
    if (found == names.end())
        throw BadInput("--baseline " + *experiment.baseline + " is not among the kernels to run (" +
                       join(names, ", ") + ")." + did_you_mean(*experiment.baseline, names));
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

bool has_device(const DeviceList& list, const std::string& wanted) {
    return std::ranges::any_of(list.devices, [word = to_lower(wanted)](const DeviceInfo& device) {
        return answers_to(device, word);
    });
}

const DeviceInfo& choose_device(const DeviceList& list, const std::optional<std::string>& wanted) {
    if (list.devices.empty())
        throw EnvironmentError(
            "no OpenCL device was found; to use the CPU as one: apt-get install pocl-opencl-icd" +
            failure_lines(list));
    if (!wanted) {
        for (const DeviceKind kind : {DeviceKind::Gpu, DeviceKind::Accelerator, DeviceKind::Cpu})
            for (const DeviceInfo& device : list.devices)
                if (device.kind == kind) return device;
        return list.devices.front();
    }
    const std::string word = to_lower(*wanted);
    if (is_place(word)) return device_at(list, word);
    std::vector<const DeviceInfo*> found;
    for (const DeviceInfo& device : list.devices) {
        if (device.id == word) return device;
        if (answers_to(device, word)) found.push_back(&device);
    }
    if (found.empty()) {
        if (const std::string kind = kind_asked_for(word); !kind.empty()) refuse_kind(list, *wanted, kind);
        refuse_driver(list, *wanted, word);
        throw BadInput("unknown device '" + *wanted + "'; available: " + enumerate(device_words(list)) + "." +
                       did_you_mean(*wanted, device_words(list)) + " 'kwb devices' describes them.");
    }
    if (found.size() > 1) {
        std::vector<std::string> ids;
        for (const DeviceInfo* device : found) ids.push_back(device->id);
        throw BadInput("device '" + *wanted + "' matches " + enumerate(ids, "or") +
                       "; name only one of them");
    }
    return *found.front();
}

const Problem& problem_of(const KernelFile& kernel) {
    if (kernel.spec.problem.empty()) refuse_without_problem(kernel);
    if (kernel.own_problem) return *kernel.own_problem;
    try {
        return get_problem(kernel.spec.problem);
    } catch (const BadInput& error) {
        refuse_key(kernel, "problem", error.what());
    }
}

const Problem& common_problem(const std::vector<std::optional<KernelFile>>& contestants,
                              const std::optional<std::string>& asked) {
    const Problem* problem = nullptr;
    std::string of;
    for (const auto& kernel : contestants) {
        if (!kernel || kernel->refusal) continue;
        const Problem& own = problem_of(*kernel);
        if (problem != nullptr && !is_same_problem(own, *problem))
            throw BadInput(of + " solves " + problem->name() + ", " + kernel->spec.name + " solves " +
                           own.name() + "; only kernels of one problem can be compared");
        problem = &own;
        of = kernel->spec.name;
    }
    return problem != nullptr ? *problem : get_problem(asked.value_or("matmul"));
}

std::string find_unknown_param(const OpenedExperiment& experiment) {
    std::vector<std::string> known;
    bool any_refused = false;
    for (const auto& kernel : experiment.contestants) {
        if (!kernel) continue;
        any_refused = any_refused || kernel->refusal;
        for (const std::string& name : names_of(kernel->spec.params))
            if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    }
    for (const auto& [name, value] : experiment.choices.params) {
        if (std::ranges::find(known, name) != known.end()) continue;
        const std::string unknown =
            "--param " + name + "=" + value + ": no " + (any_refused ? "valid " : "") +
            "kernel here has a parameter '" + name + "'" +
            (known.empty() ? "; none has parameters" : "; available: " + enumerate(known)) + "." +
            did_you_mean(name, known);
        if (!any_refused) throw BadInput(unknown);
        return unknown;
    }
    return "";
}

namespace {

Plan plan_of(const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
             const DeviceInfo& device) {
    PlanInput input;
    input.problem = &problem;
    input.device = &device;
    input.foreign = experiment.foreign;
    RunRequest& request = input.request;
    request.mode = experiment.check_only ? RunRequest::Mode::Check : RunRequest::Mode::Run;
    request.problem = problem.name();
    request.sizes = sizes;
    request.seed = experiment.seed;
    request.baseline = baseline_index(experiment);
    request.rounds = experiment.rounds;
    request.time_budget_ms = experiment.time_budget_ms;
    if (!request.rounds && !request.time_budget_ms) {
        request.time_budget_ms = kDefaultTimeBudgetMs;
        request.interval_budget_ms = kDefaultIntervalBudgetMs;
    }
    request.timeout_ms = experiment.timeout_ms;
    request.unreadable_pages = experiment.unreadable_pages;
    request.keep_outputs = experiment.keep_outputs;
    request.xray = experiment.xray;
    request.what_if = experiment.what_if;
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        const auto& kernel = experiment.contestants[i];
        PlanInput::Entry& entry = input.entries.emplace_back(PlanInput::Entry{name_of(kernel)});
        if (!kernel) continue;
        entry.file = &*kernel;
        entry.unsaved = experiment.unsaved;
        entry.bad_input = kernel->refusal;
        const KernelChoices& choices =
            experiment.own_choices.empty() ? experiment.choices : experiment.own_choices.at(i);
        entry.choices = choices_for(choices, kernel->spec);
    }
    return plan_run(std::move(input));
}

}  // namespace

namespace {

RunRequest request_of(const OpenedExperiment& experiment, Plan plan) {
    for (const Plan::Entry& entry : plan.entries)
        if (entry.bad_input && plan.instance && !experiment.keeps_refused) throw Refused(*entry.bad_input);
    if (!plan.request) throw Refused(*plan.bad_input);
    return std::move(*plan.request);
}

}  // namespace

RunRequest make_request(const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                        const DeviceInfo& device) {
    return request_of(experiment, plan_of(experiment, problem, sizes, device));
}

RunRequest make_lenient_request(OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                                const DeviceInfo& device) {
    Plan plan = plan_of(experiment, problem, sizes, device);
    if (plan.entries.size() > 1 && plan.instance)
        for (std::size_t i = 0; i < plan.entries.size(); ++i)
            if (experiment.contestants[i] && !plan.entries[i].bad_input) experiment.keeps_refused = true;
    return request_of(experiment, std::move(plan));
}

std::int64_t tile_edge(const KernelPlan& plan) {
    std::uint64_t edge = 0;
    for (const LaunchPlan& launch : plan.launches)
        for (const std::uint64_t extent : launch.local.value_or(std::vector<std::uint64_t>{}))
            edge = std::max(edge, extent);
    return edge > 1 ? static_cast<std::int64_t>(std::min<std::uint64_t>(edge, 256)) : kUsualTile;
}

namespace {

/// An untrusted kernel cannot exempt itself from a size.
bool is_excluded(const Plan& planned) {
    const auto& plan = planned.contestants.front().kernel;
    return plan && plan->trust != Trust::Foreign && plan->refusal &&
           (plan->refusal->code == FindingCode::RequirementFails ||
            plan->refusal->code == FindingCode::TooManyLaunches);
}

/// The indices of the extents. Sizes with a special meaning, such as a stencil's steps, are none.
std::vector<std::size_t> extents_of(const Problem& problem) {
    const Sizes one = problem.square(1), two = problem.square(2);
    std::vector<std::size_t> extents;
    for (std::size_t i = 0; i < one.size(); ++i)
        if (one[i].value != two[i].value) extents.push_back(i);
    return extents;
}

/// `sizes` with all extents as long as the shortest.
Sizes equal_extents(const Problem& problem, Sizes sizes) {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t i : extents_of(problem)) shortest = std::min(shortest, sizes[i].value);
    for (const std::size_t i : extents_of(problem)) sizes[i].value = shortest;
    return sizes;
}

/// Sizes near `sizes` that a kernel may demand instead: multiples of a power of two, powers of two, and all
/// extents equal.
std::vector<Sizes> similar_sizes(const Problem& problem, const Sizes& sizes) {
    constexpr std::int64_t kMostMultiple = 1024;
    std::vector<Sizes> all;
    const auto add = [&](const auto& rounded) {
        Sizes own = sizes;
        for (const std::size_t i : extents_of(problem)) own[i].value = rounded(sizes[i].value);
        for (const Sizes& other : {own, equal_extents(problem, own)})
            if (other != sizes && !problem.find_checking_limit(other) &&
                std::ranges::find(all, other) == all.end())
                all.push_back(other);
    };
    add([](std::int64_t extent) { return extent; });
    for (std::int64_t multiple = 2; multiple <= kMostMultiple; multiple *= 2)
        add([&](std::int64_t extent) { return (extent + multiple - 1) / multiple * multiple; });
    add([](std::int64_t extent) {
        return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
    });
    return all;
}

}  // namespace

AwkwardRequests make_awkward_requests(const OpenedExperiment& experiment, const Problem& problem,
                                      const DeviceInfo& device) {
    AwkwardRequests made;
    std::vector<Sizes> known;
    const auto plan_at = [&](const Sizes& sizes) { return plan_of(experiment, problem, sizes, device); };
    const auto add = [&](const Sizes& sizes, Plan plan) {
        made.requests.push_back(request_of(experiment, std::move(plan)));
        known.push_back(sizes);
    };
    RunRequest usual = make_request(experiment, problem, problem.default_sizes(), device);
    const auto& plan = usual.contestants.front().kernel;
    if (const auto& kernel = experiment.contestants.front(); kernel && !experiment.foreign)
        made.only_size = only_size_of(*kernel, problem);
    const auto fits = [&](const Sizes& sizes, const Plan& planned) {
        return (made.only_size.empty() || sizes == equal_extents(problem, sizes)) && !is_excluded(planned);
    };
    for (const Sizes& sizes : problem.awkward_sizes(plan ? tile_edge(*plan) : kUsualTile)) {
        Plan planned = plan_at(sizes);
        if (fits(sizes, planned)) {
            if (std::ranges::find(known, sizes) == known.end()) add(sizes, std::move(planned));
            continue;
        }
        ++made.excluded;
        for (const Sizes& other : similar_sizes(problem, sizes)) {
            if (std::ranges::find(known, other) != known.end()) break;
            try {
                Plan instead = plan_at(other);
                if (!fits(other, instead)) continue;
                add(other, std::move(instead));
                ++made.replaced;
                break;
            } catch (const BadInput&) {  // no size of the problem
            }
        }
    }
    if (made.requests.empty()) made.requests.push_back(std::move(usual));
    return made;
}

}  // namespace kwb
