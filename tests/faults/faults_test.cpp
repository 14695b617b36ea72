// SPDX-License-Identifier: Apache-2.0
// Every fault in cases/ has the expected outcome and harms nothing else: all cases of a group share one front
// end and one judge, and after each case a good run must be correct.
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
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/opened_experiment.hpp"
#include "faults/fault_case.hpp"
#include "support/judge_client.hpp"
#include "support/patience.hpp"
#include "support/process.hpp"
#include "support/skip.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

// --- Processes below the front end: only its judge and the judge's runners are allowed ---

constexpr auto kMoment = std::chrono::minutes(1);  // the fault cases leave processes that sleep for longer

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
        // Reap adopted processes, which would otherwise stay zombies.
        if (process.parent == ::getpid() && process.state == 'Z') ::waitpid(pid, nullptr, WNOHANG);
        // A runner is the leader of its process group.
        const auto leader = processes.find(process.group);
        if (judge && leader != processes.end() && leader->second.parent == judge) continue;
        strays[pid] = "process " + std::to_string(pid) + " (" + process.name + ")";
    }
    return strays;
}

/// Become the subreaper for orphaned descendants, so that a process which escaped from its runner is found
/// here instead of being reparented to PID 1.
void adopt_orphans() {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        throw std::system_error(errno, std::generic_category(), "PR_SET_CHILD_SUBREAPER");
}

/// Find processes that would outlive the judge's runners, and kill those that do not end within kMoment:
/// children of this process other than `judge`, and processes outside their runner's process group (the judge
/// kills the whole group with the runner).
/// @param judge  nullopt: the judge has ended, so no process may be left
/// @return  "process 123 (name)" for each of them
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

/// The groups; each is a CTest test.
const std::vector<std::string> kGroups = {"bounds", "cheat", "crash", "escape", "hang", "refused"};

class Face {
public:
    explicit Face(bool sandbox = true) : judge_(options(sandbox)) {
        adopt_orphans();
        const JudgeAnswer answer = judge_.ask(ListDevices{});
        REQUIRE(answer.devices);
        device_ = choose_device(*answer.devices, "cpu");
        good_.name = "matmul/naive";
        good_.file = fs::path(KWB_SHIPPED_KERNELS) / "matmul/01_naive.cl";
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

    /// Require that there are no stray processes and that the judge serves the next good run normally.
    void require_health() {
        const std::vector<std::string> strays = end_strays(judge_.child.pid());
        const KernelResult result = judge_.result_of(test::make_request(good_, device_));
        CHECK_MESSAGE(result.verdict == Verdict::Correct, "the good run after it: ", result.reason);
        CHECK_MESSAGE(strays.empty(), "left behind: ", join(strays, ", "));
    }

    /// Shut the judge down, and require that all processes below it end too.
    void leave() {
        judge_.close();
        const std::vector<std::string> strays = end_strays({});
        CHECK_MESSAGE(strays.empty(), "outlived the judge: ", join(strays, ", "));
    }

private:
    static JudgeOptions options(bool sandbox) {
        // Groups run in parallel, each with its own compiler cache, so that none waits for another.
        const char* cache = std::getenv("KWB_FAULT_CACHE");
        return {KWB_JUDGE_PROGRAM,
                "",
                {{"KWB_CACHE_DIR", cache != nullptr && *cache != 0 ? cache : KWB_TEST_CACHE}},
                "",
                sandbox};
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

/// The cases of a group. KWB_FAULT_CASE limits them to some: names or patterns, separated by commas.
std::vector<CaseSource> wanted_cases(const std::string& group) {
    std::vector<CaseSource> cases = cases_in(kCases);
    const char* wanted = std::getenv("KWB_FAULT_CASE");
    if (wanted != nullptr) {
        std::vector<std::string> names;
        for (const CaseSource& source : cases) names.push_back(source.name);
        require_known(wanted, names);
    }
    std::erase_if(cases, [&](const CaseSource& source) { return !source.name.starts_with(group + "_"); });
    REQUIRE(!cases.empty());
    if (wanted != nullptr)
        std::erase_if(cases, [patterns = split(wanted, ',')](const CaseSource& source) {
            return std::ranges::none_of(
                patterns, [&](const std::string& pattern) { return matches(pattern, source.name); });
        });
    return cases;
}

bool is_for_this_processor(const FaultCase& fault) {
    if (fault.processor.empty() || fault.processor == machine()) return true;
    std::printf("   skipped %s: for %s\n", fault.name.c_str(), fault.processor.c_str());
    return false;
}

std::string in_seconds(double ms) {
    std::ostringstream text;
    text << ms / 1000 << " s";
    return text.str();
}

void try_case(Face& face, const CaseSource& source) {
    const FaultCase fault = read_fault_case(source);
    if (!is_for_this_processor(fault)) return;
    const auto start = std::chrono::steady_clock::now();
    // Only a short limit grows, and only if another step than the expected one ran into it.
    const std::vector<std::string> differences = ask_with_growing_limit(
        fault.recipe.timeout_ms,
        [&](double ms) {
            FaultCase limited = fault;
            limited.recipe.timeout_ms = ms;
            const std::vector<std::string> findings = face.run(limited);
            if (findings.front() == "verdict timeout")
                CHECK_MESSAGE(matches("* " + in_seconds(ms) + "*", findings.at(1)), findings.at(1));
            std::vector<std::string> found = compare(fault.expected, findings);
            for (const std::string& difference : found)
                std::printf("   with %s: %s\n", in_seconds(ms).c_str(), difference.c_str());
            return found;
        },
        [](const std::vector<std::string>& seen) { return seen.empty(); });
    CHECK_MESSAGE(differences.empty(), fault.name, "\n", join(differences, "\n"));
    face.require_health();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%6.2f s %s\n", taken.count(), fault.name.c_str());
}

void try_group(const std::string& group) {
    const std::vector<CaseSource> cases = wanted_cases(group);
    if (cases.empty()) return;  // others are wanted
    auto face = std::make_unique<Face>();
    for (const CaseSource& source : cases) {
        CAPTURE(source.name);
        try {
            try_case(*face, source);
        } catch (const BadInput& error) {
            FAIL_CHECK(std::string(error.what()));
        } catch (const std::runtime_error& error) {
            // The judge died: this case fails, and the remaining ones get a new judge.
            FAIL_CHECK(std::string(error.what()));
            face = std::make_unique<Face>();
        }
    }
    face->leave();
}

/// Every case of `escape` that is correct in the sandbox must not be so without it: otherwise it might be
/// correct because it reaches for nothing.
void try_unconfined() {
    const std::set<std::string> not_by_sandbox = {
        "escape_control",                                         // has nothing to reach for
        "escape_forged_answer", "escape_garbage_to_descriptors",  // nobody reads what they write
    };
    const std::set<std::string> end_the_judge = {"escape_kill_by_thread", "escape_kill_parent"};
    if (::geteuid() != 0) return skip("only root may do all that the sandbox forbids");
    auto face = std::make_unique<Face>(false);
    for (const CaseSource& source : wanted_cases("escape")) {
        const FaultCase fault = read_fault_case(source);
        if (!is_for_this_processor(fault) || fault.expected.front() != "verdict correct" ||
            not_by_sandbox.contains(fault.name))
            continue;
        std::string outcome;
        try {
            outcome = face->run(fault).front();
        } catch (const std::runtime_error&) {
            outcome = "the judge is killed";
            face = std::make_unique<Face>(false);
        }
        std::printf("%s: %s\n", fault.name.c_str(), outcome.c_str());
        CHECK_MESSAGE(
            outcome == (end_the_judge.contains(fault.name) ? "the judge is killed" : "verdict wrong"),
            fault.name);
    }
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

TEST_CASE("unconfined: without the sandbox, kernels reach what is not theirs") {
    try_unconfined();
}

TEST_CASE("every case belongs to a group") {
    for (const CaseSource& source : cases_in(kCases)) {
        CAPTURE(source.name);
        const std::string group = source.name.substr(0, source.name.find('_'));
        CHECK(std::ranges::find(kGroups, group) != kGroups.end());
    }
}
