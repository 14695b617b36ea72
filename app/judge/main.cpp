// kwb-judge: beside the device; makes inputs, holds references, decides. Speaks with a face over
// stdin/stdout.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/version.hpp"
#include "judge/run_judge.hpp"

namespace {

/// OpenBLAS' threads spin for some 30 ms after each call and would take the cores from the kernel that runs
/// next. The library reads this variable while it is loaded, so it has to be there before: start over with
/// it.
void keep_blas_from_spinning(char** argv) {
    constexpr const char* kVariable = "OPENBLAS_THREAD_TIMEOUT";
    constexpr const char* kShortest = "4";  // 2^4 cycles, the least it accepts
    if (std::getenv(kVariable) != nullptr) return;
    ::setenv(kVariable, kShortest, 1);
    // By its path, so that it keeps its name; if this fails, spinning threads are the lesser evil.
    ::execv(std::filesystem::read_symlink("/proc/self/exe").c_str(), argv);
}

std::string runner_beside_us() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-runner").string();
}

}  // namespace

int main(int argc, char** argv) {
    const std::string option = argc > 1 ? argv[1] : "";
    if (option == "--version") {
        std::printf("kwb-judge %s\n", kwb::kwb_version().c_str());
        return 0;
    }
    if (::isatty(STDIN_FILENO) != 0) {
        std::fprintf(stderr,
                     "kwb-judge is started by kwb, which speaks with it over pipes; try: kwb --help\n");
        return 2;
    }
    keep_blas_from_spinning(argv);
    try {
        kwb::run_judge(option == "--runner" && argc > 2 ? argv[2] : runner_beside_us());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kwb-judge: %s\n", error.what());
        return 2;
    }
    return 0;
}
