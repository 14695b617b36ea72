// SPDX-License-Identifier: Apache-2.0
#include "runner/server.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/device.hpp"
#include "ocl/errors.hpp"
#include "ocl/program.hpp"
#include "runner/execute.hpp"
#include "runner/fault_report.hpp"
#include "runner/warm_up.hpp"
#include "sandbox/sandbox.hpp"

namespace kwb {
namespace {

/// Answers the judge's requests, one by one.
class Server {
public:
    explicit Server(ProtocolPipes pipes)
        : channel_(std::move(pipes.channel)), arena_(std::move(pipes.arena)), leash_fd_(pipes.leash_fd) {
        std::vector<int> fds = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
        if (arena_) fds.push_back(arena_->fd());
        struct stat file {};
        for (const int fd : fds)
            if (::fstat(fd, &file) == 0) needed_files_.push_back({fd, file.st_dev, file.st_ino});
    }

    /// Sends the greeting, then answers requests until the judge closes its end.
    /// @throws ProtocolError  a message is not a request
    void serve() {
        send(make_hello("kwb-runner"));
        while (!is_alone_) {
            if (const std::optional<Message> message = channel_.take()) {
                send(answer(runner_request_from_json(message->json)));
                continue;
            }
            if (channel_.closed()) return;
            pollfd ready{channel_.read_fd(), POLLIN, 0};
            ::poll(&ready, 1, -1);
            channel_.read_available();
        }
    }

private:
    /// A descriptor and the file that it should refer to.
    struct OpenFile {
        int fd = -1;
        dev_t device = 0;
        ino_t number = 0;
    };
    /// The opened device and everything that belongs to it.
    struct Opened {
        cl::Device device;
        cl::Context context;
        cl::CommandQueue queue;
        DeviceMemory memory;
        std::map<std::uint32_t, BuiltProgram> programs;
        std::unique_ptr<Runs> runs;  ///< of the last execute request
    };

    /// Performs `request` and returns the reply; failures become FailedReply.
    Json answer(const RunnerRequest& request) {
        try {
            return std::visit([this](const auto& one) { return handle(one); }, request);
        } catch (const ClError& error) {
            return to_json(error.failure);
        } catch (const cl::Error& error) {
            return to_json(explain_status(error.what(), error.err()).failure);
        } catch (const std::bad_alloc&) {
            return to_json(explain_status("memory allocation", CL_OUT_OF_HOST_MEMORY).failure);
        } catch (const std::exception& error) {
            return to_json(
                FailedReply{"", kBrokenProcess, 0, error.what(), "This is unexpected: please report it"});
        }
    }

    /// @throws std::runtime_error  a descriptor that this process needs was closed or replaced
    void require_descriptors() const {
        struct stat file {};
        for (const OpenFile& open : needed_files_)
            if (::fstat(open.fd, &file) != 0 || file.st_dev != open.device || file.st_ino != open.number)
                throw std::runtime_error("file descriptor " + std::to_string(open.fd) + " is gone");
    }

    Json handle(const ConfineRequest& request) {
        if (is_confined_ || found_)
            throw ClError::mistake("a runner can be confined only once, before it loads a driver");
        is_confined_ = true;
        const SandboxReport report =
            enter_sandbox(request.policy, PrivateDescriptors{channel_.read_fd(), channel_.write_fd(),
                                                             channel_.secret(), kSecretArgument, leash_fd_});
        question_fd_ = Fd(report.question_fd);
        return to_json(ConfinedReply{report});
    }

    Json handle(const DevicesRequest& request) {
        find(request.library);
        return to_json(found_->list);
    }

    Json handle(const OpenRequest& request) {
        find();
        if (request.index >= found_->handles.size())
            throw ClError::refusal("device number " + std::to_string(request.index) +
                                       " does not exist; the number of devices is " +
                                       std::to_string(found_->handles.size()),
                                   "List the devices with 'kwb devices'");
        opened_.reset();
        const cl::Device& device = found_->handles[request.index];
        const cl::Context context(device);
        const cl::CommandQueue queue(context, device, cl::QueueProperties::Profiling);
        opened_.emplace(Opened{device, context, queue, DeviceMemory(context, device, queue), {}, nullptr});
        return to_json(OpenedReply{});
    }

    Json handle(const WarmUpRequest&) {
        Opened& place = opened();
        question_fd_.reset();
        try {
            warm_up(place.context, place.device, place.queue);
        } catch (const std::exception&) {  // if the driver cannot compile, the first kernel reports why
        }
        return to_json(WarmedUpReply{});
    }

    Json handle(const BuildRequest& request) {
        Opened& place = opened();
        question_fd_.reset();
        announce(kCompileStage);
        place.runs.reset();
        place.programs.erase(request.program);
        const Stopwatch watch;
        const ProgramSource source{request.file_name, request.source_text, request.includes, request.options};
        BuildOutcome outcome = build_program(place.context, place.device, source);
        BuiltReply reply{outcome.program() != nullptr, std::move(outcome.log), 0, {}};
        if (reply.accepted) {
            reply.functions = list_functions(outcome.program, place.device);
            place.programs[request.program] = {std::move(outcome.program), reply.functions, {}};
        }
        reply.build_ms = watch.ms();
        return to_json(reply);
    }

    Json handle(const BuffersRequest& request) {
        opened().runs.reset();
        opened().memory.allocate(request);
        return to_json(AllocatedReply{});
    }

    Json handle(const UploadRequest& request) {
        return to_json(UploadedReply{opened().memory.upload(request.transfers, arena_)});
    }

    Json handle(const ExecuteRequest& request) {
        Opened& place = opened();
        const auto program = place.programs.find(request.program);
        if (program == place.programs.end())
            throw ClError::refusal("no built program has the number " + std::to_string(request.program),
                                   "Build it first");
        const Execution execution{program->second, place.queue, place.memory, arena_,
                                  [this](const char* stage) { enter(stage); }};
        if (request.launches.empty()) {
            if (place.runs) place.runs->settle();
            return to_json(download(request.download, execution));
        }
        place.runs.reset();
        place.memory.move_small();
        place.runs = std::make_unique<Runs>(request, execution);
        const EndOfLaunches end;
        return executed(place.runs->execute());
    }

    Json handle(const PrepareRequest& request) {
        runs().prepare(request.inputs);
        return to_json(PreparedReply{});
    }

    Json handle(const LaunchRequest&) {
        report_faults(FaultScope::All);
        const EndOfLaunches end;
        return executed(runs().launch());
    }

    Json handle(const ObserveRequest&) { throw ClError::mistake("kwb-xray observes kernels, not a runner"); }

    /// Faults are reported only around launches: elsewhere they are the driver's or the runner's own.
    struct EndOfLaunches {
        ~EndOfLaunches() { report_faults(FaultScope::Nothing); }
    };

    void enter(const char* stage) {
        report_faults(std::string_view(stage) == kLaunchStage ? FaultScope::All : FaultScope::Kernels);
        announce(stage);
    }

    Json executed(const ExecutedReply& reply) const {
        require_descriptors();  // now, while the cause is known
        return to_json(reply);
    }

    Runs& runs() {
        if (!opened().runs) throw ClError::mistake("no launch has run with these buffers");
        return *opened().runs;
    }

    /// Finds the devices on the first call.
    void find(const std::string& library = "") {
        if (!found_) found_ = find_devices(library);
    }

    Opened& opened() {
        if (!opened_) throw ClError::mistake("no device is open");
        return *opened_;
    }

    void announce(const char* stage) { send(to_json(StageNote{stage})); }

    void send(const Json& message) {
        std::fflush(stdout);  // output must arrive before the reply
        if (channel_.send(message) == Channel::SendOutcome::PeerGone) is_alone_ = true;
    }

    Channel channel_;
    std::optional<Arena> arena_;
    int leash_fd_;
    std::vector<OpenFile> needed_files_;
    std::optional<FoundDevices> found_;
    std::optional<Opened> opened_;
    bool is_confined_ = false;
    Fd question_fd_;  ///< the judge has a copy; closed before a kernel could use it to answer notifications
                      ///< itself
    bool is_alone_ = false;  ///< the judge has closed the connection
};

}  // namespace

void run_runner(bool has_arena) {
    ::signal(SIGPIPE, SIG_IGN);
    const rlimit no_core{0, 0};  // kernels crash often, and their core dumps would be large
    ::setrlimit(RLIMIT_CORE, &no_core);
    // Orphans become children of this process, so that the judge finds all processes that a kernel starts.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    // Never destroyed: after a kernel has corrupted memory, the driver may crash during cleanup.
    auto* server = new Server(take_protocol_pipes(has_arena));
    server->serve();
}

}  // namespace kwb
