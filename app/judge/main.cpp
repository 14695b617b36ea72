// SPDX-License-Identifier: Apache-2.0
// kwb-judge: runs on the device's machine, generates inputs, computes references and checks results.
// Communicates with a user interface over stdin and stdout.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/version.hpp"
#include "judge/reference/blas_kernels.hpp"
#include "judge/server.hpp"

namespace {

/// OpenBLAS reads its settings when it is loaded, so set them and execute this program again.
void set_up_blas(char** argv) {
    const auto settings = kwb::missing_blas_settings();
    if (settings.empty()) return;
    for (const auto& [name, value] : settings) ::setenv(name.c_str(), value.c_str(), 1);
    // Use the file's path, so that the process keeps its name. If this fails, continue with the library as it
    // is.
    ::execv(std::filesystem::read_symlink("/proc/self/exe").c_str(), argv);
}

std::string neighbour(const char* program) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / program).string();
}

/// Parses --runner FILE, --xray FILE and --no-sandbox, in any order.
/// @throws BadInput  for any other argument
kwb::PoolOptions read_options(int argc, char** argv) {
    kwb::PoolOptions options{neighbour("kwb-runner"), true, neighbour("kwb-xray")};
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--no-sandbox")
            options.sandbox = false;
        else if (option == "--runner" && i + 1 < argc)
            options.runner_program = argv[++i];
        else if (option == "--xray" && i + 1 < argc)
            options.xray_program = argv[++i];
        else
            throw kwb::BadInput("unknown option '" + option +
                                "'; the options are --runner FILE, --xray FILE, --no-sandbox");
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "--version") {
        std::printf("kwb-judge %s\n", kwb::kwb_version().c_str());
        return 0;
    }
    if (::isatty(STDIN_FILENO) != 0) {
        std::fprintf(stderr, "kwb starts kwb-judge and communicates with it over pipes; try: kwb --help\n");
        return 2;
    }
    set_up_blas(argv);
    try {
        kwb::run_judge(read_options(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kwb-judge: %s\n", error.what());
        return 2;
    }
    return 0;
}
