// SPDX-License-Identifier: Apache-2.0
// A machine that lacks something: exit status 3 and advice.
#include <filesystem>

#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("without a driver every verb says how to install PoCL") {
    const TempFolder folder;
    const NamedList<std::string> nothing = {{"OCL_ICD_VENDORS", folder.path().string() + "/"}};
    CHECK_REFUSED(run_kwb({"run", "matmul/naive"}, nothing), 3, "no OpenCL device", "install",
                  "pocl-opencl-icd");
    CHECK_REFUSED(run_kwb({"check", "matmul/naive"}, nothing), 3, "pocl-opencl-icd");
    CHECK_TELLS(run_kwb({"devices"}, nothing), 3, "No OpenCL device", "pocl-opencl-icd");
    CHECK_TELLS(run_kwb({"doctor"}, nothing), 3, "bad ", "pocl-opencl-icd", "Something is missing");
}

TEST_CASE("without OpenCL's loader every verb says how to install it") {
    // The same runner with the library's name changed.
    const TempFolder folder;
    std::string runner = read_text(KWB_RUNNER_PROGRAM);
    const std::string library = "libOpenCL.so.1";
    REQUIRE(runner.find(library) != std::string::npos);
    runner.replace(runner.find(library), library.size(), "libNoneCL.so.1");
    const std::filesystem::path program = folder.write("kwb-runner", runner);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const NamedList<std::string> without = {
        {"KWB_JUDGE", "\"" KWB_JUDGE_PROGRAM "\" --runner \"" + program.string() + "\""}};
    for (const char* verb : {"run", "check"})
        CHECK_REFUSED(run_kwb({verb, "matmul/naive"}, without), 3, "libNoneCL.so.1", "install",
                      "ocl-icd-libopencl1");
    CHECK_REFUSED(run_kwb({"devices"}, without), 3, "ocl-icd-libopencl1");
    CHECK_TELLS(run_kwb({"doctor"}, without), 3, "bad ", "ocl-icd-libopencl1", "Something is missing");
}

TEST_CASE("devices --clinfo starts with versions, and says how to install clinfo") {
    const TempFolder folder;
    const NamedList<std::string> path = {{"PATH", folder.path().string()}};
    CHECK_REFUSED(run_kwb({"devices", "--clinfo"}, path), 3, "clinfo is not in PATH",
                  "apt-get install clinfo");
    std::filesystem::permissions(folder.write("clinfo", "#!/bin/sh\necho Number of platforms: 1\n"),
                                 std::filesystem::perms::owner_all);
    CHECK_TELLS(run_kwb({"devices", "--clinfo"}, path), 0, "kwb " KWB_VERSION, "Linux",
                "Number of platforms: 1");
    CHECK_REFUSED(run_kwb({"devices", "--clinfo", "--json", "-"}, path), 2, "--clinfo works alone");
}

TEST_CASE("a judge that is not there is named, with the remedy") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive"}, {{"KWB_JUDGE", "/nonexistent/kwb-judge"}}), 3,
                  "/nonexistent/kwb-judge", "No such file", "install kwb-judge");
}

TEST_CASE("a judge elsewhere that does not come up is one sentence with what was said there") {
    const auto devices = [](const std::string& on) { return run_kwb({"devices", "--on", on}); };
    CHECK_REFUSED(devices("/nonexistent/ssh box kwb-judge"), 3, "/nonexistent/ssh: No such file",
                  "install ssh");
    CHECK_REFUSED(devices("sh -c 'kwb-juge'"), 3, "exit code 127", "kwb-juge: not found",
                  "install kwb there, or give the full path");
    CHECK_REFUSED(devices("sh -c 'echo Banner >&2; echo No route to host. >&2; exit 255'"), 3,
                  "exit code 255: Banner / No route to host; try it in a terminal", "--version");
    CHECK_REFUSED(devices("sh -c 'echo Welcome; exec cat'"), 3, "'Welcome'", "~/.bashrc");
    CHECK_REFUSED(run_kwb({"devices", "--wait", "100ms", "--on", "sh -c 'echo queued >&2; exec cat' srun"}),
                  3, "has not greeted within 0.1 s: queued", "--wait 10min", "Without -u");
    CHECK_REFUSED(run_kwb({"devices", "--on", "env KWB_FAKE_HELLO='kwb-judge 9.9.9 1' '" KWB_FAKE_PEER "'"}),
                  3, "version 9.9.9", KWB_VERSION, "the same version of kwb at both ends");
}

TEST_CASE("a judge of another version, or another program, is refused with the remedy") {
    const NamedList<std::string> judge = {{"KWB_JUDGE", "\"" KWB_FAKE_PEER "\""}};
    const auto greet = [&](const std::string& hello) {
        NamedList<std::string> environment = judge;
        environment.push_back({"KWB_FAKE_HELLO", hello});
        return run_kwb({"devices"}, environment);
    };
    CHECK_REFUSED(greet("kwb-judge 9.9.9 1"), 3, "kwb-judge has version 9.9.9", KWB_VERSION, "same version");
    CHECK_REFUSED(greet("kwb-judge " KWB_VERSION " 77"), 3, "protocol 77", "same version");
    CHECK_REFUSED(greet("kwb-other " KWB_VERSION " 1"), 3, "expected kwb-judge, found kwb-other",
                  "same version");
    CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_JUDGE", "echo garbage"}}), 3, "echo", "protocol");
    CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_JUDGE", "false"}}), 3, "false", "exit code 1");
}

TEST_CASE("a runner of another version, or none, is refused with the remedy") {
    const std::string judge = "\"" KWB_JUDGE_PROGRAM "\" --runner ";
    CHECK_REFUSED(run_kwb({"run", "matmul/naive"}, {{"KWB_JUDGE", judge + "/nonexistent/kwb-runner"}}), 3,
                  "/nonexistent/kwb-runner", "No such file", "install kwb-runner");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive"}, {{"KWB_JUDGE", judge + "\"" KWB_FAKE_PEER "\""},
                                                    {"KWB_FAKE_HELLO", "kwb-runner 9.9.9 1"}}),
                  3, "kwb-runner has version 9.9.9", "together");
    CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_JUDGE", judge + "/bin/echo"}}), 3, "kwb-runner", "together");
    CHECK_REFUSED(run_kwb({"devices"}, {{"KWB_JUDGE", judge + "/bin/false"}}), 3, "kwb-runner",
                  "exit code 1");
}

TEST_CASE("a cache folder that cannot be used is refused with the remedy") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size", "5"}, {{"KWB_CACHE_DIR", "/dev/null/cache"}}), 3,
                  "/dev/null/cache", "KWB_CACHE_DIR");
}

TEST_CASE("kwb gui passes on what the window's program takes, and refuses the rest itself") {
    const TempFolder folder;
    std::filesystem::copy_file(KWB_PROGRAM, folder / "kwb");
    const auto window = folder.write("kwb-gui", "#!/bin/sh\necho \"$@\"\n");
    std::filesystem::permissions(window, std::filesystem::perms::owner_all);
    const auto start = [&](const Args& args) {
        ProcessOptions options = kwb_command(args);
        options.command[0] = (folder / "kwb").string();
        options.environment.push_back({"DISPLAY", ":99"});
        return run_process(options);
    };
    CHECK_TELLS(start({"gui", "--theme", "light", "--scale", "1.5", "a.cl"}), 0,
                "--theme light --scale 1.5 -- a.cl\n");
    CHECK_TELLS(start({"gui", "--kernels", "mine"}), 0, "--kernels mine --\n");
    CHECK_REFUSED(start({"gui", "--theme", "blue"}), 2, "--theme", "blue");
    CHECK_REFUSED(start({"gui", "--scale", "9"}), 2, "--scale", "9");
}
