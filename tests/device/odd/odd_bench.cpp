#include "odd_bench.hpp"

#include "catalog/kernel_file.hpp"
#include "session/experiment.hpp"

namespace kwb::test {
namespace {

JudgeOptions options_of(VendorsFolder& vendors, const std::string& habits,
                        const NamedList<std::string>& environment) {
    vendors.add_odd(habits);
    JudgeOptions options{KWB_JUDGE_PROGRAM, "", environment};
    options.environment.push_back({"OCL_ICD_VENDORS", vendors.path().string()});
    if (find_named(environment, "KWB_CACHE_DIR") == nullptr)
        options.environment.push_back({"KWB_CACHE_DIR", KWB_TEST_CACHE});
    return options;
}

}  // namespace

OddBench::OddBench(const std::string& habits, const NamedList<std::string>& environment)
    : judge(options_of(vendors_, habits, environment)) {
    const JudgeAnswer answer = judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    for (const DriverFailure& failure : answer.devices->failures) MESSAGE(failure.reason);
    device = choose_device(*answer.devices, std::nullopt);
}

RunRequest OddBench::request(const std::vector<std::string>& kernels, bool check_only,
                             const Sizes& sizes) const {
    Experiment experiment;
    for (const std::string& kernel : kernels) {
        const bool shipped = !kernel.starts_with('/');
        const std::string path = shipped ? std::string(KWB_SHIPPED_KERNELS) + "/" + kernel + ".cl" : kernel;
        experiment.contestants.push_back(open_kernel_file(path, kernel));
    }
    experiment.check_only = check_only;
    if (!check_only) experiment.rounds = 3;
    return make_request(experiment, get_problem("matmul"), sizes, device);
}

std::vector<KernelResult> OddBench::run(const std::vector<std::string>& kernels) {
    JudgeAnswer answer = judge.ask(request(kernels, false));
    REQUIRE_MESSAGE(!answer.error, *answer.error);
    return answer.results;
}

std::vector<KernelResult> OddBench::check(const std::vector<std::string>& kernels) {
    JudgeAnswer answer = judge.ask(request(kernels, true));
    REQUIRE_MESSAGE(!answer.error, *answer.error);
    return answer.results;
}

std::string OddBench::write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
}

}  // namespace kwb::test
