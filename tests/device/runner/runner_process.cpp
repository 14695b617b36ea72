#include "device/runner/runner_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "ipc/hello.hpp"

namespace kwb::test {
namespace {

constexpr double kPatienceMs = 20000;

ChildOptions options_for(const Arena& arena, NamedList<std::string> environment) {
    ChildOptions options;
    options.command = {KWB_RUNNER_PROGRAM, "--arena"};
    options.environment = std::move(environment);
    options.environment.push_back({"POCL_CACHE_DIR", KWB_TEST_CACHE});
    options.capture_stderr = true;
    options.keep_fd = arena.fd();
    return options;
}

}  // namespace

RunnerProcess::RunnerProcess(NamedList<std::string> environment)
    : child(Child::spawn(options_for(arena, std::move(environment)))) {
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    for (;;) {
        if (const auto message = child.channel().take()) {
            require_hello(*message, "kwb-runner");
            break;
        }
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0 || !child.channel().read_available())
            throw std::runtime_error("no greeting");
    }
}

RunnerReply RunnerProcess::wait_for_reply() {
    stages.clear();
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    for (;;) {
        if (const auto message = child.channel().take()) {
            RunnerReply reply = runner_reply_from_json(message->json);
            const auto* note = std::get_if<StageNote>(&reply);
            if (note == nullptr) return reply;
            stages.push_back(note->stage);
            continue;
        }
        if (child.channel().closed()) throw std::runtime_error("the runner is gone");
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) throw std::runtime_error("no reply");
        child.channel().read_available();
    }
}

BuiltReply RunnerProcess::build(const std::string& source, NamedList<std::string> includes,
                                const std::string& options) {
    if (!is_open_) get<OpenedReply>(OpenRequest{0});
    is_open_ = true;
    return get<BuiltReply>(BuildRequest{1, "mine.cl", source, std::move(includes), options});
}

std::vector<Transfer> RunnerProcess::all_transfers() const {
    std::vector<Transfer> transfers;
    std::uint64_t offset = 0;
    for (std::uint32_t id = 0; id < sizes.size(); ++id) {
        transfers.push_back({id, offset});
        offset += sizes[id] + 2 * kGuardBytes;
    }
    return transfers;
}

std::span<std::byte> RunnerProcess::whole(std::size_t buffer) {
    return arena.range(all_transfers()[buffer].offset, sizes[buffer] + 2 * kGuardBytes);
}

void RunnerProcess::fill_buffers(const std::vector<std::vector<std::byte>>& contents) {
    BuffersRequest buffers;
    sizes.clear();
    std::uint64_t total = 0;
    for (const auto& content : contents) {
        buffers.buffers.push_back(
            {static_cast<std::uint32_t>(sizes.size()), kGuardBytes, content.size(), kGuardBytes});
        sizes.push_back(content.size());
        total += content.size() + 2 * kGuardBytes;
    }
    get<AllocatedReply>(buffers);
    arena.grow(total);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const auto place = whole(i);
        std::fill(place.begin(), place.end(), kGuardByte);
        std::copy(contents[i].begin(), contents[i].end(), place.begin() + kGuardBytes);
    }
    get<UploadedReply>(UploadRequest{all_transfers()});
}

ExecutedReply RunnerProcess::execute(ExecuteRequest request) {
    request.program = 1;
    request.download = all_transfers();
    // What the download does not write must not look right.
    if (!sizes.empty()) {
        const auto place = arena.range(0, all_transfers().back().offset + sizes.back() + 2 * kGuardBytes);
        std::fill(place.begin(), place.end(), std::byte{0xEE});
    }
    return get<ExecutedReply>(request);
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
