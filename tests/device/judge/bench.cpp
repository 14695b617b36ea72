// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include "base/text.hpp"
#include "catalog/kernel_file.hpp"

namespace kwb::test {
namespace {

std::string path_of(const std::string& kernel) {
    const bool shipped = kernel.find('/') != std::string::npos;
    return std::string(shipped ? KWB_SHIPPED_KERNELS : KWB_TEST_KERNELS) + "/" + kernel + ".cl";
}

}  // namespace

DeviceBench::DeviceBench() : judge({KWB_JUDGE_PROGRAM, "", {{"KWB_CACHE_DIR", KWB_TEST_CACHE}}}) {
    const JudgeAnswer answer = judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    device = choose_device(*answer.devices, "cpu");
}

RunRequest DeviceBench::request(const std::string& kernel, const Sizes& sizes, const std::string& param,
                                bool check_only) const {
    OpenedExperiment experiment;
    experiment.contestants = {open_kernel_file(path_of(kernel), kernel)};
    for (const std::string& one : split(param, ' '))
        if (const std::size_t equals = one.find('='); equals != std::string::npos)
            experiment.choices.params.push_back({one.substr(0, equals), one.substr(equals + 1)});
    experiment.check_only = check_only;
    experiment.xray = false;  // what the judge itself finds
    if (!check_only) experiment.rounds = 3;
    const std::string& problem = experiment.contestants.front()->spec.problem;
    return make_request(experiment, get_problem(problem.empty() ? "matmul" : problem), sizes, device);
}

KernelResult DeviceBench::check(const std::string& kernel, const Sizes& sizes, const std::string& param) {
    return judge.result_of(request(kernel, sizes, param));
}

KernelResult DeviceBench::run(const std::string& kernel, const Sizes& sizes, const std::string& param) {
    return judge.result_of(request(kernel, sizes, param, false));
}

void DeviceBench::require_health() {
    const KernelResult result = check("matmul/01_naive", sizes_of(17, 19, 23));
    REQUIRE_MESSAGE(result.verdict == Verdict::Correct, result.reason);
}

DeviceBench& bench() {
    static DeviceBench bench;
    return bench;
}

}  // namespace kwb::test
