// The command-line options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/plan.hpp"
#include "session/own_options.hpp"

namespace CLI {
class App;
}

namespace kwb::cli {

enum class Verb { Devices, Kernels, Show, Run, Sweep, Check, Adopt, New, Doctor, Gui };

struct Options {
    Verb verb = Verb::Run;
    std::vector<std::string> kernels;  ///< names, paths or "cpu:blas"
    std::vector<std::filesystem::path> folders;
    std::optional<std::string> device;
    std::optional<std::string> size;
    std::vector<std::string> sizes;  ///< sweep
    KernelChoices choices;
    OwnOptions own;          ///< for kernels without declarations
    std::string new_file;    ///< new
    bool overwrite = false;  ///< adopt --force
    std::uint64_t seed = 1;
    std::optional<double> time_budget_ms;
    std::optional<std::uint32_t> rounds;
    double timeout_ms = 30000;
    bool unreadable_pages = false;  ///< run --check
    bool foreign = false;           ///< the kernels are not trusted
    bool no_sandbox = false;
    std::optional<std::string> baseline;
    std::optional<std::string> json;  ///< file, or "-"
    std::optional<std::string> csv;
    std::vector<std::string> window;          ///< gui: options passed on to kwb-gui
    std::optional<std::string> report;        ///< HTML page; run and sweep
    std::optional<std::string> save_outputs;  ///< folder for .npy files; run

    /// True if data is written to standard output, so that other text must not be.
    bool data_on_stdout() const { return json == "-" || csv == "-" || report == "-"; }
};

/// The result of parsing: options, or an exit code if help or a version was printed.
struct Parsed {
    std::optional<Options> options;
    int exit_code = 0;
};

/// @throws BadInput  for an unknown verb or option, or an invalid value
Parsed parse_options(int argc, char** argv);

/// "500ms", "1s", "2.5s", "2min", "1h" → milliseconds; a bare number is seconds.
/// @throws BadInput  the message names the option
double parse_duration_ms(const std::string& option, const std::string& text);

// Options for kernels without declarations.

/// The options as typed.
struct RawOwnOptions {
    std::optional<std::string> problem;
    std::optional<std::string> entry;
    std::optional<std::string> args;
    std::optional<std::string> global;
    std::optional<std::string> local;
    std::vector<std::string> defines;
    std::vector<std::string> local_mem;
    std::vector<std::string> init;
};

void add_own_kernel_options(CLI::App& verb, RawOwnOptions& raw);

/// @throws BadInput
OwnOptions finish_own_kernel_options(const RawOwnOptions& raw);

}  // namespace kwb::cli
