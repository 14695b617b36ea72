// SPDX-License-Identifier: Apache-2.0
// kwb profile: runs any OpenCL program, and prints where its time goes.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/recording.hpp"
#include "capture/run_program.hpp"
#include "outputs.hpp"
#include "profile_text.hpp"
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
    CLI::App* verb = nullptr;
    OutputOptions outputs;

    void add(CLI::App& app) {
        verb = &app;
        app.fallthrough(false);
        app.prefix_command();  // the first word that is no option, and all behind it
        outputs.add_json(app);
        outputs.add(app, "--trace",
                    "write a trace of queues, kernels, transfers and host calls, for ui.perfetto.dev");
    }

    std::vector<std::string> command() const {
        std::vector<std::string> words = verb->remaining();
        if (!words.empty() && words.front() == "--") words.erase(words.begin());
        if (words.empty())
            throw BadInput("name the program to run, as in: kwb " + verb->get_name() + " ./program");
        if (words.front().starts_with("-"))
            throw BadInput("unknown option " + words.front() + "; 'kwb " + verb->get_name() +
                           " --help' lists them. Options of the program follow its name");
        return words;
    }
};

/// Why there is nothing to show.
std::string unrecorded_text(const std::string& program) {
    const std::string reason = capture::why_unrecorded(program);
    return "No OpenCL call was recorded. " +
           (reason.empty()
                ? program +
                      " uses no OpenCL, or its OpenCL loader does not support layers (ocl-icd before "
                      "2.3.1), or it was built together with its driver."
                : reason);
}

int profile_program(const ProfileOptions& options, const Folders&) {
    const std::vector<std::string> command = options.command();
    options.outputs.refuse_equal();
    options.outputs.require_writable();
    const capture::RecordingFolder folder;
    const int code = capture::run_with_layer(command, {{capture::kFolderVariable, folder.path().string()}});
    const capture::ReadProfiles found = capture::read_profiles(folder.path());
    OutputWriter writer(options.outputs);
    std::string text;
    for (const std::string& problem : found.problems) text += "kwb: " + problem + "\n";
    for (const capture::Profile& profile : found.processes)
        text += "\n" + profile_text(profile, table_options());
    if (found.processes.empty() && found.problems.empty()) text = unrecorded_text(command.front()) + "\n";
    print_error(text);
    writer.write("--json", [&] { return capture::profile_to_json(found.processes); });
    writer.write("--trace", [&] { return capture::trace_to_json(found.processes); });
    writer.finish();
    return code;
}

}  // namespace

Verb add_profile(CLI::App& kwb) {
    return add_verb<ProfileOptions>(
        kwb, {"profile", "show where any OpenCL program spends its time", kProfileFooter}, profile_program);
}

}  // namespace kwb::cli
