// kwb: the command-line program.
#include <signal.h>

#include <exception>
#include <string>

#include "base/error.hpp"
#include "conversation.hpp"
#include "options.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace {

int perform(const Options& options) {
    switch (options.verb) {
        case Verb::Devices:
            return list_devices(options);
        case Verb::Kernels:
            return list_kernels(options);
        case Verb::Show:
            return show_kernel(options);
        case Verb::Run:
        case Verb::Sweep:
            return run_kernels(options);
        case Verb::Check:
            return check_kernels(options);
        case Verb::Adopt:
            return adopt_kernel(options);
        case Verb::New:
            return write_new_kernel(options);
        case Verb::Doctor:
            return examine_machine(options);
        case Verb::Gui:
            return open_window(options);
    }
    throw ContractError("perform: unknown verb");
}

int complain(const std::exception& error, int code) {
    write_stderr(plain_signs("kwb: " + printable(error.what()) + "\n", table_options()));
    return code;
}

}  // namespace
}  // namespace kwb::cli

int main(int argc, char** argv) {
    using namespace kwb;
    ::signal(SIGPIPE, SIG_IGN);  // if a judge dies, or with `| head`, write reports an error instead
    try {
        const cli::Parsed parsed = cli::parse_options(argc, argv);
        return parsed.options ? cli::perform(*parsed.options) : parsed.exit_code;
    } catch (const cli::Interrupted&) {
        cli::write_stderr("kwb: interrupted before there was anything to show\n");
        return cli::kExitInterrupted;
    } catch (const BadInput& error) {
        return cli::complain(error, cli::kExitBadInput);
    } catch (const EnvironmentError& error) {
        return cli::complain(error, cli::kExitEnvironment);
    } catch (const std::exception& error) {
        return cli::complain(error, cli::kExitEnvironment);
    }
}
