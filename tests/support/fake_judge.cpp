// SPDX-License-Identifier: Apache-2.0
// A judge without runners that behaves correctly unless a fault is selected.
//
//   fake_judge LOG BEHAVIOUR[;BEHAVIOUR…]
//
// Each judge appends its process ID to LOG. The n-th judge uses the n-th behaviour, all later ones the last.
// A behaviour may be a list with one entry per run: "wrong,timed" sends wrong results first, then times.
// fake_results.hpp documents the results.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"
#include "ipc/channel.hpp"
#include "ipc/judge_messages.hpp"
#include "support/fake_results.hpp"
#include "support/sample_xray.hpp"

namespace {

using namespace kwb;
using namespace kwb::test;

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
    static void crash() {
        ::signal(SIGSEGV, SIG_DFL);  // sanitizers install a handler
        ::raise(SIGSEGV);
    }

    void answer(const JudgeRequest& request) {
        if (std::holds_alternative<ListDevices>(request)) return list();
        if (const auto* run = std::get_if<RunRequest>(&request)) return start(*run);
        if (const auto* xray = std::get_if<XrayRequest>(&request)) return observe(*xray);
        if (std::holds_alternative<ExpectRuns>(request)) return;
        if (is("deaf-to-stop")) return;
        if (is("babbles-after-stop"))
            for (std::uint32_t i = 0;; ++i) send(Progress{"time", names_.at(0), i, i, 1.0, {}});
        if (std::exchange(is_observing_, false)) return send(ErrorEvent{"stopped"});
        if (is("exit-at-stop")) ::_exit(0);
        if (is_running_) finish(true);  // otherwise the run has already ended
    }

    /// "no-clang", "xray-error", "xray-hangs" (the first one, until it is stopped), "races". In the text,
    /// "slow" goes on until it is stopped, each word "race" is one, and "half a li" does not compile.
    void observe(const XrayRequest& request) {
        const std::string& text = request.kernel.source_text;
        send(Progress{"X-ray", request.kernel.name, 0, 0, {}, {}});
        if (is("xray-error")) return send(ErrorEvent{"there is no kwb-xray here"});
        is_observing_ =
            text.find("slow") != std::string::npos || (is("xray-hangs") && !std::exchange(has_hung_, true));
        if (is_observing_) return;
        XrayReport report;
        if (is("no-clang"))
            report.remarks = {
                {.code = FindingCode::XrayNotObserved, .texts = {{"sentence", "clang 14 is not installed"}}}};
        else
            report = sample_xray({.is_undefined = is("races")});
        report.sub_group = request.options.sub_group;
        const std::vector<std::string> lines = split_lines(text);
        for (std::size_t i = 0; i < lines.size() && text.find("half a li") == std::string::npos; ++i)
            if (const std::size_t at = lines[i].find("race"); at != std::string::npos)
                report.undefined.push_back({.code = FindingCode::DataRace,
                                            .subject = "t[0]",
                                            .place = std::to_string(i + 1) + ":" + std::to_string(at + 1)});
        send(XrayEvent{report});
    }

    void list() {
        if (is("devices-exit")) ::_exit(3);
        if (is("devices-error")) return send(ErrorEvent{"there is no driver here"});
        DeviceList list;
        DeviceInfo device;
        device.id = "fake:0";
        device.name = "the fake device";
        if (is("explained")) device.kind = DeviceKind::Cpu;
        if (is("cached")) device.second_level_cache_bytes = 2 << 20;
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
        if (is("run-segv")) crash();
        // "dies-in-build", "dies-in-check (real)", "dies-in-time"
        constexpr std::string_view kDiesIn = "dies-in-";
        if (behaviour_.starts_with(kDiesIn))
            return send(Progress{behaviour_.substr(kDiesIn.size()), names_.at(0), 0, 0, {}, {}}), crash();
        if (is("run-garbage")) return write_raw("terminate called\n");
        if (is("run-oversized")) return write_raw(frame_header(1u << 31, 0));
        if (is("run-unknown")) return send_json({{"type", "surprise"}});
        if (is("run-no-type")) return send_json(Json::object());
        if (is("run-bad-result"))
            return send_json({{"type", "result"},
                              {"index", 0},
                              {"final", true},
                              {"judged", true},
                              {"samples_before", 0},
                              {"result", {{"kernel", 7}}}});
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
        if (is("run-error")) return send(ErrorEvent{"device 'fake:0' is no longer available"});
        if (is("run-exit-late")) return send(ResultEvent{0, result_named(names_.at(0))}), ::_exit(0);
        if (is("dies-after-first")) return send(ResultEvent{0, result_named(names_.at(0))}), ::_exit(0);
        if (is("error-after-first"))
            return send(ResultEvent{0, result_named(names_.at(0))}), send(ErrorEvent{"no memory is left"});
        if (is("too-few")) return send(DoneEvent{{}, false});
        if (is("too-many")) names_.push_back("k9");
        if (is("endless") || is("deaf-to-stop") || is("exit-at-stop") || is("babbles-after-stop"))
            return send(Progress{"time", names_.at(0), 1, 1, {}, {}});
        if (is("grows")) return send_turns();
        if (is("settles") || is("strange-verdict")) return send_verdict();
        if (is("strange-growth")) return grow(1u << 20, 0, {1});
        if (is("gap-in-growth")) return grow(0, 7, {1});
        if (is("chatty"))
            for (std::uint32_t i = 0; i < 20'000; ++i) send(Progress{"time", names_.at(0), i, i, 1.0, {}});
        if (is("backwards") || is("twice")) {
            const std::uint32_t first = is("twice") ? 0 : 1;
            send(ResultEvent{first, result_named("a")});
            return send(ResultEvent{0, result_named("b")});
        }
        finish(false);
    }

    /// Send new samples of a contestant that has already sent `before` samples.
    void grow(std::uint32_t contestant, std::uint64_t before, std::vector<double> samples_ms) {
        KernelResult result = result_named(names_[std::min<std::size_t>(contestant, names_.size() - 1)]);
        result.judged = false;
        result.samples_ms = std::move(samples_ms);
        result.median_ms = 1.5;
        result.ci95_ms.reset();
        send(ResultEvent{contestant, result, false, before});
    }

    /// One round of all contestants and a second round of the first; the rest follows when told to stop.
    void send_turns() {
        const Progress progress{"time", names_.at(0), 0, 1, {}, {}};
        for (std::uint32_t i = 0; i < names_.size(); ++i) grow(i, 0, {1.0 + i});
        send(progress);
        grow(0, 1, {2.0});
        send(progress);
    }

    /// The second contestant is wrong; the check of the first lasts until the judge is told to stop.
    void send_verdict() {
        KernelResult wrong = result_named(names_.back());
        wrong.verdict = Verdict::Wrong;
        send(ResultEvent{is("settles") ? 1u : 1u << 20, wrong, false});
        Progress progress{"check (exact inputs)", names_.at(0), 0, 0, {}, {}};
        progress.elapsed_ms = 12'000;
        progress.limit_ms = 30'000;
        send(progress);
    }

    void finish(bool stopped) {
        is_running_ = false;
        std::vector<KernelResult> results;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            results.push_back(result_named(names_[i]));
            results.back().error_map = ErrorMap{"C", 2, 2, {0, 0.5f, 1, 2}};
            if (i < request_.contestants.size()) describe(results.back(), request_, request_.contestants[i]);
            // Right at the usual sizes, wrong where a guard is missing.
            const bool is_odd = request_.mode == RunRequest::Mode::Check && !request_.sizes.empty() &&
                                request_.sizes.front().value % 16 == 1;
            apply_behaviour(results.back(),
                            !is("wrong-elsewhere") ? behaviour_
                            : is_odd               ? "wrong"
                                                   : "timed",
                            i);
            if (is("explained") && (request_.what_if || request_.mode == RunRequest::Mode::Explain))
                results.back().effects = experiments_with(names_[i]);
        }
        add_speedups(results, request_.baseline);
        for (std::uint32_t i = 0; i < results.size(); ++i) send(ResultEvent{i, results[i]});
        Environment environment;
        environment.device = "the fake device";
        send(DoneEvent{environment, stopped});
    }

    /// Half of the time of "other" is misses of B.
    static std::vector<Effect> experiments_with(const std::string& name) {
        const bool is_seen = name.find("other") != std::string::npos;
        return {{.what = WhatIf::CacheHits,
                 .buffer = "B",
                 .as_it_is_ms = 1.5,
                 .share = is_seen ? 0.5 : 0.01,
                 .interval = is_seen ? Interval{0.4, 0.6} : Interval{-0.02, 0.03}}};
    }

    std::vector<std::string> behaviours_;
    std::string behaviour_ = behaviours_.front();
    std::size_t runs_ = 0;
    RunRequest request_;
    std::vector<std::string> names_;
    bool is_running_ = false;
    bool is_observing_ = false;
    bool has_hung_ = false;
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
