#include "runner/server.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <stdexcept>

#include "base/error.hpp"
#include "ipc/hello.hpp"
#include "ipc/protocol_pipes.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/errors.hpp"
#include "runner/execute.hpp"
#include "runner/fault_report.hpp"
#include "sandbox/sandbox.hpp"

namespace kwb {
Server::Server(Channel channel, std::optional<Arena> arena)
    : channel_(std::move(channel)), arena_(std::move(arena)) {
    std::vector<int> fds = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    if (arena_) fds.push_back(arena_->fd());
    struct stat file {};
    for (const int fd : fds)
        if (::fstat(fd, &file) == 0) needed_files_.push_back({fd, file.st_dev, file.st_ino});
}

void Server::require_descriptors() const {
    struct stat file {};
    for (const OpenFile& open : needed_files_)
        if (::fstat(open.fd, &file) != 0 || file.st_dev != open.device || file.st_ino != open.number)
            throw std::runtime_error("file descriptor " + std::to_string(open.fd) + " is gone");
}

void Server::serve() {
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

void Server::send(const Json& message) {
    std::fflush(stdout);  // output must arrive before the reply
    if (channel_.send(message) == Channel::SendOutcome::PeerGone) is_alone_ = true;
}

void Server::announce(const char* stage) {
    send(to_json(StageNote{stage}));
}

Json Server::answer(const RunnerRequest& request) {
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
            FailedReply{"", kBrokenProcess, 0, error.what(), "this should not happen: please report it"});
    }
}

const FoundDevices& Server::found() {
    if (!found_) found_ = find_devices();
    return *found_;
}

Server::Opened& Server::opened() {
    if (!opened_) throw ClError::mistake("no device has been opened");
    return *opened_;
}

Json Server::handle(const ConfineRequest& request) {
    if (is_confined_ || found_) throw ClError::mistake("a runner is confined once, before it loads a driver");
    is_confined_ = true;
    const SandboxReport report = enter_sandbox(
        request.policy,
        PrivateDescriptors{channel_.read_fd(), channel_.write_fd(), channel_.secret(), kSecretArgument});
    question_fd_ = Fd(report.question_fd);
    return to_json(ConfinedReply{report});
}

Json Server::handle(const DevicesRequest& request) {
    if (!found_) found_ = find_devices(request.library);
    DeviceList list;
    for (std::size_t i = 0; i < found().handles.size(); ++i)
        list.devices.push_back(describe_device(found().handles[i], found().ids[i]));
    list.failures = found().failures;
    list.idle_drivers = found().idle_drivers;
    return to_json(list);
}

Json Server::handle(const OpenRequest& request) {
    if (request.index >= found().handles.size())
        throw ClError::refusal("there is no device of number " + std::to_string(request.index) + ", only " +
                                   std::to_string(found().handles.size()),
                               "list the devices with 'kwb devices'");
    opened_.reset();
    const cl::Device& device = found().handles[request.index];
    const cl::Context context(device);
    const cl::CommandQueue queue(context, device, cl::QueueProperties::Profiling);
    opened_.emplace(Opened{device, context, queue, DeviceMemory(context, device, queue), {}});
    return to_json(OpenedReply{});
}

Json Server::handle(const BuildRequest& request) {
    Opened& place = opened();
    question_fd_.reset();
    announce(kCompileStage);
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

Json Server::handle(const BuffersRequest& request) {
    opened().memory.allocate(request);
    return to_json(AllocatedReply{});
}

Json Server::handle(const UploadRequest& request) {
    return to_json(UploadedReply{opened().memory.upload(request.transfers, arena_)});
}

Json Server::handle(const ExecuteRequest& request) {
    Opened& place = opened();
    const auto program = place.programs.find(request.program);
    if (program == place.programs.end())
        throw ClError::refusal("there is no built program of number " + std::to_string(request.program),
                               "build it first");
    // Only around launches: elsewhere a fault is the driver's or the runner's own.
    const auto enter = [this](const char* stage) {
        report_faults(std::string_view(stage) == kLaunchStage ? FaultScope::All : FaultScope::Kernels);
        announce(stage);
    };
    struct EndOfLaunches {
        ~EndOfLaunches() { report_faults(FaultScope::Nothing); }
    } const end;
    BuiltProgram& built = program->second;
    const ExecutedReply reply = execute(
        request, {built.program, built.functions, place.queue, place.memory, arena_, built.seen, enter});
    require_descriptors();  // now, while the cause is known
    return to_json(reply);
}

void run_runner(bool has_arena) {
    ::signal(SIGPIPE, SIG_IGN);
    const rlimit no_core{0, 0};  // kernels crash often, and their core dumps would be large
    ::setrlimit(RLIMIT_CORE, &no_core);
    ProtocolPipes pipes = take_protocol_pipes(has_arena);
    // Never destroyed: after a kernel has corrupted memory, the driver may crash during cleanup.
    auto* server = new Server(std::move(pipes.channel), std::move(pipes.arena));
    server->serve();
}

}  // namespace kwb
