// SPDX-License-Identifier: Apache-2.0
#include "device/runner/runner_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "ipc/channel.hpp"
#include "support/patience.hpp"

namespace kwb::test {
namespace {

ChildOptions options_for(const Arena& arena, NamedList<std::string> environment, Confined confined) {
    ChildOptions options;
    options.command = {KWB_RUNNER_PROGRAM, "--arena"};
    options.environment = std::move(environment);
    options.environment.push_back({"POCL_CACHE_DIR", KWB_TEST_CACHE});
    options.capture_stderr = true;
    options.keep_fd = arena.fd();
    options.over_sockets = confined == Confined::Yes;  // as in the judge
    return options;
}

/// Permissions that PoCL needs, the same as sandbox/policies grants to a CPU driver.
SandboxPolicy policy_for_pocl() {
    SandboxPolicy policy;
    policy.readable = {"/usr",
                       "/lib",
                       "/lib64",
                       "/bin",
                       "/sbin",
                       KWB_TEST_VENDORS,
                       "/etc/ld.so.cache",
                       "/etc/alternatives",
                       "/proc/cpuinfo",
                       "/proc/meminfo",
                       "/proc/stat",
                       "/proc/filesystems",
                       "/proc/sys/vm",
                       "/sys/devices/system",
                       "/sys/fs/cgroup"};
    policy.devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    policy.writable = {KWB_TEST_CACHE, std::filesystem::temp_directory_path().string()};
    return policy;
}

}  // namespace

BuffersRequest::Buffer place(std::uint32_t id, std::uint64_t bytes, Placement placement) {
    if (placement == Placement::Guarded) return {id, kGuardBytes, bytes, kGuardBytes};
    const std::uint64_t slack = (kPageBytes - bytes % kPageBytes) % kPageBytes;
    return placement == Placement::RightAligned ? BuffersRequest::Buffer{id, slack, bytes, 0}
                                                : BuffersRequest::Buffer{id, 0, bytes, slack};
}

bool is_untouched(std::span<const std::byte> guard) {
    return std::ranges::all_of(guard, [](std::byte b) { return b == kGuardByte; });
}

RunnerProcess::RunnerProcess(NamedList<std::string> environment, Confined confined)
    : child(Child::spawn(options_for(arena, std::move(environment), confined))) {
    const auto greeting = next_message();
    if (!greeting) throw std::runtime_error("no greeting");
    require_hello(*greeting, "kwb-runner");
    if (confined == Confined::No) return;
    const SandboxReport report = get<ConfinedReply>(ConfineRequest{policy_for_pocl()}).report;
    REQUIRE(report.signals_closed);
}

std::optional<Message> RunnerProcess::next_message() {
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    for (;;) {
        if (auto message = child.channel().take()) return message;
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        if (child.channel().closed() || ::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) return {};
        child.channel().read_available();
    }
}

RunnerReply RunnerProcess::wait_for_reply() {
    stages.clear();
    for (;;) {
        const auto message = next_message();
        if (!message) throw std::runtime_error("the runner is gone, or does not reply");
        RunnerReply reply = runner_reply_from_json(message->json);
        const auto* note = std::get_if<StageNote>(&reply);
        if (note == nullptr) return reply;
        stages.push_back(note->stage);
    }
}

Death RunnerProcess::wait_for_death() {
    Death death;
    while (const auto message = next_message()) {
        const RunnerReply reply = runner_reply_from_json(message->json);
        death.fault_is_last = std::holds_alternative<FaultNote>(reply);
        if (const auto* note = std::get_if<StageNote>(&reply))
            death.stages.push_back(note->stage);
        else if (const auto* fault = std::get_if<FaultNote>(&reply))
            death.faults.push_back(*fault);
        else
            throw std::runtime_error("the runner lives on and says " + message->type);
    }
    const auto status = child.wait(deadline_after_ms(kPatienceMs));
    if (!status) throw std::runtime_error("the runner lives on");
    death.status = status->describe();
    return death;
}

void RunnerProcess::start(ExecuteRequest request) {
    request.program = 1;
    child.channel().send(to_json(request));
}

Death RunnerProcess::die(ExecuteRequest request) {
    start(std::move(request));
    return wait_for_death();
}

BuiltReply RunnerProcess::build(const std::string& source, NamedList<std::string> includes,
                                const std::string& options) {
    if (!is_open_) get<OpenedReply>(OpenRequest{0});
    is_open_ = true;
    return get<BuiltReply>(BuildRequest{1, "mine.cl", source, std::move(includes), options});
}

namespace {

std::uint64_t whole_bytes(const BuffersRequest::Buffer& shape) {
    return shape.front_bytes + shape.bytes + shape.back_bytes;
}

}  // namespace

std::vector<Transfer> RunnerProcess::all_transfers() const {
    std::vector<Transfer> transfers;
    std::uint64_t offset = 0;
    for (const auto& shape : shapes) {
        transfers.push_back({shape.id, offset});
        offset += whole_bytes(shape);
    }
    return transfers;
}

std::span<std::byte> RunnerProcess::whole(std::size_t buffer) {
    return arena.range(all_transfers()[buffer].offset, whole_bytes(shapes[buffer]));
}

void RunnerProcess::fill_buffers(const std::vector<std::vector<std::byte>>& contents, Placement placement,
                                 bool trace) {
    shapes.clear();
    std::uint64_t total = 0;
    for (const auto& content : contents) {
        shapes.push_back(place(static_cast<std::uint32_t>(shapes.size()), content.size(), placement));
        total += whole_bytes(shapes.back());
    }
    get<AllocatedReply>(BuffersRequest{shapes, placement != Placement::Guarded, trace});
    arena.grow(total);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const auto all = whole(i);
        std::ranges::fill(all, kGuardByte);
        std::ranges::copy(contents[i], all.subspan(shapes[i].front_bytes).begin());
    }
    get<UploadedReply>(UploadRequest{all_transfers()});
}

ExecutedReply RunnerProcess::execute(ExecuteRequest request) {
    request.program = 1;
    request.download = all_transfers();
    // Parts that the download does not write must not look correct.
    for (std::size_t i = 0; i < shapes.size(); ++i) std::ranges::fill(whole(i), std::byte{0xEE});
    return get<ExecutedReply>(request);
}

void RunnerProcess::read_back() {
    execute({});
}

std::string RunnerProcess::output(const std::string& until) {
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    while (output_.find(until) == std::string::npos) {
        pollfd ready{child.output_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) break;
        std::array<char, 4096> block;
        const ssize_t n = ::read(child.output_fd(), block.data(), block.size());
        if (n <= 0) break;
        output_.append(block.data(), static_cast<std::size_t>(n));
    }
    return output_;
}

ExecuteRequest one_launch(const std::string& kernel, std::vector<std::uint64_t> global,
                          std::vector<std::uint64_t> local, std::vector<Argument> arguments) {
    ExecuteRequest request;
    request.launches.push_back(
        {kernel, std::move(global), std::move(local), std::move(arguments), 1, std::nullopt});
    return request;
}

}  // namespace kwb::test
