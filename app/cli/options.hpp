// SPDX-License-Identifier: Apache-2.0
// The command line: its verbs and their options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "experiment/experiment.hpp"
#include "experiment/own_options.hpp"
#include "tune/strategy.hpp"
#include "tune/tuning.hpp"

namespace kwb::cli {

inline constexpr int kExitGood = 0;
inline constexpr int kExitVerdict = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitEnvironment = 3;
inline constexpr int kExitInterrupted = 130;

struct Options {
    int (*verb)(const Options&) = nullptr;
    std::vector<std::string> kernels;  ///< names, paths or "cpu:blas"
    std::vector<std::filesystem::path> folders;
    std::optional<std::string> device;
    std::optional<std::string> size;
    std::vector<std::string> sizes;       ///< sweep
    Experiment experiment;                ///< what the options choose; without the contestants
    OwnOptions own;                       ///< for kernels without declarations
    std::optional<std::string> new_file;  ///< new
    std::optional<std::string> from;      ///< new: a kernel whose problem is to be declared
    bool solved = false;                  ///< new: without blanks
    bool overwrite = false;               ///< adopt --force
    bool no_sandbox = false;
    std::vector<std::string> on;           ///< where judges run: names of the settings, or launch commands
    std::optional<double> wait_ms;         ///< how long a judge elsewhere may take to start
    std::optional<std::uint32_t> lanes;    ///< xray: work-items of a sub-group
    std::optional<double> observe_ms;      ///< xray: longest time of a run
    std::vector<std::string> targets;      ///< xray: GPUs, by names of theirs or of compilers
    bool assembly = false;                 ///< xray: print the machine code
    std::optional<StrategyKind> strategy;  ///< tune
    TuneBudget budget;                     ///< tune
    std::optional<std::string> cache;      ///< tune: file in which it is kept
    bool resume = false;                   ///< tune, grade: continue from what is kept
    std::optional<std::string> t4;         ///< tune: file, or "-"
    std::optional<std::string> t1;         ///< tune: file with parameters and conditions
    bool list = false;                     ///< tune: list the configurations, run nothing
    std::vector<std::string> learn;        ///< a lesson, or "word" and a word
    std::optional<std::string> lessons;    ///< learn: the folder of the course
    std::optional<std::string> verify;     ///< learn: the folder of a lesson, or of a course
    bool explain = false;                  ///< run, sweep, check, show: why a file announces a fault
    bool once = false;                     ///< learn: look at the exercise once
    bool story = false;                    ///< learn: only print it
    bool hint = false;                     ///< learn: only print the next one
    bool solution = false;                 ///< learn: only print it
    std::vector<std::string> predict;      ///< learn: "NAME=ANSWER"
    std::optional<std::string> language;   ///< learn: "zh"; none: the locale's
    std::string submissions;               ///< grade: the folder
    std::optional<std::string> rubric;     ///< grade
    std::optional<std::string> roster;     ///< grade
    std::optional<std::string> junit;      ///< grade: file, or "-"
    std::optional<std::string> classroom;  ///< grade: file, or "-"
    std::optional<std::string> pages;      ///< grade: folder for a page for each student
    std::vector<std::string> topic;        ///< docs: words
    std::vector<std::string> window;       ///< gui: options passed on to kwb-gui
    std::optional<std::string> json;       ///< file, or "-"
    std::optional<std::string> csv;
    std::optional<std::string> report;        ///< HTML page; run and sweep
    std::optional<std::string> save_outputs;  ///< folder for .npy files; run
    std::optional<std::string> freeze;        ///< folder for a problem with these outputs; run

    /// The given options that name an output file: option → file, or "-" for standard output.
    NamedList<std::string> outputs() const;

    /// True if data is written to standard output, so that other text must not be.
    bool data_on_stdout() const;
};

/// @return  nothing if help or a version was asked for, and printed
/// @throws BadInput  for an unknown verb or option, or an invalid value
std::optional<Options> parse_options(int argc, char** argv);

// The verbs. Each returns the exit code; all throw BadInput and EnvironmentError.
int list_devices(const Options& options);
int list_kernels(const Options& options);
int show_kernel(const Options& options);
int run_kernels(const Options& options);  ///< run and sweep, which both measure times
int check_kernels(const Options& options);
int tune_kernel(const Options& options);
int xray_kernels(const Options& options);
int learn(const Options& options);
int grade_submissions(const Options& options);
int adopt_kernel(const Options& options);  ///< writes FILE.cl.toml
int write_new_kernel(const Options& options);
int examine_machine(const Options& options);
int open_documentation(const Options& options);
int open_window(const Options& options);  ///< replaces this process; only returns by exception

}  // namespace kwb::cli
