#include "session/hang_watch.hpp"

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
          "not checked, because this kernel ran into the time limit at 2 sizes already (1 and 3); mend that "
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
