// SPDX-License-Identifier: Apache-2.0
#include "xray/server.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "sandbox/sandbox.hpp"
#include "xray/execute.hpp"

namespace kwb::xray {
namespace {

class Server {
public:
    explicit Server(ProtocolPipes pipes)
        : channel_(std::move(pipes.channel)), arena_(std::move(pipes.arena)), leash_fd_(pipes.leash_fd) {}

    void serve() {
        channel_.send(make_hello(kXrayProgram));
        while (true) {
            if (const std::optional<Message> message = channel_.take()) {
                answer(runner_request_from_json(message->json));
                continue;
            }
            if (channel_.closed()) return;
            pollfd ready{channel_.read_fd(), POLLIN, 0};
            ::poll(&ready, 1, -1);
            channel_.read_available();
        }
    }

    /// A kernel has crashed: sends the observations up to then.
    void tell_crash(int signal, const void* division) {
        if (const auto reply = observed_until_crash(signal_name(signal), division)) send(*reply);
    }

private:
    void answer(const RunnerRequest& request) {
        try {
            if (const auto* confine = std::get_if<ConfineRequest>(&request))
                send(handle(*confine));
            else if (const auto* wanted = std::get_if<ObserveRequest>(&request))
                handle(*wanted);
            else
                send(FailedReply{"", "", 0, "kwb-xray only observes kernels",
                                 "Send this request to kwb-runner"});
        } catch (const std::exception& error) {
            send(FailedReply{"", "", 0, error.what(), ""});
        }
    }

    ConfinedReply handle(const ConfineRequest& request) {
        return {
            enter_sandbox(request.policy, PrivateDescriptors{channel_.read_fd(), channel_.write_fd(),
                                                             channel_.secret(), kSecretArgument, leash_fd_})};
    }

    void handle(const ObserveRequest& request) {
        if (!executor_) executor_.emplace(arena_ ? &*arena_ : nullptr);
        ObservedReply reply =
            executor_->observe(request, [this](const char* stage) { send(StageNote{stage}); });
        send(reply);
        executor_->take_back(std::move(reply));
    }

    template <class Reply>
    void send(const Reply& reply) {
        channel_.send(to_json(reply));
    }
    void send(const ObservedReply& reply) {
        channel_.send(to_json(reply), reply.recording ? recorded_bytes(*reply.recording) : "");
    }

    Channel channel_;
    std::optional<Arena> arena_;
    int leash_fd_;
    std::optional<Executor> executor_;
};

Server* server = nullptr;

/// x86 raises SIGFPE for a division by zero and for the smallest number by -1. The dividend distinguishes
/// them; the smallest number divided by zero counts as the latter.
bool is_by_zero(int signal, const void* context) {
    if (signal != SIGFPE) return false;
    const auto dividend =
        static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX]);
    return static_cast<std::uint32_t>(dividend) != std::uint32_t{1} << 31 && dividend != std::uint64_t{1}
                                                                                             << 63;
}

/// The kernel's code has crashed, not the engine's, so the engine can still report its data. If that fails, a
/// second signal ends the process.
void on_crash(int signal, siginfo_t* info, void* context) {
    if (server != nullptr)
        std::exchange(server, nullptr)
            ->tell_crash(signal, is_by_zero(signal, context) ? info->si_addr : nullptr);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

void catch_crashes() {
    static std::array<std::byte, 1 << 20> stack;
    const stack_t alternative{stack.data(), 0, stack.size()};
    ::sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_crash;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void run_server(bool has_arena) {
    ::signal(SIGPIPE, SIG_IGN);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    Server serving(take_protocol_pipes(has_arena));
    server = &serving;
    catch_crashes();
    serving.serve();
    server = nullptr;
}

}  // namespace kwb::xray
