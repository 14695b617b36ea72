// Every fault in cases/ comes to what it expects, and harms nothing else: one face and one judge for all of
// them, and after each the next good run is correct.
#include <doctest/doctest.h>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "faults/fault_case.hpp"
#include "session/experiment.hpp"
#include "support/judge_client.hpp"
#include "support/process.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

// --- Who lives below the face: its judge, the judge's runners, and nobody else ---

constexpr auto kMoment = std::chrono::seconds(2);

using Processes = std::map<pid_t, ListedProcess>;

Processes processes_by_id() {
    Processes processes;
    for (ListedProcess& process : list_processes()) processes[process.pid] = std::move(process);
    return processes;
}

bool is_below(const Processes& processes, pid_t pid, pid_t ancestor) {
    for (auto at = processes.find(pid); at != processes.end(); at = processes.find(at->second.parent))
        if (at->second.parent == ancestor) return true;
    return false;
}

std::map<pid_t, std::string> find_strays(std::optional<pid_t> judge) {
    std::map<pid_t, std::string> strays;
    const Processes processes = processes_by_id();
    for (const auto& [pid, process] : processes) {
        if (pid == judge || !is_below(processes, pid, ::getpid())) continue;
        // An adopted one that has ended would stay a zombie.
        if (process.parent == ::getpid() && process.state == 'Z') ::waitpid(pid, nullptr, WNOHANG);
        // A runner leads its group.
        const auto leader = processes.find(process.group);
        if (judge && leader != processes.end() && leader->second.parent == judge) continue;
        strays[pid] = "process " + std::to_string(pid) + " (" + process.name + ")";
    }
    return strays;
}

/// Let orphans below this process become its own children, so that a process which a kernel started and which
/// slipped away from its runner shows here, and not at process 1.
void adopt_orphans() {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        throw std::system_error(errno, std::generic_category(), "PR_SET_CHILD_SUBREAPER");
}

/// Processes below this one that would outlive the judge's runners: children of this process other than
/// `judge`, and whoever has left its runner's process group, which the judge ends with it. Each "process 123
/// (name)". Such as are just ending get a moment for it; the others are killed.
/// @param judge  none: it has ended, and nobody may be left
std::vector<std::string> end_strays(std::optional<pid_t> judge) {
    const auto deadline = std::chrono::steady_clock::now() + kMoment;
    std::map<pid_t, std::string> strays = find_strays(judge);
    while (!strays.empty() && std::chrono::steady_clock::now() < deadline) {
        ::poll(nullptr, 0, 5);
        strays = find_strays(judge);
    }
    std::vector<std::string> names;
    for (const auto& [pid, name] : strays) {
        ::kill(pid, SIGKILL);
        names.push_back(name);
    }
    return names;
}

// --- The cases ---

const fs::path kCases = KWB_FAULT_CASES;

/// The groups, each a test of CTest's.
const std::vector<std::string> kGroups = {"bounds", "cheat", "crash", "escape", "hang", "refused"};

class Face {
public:
    Face() : judge_(options()) {
        adopt_orphans();
        const JudgeAnswer answer = judge_.ask(ListDevices{});
        REQUIRE(answer.devices);
        device_ = choose_device(*answer.devices, "cpu");
        good_.name = "matmul/naive";
        good_.kernel = fs::path(KWB_SHIPPED_KERNELS) / "matmul/01_naive.cl";
        good_.recipe = parse_recipe("check --size 17x19x23");
    }

    std::vector<std::string> run(const FaultCase& fault) {
        std::optional<RunRequest> request;
        try {
            request = test::make_request(fault, device_);
        } catch (const BadInput& error) {
            return findings_of_refusal(error.what());
        }
        return findings_of(judge_.result_of(*request));
    }

    /// Insist that nobody strays about and that the judge serves the next good run as if nothing had been.
    void require_health() {
        const std::vector<std::string> strays = end_strays(judge_.child.pid());
        const KernelResult result = judge_.result_of(test::make_request(good_, device_));
        CHECK_MESSAGE(result.verdict == Verdict::Correct, "the good run after it: ", result.reason);
        CHECK_MESSAGE(strays.empty(), "left behind: ", join(strays, ", "));
    }

    /// End the judge, and insist that everything below it ends too.
    void leave() {
        judge_.close();
        const std::vector<std::string> strays = end_strays({});
        CHECK_MESSAGE(strays.empty(), "outlived the judge: ", join(strays, ", "));
    }

private:
    static JudgeOptions options() {
        // Groups run side by side: each with a compiler cache of its own, so that none waits for another.
        const char* cache = std::getenv("KWB_FAULT_CACHE");
        return {KWB_JUDGE_PROGRAM,
                "",
                {{"KWB_CACHE_DIR", cache != nullptr && *cache != 0 ? cache : KWB_TEST_CACHE}}};
    }

    JudgeClient judge_;
    DeviceInfo device_;
    FaultCase good_;
};

std::string machine() {
    utsname name{};
    ::uname(&name);
    return name.machine;
}

/// For a person at work on some cases: their names in the environment, separated by commas.
bool is_wanted(const std::string& name) {
    const char* wanted = std::getenv("KWB_FAULT_CASE");
    if (wanted == nullptr) return true;
    const std::vector<std::string> patterns = split(wanted, ',');
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(pattern, name); });
}

void try_case(Face& face, const fs::path& kernel) {
    const FaultCase fault = read_fault_case(kernel);
    if (!fault.processor.empty() && fault.processor != machine()) {
        std::printf("   skipped %s: for %s\n", fault.name.c_str(), fault.processor.c_str());
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::string> findings = face.run(fault);
    const std::vector<std::string> differences = compare(fault.expected, findings);
    CHECK_MESSAGE(differences.empty(), fault.name, "\n", join(differences, "\n"));
    face.require_health();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%6.2f s %s\n", taken.count(), fault.name.c_str());
}

void try_group(const std::string& group) {
    auto face = std::make_unique<Face>();
    const std::vector<fs::path> kernels = cases_of(kCases, group);
    REQUIRE(!kernels.empty());
    for (const fs::path& kernel : kernels) {
        const std::string name = kernel.stem().string();
        if (!is_wanted(name)) continue;
        CAPTURE(name);
        try {
            try_case(*face, kernel);
        } catch (const BadInput& error) {
            FAIL_CHECK(std::string(error.what()));
        } catch (const std::runtime_error& error) {
            // The judge has not survived: a failure of this case, and the others get a new one.
            FAIL_CHECK(std::string(error.what()));
            face = std::make_unique<Face>();
        }
    }
    face->leave();
}

}  // namespace

TEST_CASE("bounds: kernels that leave their buffers") {
    try_group("bounds");
}
TEST_CASE("cheat: kernels that compute something else, or nothing") {
    try_group("cheat");
}
TEST_CASE("crash: kernels that end their process, and kernels that print") {
    try_group("crash");
}
TEST_CASE("escape: kernels that reach for what is not theirs") {
    try_group("escape");
}
TEST_CASE("hang: kernels that never end") {
    try_group("hang");
}
TEST_CASE("refused: kernels that never run") {
    try_group("refused");
}

TEST_CASE("every case belongs to a group") {
    for (const auto& entry : fs::directory_iterator(kCases)) {
        const std::string name = entry.path().filename().string();
        if (name == "neighbours") continue;  // what the kernels include
        CAPTURE(name);
        CHECK(entry.path().extension() == ".cl");
        const std::string group = name.substr(0, name.find('_'));
        CHECK(std::find(kGroups.begin(), kGroups.end(), group) != kGroups.end());
    }
}
