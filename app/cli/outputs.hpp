// SPDX-License-Identifier: Apache-2.0
// The files that the options name: results, an HTML page, and the kernels' outputs as arrays for NumPy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "experiment/opened_experiment.hpp"
#include "model/device_info.hpp"
#include "model/result.hpp"
#include "options.hpp"
#include "task/session.hpp"
#include "terminal.hpp"

namespace kwb::cli {

/// Shows and writes what a verb found: each piece, even if another one cannot be written.
class OutputWriter {
public:
    explicit OutputWriter(const OutputOptions& outputs) : outputs_(outputs) {}

    /// @param work  may throw BadInput
    template <class Work>
    void attempt(const Work& work) {
        try {
            work();
        } catch (const BadInput& error) {
            add_failure(error.what());
        }
    }
    /// Show text for a person, unless standard output carries data.
    void show(const std::string& text);
    /// Write the file of an option, if it is given.
    /// @param make  its content
    template <class Make>
    void write(const char* option, const Make& make) {
        if (const auto file = outputs_.file(option)) attempt([&] { write_output(*file, make()); });
    }
    /// @param sentence  empty: nothing failed
    void add_failure(std::string sentence);
    /// All failures as one message; empty if there was none.
    std::string failures() const;
    /// @param error  why results are missing; empty if none are
    /// @throws EnvironmentError  there is an error; BadInput: something else failed
    void finish(const std::string& error = "") const;

private:
    const OutputOptions& outputs_;
    std::vector<std::string> failures_;
};

/// @throws BadInput  if an output file would replace one of the user's source files: see side_car.hpp
void refuse_outputs_over(const OutputOptions& outputs, const KernelFile& kernel);

/// --save-outputs and --freeze, which write the kernels' outputs to a folder.
struct SavingOptions {
    std::optional<std::string> save, freeze;

    void add(CLI::App& verb);
    /// The one that is given; nullptr: none.
    const char* option() const { return freeze ? "--freeze" : save ? "--save-outputs" : nullptr; }
};

/// Check before anything runs whether arrays can be written to the folder, and create it if necessary. Does
/// nothing without these options.
/// @throws BadInput  if --freeze has nothing to keep; if the folder is not a folder or cannot be written; if
///          a file would replace one of the experiment or another output, or its name is taken by a link, a
///          folder, a pipe or a device; or if an output is too large to transfer
void prepare_saving(const SavingOptions& options, const OutputOptions& outputs,
                    const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes);

/// The result of saving.
struct SavedOutputs {
    std::string sentence;  ///< a sentence that lists the files written; empty if there are none
    std::string error;     ///< the failures and their reasons; empty if everything was written
};

/// Write `DIR/<kernel>.<buffer>.npy` for each output: `matmul/tiled` becomes `matmul_tiled`, a file `mine.cl`
/// becomes `mine`, and repeated names get a number. The components of vectors are the last axis. For
/// --freeze, `DIR/<buffer>.npy` and a declaration that expects them. Does nothing without these options.
/// @param results  of the same run
SavedOutputs save_outputs(const SavingOptions& options, const OpenedExperiment& experiment,
                          const Problem& problem, const std::vector<KernelResult>& results,
                          const std::vector<WrittenOutput>& outputs);

/// The measurements at one place.
struct PlaceResults {
    DeviceInfo device;
    std::string place;  ///< empty: this machine
    Environment environment;
    /// The results of all sizes in a row, for each size in the order of the contestants; may be incomplete.
    std::vector<KernelResult> results;
};

/// The page for --report, with a section for each place.
/// @param sizes  the requested sizes; several make a sweep
/// @param error  why the last results are missing; may be empty
std::string html_page(const OpenedExperiment& experiment, const Problem& problem,
                      const std::vector<Sizes>& sizes, const std::vector<PlaceResults>& places,
                      const std::string& error);

}  // namespace kwb::cli
