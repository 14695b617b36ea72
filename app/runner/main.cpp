// SPDX-License-Identifier: Apache-2.0
// kwb-runner: the only program that loads OpenCL drivers. It executes requests of kwb-judge, and may crash
// doing so.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "base/error.hpp"
#include "runner/server.hpp"

#ifdef KWB_SANITIZE_ADDRESS
/// Kernels crash in this process, and the judge must see their signal instead of the sanitizer's exit code.
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}
#endif

namespace {

/// Exits without running destructors and exit handlers: those of a driver may hang, especially after a faulty
/// kernel.
[[noreturn]] void leave(int code) {
    std::fflush(nullptr);
    ::_exit(code);
}

}  // namespace

int main(int argc, char** argv) {
    const bool has_arena = argc == 2 && std::string_view(argv[1]) == "--arena";
    if (::isatty(STDIN_FILENO) != 0 || argc > 2 || (argc == 2 && !has_arena)) {
        std::fputs("kwb-runner runs kernels for kwb-judge, which starts it; to run a kernel, use 'kwb run'\n",
                   stderr);
        return 2;
    }
    try {
        kwb::run_runner(has_arena);
        leave(0);
    } catch (const kwb::ProtocolError& error) {
        std::fprintf(stderr, "kwb-runner: this message is not from kwb-judge: %s\n", error.what());
        leave(2);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kwb-runner: %s\n", error.what());
        leave(3);
    }
}
