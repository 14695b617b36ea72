// SPDX-License-Identifier: Apache-2.0
// A kwb-xray without a compiler. Its "kernel" multiplies on the host.
//
// KWB_FAKE_XRAY says what it does:
//   good         observes nothing suspicious
//   race-of-six  a data race if the first buffer has six elements
//   groups-race-of-six  the same, between groups, and only one group is observed elsewhere
//   race         a data race, outside: an access outside of a buffer
//   disorder     in another order of the work-items the product is wrong
//   miscomputes  the product is always wrong
//   refuses, dies, dies-compiling, hangs, garbage, stranger
//   lies-line, lies-code, lies-launch, lies-group, lies-no-items, lies-map: an answer that cannot be true
//
// KWB_FAKE_XRAY_LOG: it appends a line for each observation, with its process.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>

#include "base/fd.hpp"
#include "ipc/arena.hpp"
#include "ipc/channel.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"

namespace {

using namespace kwb;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool is(const char* what) {
    return environment("KWB_FAKE_XRAY") == what;
}

void write_raw(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (n <= 0) ::_exit(0);
        at += static_cast<std::size_t>(n);
    }
}

void send(const Json& json) {
    const std::string text = dump_json(json);
    write_raw(frame_header(text.size(), 0) + text);
}

[[noreturn]] void hang() {
    for (;;) ::pause();
}

Finding race(const ObserveRequest& request) {
    return {.code = FindingCode::DataRace,
            .subject = "C[0][1]",
            .place = request.file_name + ":2:5",
            .numbers = {{"interval", 1}},
            .texts = {{"space", "global"},
                      {"access", "write"},
                      {"first_access", "write"},
                      {"first_place", request.file_name + ":2:9"},
                      {"item", "(1, 0)"},
                      {"first_item", "(0, 0)"}}};
}

class FakeXray {
public:
    void serve() {
        send(make_hello(is("stranger") ? "kwb-stranger" : kXrayProgram));
        Channel channel{Fd(::dup(STDIN_FILENO)), Fd(::open("/dev/null", O_WRONLY))};
        for (;;) {
            if (const auto message = channel.take()) {
                const RunnerRequest request = runner_request_from_json(message->json);
                if (std::holds_alternative<ConfineRequest>(request))
                    confine();
                else if (const auto* wanted = std::get_if<ObserveRequest>(&request))
                    observe(*wanted);
                continue;
            }
            if (channel.closed()) return;
            pollfd ready{channel.read_fd(), POLLIN, 0};
            ::poll(&ready, 1, -1);
            channel.read_available();
        }
    }

private:
    static void confine() {
        SandboxReport report;
        report.enforced = report.network_closed = report.signals_closed = true;
        report.landlock_abi = 4;
        send(to_json(ConfinedReply{report}));
    }

    void observe(const ObserveRequest& request) {
        const Fd log(::open(environment("KWB_FAKE_XRAY_LOG").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
        const std::string line = std::to_string(::getpid()) + '\n';
        if (::write(log.get(), line.data(), line.size()) < 0 && log) ::abort();
        if (is("refuses"))
            return send(to_json(FailedReply{"", "", 0, "it uses images, which are not observed", ""}));
        send(to_json(StageNote{kCompileStage}));
        if (is("dies-compiling")) ::raise(SIGSEGV);
        send(to_json(StageNote{kLaunchStage}));
        if (is("dies")) ::raise(SIGSEGV);
        if (is("hangs")) hang();
        if (is("garbage")) return write_raw("observed, but not really\n"), hang();
        multiply(request);
        send(to_json(ObservedReply{report_on(request)}));
    }

    static XrayReport report_on(const ObserveRequest& request) {
        XrayReport report;
        report.sub_group = request.xray.sub_group;
        for (const Launch& launch : request.launches) {
            std::uint64_t groups = 1;
            for (std::size_t i = 0; i < launch.global.size(); ++i)
                groups *= launch.global[i] / launch.local[i];
            report.launches.push_back({launch.kernel, launch.global, launch.local, groups, groups, 0});
        }
        for (const ObserveRequest::Buffer& buffer : request.buffers)
            report.buffers.push_back({buffer.name, AddressSpace::Global, to_string(buffer.type),
                                      buffer.type.bytes(), buffer.extents});
        if (is("race")) report.undefined.push_back(race(request));
        if (environment("KWB_FAKE_XRAY").ends_with("race-of-six")) {
            if (request.buffers.front().elements() == 6) report.undefined.push_back(race(request));
            if (!is("race-of-six") && report.undefined.empty()) report.launches.front().observed_groups = 1;
            if (!is("race-of-six") && !report.undefined.empty())
                report.undefined.front().numbers.push_back({"between_groups", 1});
        }
        if (is("outside"))
            report.undefined.push_back({.code = FindingCode::OutsideBuffer,
                                        .subject = "A",
                                        .place = request.file_name + ":2:5",
                                        .numbers = {{"element", 35}, {"elements", 35}},
                                        .texts = {{"access", "read"}, {"item", "(4, 5)"}}});
        if (is("lies-line")) {
            report.undefined.push_back(race(request));
            report.undefined.back().place = request.file_name + ":99:5";
        }
        if (is("lies-code"))
            report.undefined.push_back(
                {.code = FindingCode::NeverWritten, .place = request.file_name + ":1:1"});
        if (is("lies-launch")) report.launches.front().kernel = "another";
        if (is("lies-group"))
            report.launches.front().local.assign(report.launches.front().local.size(), 4096);
        if (is("lies-no-items")) report.launches.front().local.front() = 0;
        if (is("lies-map")) report.buffers.front().rows = report.buffers.front().columns = 64;
        return report;
    }

    void multiply(const ObserveRequest& request) {
        if (request.download.empty()) return;
        const auto values = [&](const char* name, std::uint64_t offset) {
            const auto buffer = std::ranges::find(request.buffers, name, &ObserveRequest::Buffer::name);
            const std::uint64_t bytes = buffer->elements() * buffer->type.bytes();
            arena_.require(offset + bytes);
            return reinterpret_cast<float*>(arena_.range(offset, bytes).data());
        };
        const auto named = [&](const char* name) {
            return *std::ranges::find(request.buffers, name, &ObserveRequest::Buffer::name);
        };
        const std::uint64_t m = named("A").extents[0], k = named("A").extents[1], n = named("B").extents[1];
        arena_.require(request.download[0].offset + m * n * sizeof(float));
        const float* a = values("A", *named("A").offset);
        const float* b = values("B", *named("B").offset);
        float* c = values("C", request.download[0].offset);
        const bool is_wrong = is("miscomputes") || (is("disorder") && request.xray.order_seed);
        for (std::uint64_t row = 0; row < m; ++row)
            for (std::uint64_t column = 0; column < n; ++column) {
                float sum = is_wrong ? 1 : 0;
                for (std::uint64_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
                c[row * n + column] = sum;
            }
    }

    Arena arena_ = Arena::adopt(Fd(kKeptFd));
};

}  // namespace

int main() {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGPIPE, SIG_IGN);
    for (const int fatal : {SIGSEGV, SIGABRT}) ::signal(fatal, SIG_DFL);  // sanitizers install handlers
    FakeXray().serve();
    return 0;
}
