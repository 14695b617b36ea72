// SPDX-License-Identifier: Apache-2.0
// A runner without OpenCL that behaves correctly unless a fault is selected. Its "kernel" multiplies on the
// host.
//
// KWB_FAKE_RUNNER: the faults of the runners, separated by ';', as in "good;execute=stage-segv;good". The
// n-th item is for the n-th runner started, the last one also for all later runners. A fault is WHEN=WHAT,
// with WHEN one of start, confine, devices, open, warm_up, build, buffers, upload, execute, turn. A driver
// file named like a fault, e.g. "devices=segv.icd", selects it for that driver's runner only.
//
// KWB_FAKE_LOG: each runner appends its process ID; the number of lines is its own number. A file with the
// additional suffix ".stuck" is created when a runner does nothing else any more (it hangs, prints or
// babbles).
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"
#include "ipc/arena.hpp"
#include "ipc/channel.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"

namespace {

using namespace kwb;

struct Fault {
    std::string when;
    std::string what;
};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::size_t register_self() {
    const Fd log(::open(environment("KWB_FAKE_LOG").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
    const std::string line = std::to_string(::getpid()) + "\n";
    if (::write(log.get(), line.data(), line.size()) < 0) std::perror("fake_runner: KWB_FAKE_LOG");
    return split_lines(read_file(environment("KWB_FAKE_LOG"))).size();
}

Fault choose_fault(std::size_t number) {
    std::string stem;  // file name of the only driver that the judge offers
    std::error_code no_folder;
    for (const auto& file : std::filesystem::directory_iterator(environment("OCL_ICD_VENDORS"), no_folder))
        stem = file.path().stem();
    const auto items = split(environment("KWB_FAKE_RUNNER"), ';');
    const std::string item =
        stem.find('=') != std::string::npos ? stem : items[std::min(number, items.size()) - 1];
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) return {"", item};
    return {item.substr(0, equals), item.substr(equals + 1)};
}

void write_raw(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (n <= 0) ::_exit(0);  // the judge has closed the pipe
        at += static_cast<std::size_t>(n);
    }
}

void send(const Json& json) {
    const std::string text = dump_json(json);
    write_raw(frame_header(text.size(), 0) + text);
}

void send_text(const std::string& text) {
    write_raw(frame_header(text.size(), 0) + text);
}

void tell_stuck() {
    const Fd file(::open((environment("KWB_FAKE_LOG") + ".stuck").c_str(), O_WRONLY | O_CREAT, 0600));
}

[[noreturn]] void hang() {
    tell_stuck();
    for (;;) ::pause();
}

[[noreturn]] void die(const std::string& how) {
    std::fputs("fake_runner: these are my last words\n", stderr);
    std::fflush(stderr);
    if (how == "segv") ::raise(SIGSEGV);
    if (how == "abort") ::raise(SIGABRT);
    if (how == "kill") ::raise(SIGKILL);
    ::_exit(how == "exit3" ? 3 : 0);
}

/// Faults that are possible at any time.
/// @return  false if `what` is none of them
bool misbehave(std::string what, const char* stage) {
    if (what.starts_with("stage-")) {
        send(to_json(StageNote{stage}));
        what.erase(0, 6);
    }
    if (what == "silent") hang();
    if (what == "segv" || what == "abort" || what == "kill" || what == "exit0" || what == "exit3") die(what);
    if (what == "garbage") return write_raw("Segmentation fault, but not really\n"), hang(), true;
    if (what == "half") return write_raw(frame_header(100, 0) + "{\"type\""), die("exit0"), true;
    if (what == "oversized") return write_raw(frame_header(1u << 30, 0)), hang(), true;
    if (what == "attachment") return write_raw(frame_header(2, 100) + "{}"), hang(), true;
    if (what == "no-json") return send_text("{\"type\": "), hang(), true;
    if (what == "no-object") return send_text("[1, 2, 3]"), hang(), true;
    if (what == "no-type") return send_text("{}"), hang(), true;
    if (what == "deep") return send_text(std::string(100'000, '[')), hang(), true;
    if (what == "many-values") {  // eight megabytes, almost
        std::string objects = "{\"type\": [{}";
        while (objects.size() < 8'000'000) objects += ",{}";
        return send_text(objects + "]}"), hang(), true;
    }
    if (what == "unknown") return send({{"type", "surprise"}}), hang(), true;
    if (what == "other-answer") return send(to_json(UploadedReply{1})), hang(), true;
    if (what == "other-kind") return send(to_json(AllocatedReply{})), hang(), true;
    if (what == "missing-field") return send({{"type", "built"}}), hang(), true;
    if (what == "failed")
        return send(to_json(FailedReply{"clFake", "CL_OUT_OF_FAKES", -99, "there are none", "Buy some"})),
               true;
    if (what == "closes") {  // but stays alive
        ::close(STDIN_FILENO);
        ::close(STDOUT_FILENO);
        for (;;) ::pause();
    }
    if (what == "other-stage") return send(to_json(StageNote{"lunch"})), hang(), true;
    if (what == "late-compile") return send(to_json(StageNote{"compile"})), hang(), true;
    if (what == "fault-twice") return send(to_json(FaultNote{})), send(to_json(FaultNote{})), hang(), true;
    if (what == "fault") return send(to_json(FaultNote{})), hang(), true;
    if (what == "fault-buffer") {
        FaultNote note;
        note.buffer = 77;
        return send(to_json(note)), hang(), true;
    }
    if (what == "fault-far") {
        FaultNote note;
        note.buffer = 0;
        note.offset = INT64_MIN;
        return send(to_json(note)), hang(), true;
    }
    if (what == "fault-item") {
        FaultNote note;
        note.work_item = {16, 0, 0};
        return send(to_json(note)), hang(), true;
    }
    if (what == "hoards") {  // allocates beyond the limit for runners
        tell_stuck();
        std::vector<std::string> taken;
        for (;;) taken.emplace_back(std::size_t{64} << 20, 'x');
    }
    if (what == "breeds") {  // starts a process, one that is soon an orphan and one that is stopped
        for (const std::string kind : {"child", "orphan", "stopped"}) {
            if (::fork() != 0) continue;
            for (const int signal : {SIGHUP, SIGTERM}) ::signal(signal, SIG_IGN);
            if (kind == "orphan" && ::fork() != 0) ::_exit(0);
            if (kind == "stopped") ::raise(SIGSTOP);
            for (;;) ::pause();
        }
        hang();
    }
    if (what == "babble" || what == "print") tell_stuck();
    if (what == "babble")
        for (;;) send(to_json(StageNote{stage}));
    if (what == "drip")  // the first byte of a message, then silence
        return write_raw("K"), hang(), true;
    if (what == "print") {
        const std::string line = std::string(1000, 'x') + "\n";
        for (;;)
            if (::write(STDERR_FILENO, line.data(), line.size()) < 0) ::_exit(0);
    }
    return false;
}

DeviceInfo fake_device(int number) {
    DeviceInfo device;
    device.id = "fake:" + std::to_string(number);
    device.name = "the fake device";
    device.platform = "Fake";
    device.kind = DeviceKind::Cpu;
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 1024};
    device.local_mem_bytes = 1u << 20;
    device.global_mem_bytes = device.max_alloc_bytes = 1u << 30;
    device.base_align_bytes = 128;
    return device;
}

class FakeRunner {
public:
    explicit FakeRunner(Fault fault) : fault_(std::move(fault)) {}

    void serve() {
        greet();
        Channel channel{Fd(::dup(STDIN_FILENO)), Fd(::open("/dev/null", O_WRONLY))};
        for (;;) {
            if (const auto message = channel.take()) {
                std::visit([this](const auto& request) { handle(request); },
                           runner_request_from_json(message->json));
                continue;
            }
            if (channel.closed()) return;
            pollfd ready{channel.read_fd(), POLLIN, 0};
            ::poll(&ready, 1, -1);
            channel.read_available();
        }
    }

private:
    bool is(const char* when, const char* what = nullptr) const {
        return fault_.when == when && (what == nullptr || fault_.what == what);
    }

    void greet() {
        if (is("start", "version")) {
            Json hello = make_hello("kwb-runner");
            hello["version"] = "99.9.9";
            return send(hello);
        }
        if (is("start", "stranger")) return send(make_hello("kwb-stranger"));
        if (is("start", "bare-hello")) return send({{"type", "hello"}});
        if (is("start") && misbehave(fault_.what, "start")) return;
        send(make_hello("kwb-runner"));
    }

    void handle(const ConfineRequest&) {
        if (is("confine") && misbehave(fault_.what, "confine")) return;
        SandboxReport report;
        report.enforced = report.network_closed = report.signals_closed = true;
        report.landlock_abi = 4;
        send(to_json(ConfinedReply{report}));
    }

    void handle(const DevicesRequest&) {
        if (is("devices") && misbehave(fault_.what, "devices")) return;
        DeviceList list;
        if (!is("devices", "none")) list.devices.push_back(fake_device(0));
        if (is("devices", "absurd")) {
            list.devices.clear();
            for (int i = 0; i < 500; ++i) list.devices.push_back(fake_device(0));
            DeviceInfo& first = list.devices.front();
            first.name = std::string(10'000, 'n') + "\x01\x1b[31m";
            first.max_work_group_size = first.local_mem_bytes = UINT64_MAX;
            first.global_mem_bytes = first.max_alloc_bytes = UINT64_MAX;
            first.max_work_item_sizes.clear();
            first.base_align_bytes = 1u << 20;
        }
        if (is("devices", "poor")) {
            list.devices.front().max_alloc_bytes = list.devices.front().global_mem_bytes = 1;
            list.devices.front().base_align_bytes = 0;
        }
        Json reply = to_json(list);
        if (is("devices", "huge-align")) reply["devices"][0]["base_align_bytes"] = UINT64_MAX;
        if (is("devices", "negative")) reply["devices"][0]["compute_units"] = -1;
        send(reply);
    }

    void handle(const OpenRequest&) {
        if (is("open") && misbehave(fault_.what, "open")) return;
        send(to_json(OpenedReply{}));
    }

    void handle(const WarmUpRequest&) {
        if (is("warm_up") && misbehave(fault_.what, "warm_up")) return;
        send(to_json(WarmedUpReply{}));
    }

    void handle(const ObserveRequest&) {
        send(to_json(FailedReply{"", "", 0, "only kwb-xray observes", ""}));
    }

    void handle(const BuildRequest& request) {
        if (is("build") && misbehave(fault_.what, "compile")) return;
        send(to_json(StageNote{"compile"}));
        is_optimised_[request.program] = request.options.find("-cl-opt-disable") == std::string::npos;
        using Space = AddressSpace;
        FunctionInfo function{"k", {}, {}, {}};
        for (const char* name : {"A", "B", "C"})
            function.arguments.push_back({name, "float*", Space::Global, false});
        for (const char* name : {"M", "N", "K"})
            function.arguments.push_back({name, "int", Space::Private, false});
        BuiltReply reply{true, "", 1.5, {function}};
        if (is("build", "rejected"))
            reply = {false, request.file_name + ":1:3: error: no such thing\n", 1.5, {}};
        if (is("build", "no-functions")) reply.functions.clear();
        if (is("build", "nameless")) reply.functions.front().name.clear();
        if (is("build", "long-name")) reply.functions.front().name.assign(100'000, 'k');
        if (is("build", "many-functions")) reply.functions.assign(2000, function);
        if (is("build", "many-arguments"))
            reply.functions.front().arguments.assign(1000, function.arguments.front());
        if (is("build", "long-log")) reply.log.assign(4u << 20, '~');
        Json json = to_json(reply);
        if (is("build", "negative")) json["build_ms"] = -1;
        if (is("build", "nan")) json["build_ms"] = "nan";
        send(json);
    }

    void handle(const BuffersRequest& request) {
        if (is("buffers") && misbehave(fault_.what, "buffers")) return;
        buffers_.clear();
        for (const auto& shape : request.buffers)
            buffers_[shape.id] = {shape,
                                  std::vector<std::byte>(shape.front_bytes + shape.bytes + shape.back_bytes)};
        send(to_json(AllocatedReply{}));
    }

    void handle(const UploadRequest& request) {
        if (is("upload") && misbehave(fault_.what, "upload")) return;
        has_strayed_ = false;
        for (const Transfer& transfer : request.transfers) {
            std::vector<std::byte>& buffer = buffers_.at(transfer.buffer).bytes;
            arena_.require(transfer.offset + buffer.size());
            const auto from = arena_.range(transfer.offset, buffer.size());
            std::copy(from.begin(), from.end(), buffer.begin());
        }
        send(to_json(UploadedReply{is("upload", "negative") ? -1.0 : 0.5}));
    }

    void handle(const ExecuteRequest& request) {
        if (is("execute") && misbehave(fault_.what, "launch")) return;
        send(to_json(StageNote{"launch"}));
        take_inputs(request.inputs);
        if (!request.launches.empty()) {
            executed_ = request;
            run("execute");
        }
        for (const Transfer& transfer : request.download) {
            const std::vector<std::byte>& buffer = buffers_.at(transfer.buffer).bytes;
            const auto to = arena_.range(transfer.offset, buffer.size());
            std::copy(buffer.begin(), buffer.end(), to.begin());
        }
        answer("execute");
    }

    void handle(const PrepareRequest& request) {
        take_inputs(request.inputs);
        send(to_json(PreparedReply{}));
    }

    void handle(const LaunchRequest&) {
        if (is("turn") && misbehave(fault_.what, "launch")) return;
        run("turn");
        answer("turn");
    }

    void take_inputs(const std::vector<Transfer>& inputs) {
        for (const Transfer& transfer : inputs) {
            const auto from = arena_.range(transfer.offset, buffers_.at(transfer.buffer).shape.bytes);
            std::copy(from.begin(), from.end(), payload(transfer.buffer));
        }
    }

    void run(const char* when) {
        if (is(when, "fault-and-answer")) send(to_json(FaultNote{}));
        if (is(when, "leaves") && ::fork() == 0)
            for (;;) ::pause();
        if (is(when, "restless")) work_on(), ::usleep(2000);
        for (const BufferOperation& operation : executed_.before_run) fill(operation);
        if (!is(when, "writes-nothing")) multiply(executed_.launches.front().arguments);
        // Buffers placed in pages may have no slack to write to.
        if (is(when, "strays") && buffers_.at(2).shape.back_bytes > 0)
            stray(payload(2) + buffers_.at(2).shape.bytes);
        if (is(when, "strays-before") && buffers_.at(1).shape.front_bytes > 0) stray(payload(1) - 1);
        // Each sum lacks a term: of any program, or of those that its "compiler" has optimised.
        if (is(when, "miscomputes") || (is(when, "miscompiles") && is_optimised_[executed_.program]))
            for (std::size_t i = 0; i < buffers_.at(2).shape.bytes / sizeof(float); ++i)
                reinterpret_cast<float*>(payload(2))[i] -= 1 + static_cast<float>(i % 3);
        if (is(when, "changes-input")) payload(0)[4] = payload(0)[5] = std::byte{0x55};
    }

    /// Works on in a thread, and timers continue the process whenever it is stopped.
    static void work_on() {
        static const bool once = [] {
            std::thread([] {
                for (volatile unsigned work = 0;;) work = work + 1;
            }).detach();
            ::signal(SIGCONT, [](int) {});  // timers of an ignored signal pause
            sigevent event{};
            event.sigev_notify = SIGEV_SIGNAL;
            event.sigev_signo = SIGCONT;
            for (long i = 1; i <= 50; ++i) {  // a SIGSTOP ends each timer whose signal is pending
                timer_t timer{};
                const itimerspec times{{0, 10'000'000}, {0, i * 200'000}};
                if (::timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
                    ::timer_settime(timer, 0, &times, nullptr) != 0)
                    return false;
            }
            return true;
        }();
        if (!once) die("abort");
    }

    /// Once, so that the runs of a turn do not undo each other.
    void stray(std::byte* at) {
        if (!std::exchange(has_strayed_, true)) *at ^= std::byte{1};
    }

    void answer(const char* when) {
        ExecutedReply reply{1e-6, {1e-6}, 0.001, 0.001};
        if (is(when, "no-launches")) reply.launch_ms.clear();
        if (is(when, "many-launches")) reply.launch_ms.assign(1000, 1e-6);
        if (is(when, "slower-than-time")) reply.run_ms = 1e6;
        if (is(when, "zeros")) reply = {0, {0}, 0, 0};
        Json json = to_json(reply);
        if (is(when, "negative")) json["run_ms"] = -1e-6;
        if (is(when, "nan")) json["run_ms"] = "nan";
        if (is(when, "infinite")) json["launch_ms"] = Json::array({"inf"});
        send(json);
        if (is(when, "answers-twice")) send(json);
        if (is(when, "fault-and-answer")) send(json);
    }

    std::byte* payload(std::uint32_t id) {
        return buffers_.at(id).bytes.data() + buffers_.at(id).shape.front_bytes;
    }

    void fill(const BufferOperation& operation) {
        std::byte* bytes = payload(operation.buffer);
        for (std::size_t i = 0; i < buffers_.at(operation.buffer).shape.bytes; ++i)
            bytes[i] = std::byte{operation.pattern[i % operation.pattern.size()]};
    }

    void multiply(const std::vector<Argument>& arguments) {
        std::size_t extent[3];
        for (std::size_t i = 0; i < 3; ++i) {
            std::int32_t value = 0;
            std::memcpy(&value, std::get<ValueArgument>(arguments[3 + i]).bytes.data(), sizeof value);
            extent[i] = static_cast<std::size_t>(value);
        }
        const auto [m, n, k] = extent;
        const auto* a = reinterpret_cast<const float*>(payload(0));
        const auto* b = reinterpret_cast<const float*>(payload(1));
        auto* c = reinterpret_cast<float*>(payload(2));
        for (std::size_t row = 0; row < m; ++row)
            for (std::size_t column = 0; column < n; ++column) {
                float sum = 0;
                for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
                c[row * n + column] = sum;
            }
    }

    Fault fault_;
    ExecuteRequest executed_;                     ///< last
    std::map<std::uint32_t, bool> is_optimised_;  ///< by program
    bool has_strayed_ = false;                    ///< since the last upload
    Arena arena_ = Arena::adopt(Fd(kKeptFd));
    struct Buffer {
        BuffersRequest::Buffer shape;
        std::vector<std::byte> bytes;
    };
    std::map<std::uint32_t, Buffer> buffers_;
};

}  // namespace

int main() {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGPIPE, SIG_IGN);
    for (const int fatal : {SIGSEGV, SIGABRT}) ::signal(fatal, SIG_DFL);  // sanitizers install handlers
    FakeRunner(choose_fault(register_self())).serve();
    return 0;
}
