// SPDX-License-Identifier: Apache-2.0
// kwb profile: runs any OpenCL program, and prints where its time goes.
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/recording.hpp"
#include "experiment/profile_view.hpp"
#include "layered_program.hpp"
#include "outputs.hpp"
#include "profile_text.hpp"
#include "program_run.hpp"
#include "report/html.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kProfileFooter =
    "kwb profile [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "The program runs as it is; its options follow its name. The profile is printed on standard error, so\n"
    "that the program's own output stays as it is. The loader of OpenCL must support layers (ocl-icd 2.3.1,\n"
    "or Khronos's loader of 2022, or newer).\n"
    "Exit code: the program's; 128 + N if signal N ended it.\n";

struct ProfileOptions {
    ProgramOptions program;
    OutputOptions outputs;

    void add(CLI::App& app) {
        program.add(app);
        outputs.add_json(app);
        outputs.add(app, "--report", "write a page (HTML) with a timeline and all tables");
        outputs.add(app, "--trace",
                    "write a trace of queues, kernels, transfers and host calls, for ui.perfetto.dev");
    }
};

std::string profile_page(const std::string& program, const std::vector<capture::Profile>& processes) {
    ProfileView view = profile_view(program, processes);
    HtmlReport report;
    report.title = view.title;
    report.made = view.summary;
    report.tables = std::move(view.tables);
    constexpr float kWidthPx = 1000;
    const Timeline timeline(view.rows, view.names, kWidthPx);
    if (!timeline.is_empty()) {
        report.light_svg = timeline.svg(false);
        report.dark_svg = timeline.svg(true);
    }
    return html_report(report);
}

int profile_program(const ProfileOptions& options, const Folders&) {
    options.outputs.refuse_equal();
    options.outputs.require_writable();
    const RunProgram run = run_program(options.program, {});
    const std::vector<capture::Profile>& processes = run.recorded.processes;
    std::string text;
    for (const capture::Profile& profile : processes) text += "\n" + profile_text(profile, table_options());
    print_error(text);
    OutputWriter writer(options.outputs);
    writer.write("--json", [&] { return capture::profile_to_json(processes); });
    writer.write("--report", [&] { return profile_page(options.program.command().front(), processes); });
    writer.write("--trace", [&] { return capture::trace_to_json(processes); });
    writer.finish();
    return run.exit_code;
}

}  // namespace

void ProgramOptions::add(CLI::App& app) {
    verb = &app;
    app.fallthrough(false);
    app.prefix_command();
    app.add_flag(
        "--preload", preload,
        "for OpenCL loaders without layers: load the recorder by LD_PRELOAD. The program must be linked to "
        "libOpenCL.so.1");
}

std::vector<std::string> ProgramOptions::command() const {
    std::vector<std::string> words = verb->remaining();
    if (!words.empty() && words.front() == "--") words.erase(words.begin());
    if (words.empty())
        throw BadInput("name the program to run, as in: kwb " + verb->get_name() + " ./program");
    if (words.front().starts_with("-"))
        throw BadInput("unknown option " + words.front() + "; 'kwb " + verb->get_name() +
                       " --help' lists them. Options of the program follow its name");
    return words;
}

RunProgram run_program(const ProgramOptions& options, NamedList<std::string> environment) {
    const std::vector<std::string> command = options.command();
    const RecordingFolder folder;
    environment.push_back({capture::kFolderVariable, folder.path().string()});
    RunProgram run;
    run.exit_code = run_with_layer(command, environment, options.preload ? Loading::Preload : Loading::Layer);
    run.recorded = capture::read_profiles(folder.path());
    std::string text;
    for (const std::string& problem : run.recorded.problems) text += "kwb: " + problem + "\n";
    if (run.recorded.processes.empty() && run.recorded.problems.empty()) {
        const std::string reason = why_unrecorded(command.front());
        text = "No OpenCL call was recorded. " +
               (reason.empty() ? command.front() +
                                     " uses no OpenCL, or its OpenCL loader does not support layers (ocl-icd "
                                     "before 2.3.1: try --preload), or it was built together with its driver."
                               : reason) +
               "\n";
    }
    print_error(text);
    return run;
}

Verb add_profile(CLI::App& kwb) {
    return add_verb<ProfileOptions>(
        kwb, {"profile", "show where any OpenCL program spends its time", kProfileFooter}, profile_program);
}

}  // namespace kwb::cli
