// kwb-judge: runs on the device's machine, generates inputs, computes references and checks results.
// Communicates with a user interface over stdin and stdout.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/version.hpp"
#include "judge/server.hpp"

namespace {

/// OpenBLAS's threads spin for 30 ms after each call and would take processor time from the next kernel. The
/// library reads this variable when it is loaded, so set it and re-execute this program.
void keep_blas_from_spinning(char** argv) {
    constexpr const char* kVariable = "OPENBLAS_THREAD_TIMEOUT";
    constexpr const char* kShortest = "4";  // 2^4 cycles, the minimum that it accepts
    if (std::getenv(kVariable) != nullptr) return;
    ::setenv(kVariable, kShortest, 1);
    // Use the file's path, so that the process keeps its name. If this fails, continue with spinning threads.
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
                                "'; known are --runner FILE, --xray FILE, --no-sandbox");
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
        std::fprintf(stderr, "kwb-judge is started by kwb and talks to it over pipes; try: kwb --help\n");
        return 2;
    }
    keep_blas_from_spinning(argv);
    try {
        kwb::run_judge(read_options(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kwb-judge: %s\n", error.what());
        return 2;
    }
    return 0;
}
