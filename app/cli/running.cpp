#include "running.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "report/results_csv.hpp"
#include "report/results_json.hpp"
#include "report/text_layout.hpp"
#include "session/kernel_folders.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

using Output = Named<std::string>;  ///< option → file

std::vector<Output> output_files(const Options& options) {
    std::vector<Output> outputs;
    if (options.json && *options.json != "-") outputs.push_back({"--json", *options.json});
    if (options.csv && *options.csv != "-") outputs.push_back({"--csv", *options.csv});
    if (options.report && *options.report != "-") outputs.push_back({"--report", *options.report});
    return outputs;
}

/// Links and different spellings of one path included; two files that are not there yet are compared by path.
/// Devices such as /dev/null take any number of outputs.
bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    if (fs::exists(a, missing) && !fs::is_regular_file(a, missing)) return false;
    return fs::equivalent(a, b, missing) ||
           fs::weakly_canonical(fs::absolute(a), missing) == fs::weakly_canonical(fs::absolute(b), missing);
}

void refuse_one_output_for_two(const Options& options) {
    const std::vector<Output> outputs = output_files(options);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = i + 1; j < outputs.size(); ++j)
            if (same_file(outputs[i].value, outputs[j].value))
                throw BadInput(outputs[i].name + " " + outputs[i].value + " and " + outputs[j].name + " " +
                               outputs[j].value + " are one file; give each a file of its own");
}

/// No output may replace what a person wrote.
void refuse_output_over(const Options& options, const KernelFile& kernel) {
    const fs::path file = kernel.spec.file;
    std::vector<fs::path> sources = {file, kernel.declared_in, file.string() + ".toml"};
    for (const auto& include : kernel.includes) sources.push_back(file.parent_path() / include.name);
    if (kernel.own_problem)
        for (const fs::path& neighbour : kernel.own_problem->neighbours()) sources.push_back(neighbour);
    for (const auto& [option, output] : output_files(options))
        for (const fs::path& source : sources)
            if (same_file(output, source))
                throw BadInput(option + " " + output + " would replace " + source.string() +
                               ", which belongs to the kernel " + kernel.spec.name +
                               "; give the output another name");
}

}  // namespace

Experiment open_experiment(const Options& options, Said& said) {
    refuse_one_output_for_two(options);
    const Catalogue catalogue = open_catalogue(options.folders);
    Experiment experiment;
    bool has_blas = false;
    for (const std::string& kernel : options.kernels) {
        has_blas = has_blas || kernel == kHostBlasName;
        experiment.contestants.push_back(kernel == kHostBlasName ? Choice() : Choice(catalogue.open(kernel)));
        if (experiment.contestants.back()) refuse_output_over(options, *experiment.contestants.back());
    }
    complete_kernels(experiment.contestants, options.own, said);
    for (const auto& file : {options.json, options.csv, options.report})
        if (file) require_output(*file);
    if (options.baseline == kHostBlasName && !has_blas) experiment.contestants.push_back(std::nullopt);
    experiment.choices = options.choices;
    experiment.baseline = options.baseline;
    experiment.seed = options.seed;
    experiment.rounds = options.rounds;
    experiment.time_budget_ms = options.time_budget_ms;
    experiment.timeout_ms = options.timeout_ms;
    experiment.unreadable_pages = options.unreadable_pages;
    experiment.foreign = options.foreign;
    experiment.keep_outputs = options.save_outputs.has_value();
    return experiment;
}

void tell(const Options& options, const Experiment& experiment, const Said& said) {
    if (said.empty()) return;
    const bool any_declares_nothing =
        std::any_of(experiment.contestants.begin(), experiment.contestants.end(),
                    [](const Choice& choice) { return choice && choice->places.empty(); });
    std::string text;
    for (const std::string& line : said) text += printable(line) + '\n';
    text += any_declares_nothing
                ? "  keep it: 'kwb adopt' with the same options writes it beside the kernel\n\n"
                : "  keep it: write it as [launch] into the kernel's declarations\n\n";
    text = plain_signs(text, table_options());
    if (options.data_on_stdout())
        write_stderr(text);
    else
        write_stdout(text);
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
