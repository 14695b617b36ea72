// SPDX-License-Identifier: Apache-2.0
#include "device_limits.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "base/user_folders.hpp"
#include "catalog/kernel_folders.hpp"
#include "task/ceilings.hpp"
#include "task/kept_ceilings.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

Collected measure(Conversation& conversation, std::vector<Job> jobs, const std::vector<Jobs::Place>& places) {
    Jobs task(std::move(jobs), places, "measuring the device's limits");
    conversation.perform(task);
    if (conversation.interrupted()) throw Interrupted{};
    return task.collect(false);
}

RooflineCeilings rates_of(const Ceilings& ceilings) {
    RooflineCeilings rates;
    if (ceilings.gflops) rates.gflops = ceilings.gflops->value;
    if (ceilings.gbytes_s) rates.gbytes_s = ceilings.gbytes_s->value;
    return rates;
}

}  // namespace

void measure_bounds(Conversation& conversation, std::vector<Jobs::Place>& places,
                    const std::string& problem) {
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < places.size(); ++i)
        for (RunRequest& request : make_bound_requests(open_catalogue({}), places[i].device, problem))
            jobs.push_back({std::move(request), i});
    const Collected all = measure(conversation, std::move(jobs), places);
    for (std::size_t i = 0; i < places.size(); ++i) places[i].bounds = all.results(i);
}

std::vector<RooflineCeilings> find_ceilings(Conversation& conversation,
                                            const std::vector<Jobs::Place>& places) {
    const std::filesystem::path file = data_folder() / kCeilingsFile;
    const LoadedCeilings kept = load_ceilings(file);
    std::vector<RooflineCeilings> found(places.size());
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const DeviceInfo& device = places[i].device;
        const Ceilings* const known = places[i].name.empty() ? known_ceilings(kept.devices, device) : nullptr;
        if (known != nullptr) {
            found[i] = rates_of(*known);
            continue;
        }
        for (RunRequest& request : make_ceiling_requests(open_catalogue({}), device))
            jobs.push_back({std::move(request), i});
    }
    if (jobs.empty()) return found;
    const Collected all = measure(conversation, std::move(jobs), places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::vector<KernelResult> results = all.results(i);
        if (results.empty()) continue;
        Ceilings ceilings = kwb::find_ceilings(results);
        found[i] = rates_of(ceilings);
        if (!places[i].name.empty() || !ceilings.gflops || !ceilings.gbytes_s) continue;
        ceilings.when = std::chrono::system_clock::now();
        if (const auto fault = save_ceilings(file, places[i].device, ceilings))
            print_error("kwb: " + *fault + "\n");
    }
    return found;
}

}  // namespace kwb::cli
