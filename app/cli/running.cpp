#include "running.hpp"

#include <algorithm>

#include "report/results_csv.hpp"
#include "report/results_json.hpp"
#include "session/kernel_folders.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {

Experiment open_experiment(const Options& options) {
    for (const auto& file : {options.json, options.csv})
        if (file) require_output(*file);
    const Catalogue catalogue = open_catalogue(options.folders);
    Experiment experiment;
    bool has_blas = false;
    for (const std::string& kernel : options.kernels) {
        has_blas = has_blas || kernel == kHostBlasName;
        experiment.contestants.push_back(kernel == kHostBlasName ? Choice() : Choice(catalogue.open(kernel)));
    }
    if (options.baseline == kHostBlasName && !has_blas) experiment.contestants.push_back(std::nullopt);
    experiment.choices = options.choices;
    experiment.baseline = options.baseline;
    experiment.seed = options.seed;
    experiment.rounds = options.rounds;
    experiment.time_budget_ms = options.time_budget_ms;
    experiment.timeout_ms = options.timeout_ms;
    return experiment;
}

int finish(const Options& options, const Environment& environment, const std::vector<KernelResult>& results,
           const std::string& text, bool interrupted) {
    if (!options.data_on_stdout()) write_stdout(text);
    if (options.json) write_output(*options.json, results_to_json(environment, results));
    if (options.csv) write_output(*options.csv, results_to_csv(results));
    if (interrupted) return kExitInterrupted;
    const bool good = std::all_of(results.begin(), results.end(),
                                  [](const KernelResult& result) { return result.as_expected(); });
    return good ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
