#include "runner/run_runner.hpp"

#include <signal.h>
#include <sys/resource.h>

#include "ipc/protocol_pipes.hpp"
#include "runner/server.hpp"

namespace kwb {

void run_runner(bool has_arena) {
    ::signal(SIGPIPE, SIG_IGN);
    const rlimit no_core{0, 0};  // kernels crash often, and their cores would be large
    ::setrlimit(RLIMIT_CORE, &no_core);
    ProtocolPipes pipes = take_protocol_pipes(has_arena);
    // Never destroyed: what a broken kernel left of the driver must not be asked to tidy up.
    auto* server = new Server(std::move(pipes.channel), std::move(pipes.arena));
    server->serve();
}

}  // namespace kwb
