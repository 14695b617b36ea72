// Every fault in cases/ comes to what it expects, and harms nothing else: one face and one judge for all of
// them, and after each the next good run is correct.
#include <doctest/doctest.h>

#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/error.hpp"
#include "base/text.hpp"
#include "faults/fault_case.hpp"
#include "faults/findings.hpp"
#include "faults/household.hpp"
#include "session/experiment.hpp"
#include "support/judge_client.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

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
