// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <doctest/doctest.h>

namespace kwb::test {

CollectionBench::CollectionBench() : judge({KWB_JUDGE_PROGRAM, "", {{"KWB_CACHE_DIR", KWB_TEST_CACHE}}}) {
    const JudgeAnswer answer = judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    device = choose_device(*answer.devices, "cpu");
}

KernelResult CollectionBench::check(const KernelFile& file, const Sizes& sizes, const ParamChoice& params) {
    Experiment experiment;
    experiment.contestants = {file};
    experiment.check_only = true;
    for (const auto& [name, value] : params) experiment.choices.params.push_back({name, to_string(value)});
    RunRequest request = make_request(experiment, get_problem(file.spec.problem), sizes, device);
    KernelResult result = judge.result_of(request);
    if (result.verdict != Verdict::Wrong) return result;
    // PoCL 6 does not always compile the same source to the same code: about one in a hundred compilations of
    // matmul/block loses work-items. A kernel only counts as wrong if it is wrong in two compilations;
    // Foreign kernels do not share a cache.
    request.contestants.front().kernel->trust = Trust::Foreign;
    return judge.result_of(request);
}

CollectionBench& bench() {
    static CollectionBench bench;
    return bench;
}

}  // namespace kwb::test
