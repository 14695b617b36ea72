// SPDX-License-Identifier: Apache-2.0
// The real kwb-runner with PoCL, in the sandbox that the judge uses.
#include <doctest/doctest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "base/file.hpp"
#include "ipc/arena.hpp"
#include "ipc/channel.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "sandbox/policies.hpp"
#include "support/patience.hpp"
#include "support/skip.hpp"

using namespace kwb;
namespace fs = std::filesystem;

namespace {

/// A cache and a temporary folder, removed at the end.
struct Folders {
    Folders() {
        std::string name = fs::temp_directory_path() / "kwb-confined-XXXXXX";
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root = name;
        fs::create_directory(cache());
        fs::create_directory(temporary());
    }
    ~Folders() { fs::remove_all(root); }
    Folders(const Folders&) = delete;
    Folders& operator=(const Folders&) = delete;

    fs::path cache() const { return root / "cache"; }
    fs::path temporary() const { return root / "temporary"; }
    fs::path root;
};

class ConfinedRunner {
public:
    explicit ConfinedRunner(const Folders& folders) : child_(start(folders)) {
        require_hello(next(), "kwb-runner");
        policy = make_policy(KWB_TEST_VENDORS "/pocl.icd", folders.cache(), folders.temporary());
        policy.readable.push_back(KWB_TEST_VENDORS);
        report = get<ConfinedReply>(ConfineRequest{policy}).report;
    }

    template <class Request>
    RunnerReply ask(const Request& request) {
        child_.channel().send(to_json(request));
        for (;;) {
            RunnerReply reply = runner_reply_from_json(next().json);
            if (!std::holds_alternative<StageNote>(reply)) return reply;
        }
    }

    template <class Reply, class Request>
    Reply get(const Request& request) {
        const RunnerReply reply = ask(request);
        if (const auto* failed = std::get_if<FailedReply>(&reply)) FAIL(failed->describe());
        return std::get<Reply>(reply);
    }

    BuiltReply build(const std::string& source) {
        REQUIRE(!get<DeviceList>(DevicesRequest{}).devices.empty());
        get<OpenedReply>(OpenRequest{0});
        return get<BuiltReply>(BuildRequest{1, "mine.cl", source, {}, ""});
    }

    /// Run one work-item of `kernel(global int* out)` and return `out`.
    std::vector<int> run(const std::string& kernel, std::size_t elements) {
        const std::uint64_t bytes = elements * sizeof(int);
        get<AllocatedReply>(BuffersRequest{{{0, 4096, bytes, 4096}}});
        arena_.grow(bytes + 8192);
        ExecuteRequest request;
        request.program = 1;
        request.launches.push_back({kernel, {1}, {1}, {BufferArgument{0}}, 1, std::nullopt});
        request.download = {{0, 0}};
        get<ExecutedReply>(request);
        std::vector<int> values(elements);
        std::memcpy(values.data(), arena_.range(4096, bytes).data(), bytes);
        return values;
    }

    /// Descriptors of the runner that are sockets: its connection to the judge.
    std::set<int> sockets() const {
        std::set<int> numbers;
        for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(child_.pid()) + "/fd"))
            if (fs::read_symlink(entry.path()).string().starts_with("socket:"))
                numbers.insert(std::stoi(entry.path().filename().string()));
        return numbers;
    }

    Message next() {
        const Deadline deadline = deadline_after_ms(test::kPatienceMs);
        for (;;) {
            if (auto message = child_.channel().take()) return *message;
            if (child_.channel().closed()) throw std::runtime_error("the runner is gone");
            pollfd ready{child_.channel().read_fd(), POLLIN, 0};
            if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) throw std::runtime_error("no message");
            child_.channel().read_available();
        }
    }

    SandboxPolicy policy;
    SandboxReport report;

private:
    Child start(const Folders& folders) {
        ChildOptions options;
        options.command = {KWB_RUNNER_PROGRAM, "--arena"};
        options.environment = driver_environment();
        options.environment.push_back({"POCL_CACHE_DIR", folders.cache().string()});
        options.environment.push_back({"HOME", folders.temporary().string()});
        options.environment.push_back({"TMPDIR", folders.temporary().string()});
        options.inherit_environment = false;
        options.over_sockets = true;
        options.keep_fd = arena_.fd();
        return Child::spawn(options);
    }

    Arena arena_ = Arena::create();
    Child child_;
};

constexpr const char* kFortyTwo = "kernel void answer(global int* out) { *out = 42; }\n";

}  // namespace

TEST_CASE("PoCL builds and runs in the sandbox, with a cold and with a warm cache") {
    const Folders folders;
    for (const bool is_warm : {false, true}) {
        CAPTURE(is_warm);
        ConfinedRunner runner(folders);
        CHECK(runner.report.enforced);
        CHECK(runner.report.network_closed);
        CHECK(runner.report.signals_closed);
        const BuiltReply built = runner.build(kFortyTwo);
        REQUIRE_MESSAGE(built.accepted, built.log);
        CHECK(runner.run("answer", 1) == std::vector<int>{42});
    }
    CHECK(!fs::is_empty(folders.cache()));
    CHECK(fs::is_empty(folders.temporary()));
}

TEST_CASE("a runner is confined once") {
    const Folders folders;
    ConfinedRunner runner(folders);
    const RunnerReply again = runner.ask(ConfineRequest{runner.policy});
    REQUIRE(std::holds_alternative<FailedReply>(again));
    CHECK(std::get<FailedReply>(again).cause.find("once") != std::string::npos);
}

TEST_CASE("kernel source cannot include what is not the driver's") {
    const Folders folders;
    ConfinedRunner runner(folders);
    if (runner.report.landlock_abi == 0) return kwb::test::skip("this machine's kernel has no Landlock");
    write_file(folders.root / "secret.h", "#error the secret\n");
    for (const std::string& path : {std::string("/etc/passwd"), (folders.root / "secret.h").string()}) {
        CAPTURE(path);
        const BuiltReply built = runner.build("#include \"" + path + "\"\n" + kFortyTwo);
        CHECK(!built.accepted);
        CHECK_MESSAGE(built.log.find("ermission denied") != std::string::npos, built.log);
    }
}

TEST_CASE("a kernel reaches neither the conversation nor anything else by system calls") {
#ifdef __x86_64__
    const Folders folders;
    ConfinedRunner runner(folders);
    const std::set<int> sockets = runner.sockets();
    REQUIRE(sockets.size() == 3);  // to read, to write, and the leash
    REQUIRE(*sockets.rbegin() == *sockets.begin() + 2);
    const std::string first = "#define FIRST " + std::to_string(*sockets.begin()) + "\n";
    const BuiltReply built = runner.build(first + R"(
__attribute__((noinline)) long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("xorl %%r10d, %%r10d\n\tsyscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r10", "r11", "memory");
    return result;
}
// Per descriptor: write, read, writev, readv, dup, dup2 over it, dup2 of it, fcntl, ioctl, close,
// with its number disguised by bits that the system does not look at, opened anew.
kernel void cheat(global int* out) {
    __private char forged[] = "KWB\1forged";
    __private long part[2] = {(long)(__private char*)forged, 4};
    __private char name[] = "/proc/self/fd/000";
    for (long fd = FIRST; fd < FIRST + 3; ++fd) {
        global int* of = out + fd * 12;
        name[14] = '0' + fd / 100; name[15] = '0' + fd / 10 % 10; name[16] = '0' + fd % 10;
        of[0] = call(1, fd, (long)(__private char*)forged, 4);
        of[1] = call(0, fd, (long)(__private char*)forged, 1);
        of[2] = call(20, fd, (long)part, 1);
        of[3] = call(19, fd, (long)part, 1);
        of[4] = call(32, fd, 0, 0);
        of[5] = call(33, 1, fd, 0);
        of[6] = call(33, fd, 250, 0);
        of[7] = call(72, fd, 0, 200);
        of[8] = call(16, fd, 0x5421, (long)part);
        of[9] = call(3, fd, 0, 0);
        of[10] = call(1, fd + (1L << 32), (long)(__private char*)forged, 4);
        of[11] = call(2, (long)(__private char*)name, 1, 0);
    }
    out[0] = call(41, 2, 1, 0);               // socket(AF_INET)
    out[1] = call(62, -1, 0, 0);              // kill(everybody)
    out[2] = call(436, 3, 1000, 0);           // close_range
    out[3] = call(62, call(39, 0, 0, 0), 0, 0);  // kill(self)
}
)");
    REQUIRE_MESSAGE(built.accepted, built.log);
    constexpr std::size_t kTries = 12;
    const std::vector<int> out = runner.run("cheat", 256 * kTries);
    for (const int fd : sockets) {
        REQUIRE(fd >= 100);
        for (std::size_t i = 0; i < kTries; ++i) {
            CAPTURE(fd);
            CAPTURE(i);
            const int result = out[static_cast<std::size_t>(fd) * kTries + i];
            CHECK(result == (i == 11 ? -ENXIO : -EPERM));
        }
    }
    CHECK(out[0] == -EPERM);
    CHECK(out[1] == -EPERM);
    CHECK(out[2] == -ENOSYS);
    CHECK(out[3] == 0);
    CHECK(runner.sockets() == sockets);
    const BuiltReply after = runner.get<BuiltReply>(BuildRequest{1, "mine.cl", kFortyTwo, {}, ""});
    CHECK(after.accepted);
    CHECK(runner.run("answer", 1) == std::vector<int>{42});
#endif
}
