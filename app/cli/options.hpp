// What was typed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/plan.hpp"
#include "session/own_options.hpp"

namespace kwb::cli {

enum class Verb { Devices, Kernels, Show, Run, Sweep, Check, Adopt, New, Doctor, Gui };

struct Options {
    Verb verb = Verb::Run;
    std::vector<std::string> kernels;  ///< names, paths, "cpu:blas"
    std::vector<std::filesystem::path> folders;
    std::optional<std::string> device;
    std::optional<std::string> size;
    std::vector<std::string> sizes;  ///< sweep
    PlanChoices choices;
    OwnOptions own;          ///< about kernels that say nothing about themselves
    std::string new_file;    ///< new
    bool overwrite = false;  ///< adopt --force
    std::uint64_t seed = 1;
    std::optional<double> time_budget_ms;
    std::optional<std::uint32_t> rounds;
    double timeout_ms = 30000;
    bool unreadable_pages = false;  ///< run --check
    bool foreign = false;           ///< the kernels are a stranger's
    bool no_sandbox = false;
    std::optional<std::string> baseline;
    std::optional<std::string> json;  ///< file, or "-"
    std::optional<std::string> csv;
    std::vector<std::string> window;          ///< gui: options for kwb-gui, as it takes them
    std::optional<std::string> report;        ///< HTML page; run and sweep
    std::optional<std::string> save_outputs;  ///< folder for .npy files; run

    /// True if standard output carries data, so that text for people must not go there.
    bool data_on_stdout() const { return json == "-" || csv == "-" || report == "-"; }
};

/// What parsing came to: options to act on, or an exit code after help or a version was printed.
struct Parsed {
    std::optional<Options> options;
    int exit_code = 0;
};

/// @throws BadInput  an unknown verb or option, a value that cannot be read
Parsed parse_options(int argc, char** argv);

/// "500ms", "1s", "2.5s", "2min", "1h" → milliseconds; a bare number is seconds.
/// @throws BadInput  naming the option
double parse_duration_ms(const std::string& option, const std::string& text);

}  // namespace kwb::cli
