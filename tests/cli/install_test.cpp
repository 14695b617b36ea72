// An installed workbench works from any location.
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
    CHECK(read_file(prefix.path() / "share/kwb/schema/results.schema.json") ==
          read_file(std::string(KWB_SCHEMA_DIR) + "/results.schema.json"));
    CHECK(std::filesystem::file_size(prefix.path() / "share/man/man1/kwb.1.gz") > 1000);
}
