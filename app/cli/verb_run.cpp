// kwb run, sweep, check.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "conversation.hpp"
#include "report/check_table.hpp"
#include "report/results_table.hpp"
#include "report/sweep_table.hpp"
#include "report/text_layout.hpp"
#include "running.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace {

/// Results over several requests.
struct Collected {
    Environment environment;
    std::vector<KernelResult> results;

    void add(const Snapshot& snapshot) {
        environment = snapshot.environment;
        results.insert(results.end(), snapshot.results.begin(), snapshot.results.end());
    }
};

std::vector<Sizes> chosen_sizes(const Options& options, const Problem& problem) {
    std::vector<Sizes> sizes;
    for (const std::string& text : options.sizes) {
        Sizes size = parse_sizes(problem, text);
        // One named twice would run twice and tell nothing new.
        if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(std::move(size));
    }
    if (!sizes.empty()) return sizes;
    return {options.size ? parse_sizes(problem, *options.size) : problem.default_sizes()};
}

std::string headline(const Problem& problem, const std::string& sizes, const DeviceInfo& device,
                     const TableOptions& options) {
    return plain_signs(fmt::format("{}, {}, on {} ({})\n\n", problem.title(), sizes, device.name, device.id),
                       options);
}

std::string numbered(std::size_t i, std::size_t n) {
    return n == 1 ? "" : fmt::format("size {} of {}", i + 1, n);
}

}  // namespace

int run_kernels(const Options& options) {
    const Experiment experiment = open_experiment(options);
    const Problem& problem = common_problem(experiment.contestants);
    const std::vector<Sizes> sizes = chosen_sizes(options, problem);

    Conversation conversation;
    const DeviceList devices = conversation.list_devices();
    const DeviceInfo& device = choose_device(devices, options.device);
    // All requests are made before the first runs: bad input at the last size must not cost the others.
    std::vector<RunRequest> requests;
    for (const Sizes& size : sizes) requests.push_back(make_request(experiment, problem, size, device));

    Collected all;
    for (std::size_t i = 0; i < requests.size() && !conversation.interrupted(); ++i)
        all.add(*conversation.run(std::move(requests[i]), numbered(i, requests.size())));

    const TableOptions table = table_options();
    const bool sweeps = options.verb == Verb::Sweep;
    const std::string text =
        headline(problem, sweeps ? fmt::format("{} sizes", sizes.size()) : "size " + to_string(sizes.front()),
                 device, table) +
        (sweeps ? sweep_table(all.results, table) : results_table(all.results, table));
    return finish(options, all.environment, all.results, text, conversation.interrupted());
}

int check_kernels(const Options& options) {
    Experiment experiment = open_experiment(options);
    experiment.check_only = true;
    const Problem& problem = common_problem(experiment.contestants);

    Conversation conversation;
    const DeviceList devices = conversation.list_devices();
    const DeviceInfo& device = choose_device(devices, options.device);
    std::vector<RunRequest> requests;
    for (const Choice& contestant : experiment.contestants) {
        Experiment alone = experiment;
        alone.contestants = {contestant};
        alone.baseline.reset();
        std::vector<Sizes> sizes = chosen_sizes(options, problem);
        const RunRequest usual = make_request(alone, problem, sizes.front(), device);
        if (!options.size) {
            const auto& plan = usual.contestants.front().kernel;
            sizes = problem.awkward_sizes(plan ? tile_edge(*plan) : 16);
        }
        for (const Sizes& size : sizes) requests.push_back(make_request(alone, problem, size, device));
    }

    Collected all;
    for (std::size_t i = 0; i < requests.size() && !conversation.interrupted(); ++i)
        all.add(*conversation.run(std::move(requests[i]), numbered(i, requests.size())));

    const TableOptions table = table_options();
    const std::string text = headline(problem, "checked with exact and with random inputs", device, table) +
                             check_table(all.results, table);
    return finish(options, all.environment, all.results, text, conversation.interrupted());
}

}  // namespace kwb::cli
