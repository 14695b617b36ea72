// SPDX-License-Identifier: Apache-2.0
// An installed workbench works from any location; what ./workbench installs.
#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("an installed prefix has its kernels, its judge and its runner") {
    const TempFolder prefix;
    ProcessOptions install;
    install.command = {KWB_CMAKE, "--install", KWB_BUILD_DIR, "--prefix", prefix.path().string()};
    const Finished installed = run_process(install);
    INFO(installed.err);
    REQUIRE(installed.exit_code == 0);

    const auto installed_kwb = [&](const Args& args) {
        ProcessOptions options = kwb_command(args);
        options.command.front() = (prefix.path() / "bin" / "kwb").string();
        return run_process(options);
    };
    CHECK_TELLS(installed_kwb({"kernels"}), 0, "matmul/naive", "matmul/tiled");
    CHECK_TELLS(installed_kwb({"show", "matmul/naive"}), 0,
                (prefix.path() / "share/kwb/kernels/matmul/01_naive.cl").string());
    CHECK_TELLS(installed_kwb({"run", "matmul/tiled", "--size", "17", "--rounds", "1"}), 0, "correct");
    CHECK_SAYS(installed_kwb({"profile", KWB_HOST_PROGRAM, "right_simple"}).err, "2 commands in");
    CHECK(read_file(prefix.path() / "share/kwb/schema/results.schema.json") ==
          read_file(std::string(KWB_SCHEMA_DIR) + "/results.schema.json"));
    CHECK(std::filesystem::file_size(prefix.path() / "share/man/man1/kwb.1.gz") > 1000);
}

TEST_CASE("./workbench installs what is missing, and nothing with --no-install") {
    const std::filesystem::path source = KWB_SHIPPED_KERNELS "/..";
    const TempFolder root;  // without sources, so that the build ends at once
    root.write("workbench", read_file(source / "workbench"));
    root.write("packages.txt", read_file(source / "packages.txt"));
    // A Debian system on which nothing is installed, and nothing can be.
    const auto program = [&](const std::string& name, const std::string& text) {
        std::filesystem::permissions(root.write("bin/" + name, "#!/bin/sh\n" + text + "\n"),
                                     std::filesystem::perms::owner_all);
    };
    program("dpkg-query", "exit 1");
    program("apt-get", "echo \"$@\" >>'" + (root / "asked").string() + "'; exit 1");
    program("sudo", "exec \"$@\"");
    const auto workbench = [&](std::vector<std::string> options) {
        ProcessOptions asked;
        asked.command = {"/bin/bash", (root / "workbench").string()};
        asked.command.insert(asked.command.end(), options.begin(), options.end());
        asked.environment = {{"PATH", (root / "bin").string() + ":/usr/bin:/bin"}};
        return run_process(asked);
    };
    const Finished without = workbench({"--no-install", "kernels"});
    INFO(without.err);
    CHECK(without.exit_code == 3);
    CHECK(!std::filesystem::exists(root / "asked"));
    CHECK_SAYS(without.err, "--no-install was given", "missing Debian packages: ", "cmake");
    const Finished with = workbench({"kernels"});
    INFO(with.err);
    CHECK(with.exit_code == 3);
    REQUIRE(std::filesystem::exists(root / "asked"));
    CHECK_SAYS(read_file(root / "asked"), "install", "--no-install-recommends", "cmake");
    CHECK_SAYS(with.err, "use --no-install to continue without them");
}
