// SPDX-License-Identifier: Apache-2.0
// kwb-xray: runs a kernel's own source under observation, for kwb-judge. It may crash doing so.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "base/error.hpp"
#include "xray/server.hpp"

int main(int argc, char** argv) {
    const bool has_arena = argc == 2 && std::string_view(argv[1]) == "--arena";
    if (::isatty(STDIN_FILENO) != 0 || argc > 2 || (argc == 2 && !has_arena)) {
        std::fputs("kwb-xray observes kernels for kwb-judge, which starts it; try: kwb xray --help\n",
                   stderr);
        return 2;
    }
    try {
        kwb::xray::run_server(has_arena);
        return 0;
    } catch (const kwb::ProtocolError& error) {
        std::fprintf(stderr, "kwb-xray: this message is not from kwb-judge: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kwb-xray: %s\n", error.what());
        return 3;
    }
}
