#include "judge/run_judge.hpp"

#include <signal.h>

#include "ipc/protocol_pipes.hpp"
#include "judge/server.hpp"

namespace kwb {

void run_judge(const PoolOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);  // a face or runner that has gone shows as an outcome of send()
    try {
        JudgeServer(take_protocol_pipes(false).channel, options).serve();
    } catch (const FaceGone&) {
        // Nobody is left to answer: the end that every judge comes to.
    }
}

}  // namespace kwb
