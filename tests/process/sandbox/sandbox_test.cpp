// SPDX-License-Identifier: Apache-2.0
// Restrictions of the sandbox, tested from inside.
#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/file.hpp"
#include "base/text.hpp"
#include "support/process.hpp"
#include "support/skip.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// Two sibling folders: one is writable for the trespasser, the other contains a secret.
class Ground {
public:
    Ground() {
        std::string name = fs::temp_directory_path() / "kwb-sandbox-XXXXXX";
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root_ = name;
        fs::create_directory(folder());
        fs::create_directory(outside());
        write_file(outside() / "secret", "for nobody's eyes\n");
    }
    ~Ground() { fs::remove_all(root_); }
    Ground(const Ground&) = delete;
    Ground& operator=(const Ground&) = delete;

    fs::path folder() const { return root_ / "folder"; }
    fs::path outside() const { return root_ / "outside"; }
    bool is_untouched() const {
        return fs::exists(outside() / "secret") && fs::file_size(outside() / "secret") == 18 &&
               std::distance(fs::directory_iterator(outside()), {}) == 1;
    }

private:
    fs::path root_;
};

Finished trespass(const Ground& ground, const std::string& mode) {
    ProcessOptions options;
    options.command = {KWB_TRESPASSER, mode, ground.folder().string(), ground.outside().string()};
    return run_process(options);
}

/// The lines "name errno", except "report".
struct Outcome {
    std::string report;
    std::map<std::string, int> errors;
};

Outcome read_outcome(const Finished& finished) {
    REQUIRE_MESSAGE(finished.exit_code == 0, finished.err);
    Outcome outcome;
    for (const std::string& line : split_lines(finished.out)) {
        const std::size_t blank = line.find(' ');
        if (line.starts_with("report "))
            outcome.report = line.substr(blank + 1);
        else
            outcome.errors[line.substr(0, blank)] = std::stoi(line.substr(blank + 1));
    }
    return outcome;
}

constexpr const char* kAllowed[] = {"make-symlink", "make-inside",   "make-folder-inside", "move-inside",
                                    "read-inside",  "remove-inside", "read-library",       "write-null",
                                    "kill-self",    "tgkill-self",   "read-limit"};
/// Denied by Landlock; the errno is not compared, because the kernel returns EXDEV for some.
constexpr const char* kFilesRefused[] = {
    "read-passwd",          "read-secret",    "list-root",    "read-init-environ",   "read-parent-environ",
    "read-parent-memory",   "append-outside", "make-outside", "make-folder-outside", "link-outside",
    "read-through-symlink", "remove-outside", "write-library"};
constexpr const char* kCallsRefused[] = {"truncate-outside",
                                         "chmod-outside",
                                         "touch-outside",
                                         "chown-outside",
                                         "make-pipe",
                                         "socket-unix",
                                         "socket-inet",
                                         "socket-inet-datagram",
                                         "socket-inet6",
                                         "socket-netlink",
                                         "socket-pair",
                                         "kill-parent",
                                         "kill-group",
                                         "kill-everybody",
                                         "kill-named-group",
                                         "kill-parent-disguised",
                                         "tgkill-parent",
                                         "tkill-parent",
                                         "queue-signal-parent",
                                         "open-parent",
                                         "own-signals-parent",
                                         "own-signals-disguised",
                                         "read-memory-parent",
                                         "trace-parent",
                                         "new-group",
                                         "new-session",
                                         "outlive-parent",
                                         "adopt-no-orphans",
                                         "forget-children",
                                         "limit-parent",
                                         "set-limit",
                                         "new-namespace",
                                         "clone-namespace",
                                         "mount",
                                         "chroot",
                                         "bpf",
                                         "perf",
                                         "userfaultfd",
                                         "io-uring",
                                         "keys",
                                         "personality",
                                         "set-user",
                                         "shared-memory",
                                         "type-into-terminal",
                                         "watch",
                                         "watch-old",
                                         "watch-outside",
                                         "hold-capabilities"};

void check_calls(const Outcome& outcome) {
    for (const char* name : kCallsRefused) CHECK_MESSAGE(outcome.errors.at(name) == EPERM, std::string(name));
    CHECK(outcome.errors.at("clone3") == ENOSYS);
    CHECK(outcome.errors.at("raise-priority") == EACCES);
}

void check_everything(const Outcome& outcome) {
    check_calls(outcome);
    if (outcome.errors.at("landlock") == 0)
        return skip("this machine's kernel has no usable Landlock: files are not checked");
    for (const char* name : kFilesRefused) {
        const int error = outcome.errors.at(name);
        CHECK_MESSAGE((error == EACCES || error == EXDEV || error == EPERM), std::string(name)
                                                                                 << " " << error);
    }
    for (const char* name : kAllowed) CHECK_MESSAGE(outcome.errors.at(name) == 0, std::string(name));
}

}  // namespace

TEST_CASE("in the sandbox every trespass fails and everything needed works") {
    const Ground ground;
    const Outcome outcome = read_outcome(trespass(ground, "closed"));
    check_everything(outcome);
    if (outcome.errors.at("landlock") == 0) return;  // said by check_everything()
    CHECK(ground.is_untouched());
    CHECK(outcome.report ==
          "no files but the driver's, no network, no signals to other processes (Landlock ABI " +
              std::to_string(outcome.errors.at("landlock")) + ", seccomp)");
}

TEST_CASE("a process started in the sandbox is in it as well") {
    const Ground ground;
    const Finished finished = trespass(ground, "forked");
    Outcome outcome = read_outcome(finished);
    // The filter has the parent's PID, not that of the forked process, which needs no signals to itself.
    CHECK(outcome.errors.at("kill-self") == EPERM);
    CHECK(outcome.errors.at("tgkill-self") == EPERM);
    outcome.errors["kill-self"] = outcome.errors["tgkill-self"] = 0;
    check_everything(outcome);
}

TEST_CASE("another program started in the sandbox is in it as well, and the linker runs") {
    const Ground ground;
    const Finished finished = trespass(ground, "shell");
    CHECK(finished.out.find("fine\n") != std::string::npos);
    CHECK(finished.out.find("GNU ld") != std::string::npos);
    CHECK(finished.err.find("kill: ") != std::string::npos);
    if (finished.out.find("Landlock ABI") == std::string::npos)
        return skip("this machine's kernel has no usable Landlock: files are not checked");
    CHECK(finished.out.find("nobody") == std::string::npos);
    CHECK(ground.is_untouched());
}

TEST_CASE("without the sandbox the same attempts succeed, so the tests above are meaningful") {
    const Ground ground;
    const Outcome outcome = read_outcome(trespass(ground, "open"));
    for (const char* name :
         {"read-passwd",  "read-secret",          "list-root",      "read-parent-environ",   "append-outside",
          "make-outside", "make-folder-outside",  "chmod-outside",  "touch-outside",         "link-outside",
          "make-pipe",    "read-through-symlink", "remove-outside", "socket-unix",           "socket-inet",
          "socket-pair",  "kill-parent",          "kill-group",     "kill-parent-disguised", "tgkill-parent",
          "tkill-parent", "open-parent",          "set-limit",      "outlive-parent",        "personality",
          "limit-parent"})
        CHECK_MESSAGE(outcome.errors.at(name) == 0, std::string(name));
    for (const char* name : {"watch", "watch-old", "watch-outside"})
        CHECK_MESSAGE(outcome.errors.at(name) == 0, std::string(name));
    CHECK(!ground.is_untouched());
}

TEST_CASE("a process in the sandbox still dies of its own signals") {
    const Ground ground;
    CHECK(trespass(ground, "abort").exit_code == 128 + SIGABRT);
    CHECK(trespass(ground, "crash").exit_code == 128 + SIGSEGV);
#ifdef __x86_64__
    CHECK(trespass(ground, "foreign-call").exit_code == 128 + SIGSYS);
#endif
}

TEST_CASE("where the kernel has no Landlock, the report says so and the rest is closed") {
    const Ground ground;
    const Outcome outcome = read_outcome(trespass(ground, "no-landlock"));
    CHECK(outcome.report ==
          "no network, no signals to other processes (seccomp); files are open: this machine's kernel has no "
          "Landlock");
    CHECK(outcome.errors.at("landlock") == 0);
    CHECK(outcome.errors.at("read-passwd") == 0);
    check_calls(outcome);
}
