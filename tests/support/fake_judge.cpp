// A judge without runners that is honest until it is told not to be.
//
//   fake_judge LOG BEHAVIOUR[;BEHAVIOUR…]
//
// Each judge appends its process number to LOG; the n-th one takes the n-th behaviour, all later ones the
// last. A behaviour may be several, one a run: "wrong,timed" gives wrong results first, then times.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/file.hpp"
#include "base/text.hpp"
#include "ipc/frame.hpp"
#include "ipc/hello.hpp"
#include "ipc/judge_messages.hpp"

namespace {

using namespace kwb;

void write_raw(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (n <= 0) ::_exit(0);
        at += static_cast<std::size_t>(n);
    }
}

void send(const Outgoing& message) {
    const std::string text = dump_json(message.json);
    write_raw(frame_header(text.size(), message.attachment.size()) + text + message.attachment);
}

void send(const JudgeEvent& event) {
    send(to_outgoing(event));
}

void send_json(const Json& json) {
    send(Outgoing{json, ""});
}

KernelResult result_named(const std::string& name) {
    KernelResult result;
    result.kernel = name;
    result.problem = "matmul";
    result.verdict = Verdict::Correct;
    return result;
}

/// As many rounds as fill a chart; the same for every judge.
void add_times(KernelResult& result, std::size_t contestant, std::size_t rounds) {
    const double typical_ms = 1.0 + 0.5 * static_cast<double>(contestant);
    for (std::size_t i = 0; i < rounds; ++i)
        result.samples_ms.push_back(typical_ms * (1 + 0.01 * static_cast<double>(i * 7 % 11)));
    result.median_ms = typical_ms * 1.05;
    result.ci95_ms = Interval{typical_ms * 1.04, typical_ms * 1.06};
    result.gflops = 100 / typical_ms;
    result.gbytes_s = 10 / typical_ms;
    result.build_ms = 30;
    result.upload_ms = 0.5;
    result.download_ms = 0.25;
    result.first_run_ms = 3 * typical_ms;
}

void make_wrong(KernelResult& result) {
    result.verdict = Verdict::Wrong;
    result.reason = "C[0][1] is 3, but 4 is expected";
    result.wrong_elements = 1;
    result.first_wrong = {{{0, 1}, 4, 3, "C"}};
    result.max_error_share = 2;
}

void fail_to_compile(KernelResult& result) {
    result.verdict = Verdict::CompileError;
    result.reason = "the compiler rejects the source";
    result.diagnostics = {{Severity::Error, result.file, 2, 3, "use of undeclared identifier 'sum'"},
                          {Severity::Warning, result.file, 1, 1, "unused variable 'x'"}};
    result.log = "2:3: error: use of undeclared identifier 'sum'";
}

class FakeJudge {
public:
    explicit FakeJudge(const std::string& behaviours) : behaviours_(split(behaviours, ',')) {}

    void serve() {
        if (is("silent-start")) hang();
        if (is("exit-at-start")) ::_exit(3);
        if (is("garbage-at-start")) return write_raw("Welcome to gpu-box\nLast login: today\n"), hang();
        if (is("no-hello")) return send(DeviceList{}), hang();
        if (is("bare-hello")) return send_json({{"type", "hello"}}), hang();
        if (is("half-hello")) return write_raw(frame_header(50, 0) + "{\"type\""), ::_exit(0);
        Json hello = make_hello(is("stranger") ? "kwb-stranger" : "kwb-judge");
        if (is("version")) hello["version"] = "99.9.9";
        if (is("protocol")) hello["protocol"] = kProtocolVersion + 1;
        send_json(hello);
        if (is("exit-after-hello")) ::_exit(0);
        Channel channel{Fd(::dup(STDIN_FILENO)), Fd(::open("/dev/null", O_WRONLY))};
        for (;;) {
            if (const auto message = channel.take()) {
                answer(judge_request_from(*message));
                continue;
            }
            if (channel.closed()) {
                if (is("stays")) hang();
                return;
            }
            pollfd ready{channel.read_fd(), POLLIN, 0};
            ::poll(&ready, 1, -1);
            channel.read_available();
        }
    }

private:
    bool is(const char* behaviour) const { return behaviour_ == behaviour; }
    [[noreturn]] static void hang() {
        for (;;) ::pause();
    }

    void answer(const JudgeRequest& request) {
        if (std::holds_alternative<ListDevices>(request)) return list();
        if (const auto* run = std::get_if<RunRequest>(&request)) return start(*run);
        if (is("deaf-to-stop")) return;
        if (is("babbles-after-stop"))
            for (std::uint32_t i = 0;; ++i) send(Progress{"time", names_.at(0), i, i, 1.0, {}});
        if (is("exit-at-stop")) ::_exit(0);
        if (is_running_) finish(true);  // else it came late
    }

    void list() {
        if (is("devices-exit")) ::_exit(3);
        if (is("devices-error")) return send(ErrorEvent{"there is no driver here"});
        DeviceList list;
        DeviceInfo device;
        device.id = "fake:0";
        device.name = "the fake device";
        device.base_align_bytes = 128;
        device.compute_units = 4;
        device.max_work_group_size = 1024;
        device.max_work_item_sizes = {1024, 1024, 64};
        device.local_mem_bytes = 64u << 10;
        device.global_mem_bytes = std::uint64_t{8} << 30;
        device.max_alloc_bytes = std::uint64_t{2} << 30;
        list.devices.push_back(device);
        send(list);
    }

    void start(const RunRequest& request) {
        behaviour_ = behaviours_[std::min(runs_++, behaviours_.size() - 1)];
        request_ = request;
        names_.clear();
        is_running_ = true;
        for (const Contestant& contestant : request.contestants) names_.push_back(contestant.name());
        if (is("run-exit")) ::_exit(3);
        if (is("run-segv")) {
            ::signal(SIGSEGV, SIG_DFL);  // sanitizers have a handler of their own
            ::raise(SIGSEGV);
        }
        if (is("run-garbage")) return write_raw("terminate called\n");
        if (is("run-oversized")) return write_raw(frame_header(1u << 31, 0));
        if (is("run-unknown")) return send_json({{"type", "surprise"}});
        if (is("run-no-type")) return send_json(Json::object());
        if (is("run-bad-result"))
            return send_json({{"type", "result"}, {"index", 0}, {"result", {{"kernel", 7}}}});
        if (is("run-bad-map")) {
            KernelResult result = result_named(names_.at(0));
            result.error_map = ErrorMap{"C", 4, 4, std::vector<float>(16)};
            Outgoing message = to_outgoing(ResultEvent{0, result});
            message.attachment.resize(3);
            return send(message);
        }
        if (is("run-cut")) {
            send(Progress{"time", names_.at(0), 1, 1, {}, {}});
            return write_raw(frame_header(1000, 0) + "{\"type\": \"resu"), ::_exit(0);
        }
        if (is("run-error")) return send(ErrorEvent{"device 'fake:0' is not there any more"});
        if (is("run-exit-late")) return send(ResultEvent{0, result_named(names_.at(0))}), ::_exit(0);
        if (is("dies-after-first")) return send(ResultEvent{0, result_named(names_.at(0))}), ::_exit(0);
        if (is("error-after-first"))
            return send(ResultEvent{0, result_named(names_.at(0))}), send(ErrorEvent{"no memory is left"});
        if (is("too-few")) return send(DoneEvent{{}, false});
        if (is("too-many")) names_.push_back("k9");
        if (is("endless") || is("deaf-to-stop") || is("exit-at-stop") || is("babbles-after-stop"))
            return send(Progress{"time", names_.at(0), 1, 1, {}, {}});
        if (is("grows")) return send_turns();
        if (is("strange-turn")) return send(Progress{"time", names_.at(0), 1, 1, {}, {}, {{1u << 20, 1.0}}});
        if (is("chatty"))
            for (std::uint32_t i = 0; i < 20'000; ++i) send(Progress{"time", names_.at(0), i, i, 1.0, {}});
        if (is("backwards") || is("twice")) {
            const std::uint32_t first = is("twice") ? 0 : 1;
            send(ResultEvent{first, result_named("a")});
            return send(ResultEvent{0, result_named("b")});
        }
        finish(false);
    }

    /// A round of all contestants, then a second one of the first; the rest comes when it is told to stop.
    void send_turns() {
        Progress progress{"time", names_.at(0), 0, 1, {}, {}};
        for (std::uint32_t i = 0; i < names_.size(); ++i) progress.turns.push_back({i, 1.0 + i});
        send(progress);
        progress.turns = {{0, 2.0}};
        send(progress);
    }

    void finish(bool stopped) {
        is_running_ = false;
        for (std::uint32_t i = 0; i < names_.size(); ++i) {
            KernelResult result = result_named(names_[i]);
            result.error_map = ErrorMap{"C", 2, 2, {0, 0.5f, 1, 2}};
            if (i < request_.contestants.size()) describe(result, request_.contestants[i]);
            if (is("timed")) add_times(result, i, 12);
            if (is("many-samples")) add_times(result, i, 10'000);
            if (is("wrong")) make_wrong(result);
            if (is("compile-error")) fail_to_compile(result);
            if (is("hint")) result.hints = {{2, "a barrier in a branch"}};
            send(ResultEvent{i, result});
        }
        Environment environment;
        environment.device = "the fake device";
        send(DoneEvent{environment, stopped});
    }

    /// What was asked for, so that a face finds its own again.
    void describe(KernelResult& result, const Contestant& contestant) const {
        result.problem = request_.problem;
        result.size = request_.sizes;
        result.device = request_.device;
        if (!contestant.kernel) return;
        result.file = contestant.kernel->file;
        result.source_sha256 = contestant.kernel->source_sha256;
        result.params = contestant.kernel->params;
        for (const LaunchPlan& launch : contestant.kernel->launches)
            result.launches.push_back({launch.kernel, launch.global,
                                       launch.local.value_or(std::vector<std::uint64_t>{}), std::nullopt});
    }

    std::vector<std::string> behaviours_;
    std::string behaviour_ = behaviours_.front();
    std::size_t runs_ = 0;
    RunRequest request_;
    std::vector<std::string> names_;
    bool is_running_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGPIPE, SIG_IGN);
    const Fd log(::open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600));
    const std::string line = std::to_string(::getpid()) + "\n";
    if (::write(log.get(), line.data(), line.size()) < 0) return 2;
    const std::size_t number = split_lines(read_file(argv[1])).size();
    const auto behaviours = split(argv[2], ';');
    FakeJudge(behaviours[std::min(number, behaviours.size()) - 1]).serve();
    return 0;
}
