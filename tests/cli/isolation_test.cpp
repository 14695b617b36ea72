// SPDX-License-Identifier: Apache-2.0
// Isolation of kernels, and what is reported about it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.hpp"
#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
using nlohmann::json;

namespace {

const Args kQuick = {"run", "matmul/naive", "--size", "16", "--rounds", "1"};

Args quick_with(const Args& more) {
    Args args = kQuick;
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

}  // namespace

TEST_CASE("results, devices and doctor say which isolation was in force") {
    const std::string in_force = kwb_json(quick_with({"--json", "-"}))["environment"]["sandbox"];
    CHECK(in_force != "");
    CHECK(in_force.rfind("none", 0) != 0);
    const nlohmann::json device = kwb_json({"devices", "--json", "-"})["devices"][0];
    CHECK(device["sandbox"] == in_force);
    CHECK(!device["sandbox_mechanisms"].empty());
    CHECK_TELLS(run_kwb({"doctor"}), 0, "isolation pocl:0", "a separate process", "Landlock",
                "seccomp filters");
    const Finished run = run_kwb(kQuick);
    CHECK(run.exit_code == 0);
    CHECK(run.out.find("Sandbox") == std::string::npos);  // the sandbox is complete, so it is not mentioned
}

TEST_CASE("--no-sandbox is said in the table, the results, the devices and by doctor") {
    for (const std::string verb : {"run", "check"}) {
        Args args = {verb, "matmul/naive", "--size", "16", "--no-sandbox"};
        if (verb == "run") args.insert(args.end(), {"--rounds", "1"});
        CHECK_TELLS(run_kwb(args), 0, "Sandbox: none (--no-sandbox)", "your files");
    }
    CHECK_TELLS(run_kwb({"sweep", "matmul/naive", "--sizes", "8,16", "--rounds", "1", "--no-sandbox"}), 0,
                "Sandbox: none (--no-sandbox)");
    CHECK(kwb_json(quick_with({"--no-sandbox", "--json", "-"}))["environment"]["sandbox"] ==
          "none (--no-sandbox)");
    const nlohmann::json device = kwb_json({"devices", "--no-sandbox", "--json", "-"})["devices"][0];
    CHECK(device["sandbox"] == "none (--no-sandbox)");
    CHECK(device["sandbox_mechanisms"].empty());
    CHECK_TELLS(run_kwb({"doctor", "--no-sandbox"}), 0, "note  isolation pocl:0", "none (--no-sandbox)");
}

TEST_CASE("a foreign kernel is held against what the device can do, and leaves no compiled code behind") {
    const TempFolder folder;
    const std::string own =
        folder.write("own.cl", kernel_source("matmul/01_naive.cl") + "// not the shipped text\n").string();
    for (const bool foreign : {false, true}) {
        CAPTURE(foreign);
        const TempFolder cache;
        Args args = {"run", own, "--size", "16", "--rounds", "1"};
        if (foreign) args.push_back("--foreign");
        const Finished finished = run_kwb(args, {{"KWB_CACHE_DIR", cache.path().string()}});
        INFO(finished.out, finished.err);
        CHECK(finished.exit_code == 0);
        CHECK(!says(finished.out, "times are not compared"));
        bool is_kept = false;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(cache.path())) {
            // With shipped kernels it is measured what the device can do.
            const bool is_shipped = entry.path().string().find("/shipped/") != std::string::npos;
            is_kept = is_kept || (!is_shipped && entry.path().extension() == ".so");  // a compiled kernel
        }
        CHECK(is_kept == !foreign);
    }
}

#ifdef __x86_64__
TEST_CASE("a kernel cannot reach what the person's shell left open") {
    const TempFolder folder;
    const std::filesystem::path secret = folder.write("secret", "for nobody's eyes\n");
    const Fd opened(::open(secret.c_str(), O_RDWR | O_CLOEXEC));
    const Fd left(::fcntl(opened.get(), F_DUPFD, 40));  // like a shell's `40<>secret`
    REQUIRE(left.get() >= 40);
    // If the kernel can write to the descriptor, it changes the file and makes its result wrong.
    const std::string write =
        "// Never inlined: the compiler of PoCL 6 dies of assembly in a kernel function.\n"
        "__attribute__((noinline)) long write_to(long file, long from) {\n"
        "    long result;\n"
        "    __asm__ volatile(\"syscall\" : \"=a\"(result) : \"a\"(1L), \"D\"(file), \"S\"(from), "
        "\"d\"(5L) : \"rcx\", \"r11\", \"memory\");\n"
        "    return result;\n"
        "}\n";
    const std::string deed = "float sum = row == 0 && col == 0 && write_to(" + std::to_string(left.get()) +
                             ", (long)A) > 0 ? 1000.0f : 0.0f;";
    const std::string source =
        replaced(replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;", deed), "__kernel",
                 write + "__kernel");
    const std::string file = folder.write("writer.cl", source).string();
    for (const std::string option : {"--foreign", "--no-sandbox"}) {
        const Finished finished = run_kwb({"run", file, "--size", "16", "--rounds", "1", option});
        INFO(finished.out, finished.err);
        CHECK(finished.exit_code == 0);
        CHECK(read_file(secret) == "for nobody's eyes\n");
    }
}
#endif

TEST_CASE("run --check finds a stray read before anything is timed") {
    const TempFolder folder;
    const std::string source =
        replaced(kernel_source("matmul/01_naive.cl"), "float sum = 0.0f;",
                 "float sum = 0.0f;\n    if (row == 0 && col == 0) sum += A[M * K] == 1e38f ? 1.0f : 0.0f;");
    const std::string file = folder.write("stray.cl", source).string();
    const json unseen = kwb_json({"run", file, "--size", "16", "--rounds", "1", "--no-xray", "--json", "-"});
    CHECK(unseen["results"][0]["verdict"] == "correct");
    const json seen = kwb_json({"run", file, "--size", "16", "--rounds", "1", "--check", "--json", "-"}, 1);
    const json& result = seen["results"][0];
    CHECK(result["verdict"] == "out_of_bounds");
    CHECK(result["evidence"]["buffer"] == "A");
    CHECK(result["evidence"]["access"] == "read");
    CHECK(result["evidence"]["element"] == 256);
    CHECK(result["samples_ms"].empty());
}
