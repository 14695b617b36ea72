// SPDX-License-Identifier: Apache-2.0
// Groups of options that several verbs take. Each group declares its options for a verb, and keeps their
// values.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kwb::cli {

inline constexpr int kExitGood = 0;
inline constexpr int kExitVerdict = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitEnvironment = 3;
inline constexpr int kExitCannotTell = 4;  ///< kwb ci: the times are too noisy
inline constexpr int kExitInterrupted = 130;

using Folders = std::vector<std::filesystem::path>;  ///< of --kernels

constexpr const char* kKernelHelp = "a name from 'kwb kernels', the path of a .cl file, or cpu:blas";

// What several --on options do, by verb.
constexpr const char* kEachPlace = "; with several, the same runs at each";
constexpr const char* kSharedWork = "; several of one kind share the work";

/// Where the judge is started, and how.
struct JudgeOptions {
    std::vector<std::string> on;    ///< names of the settings, or launch commands
    std::optional<double> wait_ms;  ///< how long a judge elsewhere may take to start
    bool no_sandbox = false;

    /// @param several  what several --on do; empty: only one may be given
    void add(CLI::App& verb, const char* several = "");
};

/// Options that name files for results, where "-" is standard output.
class OutputOptions {
public:
    CLI::Option* add(CLI::App& verb, const char* option, const char* help);
    void add_json(CLI::App& verb);

    /// The file of an option; nullopt: it was not given.
    std::optional<std::string> file(const char* option) const;
    /// Those that are not standard output: option → file.
    NamedList<std::string> files() const;
    /// True if data is written to standard output, so that other text must not be.
    bool data_on_stdout() const;
    /// Print text, on standard error if standard output carries data.
    void tell(const std::string& text) const;

    /// @throws BadInput  two outputs are the same file, or both are standard output
    void refuse_equal() const;
    /// Check before anything runs. @throws BadInput  one of the files cannot be written
    void require_writable() const;

private:
    NamedList<std::string> given_;
};

/// What is run, for the verbs that plan launches of kernels.
struct ExperimentOptions {
    std::vector<std::string> kernels;  ///< names, paths or "cpu:blas"
    std::optional<std::string> device;
    std::optional<std::string> size;
    OwnOptions own;               ///< for kernels without declarations
    OpenedExperiment experiment;  ///< what the options choose; without the contestants

    /// --device, options for kernels without declarations, --param and --force.
    void add_planning(CLI::App& verb);
    void add_size(CLI::App& verb, const char* help = "problem size: 512, or M x N x K as 512x256x1024");
    /// --time-budget and --rounds.
    void add_rounds(CLI::App& verb, const char* time_budget_help);
    void add_seed(CLI::App& verb, const char* help);
    /// For verbs that check kernels: --no-xray, the group `judge`, --timeout and --json.
    void add_judging(CLI::App& verb, JudgeOptions& judge, const char* several, OutputOptions& outputs);

    /// The chosen size, or else the problem's usual one. @throws BadInput
    Sizes sizes(const Problem& problem) const;
};

void add_device(CLI::App& verb, std::optional<std::string>& device, const char* help);
void add_explain(CLI::App& verb, bool& explain);
/// --target
void add_targets(CLI::App& verb, std::vector<std::string>& targets, const char* help);

}  // namespace kwb::cli
