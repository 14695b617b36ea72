#include "running.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/documents.hpp"
#include "report/text_layout.hpp"
#include "catalog/catalogue.hpp"
#include "session/own_kernel.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace {

void refuse_one_output_for_two(const std::vector<Named<std::string>>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = i + 1; j < outputs.size(); ++j)
            if (is_same_file(outputs[i].value, outputs[j].value))
                throw BadInput(outputs[i].name + " " + outputs[i].value + " and " + outputs[j].name + " " +
                               outputs[j].value + " are the same file; give each its own");
}

}  // namespace

std::vector<Named<std::string>> output_files(const Options& options) {
    std::vector<Named<std::string>> outputs;
    if (options.json && *options.json != "-") outputs.push_back({"--json", *options.json});
    if (options.csv && *options.csv != "-") outputs.push_back({"--csv", *options.csv});
    if (options.report && *options.report != "-") outputs.push_back({"--report", *options.report});
    return outputs;
}

void refuse_outputs_over(const Options& options, const KernelFile& kernel) {
    for (const auto& [option, output] : output_files(options))
        refuse_replacing(option + " " + output, output, kernel);
}

Experiment open_experiment(const Options& options, Notes& notes) {
    refuse_one_output_for_two(output_files(options));
    const Catalogue catalogue = open_catalogue(options.folders);
    Experiment experiment;
    bool has_blas = false;
    for (const std::string& kernel : options.kernels) {
        has_blas = has_blas || kernel == kHostBlasName;
        experiment.contestants.push_back(kernel == kHostBlasName ? std::nullopt
                                                                 : std::optional(catalogue.open(kernel)));
    }
    complete_kernels(experiment.contestants, options.own, notes);
    for (const auto& contestant : experiment.contestants)  // only now does each have its problem
        if (contestant) refuse_outputs_over(options, *contestant);
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

void tell(const Options& options, const Experiment& experiment, const Notes& notes) {
    if (const std::string unread = explain_unread_sources(); !unread.empty())
        write_stderr("kwb: " + unread + '\n');
    if (notes.empty()) return;
    std::string text;
    for (const std::string& line : notes) text += printable(line) + '\n';
    bool any_declares_nothing = false;
    for (const auto& choice : experiment.contestants) {
        if (!choice || !choice->places.empty()) continue;
        any_declares_nothing = true;
        text += "  keep it: " + printable(adopt_command(*choice, options.own)) + '\n';
    }
    if (!any_declares_nothing) text += "  keep it: write it as [launch] into the kernel's declarations\n";
    text += '\n';
    text = plain_signs(text, table_options());
    if (options.data_on_stdout())
        write_stderr(text);
    else
        write_stdout(text);
}

int finish(const Options& options, const Environment& environment, const std::vector<KernelResult>& results,
           Conclusion conclusion) {
    std::vector<std::string> failures;
    if (!conclusion.error.empty()) failures.push_back(std::move(conclusion.error));
    const std::size_t environment_errors = failures.size();
    if (!conclusion.save_error.empty()) failures.push_back(std::move(conclusion.save_error));
    // If one output cannot be written, still write the others.
    const auto write = [&](const std::optional<std::string>& file, const auto& make) {
        if (!file) return;
        try {
            write_output(*file, make());
        } catch (const BadInput& error) {
            failures.push_back(error.what());
        }
    };
    if (!options.data_on_stdout()) write("-", [&] { return conclusion.text; });
    write(options.json, [&] { return results_to_json(environment, results); });
    write(options.csv, [&] { return results_to_csv(results); });
    write(options.report, [&] { return conclusion.page; });
    const std::string all = join(failures, "\nkwb: ");
    if (environment_errors > 0) throw EnvironmentError(all);
    if (!failures.empty()) throw BadInput(all);
    if (conclusion.interrupted) return kExitInterrupted;
    const bool good = std::all_of(results.begin(), results.end(),
                                  [](const KernelResult& result) { return result.as_expected(); });
    return good ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
