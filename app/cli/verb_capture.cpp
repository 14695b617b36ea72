// SPDX-License-Identifier: Apache-2.0
// kwb capture: makes kernel files of the launches of any OpenCL program.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "capture/recording.hpp"
#include "experiment/captured_launch.hpp"
#include "program_run.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kCaptureFooter =
    "kwb capture -o DIR [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "kwb capture -o DIR --from PATH\n"
    "One launch of each kernel becomes DIR/KERNEL.cl, with its arguments, and its buffers before and after "
    "the\n"
    "launch. 'kwb run', 'check', 'why', 'xray' and 'debug' take the file as it is.\n"
    "Exit code: the program's; 128 + N if signal N ended it; 1: a kernel of --kernel was not captured.\n";

struct CaptureOptions {
    ProgramOptions program;
    std::string folder, from;
    std::vector<std::string> kernels;
    std::uint64_t launch = 1;

    void add(CLI::App& app) {
        program.add(app);
        add_text(app, "-o", folder, "DIR", "the folder to make")->required();
        add_repeated(app, "--kernel", kernels, "NAME", "capture this kernel; default: all");
        add_parsed(app, "--launch", launch, "N",
                   "capture the N-th launch of each kernel, from 1; default: the first",
                   whole("--launch", 1, std::uint64_t{1} << 62));
        add_text(app, "--from", from, "PATH",
                 "run no program, but import a .sim file of Oclgrind, or folders that the OpenCL Intercept "
                 "Layer has captured");
    }
};

/// @throws BadInput
void make_new_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (std::filesystem::exists(folder, error) &&
        !(std::filesystem::is_directory(folder, error) && std::filesystem::is_empty(folder, error)))
        throw BadInput("-o " + folder.string() + " exists already; name a new folder, or remove it");
    std::filesystem::create_directories(folder, error);
    if (error) throw BadInput("-o " + folder.string() + " cannot be made: " + error.message());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw BadInput("-o " + folder.string() + " cannot be written: " + std::strerror(errno));
}

std::vector<std::string> launched_kernels(const capture::ReadProfiles& recorded) {
    std::vector<std::string> names;
    for (const capture::Profile& profile : recorded.processes)
        for (const capture::ProfiledKernel& kernel : profile.kernels)
            if (std::ranges::find(names, kernel.name) == names.end()) names.push_back(kernel.name);
    return names;
}

std::string captured_text(const std::vector<CapturedLaunch>& launches, std::size_t width) {
    std::string text;
    for (const CapturedLaunch& one : launches) {
        std::string line =
            one.file.empty()
                ? fmt::format("{}: not captured, because {}.", one.kernel, one.flaw)
                : fmt::format("{}: launch {} is in {}.", one.kernel, one.launch, one.file.string());
        if (!one.file.empty())
            for (const std::string& note : one.notes) line += " " + note;
        text += paragraph(line, width);
    }
    return text;
}

int import_files(const CaptureOptions& options) {
    if (!options.program.verb->remaining().empty()) throw BadInput("--from imports files; no program is run");
    const std::filesystem::path folder = std::filesystem::absolute(options.folder);
    make_new_folder(folder);
    const std::vector<CapturedLaunch> launches = import_captures(options.from, folder);
    print_error(captured_text(launches, table_options().width));
    const bool is_any_missing =
        std::ranges::any_of(launches, [](const auto& one) { return one.file.empty(); });
    return is_any_missing ? kExitVerdict : 0;
}

int capture_program(const CaptureOptions& options, const Folders&) {
    if (!options.from.empty()) return import_files(options);
    options.program.command();  // before anything is made
    const std::filesystem::path folder = std::filesystem::absolute(options.folder);
    make_new_folder(folder);
    NamedList<std::string> environment = {{capture::kOutputVariable, folder.string()},
                                          {capture::kLaunchVariable, std::to_string(options.launch)}};
    if (!options.kernels.empty())
        environment.push_back({capture::kKernelVariable, "\n" + join(options.kernels, "\n") + "\n"});
    const RunProgram run = run_program(options.program, environment);
    const std::vector<CapturedLaunch> launches = finish_captures(folder);
    std::string text = captured_text(launches, table_options().width);
    bool is_any_missing = false;
    const std::vector<std::string> came = launched_kernels(run.recorded);
    for (const std::string& wanted : options.kernels) {
        const auto found = std::ranges::find(launches, wanted, &CapturedLaunch::kernel);
        is_any_missing = is_any_missing || found == launches.end() || found->file.empty();
        if (found != launches.end()) continue;
        const bool came_too_rarely = std::ranges::find(came, wanted) != came.end();
        text += paragraph(
            came_too_rarely
                ? fmt::format("{}: it has no launch {}.", wanted, options.launch)
                : fmt::format("{}: it was never launched.{} {}", wanted, did_you_mean(wanted, came),
                              came.empty() ? "No kernel was." : "These were: " + enumerate(came) + "."),
            table_options().width);
    }
    print_error(text);
    return run.exit_code == 0 && is_any_missing ? kExitVerdict : run.exit_code;
}

}  // namespace

Verb add_capture(CLI::App& kwb) {
    return add_verb<CaptureOptions>(
        kwb, {"capture", "make kernel files of the launches of any OpenCL program", kCaptureFooter},
        capture_program);
}

}  // namespace kwb::cli
