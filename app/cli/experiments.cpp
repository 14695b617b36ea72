// SPDX-License-Identifier: Apache-2.0
#include "experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "experiment/own_options.hpp"
#include "experiment/side_car.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// Refuses only those kernels for which `require` throws BadInput, as kernels with a broken file are.
/// @throws Refused  if no kernel is left
template <class Require>
void refuse_unless(std::vector<std::optional<KernelFile>>& contestants, const Require& require) {
    const Finding* first = nullptr;
    bool any = false;
    for (auto& contestant : contestants) {
        if (!contestant) continue;
        try {
            if (!contestant->refusal) require(*contestant);
        } catch (const BadInput& error) {
            contestant = refused_kernel(contestant->spec.file, contestant->spec.name, error);
        }
        any = any || !contestant->refusal;
        if (first == nullptr && contestant->refusal) first = &*contestant->refusal;
    }
    if (first != nullptr && !any) throw Refused(*first);
}

/// `kwb run .`: replaces a folder by its kernels.
std::vector<std::string> with_kernels_of_folders(const std::vector<std::string>& named) {
    std::vector<std::string> all;
    for (const std::string& name : named) {
        std::error_code ignored;
        if (name.ends_with(".cl") || !std::filesystem::is_directory(name, ignored)) {
            all.push_back(name);
            continue;
        }
        const auto files = kernels_in(name);
        if (files.empty())
            throw BadInput(
                fmt::format("{}: this folder has no .cl file; name a kernel file, or another folder", name));
        for (const auto& file : files) all.push_back(file.string());
    }
    return all;
}

/// An untrusted file must not define what is correct.
void refuse_own_problem(const KernelFile& kernel) {
    if (!kernel.own_problem) return;
    const std::filesystem::path declared_in = kernel.own_problem->file();
    const bool declares = is_same_file(kernel.spec.file, declared_in) ||
                          is_same_file(side_car_of(kernel.spec.file), declared_in);
    throw BadInput(fmt::format(
        "{}: {} the problem '{}', which --foreign ignores; name the file that declares it with --problem",
        kernel.spec.file, declares ? "declares" : "chooses", kernel.own_problem->name()));
}

/// How to keep what was inferred.
std::string keep_lines(const OwnOptions& own, const OpenedExperiment& experiment) {
    std::string text;
    for (const auto& choice : experiment.contestants)
        if (choice && !choice->refusal && choice->places.empty())
            text += "  to keep it: " + printable_line(adopt_command(*choice, own)) + '\n';
    return text.empty() ? "  to keep it, add it as [launch] to the kernel's declarations\n" : text;
}

}  // namespace

std::vector<std::optional<KernelFile>> open_kernels(const std::vector<std::string>& names,
                                                    const Folders& folders) {
    const Catalogue catalogue = open_catalogue(folders);
    std::vector<std::optional<KernelFile>> kernels;
    for (const std::string& kernel : with_kernels_of_folders(names))
        kernels.push_back(kernel == kHostBlasName ? std::nullopt
                                                  : std::optional(catalogue.open_or_refuse(kernel)));
    return kernels;
}

OpenedExperiment open_experiment(const ExperimentOptions& options, const Folders& folders,
                                 const OutputOptions& outputs, Notes& notes) {
    outputs.refuse_equal();
    return complete_experiment(options, open_kernels(options.kernels, folders), outputs, notes);
}

OpenedExperiment complete_experiment(const ExperimentOptions& options,
                                     std::vector<std::optional<KernelFile>> kernels,
                                     const OutputOptions& outputs, Notes& notes) {
    OpenedExperiment experiment = options.experiment;
    auto& contestants = experiment.contestants;
    contestants = std::move(kernels);
    // First, because a file without a problem would take the problem of another file.
    if (experiment.foreign && !options.own.problem) refuse_unless(contestants, refuse_own_problem);
    complete_kernels(contestants, options.own, notes);
    refuse_unless(contestants, problem_of);
    if (const std::string unknown = find_unknown_param(experiment); !unknown.empty())
        print_error("kwb: " + unknown + '\n');
    for (const auto& contestant : contestants)  // only now does each have its problem
        if (contestant) refuse_outputs_over(outputs, *contestant);
    outputs.require_writable();
    const bool has_blas = std::ranges::find(options.kernels, kHostBlasName) != options.kernels.end();
    if (experiment.baseline == kHostBlasName && !has_blas) contestants.push_back(std::nullopt);
    return experiment;
}

void print_notes(const Notes& notes, const OpenedExperiment& experiment, const OwnOptions* own,
                 const OutputOptions& outputs) {
    if (const std::string unread = explain_unread_sources(); !unread.empty())
        print_error("kwb: " + unread + '\n');
    if (notes.empty()) return;
    std::string text;
    for (const std::string& line : notes) text += printable_line(line) + '\n';
    if (own != nullptr) text += keep_lines(*own, experiment);
    outputs.tell(text + '\n');
}

Targets chosen_targets(const std::vector<std::string>& names) {
    std::string fault;
    std::vector<GpuProfile> gpus;
    try {
        gpus = known_gpus();
    } catch (const BadInput& error) {
        fault = error.what();
        gpus = shipped_gpus();
    }
    try {
        Targets targets = choose_targets(names, gpus);
        if (!fault.empty()) print_error("kwb: " + fault + "; only the built-in GPUs are used\n");
        return targets;
    } catch (const BadInput&) {
        if (!fault.empty()) throw BadInput(fault);
        throw;
    }
}

std::string headline(const Problem& problem, const std::string& sizes, const DeviceInfo& device,
                     const std::string& places, const TableOptions& options) {
    return paragraph(fmt::format("{}, {}, on {} ({}){}", plain_signs(problem.title(), options), sizes,
                                 printable_line(device.name), device.id,
                                 places.empty() ? "" : ", at " + printable_line(places)),
                     options.width) +
           "\n";
}

std::string isolation_note(const JudgeOptions& judge, const Environment& environment) {
    if (!judge.no_sandbox || environment.sandbox.empty()) return "";
    return paragraph("\nSandbox: " + environment.sandbox +
                         ". These kernels could read and change your files, and use the network.",
                     table_options().width);
}

}  // namespace kwb::cli
