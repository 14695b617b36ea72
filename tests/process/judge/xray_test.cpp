// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fake_bench.hpp"

using namespace kwb;
using namespace kwb::test;

// What the answers of kwb-xray mean for a verdict, and that its failures cost only its answer. The kernel
// itself is always right: tests/support/fake_runner.cpp. Needs clang, which reads the kernel's arguments.

namespace {

using Mode = RunRequest::Mode;

constexpr const char* kSource =
    "__kernel void k(__global float* A, __global float* B, __global float* C, int M, int N, int K) {\n"
    "    C[get_global_id(0)] = A[0] * B[0] + M + N + K;\n"
    "}\n";

RunRequest observed_request(Mode mode = Mode::Check, Trust trust = Trust::Shipped) {
    RunRequest request = fake_request(mode);
    request.xray = true;
    KernelPlan& plan = *request.contestants.front().kernel;
    plan.source_text = kSource;
    plan.trust = trust;
    return request;
}

/// A judge with a fake kwb-xray and a cache of its own.
struct ObservedBench {
    explicit ObservedBench(const std::string& what) {
        ::setenv("KWB_FAKE_XRAY", what.c_str(), 1);
        ::setenv("KWB_FAKE_XRAY_LOG", (log_folder.path / "log").c_str(), 1);
    }

    std::size_t observations() const {
        std::ifstream log(log_folder.path / "log");
        return static_cast<std::size_t>(
            std::count(std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>(), '\n'));
    }
    std::size_t processes() const {
        std::ifstream log(log_folder.path / "log");
        return std::set<std::string>(std::istream_iterator<std::string>(log), {}).size();
    }
    std::vector<std::filesystem::path> kept() const {
        std::vector<std::filesystem::path> files;
        std::error_code error;
        for (const auto& entry :
             std::filesystem::directory_iterator(bench().folder.path / "cache" / "xray", error))
            files.push_back(entry.path());
        return files;
    }
    FakeBench& bench() const {
        if (!bench_) bench_ = std::make_unique<FakeBench>("good", std::vector<std::string>{"fake.icd"}, true);
        return *bench_;
    }

    Folder log_folder;
    mutable std::unique_ptr<FakeBench> bench_;
};

KernelResult result_with(const std::string& what, const RunRequest& request = observed_request()) {
    return ObservedBench(what).bench().judge.result_of(request);
}

bool has_warning(const KernelResult& result, FindingCode code) {
    return std::ranges::find(result.warnings, code, &Finding::code) != result.warnings.end();
}

}  // namespace

TEST_CASE("a kernel in which X-ray sees nothing undefined keeps its verdict") {
    for (const Mode mode : {Mode::Check, Mode::Run}) {
        const KernelResult result = result_with("good", observed_request(mode));
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        REQUIRE(result.xray.has_value());
        CHECK(result.xray->state == XrayState::Observed);
        REQUIRE(result.xray->observed.size() == 1);
        CHECK(result.xray->observed[0].size == observed_request().sizes);
        CHECK(result.xray->observed[0].is_shuffled == (mode == Mode::Check));
        CHECK_FALSE(has_warning(result, FindingCode::XrayNotObserved));
        CHECK_FALSE(has_warning(result, FindingCode::XrayCrashed));
    }
}

TEST_CASE("a right result that the language does not promise is undefined, with both places") {
    for (const Mode mode : {Mode::Check, Mode::Run}) {
        const KernelResult result = result_with("race", observed_request(mode));
        CHECK(result.verdict == Verdict::Undefined);
        CHECK_MESSAGE(mentions(result.reason, "work-item (1, 0) writes C[0][1] at line 2:5"), result.reason);
        CHECK_MESSAGE(mentions(result.reason, "work-item (0, 0) writes it at line 2:9"), result.reason);
        REQUIRE(result.finding.has_value());
        CHECK(result.finding->code == FindingCode::DataRace);
        CHECK(result.finding->place == "2:5");  // of the kernel's own file
        CHECK(result.samples_ms.empty());       // it is not timed
    }
}

TEST_CASE("an access outside of a buffer is out of bounds, whoever sees it") {
    const KernelResult result = result_with("outside");
    CHECK(result.verdict == Verdict::OutOfBounds);
    CHECK_MESSAGE(mentions(result.reason, "reads element 35 of A"), result.reason);
    REQUIRE(result.evidence.has_value());
    CHECK(result.evidence->buffer == "A");
    CHECK(result.evidence->element == 35);
}

TEST_CASE("a kernel whose result depends on the order of its work-items is wrong") {
    const KernelResult result = result_with("disorder");
    CHECK(result.verdict == Verdict::Wrong);
    REQUIRE(result.finding.has_value());
    CHECK(result.finding->code == FindingCode::WrongInOtherOrder);
    CHECK_MESSAGE(mentions(result.reason, "another order of the work-items"), result.reason);
    CHECK_MESSAGE(mentions(result.reason, "30 of 30 elements of C are wrong"), result.reason);
}

TEST_CASE("an X-ray that computes something else in any order says nothing about the kernel") {
    const KernelResult result = result_with("miscomputes");
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    CHECK(has_warning(result, FindingCode::XrayNotObserved));
}

TEST_CASE("a run compares no outputs of X-ray, because its order is the usual one") {
    CHECK(result_with("miscomputes", observed_request(Mode::Run)).verdict == Verdict::Correct);
}

TEST_CASE("a source that is right unoptimised, where nothing is undefined, is not blamed for the compiler") {
    struct Case {
        Mode mode;
        const char* runner;
        const char* xray;
        const char* options;
        bool is_suspect;
    };
    for (const Case& c :
         {Case{Mode::Check, "execute=miscompiles", "good", "", true},
          {Mode::Run, "execute=miscompiles", "good", "-cl-std=CL1.2", true},
          {Mode::Run, "execute=miscomputes", "good", "", false},           // without optimisation, too
          {Mode::Check, "execute=miscompiles", "miscomputes", "", false},  // the source is wrong
          {Mode::Run, "execute=miscompiles", "disorder", "", false},       // in another order
          {Mode::Run, "execute=miscompiles", "race", "", false},
          {Mode::Check, "execute=miscompiles", "dies", "", false},
          // The person allows other results.
          {Mode::Check, "execute=miscompiles", "good", "-cl-fast-relaxed-math", false}}) {
        CAPTURE(c.runner);
        CAPTURE(c.xray);
        CAPTURE(c.options);
        ObservedBench observed(c.xray);
        observed.bench_ = std::make_unique<FakeBench>(c.runner, std::vector<std::string>{"fake.icd"}, true);
        RunRequest request = observed_request(c.mode);
        request.contestants.front().kernel->build_options = c.options;
        for (int time = 0; time < 2; ++time) {  // the second time with what was kept of the first
            const KernelResult result = observed.bench().judge.result_of(request);
            CHECK(result.verdict == Verdict::Wrong);  // this is what the device computes
            REQUIRE(result.finding.has_value());
            CHECK(result.finding->code == FindingCode::WrongElements);
            CHECK(mentions(result.reason, "this driver's compiler is the suspect") == c.is_suspect);
            CHECK(result.finding->text("right_in_xray") == (c.is_suspect ? to_string(request.sizes) : ""));
        }
    }
}

TEST_CASE("a kwb-xray that dies, hangs, lies or refuses costs only its own answer") {
    struct Fault {
        const char* what;
        FindingCode code;
    };
    for (const Fault& fault : {Fault{"dies", FindingCode::XrayCrashed},
                               {"dies-compiling", FindingCode::XrayNotObserved},
                               {"hangs", FindingCode::XrayNotObserved},
                               {"garbage", FindingCode::XrayNotObserved},
                               {"stranger", FindingCode::XrayNotObserved},
                               {"refuses", FindingCode::XrayNotObserved},
                               {"lies-line", FindingCode::XrayNotObserved},
                               {"lies-code", FindingCode::XrayNotObserved},
                               {"lies-launch", FindingCode::XrayNotObserved},
                               {"lies-group", FindingCode::XrayNotObserved},
                               {"lies-no-items", FindingCode::XrayNotObserved},
                               {"lies-map", FindingCode::XrayNotObserved}}) {
        CAPTURE(fault.what);
        ObservedBench observed(fault.what);
        RunRequest request = observed_request();
        if (std::string(fault.what) == "hangs") request.timeout_ms = 2000;  // for each healthy step, too
        const KernelResult result = observed.bench().judge.result_of(request);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        REQUIRE(result.xray.has_value());
        CHECK(result.xray->state == XrayState::NotPossible);
        CHECK(result.xray->undefined.empty());
        CHECK(has_warning(result, fault.code));
        // The judge and its runners go on.
        CHECK(observed.bench().judge.result_of(fake_request()).verdict == Verdict::Correct);
        CHECK(observed.bench().judge.close().code == 0);
    }
}

TEST_CASE("without a kwb-xray the result says so") {
    ObservedBench observed("good");
    observed.bench_ =
        std::make_unique<FakeBench>("good", std::vector<std::string>{"fake.icd"}, true, "/none");
    const KernelResult result = observed.bench().judge.result_of(observed_request());
    CHECK(result.verdict == Verdict::Correct);
    CHECK(has_warning(result, FindingCode::XrayNotObserved));
}

TEST_CASE("X-ray that is left out is not asked, and the result says so") {
    ObservedBench observed("race");
    RunRequest request = observed_request();
    request.xray = false;
    const KernelResult result = observed.bench().judge.result_of(request);
    CHECK(result.verdict == Verdict::Correct);
    REQUIRE(result.xray.has_value());
    CHECK(result.xray->state == XrayState::LeftOut);
    CHECK(observed.observations() == 0);
}

TEST_CASE("what X-ray says of a foreign kernel is marked, and not kept") {
    ObservedBench observed("race");
    const KernelResult result =
        observed.bench().judge.result_of(observed_request(Mode::Check, Trust::Foreign));
    CHECK(result.verdict == Verdict::Undefined);
    CHECK_MESSAGE(mentions(result.reason, "observed in the kernel's own process"), result.reason);
    CHECK(result.xray->is_foreign);
    CHECK(observed.kept().empty());
}

TEST_CASE("an answer is kept for the same kernel, and a damaged one is asked for again") {
    ObservedBench observed("race");
    CHECK(observed.bench().judge.result_of(observed_request()).verdict == Verdict::Undefined);
    CHECK(observed.observations() == 1);
    CHECK(observed.bench().judge.result_of(observed_request()).verdict == Verdict::Undefined);
    CHECK(observed.observations() == 1);

    RunRequest changed = observed_request();
    changed.contestants.front().kernel->source_text += "// changed\n";
    CHECK(observed.bench().judge.result_of(changed).verdict == Verdict::Undefined);
    CHECK(observed.observations() == 2);

    for (const std::filesystem::path& file : observed.kept()) std::ofstream(file) << "{\"report\": {";
    CHECK(observed.bench().judge.result_of(observed_request()).verdict == Verdict::Undefined);
    CHECK(observed.observations() == 3);
}

TEST_CASE("an untrusted kernel keeps its kwb-xray from size to size of a submission, and no longer") {
    const ObservedBench observed("good");
    RunRequest request = observed_request(Mode::Check, Trust::Foreign);
    const auto processes_after = [&](const std::string& submission, std::int64_t columns) {
        request.submission = submission;
        request.sizes = {{"M", 5}, {"N", columns}, {"K", 7}};
        CHECK(observed.bench().judge.result_of(request).verdict == Verdict::Correct);
        return observed.processes();
    };
    CHECK(processes_after("ann", 6) == 1);
    CHECK(processes_after("ann", 8) == 1);
    CHECK(processes_after("bob", 6) == 2);
    CHECK(processes_after("", 6) == 3);
    CHECK(processes_after("", 6) == 4);
    CHECK(observed.observations() == 5);
}

TEST_CASE("what another kwb-xray has kept is asked for again") {
    const ObservedBench observed("race");
    const std::filesystem::path program = observed.log_folder.path / "xray";
    std::filesystem::copy_file(KWB_FAKE_XRAY_PROGRAM, program);
    RunRequest request = observed_request();
    request.contestants.front().kernel->source_text += "// " + program.string() + " has not seen it\n";
    const auto ask = [&] {
        FakeBench bench("good", {"fake.icd"}, false, program.string());
        CHECK(bench.judge.result_of(request).verdict == Verdict::Undefined);
        return observed.observations();
    };
    CHECK(ask() == 1);
    CHECK(ask() == 1);
    std::filesystem::last_write_time(program, std::filesystem::file_time_type::clock::now());
    CHECK(ask() == 2);
}

TEST_CASE("an answer that is asked for again is not taken for that of another size") {
    const ObservedBench observed("good");
    RunRequest request = observed_request(Mode::Run);
    KernelPlan& plan = *request.contestants.front().kernel;
    plan.source_text += "// " + observed.log_folder.path.string() + "\n";
    XraySize small{{{"M", 3}, {"N", 4}, {"K", 2}}, plan};
    small.plan.source_text.clear();
    request.contestants.front().xray_size = small;
    const auto verdict_of = [&](const char* runner) {
        FakeBench bench(runner, {"fake.icd"}, false, KWB_FAKE_XRAY_PROGRAM);
        return bench.judge.result_of(request).verdict;
    };
    CHECK(verdict_of("good") == Verdict::Correct);
    request.sizes = {{"M", 7}, {"N", 8}, {"K", 9}};  // the small size is kept, this one is not
    CHECK(verdict_of("execute=miscomputes") == Verdict::Wrong);
}

TEST_CASE("a run also observes a small size, and says at which size something was seen") {
    RunRequest request = observed_request(Mode::Run);
    XraySize small{{{"M", 3}, {"N", 4}, {"K", 2}}, *request.contestants.front().kernel};
    small.plan.source_text.clear();
    request.contestants.front().xray_size = small;
    const KernelResult result = result_with("race", request);
    CHECK(result.verdict == Verdict::Undefined);
    REQUIRE(result.xray->observed.size() == 2);
    CHECK(result.xray->observed[0].size == request.sizes);
    CHECK(result.xray->observed[1].size == small.sizes);
    CHECK(result.xray->undefined.size() == 1);  // the same race at both
    CHECK_MESSAGE(!mentions(result.reason, "at size"), result.reason);
}

TEST_CASE("what shows at the small size alone is a warning: the verdict is about the size of the run") {
    RunRequest request = observed_request(Mode::Run);
    XraySize small{{{"M", 3}, {"N", 4}, {"K", 2}}, *request.contestants.front().kernel};
    small.plan.source_text.clear();
    request.contestants.front().xray_size = small;
    for (const char* what : {"race-of-six", "groups-race-of-six"}) {
        CAPTURE(what);
        const KernelResult result = result_with(what, request);
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        const auto race = std::ranges::find(result.warnings, FindingCode::DataRace, &Finding::code);
        REQUIRE(race != result.warnings.end());
        CHECK(race->text("sizes") == "M=3 N=4 K=2");
        CHECK(race->text("clean_at") == "M=5 N=6 K=7");
    }
}

TEST_CASE("an X-ray request is answered with the whole report") {
    ObservedBench observed("race");
    const RunRequest run = observed_request();
    XrayRequest request;
    request.device = run.device;
    request.problem = run.problem;
    request.sizes = run.sizes;
    request.kernel = *run.contestants.front().kernel;
    request.options.sub_group = 16;
    observed.bench().judge.send(request);
    const JudgeEvent event = observed.bench().judge.next_event();
    const auto* answer = std::get_if<XrayEvent>(&event);
    REQUIRE(answer != nullptr);
    CHECK(answer->report.sub_group == 16);
    CHECK(answer->report.undefined.size() == 1);
    CHECK(answer->report.buffers.size() == 3);
}
