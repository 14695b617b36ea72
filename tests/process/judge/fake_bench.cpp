// SPDX-License-Identifier: Apache-2.0
#include "fake_bench.hpp"

#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <fstream>

#include "support/patience.hpp"
#include "support/process.hpp"

namespace kwb::test {
namespace {

JudgeOptions options_of(const Folder& folder, const std::string& runners,
                        const std::vector<std::string>& drivers, bool own_cache, const std::string& xray) {
    std::filesystem::create_directory(folder.path / "vendors");
    const std::string cache = own_cache ? (folder.path / "cache").string() : KWB_TEST_CACHE;
    // Seconds that a driver may take to start. Short only where one never does.
    const bool is_silent = runners.find("devices=silent") != std::string::npos ||
                           runners.find("open=silent") != std::string::npos;
    for (const std::string& driver : drivers) std::ofstream(folder.path / "vendors" / driver) << "fake\n";
    return {KWB_JUDGE_PROGRAM,
            KWB_FAKE_RUNNER_PROGRAM,
            {{"KWB_FAKE_RUNNER", runners},
             {"KWB_FAKE_LOG", (folder.path / "log").string()},
             {"KWB_CACHE_DIR", cache},
             {"KWB_DRIVER_WAIT", is_silent ? "3" : "60"},
             {"OCL_ICD_VENDORS", (folder.path / "vendors").string()}},
            xray};
}

}  // namespace

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kwb-judge-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

FakeBench::FakeBench(const std::string& runners, const std::vector<std::string>& drivers, bool own_cache,
                     const std::string& xray)
    : judge(options_of(folder, runners, drivers, own_cache, xray)) {}

std::vector<pid_t> FakeBench::runners() const {
    std::ifstream log(folder.path / "log");
    std::vector<pid_t> pids;
    for (pid_t pid = 0; log >> pid;) pids.push_back(pid);
    return pids;
}

template <class Condition>
void FakeBench::wait_for_files(Condition&& holds) const {
    const Fd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    REQUIRE(::inotify_add_watch(watch.get(), folder.path.c_str(), IN_MODIFY | IN_CREATE) >= 0);
    while (!holds()) {
        pollfd changed{watch.get(), POLLIN, 0};
        REQUIRE(::poll(&changed, 1, kPatienceMs) == 1);
        char events[4096];
        [[maybe_unused]] const ssize_t bytes = ::read(watch.get(), events, sizeof events);
    }
}

void FakeBench::wait_for_runners(std::size_t n) const {
    wait_for_files([&] { return runners().size() >= n; });
}

void FakeBench::wait_until_stuck() const {
    wait_for_files([&] { return std::filesystem::exists(folder.path / "log.stuck"); });
}

bool is_running(pid_t pid) {
    return std::filesystem::exists("/proc/" + std::to_string(pid));
}

Children children_of(pid_t pid) {
    Children children;
    for (const ListedProcess& process : list_processes())
        if (process.parent == pid) ++(process.state == 'Z' ? children.zombies : children.living);
    return children;
}

RunRequest fake_request(RunRequest::Mode mode, std::size_t contestants) {
    RunRequest request;
    request.mode = mode;
    request.device = "fake:0";
    request.problem = "matmul";
    request.sizes = {{"M", 5}, {"N", 6}, {"K", 7}};
    request.timeout_ms = 120'000;
    request.xray = false;
    if (mode == RunRequest::Mode::Run) request.rounds = 2;
    for (std::size_t i = 0; i < contestants; ++i) {
        KernelPlan plan;
        plan.name = "fake/" + std::string(1, static_cast<char>('a' + i));
        plan.file = plan.name + ".cl";
        plan.trust = Trust::Shipped;  // they share a runner
        plan.source_text = "// " + plan.name + "\n  what\n";
        LaunchPlan launch;
        launch.kernel = "k";
        launch.global = {16, 16};
        plan.launches.push_back(launch);
        request.contestants.push_back({plan});
    }
    return request;
}

}  // namespace kwb::test
