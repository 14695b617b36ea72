// SPDX-License-Identifier: Apache-2.0
#include "task/hang_watch.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

RunRequest check_of(const std::string& name) {
    RunRequest request;
    request.mode = RunRequest::Mode::Check;
    request.contestants.resize(1);
    request.contestants[0].kernel.emplace().name = name;
    return request;
}

KernelResult result_of(const std::string& name, std::int64_t size, Verdict verdict) {
    KernelResult result;
    result.kernel = name;
    result.size = {{"M", size}, {"N", size}, {"K", size}};
    result.verdict = verdict;
    return result;
}

KernelResult without_reference(const std::string& name, std::int64_t size) {
    KernelResult result = result_of(name, size, Verdict::Skipped);
    result.finding = Finding{.code = FindingCode::NoReference};
    return result;
}

}  // namespace

TEST_CASE("after two timeouts a kernel is not checked any more, and the sentence says at which sizes") {
    HangWatch watch;
    watch.note(result_of("hangs", 1, Verdict::Timeout));
    CHECK(!watch.find_reason_to_skip(check_of("hangs")));
    watch.note(result_of("hangs", 2, Verdict::Wrong));
    CHECK(!watch.find_reason_to_skip(check_of("hangs")));
    watch.note(result_of("hangs", 3, Verdict::Timeout));
    const auto reason = watch.find_reason_to_skip(check_of("hangs"));
    REQUIRE(reason);
    CHECK(*reason ==
          "not checked, because this kernel exceeded the time limit at 2 sizes already (1 and 3); fix that "
          "first, or allow a longer time limit");
}

TEST_CASE("other kernels are checked on") {
    HangWatch watch;
    for (const std::int64_t size : {1, 2}) watch.note(result_of("hangs", size, Verdict::Timeout));
    CHECK(!watch.find_reason_to_skip(check_of("other")));
    RunRequest both = check_of("hangs");
    both.contestants.emplace_back();
    CHECK(!watch.find_reason_to_skip(both));
}

TEST_CASE("a run that takes times goes on, and so does a check whose timeouts are expected") {
    HangWatch watch;
    for (const std::int64_t size : {1, 2, 3}) {
        watch.note(result_of("hangs", size, Verdict::Timeout));
        KernelResult expected = result_of("lesson", size, Verdict::Timeout);
        expected.expected = Expectation{{Verdict::Timeout}, "it never ends"};
        watch.note(expected);
    }
    CHECK(!watch.find_reason_to_skip(check_of("lesson")));
    RunRequest timed = check_of("hangs");
    CHECK(watch.find_reason_to_skip(timed));
    timed.mode = RunRequest::Mode::Run;
    CHECK(!watch.find_reason_to_skip(timed));
}

TEST_CASE("each kernel is told its own cause, whatever came of the others") {
    HangWatch watch;
    for (const std::int64_t size : {1, 2}) watch.note(without_reference("unjudged", size));
    for (const std::int64_t size : {3, 4}) watch.note(result_of("hangs", size, Verdict::Timeout));
    CHECK(watch.find_reason_to_skip(check_of("hangs")).value_or("") ==
          "not checked, because this kernel exceeded the time limit at 2 sizes already (3 and 4); fix that "
          "first, or allow a longer time limit");
    // A longer time limit would not help this kernel: at these sizes the reference failed.
    CHECK(watch.find_reason_to_skip(check_of("unjudged")).value_or("") ==
          "not checked, because the reference failed at 2 sizes already (1 and 2); fix the reference first");
    RunRequest both = check_of("hangs");
    both.contestants.push_back(check_of("unjudged").contestants.front());
    const std::string reason = watch.find_reason_to_skip(both).value_or("");
    CHECK(reason.starts_with("hangs: not checked, because this kernel"));
    CHECK(reason.find("; unjudged: not checked, because the reference") != std::string::npos);
}

TEST_CASE("a hang and a reference that came to nothing are two causes, and each needs two sizes") {
    HangWatch watch;
    watch.note(without_reference("both", 1));
    watch.note(result_of("both", 2, Verdict::Timeout));
    CHECK(!watch.find_reason_to_skip(check_of("both")));
    watch.note(without_reference("both", 3));
    CHECK(watch.find_reason_to_skip(check_of("both")).value_or("").find("(1 and 3)") != std::string::npos);
    // A kernel that is skipped for another reason, e.g. because it does not fit, takes no time.
    for (const std::int64_t size : {1, 2}) watch.note(result_of("large", size, Verdict::Skipped));
    CHECK(!watch.find_reason_to_skip(check_of("large")));
}
