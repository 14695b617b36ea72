// SPDX-License-Identifier: Apache-2.0
// Programs for the host, built by the system's compiler and run in the sandbox on PoCL.
#include "task/host_program.hpp"

#include <doctest/doctest.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/file.hpp"
#include "support/process.hpp"
#include "support/skip.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

HostCheck check(const std::string& source, const std::stop_token& stop = {}) {
    ::setenv("OCL_ICD_VENDORS", KWB_TEST_VENDORS, 1);
    return check_host_program("mine.cpp", source, {{{"N", 1}}, {{"N", 100}}}, stop);
}

std::string solution() {
    return read_file(std::string(KWB_SHIPPED_LESSONS) + "/15_host/solution/exercise.cpp", 1u << 20);
}

/// A main() around these statements; C is written by add().
std::string program(const std::string& statements) {
    return "#include <cstdio>\n#include <fstream>\n#include <iterator>\n#include <string>\n#include "
           "<vector>\n"
           "int main(int, char** names) {\n" +
           statements + "\n}\n";
}

/// Without it, files are not closed off.
bool has_landlock() {
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 2;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a right program is correct at every size, and tells its time and the build log") {
    const HostCheck done = check(solution());
    CHECK_MESSAGE(done.obstacle.empty(), done.obstacle);
    REQUIRE(done.results.size() == 2);
    for (const KernelResult& result : done.results)
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    REQUIRE(done.told_ns);
    CHECK(*done.told_ns > 0);
    CHECK(*done.told_ns < done.run_ns);
    CHECK(done.broken_exit == 1);
    CHECK(done.broken_log);
}

TEST_CASE("errors of the compiler are told at the person's own file, from the first one on") {
    const HostCheck done = check("int main() {\n    return nothing;\n}\n");
    REQUIRE(done.results.size() == 1);
    CHECK(done.results[0].verdict == Verdict::CompileError);
    CHECK_MESSAGE(done.results[0].reason.starts_with("mine.cpp:2:12: error:"), done.results[0].reason);
}

TEST_CASE("an error of OpenCL is found in what the program printed") {
    const HostCheck done = check(program("std::fputs(\"clFinish (-5)\\n\", stderr); return 1;"));
    REQUIRE(done.results.size() == 1);
    CHECK(done.results[0].verdict == Verdict::LaunchError);
    CHECK(has(done.results[0].reason, "exit code 1"));
    CHECK(done.failed_call == "clFinish");
    CHECK(done.failed_code == -5);
}

TEST_CASE("a crash, no result and a wrong one are told") {
    CHECK(has(check(program("*static_cast<volatile int*>(nullptr) = 1;")).results.at(0).reason, "SIGSEGV"));
    CHECK(check(program("")).results.at(0).reason == "the program did not write the file C");
    const std::string copies =
        "std::ifstream a(names[1], std::ios::binary);\n"
        "const std::string bytes{std::istreambuf_iterator<char>(a), {}};\n"
        "std::ofstream(names[3], std::ios::binary) << bytes;";
    const HostCheck wrong = check(program(copies));  // C = A: right for one element, where B is 0
    REQUIRE(wrong.results.size() == 2);
    CHECK(wrong.results[0].verdict == Verdict::Correct);
    CHECK(wrong.results[1].verdict == Verdict::Wrong);
    CHECK(wrong.results[1].reason == "99 of 100 elements: C[1] is 1, expected 8");
}

TEST_CASE("the program reads and writes nothing of the person's") {
    if (!has_landlock()) return skip("this machine's kernel has no Landlock");
    const TempFolder home;
    home.write("secret", "private");
    const std::string secret = (home / "secret").string(), mark = (home / "mark").string();
    const HostCheck done = check(program("if (std::ifstream(\"" + secret + "\").good()) return 3;\n" +
                                         "if (std::ofstream(\"" + mark + "\") << 1) return 4;\nreturn 5;"));
    CHECK_MESSAGE(has(done.results.at(0).reason, "exit code 5"), done.results.at(0).reason);
    CHECK(!std::filesystem::exists(mark));
}

TEST_CASE("a program that never ends is ended when nobody waits for it any more") {
    const auto is_running = [] {
        return std::ranges::any_of(list_processes(), [](const ListedProcess& process) {
            return process.name == "program" && process.parent == ::getpid() && process.state != 'Z';
        });
    };
    std::stop_source stop;
    std::jthread asks([&](const std::stop_token& ended) {
        while (!is_running() && !ended.stop_requested()) std::this_thread::yield();
        stop.request_stop();
    });
    const HostCheck done = check(program("for (volatile int i = 0;;) i = i + 1;"), stop.get_token());
    REQUIRE(done.results.size() == 1);
    CHECK(done.results[0].verdict == Verdict::Skipped);
    CHECK(!is_running());
}
