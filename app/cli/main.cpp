// SPDX-License-Identifier: Apache-2.0
// kwb: the command-line program.
#include <signal.h>

#include <exception>
#include <string>

#include "base/error.hpp"
#include "conversation.hpp"
#include "options.hpp"
#include "terminal.hpp"

using namespace kwb;

int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);  // if a judge dies, or with `| head`, write reports an error instead
    const auto complain = [](const std::exception& error) {
        cli::print_error(std::string("kwb: ") + error.what() + "\n");
    };
    try {
        const auto options = cli::parse_options(argc, argv);
        return options ? options->verb(*options) : cli::kExitGood;
    } catch (const cli::Interrupted&) {
        cli::print_error("kwb: interrupted before any result was ready\n");
        return cli::kExitInterrupted;
    } catch (const BadInput& error) {
        complain(error);
        return cli::kExitBadInput;
    } catch (const std::exception& error) {
        complain(error);
        return cli::kExitEnvironment;
    }
}
