// SPDX-License-Identifier: Apache-2.0
#include "ipc/child.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/text.hpp"
#include "ipc/arena.hpp"
#include "support/patience.hpp"

using namespace kwb;

namespace {

const Deadline kSoon = deadline_after_ms(10 * 60'000);  // for all tests of this program

Child start(std::vector<std::string> command) {
    ::signal(SIGPIPE, SIG_IGN);
    ChildOptions options;
    options.command = std::move(command);
    return Child::spawn(options);
}

Child shell(const std::string& script) {
    return start({"/bin/sh", "-c", script});
}

/// Read from `fd` until end-of-file.
std::string read_all(int fd) {
    std::string text;
    const Deadline deadline = deadline_after_ms(test::kPatienceMs);
    char block[4096];
    for (;;) {
        pollfd ready{fd, POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) return text + "[timed out]";
        const ssize_t n = ::read(fd, block, sizeof block);
        if (n == 0) return text;
        if (n > 0) text.append(block, static_cast<std::size_t>(n));
    }
}

std::string read_line(int fd) {
    std::string line;
    const Deadline deadline = deadline_after_ms(test::kPatienceMs);
    for (char c = 0; c != '\n';) {
        pollfd ready{fd, POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0) return line + "[timed out]";
        const ssize_t n = ::read(fd, &c, 1);
        if (n == 0) return line;
        if (n == 1 && c != '\n') line += c;
    }
    return line;
}

std::string output_of(Child& child) {
    return read_all(child.channel().read_fd());
}

bool has_ended(int pidfd) {
    pollfd ended{pidfd, POLLIN, 0};
    return ::poll(&ended, 1, test::kPatienceMs) == 1;
}

Fd open_process(pid_t pid) {
    return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace

TEST_CASE("a message to an echo program comes back") {
    Child child = start({"cat"});
    CHECK(child.channel().send({{"type", "ping"}}, "data") == Channel::SendOutcome::Sent);
    std::optional<Message> message;
    while (!(message = child.channel().take())) {
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        REQUIRE(::poll(&ready, 1, 10'000) == 1);
        REQUIRE(child.channel().read_available());
    }
    CHECK(message->type == "ping");
    CHECK(message->attachment == "data");
    child.channel().close_write();
    CHECK(child.wait(kSoon)->code == 0);
}

TEST_CASE("an exit code and a signal are told apart") {
    Child failing = shell("exit 3");
    const auto code = failing.wait(kSoon);
    REQUIRE(code.has_value());
    CHECK(code->code == 3);
    CHECK(code->describe() == "exit code 3");
    Child crashing = shell("kill -SEGV $$");
    const auto status = crashing.wait(kSoon);
    REQUIRE(status.has_value());
    CHECK(!status->code);
    CHECK(status->signal == SIGSEGV);
    CHECK(status->describe() == "SIGSEGV");
    CHECK(crashing.wait(Clock::now())->signal == SIGSEGV);  // repeated calls return the same status
    CHECK(signal_name(63) == "signal 63");
}

TEST_CASE("a running child has no status") {
    Child child = start({"sleep", "1000"});
    CHECK(!child.wait(Clock::now()));
    CHECK(!child.wait(deadline_after_ms(5)));
}

TEST_CASE("a killed child is reaped, without waiting for its own end") {
    Child child = start({"sleep", "1000"});
    child.kill();
    const auto status = child.wait(kSoon);
    REQUIRE(status.has_value());
    CHECK(status->signal == SIGKILL);
    CHECK(::kill(child.pid(), 0) != 0);
    CHECK(errno == ESRCH);
}

TEST_CASE("a child that goes out of scope takes its own children along") {
    Fd grandchild;
    {
        Child child = shell("sleep 1000 & echo $!; wait");
        grandchild = open_process(std::stoi(read_line(child.channel().read_fd())));
        REQUIRE(bool(grandchild));
    }
    CHECK(has_ended(grandchild.get()));
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no child is left
    CHECK(errno == ECHILD);
}

TEST_CASE("processes that a child leaves behind when it exits are killed") {
    Child child = shell("sleep 1000 & echo $!");
    const Fd orphan = open_process(std::stoi(read_line(child.channel().read_fd())));
    REQUIRE(bool(orphan));
    CHECK(child.wait(kSoon)->code == 0);
    CHECK(has_ended(orphan.get()));
}

TEST_CASE("a child dies when its parent dies, however that ends") {
    Pipe to_test = make_pipe();
    Pipe to_parent = make_pipe();
    const pid_t parent = ::fork();
    if (parent == 0) {
        const Child child = start({"sleep", "1000"});
        const std::string line = std::to_string(child.pid()) + "\n";
        char go = 0;
        if (::write(to_test.write.get(), line.data(), line.size()) > 0 &&
            ::read(to_parent.read.get(), &go, 1) == 1)
            ::raise(SIGKILL);  // skips destructors and handlers
        ::_exit(1);
    }
    const Fd child = open_process(std::stoi(read_line(to_test.read.get())));
    REQUIRE(bool(child));
    pollfd alive{child.get(), POLLIN, 0};
    CHECK(::poll(&alive, 1, 0) == 0);
    REQUIRE(::write(to_parent.write.get(), "x", 1) == 1);
    CHECK(has_ended(child.get()));
    CHECK(::waitpid(parent, nullptr, 0) == parent);
}

TEST_CASE(
    "nothing that a child has started outlives this process, not even stopped orphans of a dead child") {
    for (const bool dies_first : {true, false}) {
        CAPTURE(dies_first);
        Pipe to_test = make_pipe();
        const pid_t parent = ::fork();
        if (parent == 0) {
            Child child = shell(
                "trap '' HUP TERM; sleep 1000 & echo $!; (sleep 1000 & echo $!); sleep 1000 & kill -STOP $!; "
                "echo $!; echo end; wait");
            std::string lines;
            for (std::string line; line != "end";) {
                line = read_line(child.channel().read_fd());
                lines += line + "\n";
            }
            if (dies_first) ::kill(child.pid(), SIGKILL);  // alone, and unnoticed
            if (::write(to_test.write.get(), lines.data(), lines.size()) > 0) ::raise(SIGKILL);
            ::_exit(1);
        }
        for (std::string line; (line = read_line(to_test.read.get())) != "end";) {
            const Fd process = open_process(std::stoi(line));
            if (process) CHECK(has_ended(process.get()));
        }
        CHECK(::waitpid(parent, nullptr, 0) == parent);
    }
}

TEST_CASE("stderr is captured where that is asked, apart from stdout") {
    ChildOptions options;
    options.command = {"/bin/sh", "-c", "echo out; echo err >&2"};
    options.capture_stderr = true;
    Child child = Child::spawn(options);
    CHECK(output_of(child) == "out\n");
    CHECK(read_all(child.output_fd()) == "err\n");
    CHECK(start({"true"}).output_fd() == -1);
}

TEST_CASE("the environment is ours, with what is added and replaced") {
    ::setenv("KWB_TEST_KEPT", "kept", 1);
    ::setenv("KWB_TEST_REPLACED", "old", 1);
    ChildOptions options;
    options.command = {"/bin/sh", "-c", "echo $KWB_TEST_KEPT $KWB_TEST_REPLACED $KWB_TEST_NEW; env"};
    options.environment = {{"KWB_TEST_REPLACED", "new"}, {"KWB_TEST_NEW", "added"}};
    Child child = Child::spawn(options);
    const std::vector<std::string> lines = split_lines(output_of(child));
    CHECK(lines.at(0) == "kept new added");
    CHECK(std::count_if(lines.begin(), lines.end(),
                        [](const auto& line) { return line.starts_with("KWB_TEST_REPLACED="); }) == 1);
    CHECK(std::string(::getenv("KWB_TEST_REPLACED")) == "old");
    ::unsetenv("KWB_TEST_KEPT");
    ::unsetenv("KWB_TEST_REPLACED");
}

TEST_CASE("a child that does not inherit the environment has what it is given, and no more") {
    ::setenv("KWB_TEST_TOKEN", "secret", 1);
    ChildOptions options;
    options.command = {"env"};
    options.environment = {{"KWB_TEST_NEW", "added"}};
    options.inherit_environment = false;
    Child child = Child::spawn(options);
    CHECK(output_of(child) == "KWB_TEST_NEW=added\n");
    ::unsetenv("KWB_TEST_TOKEN");
}

TEST_CASE("sockets work like pipes, but cannot be reopened through /proc") {
    ChildOptions options;
    options.command = {"cat"};
    options.over_sockets = true;
    Child echo = Child::spawn(options);
    const std::string large(3'000'000, 'x');  // exceeds the socket buffer, so both sides must continue
    Deadline at_once = Clock::now();
    CHECK(echo.channel().send({{"type", "ping"}}, "data", kSoon) == Channel::SendOutcome::Sent);
    CHECK(echo.channel().send({{"type", "ping"}}, large, at_once) == Channel::SendOutcome::TimedOut);
    std::optional<Message> message;
    while (!(message = echo.channel().take())) {
        pollfd ready{echo.channel().read_fd(), POLLIN, 0};
        REQUIRE(::poll(&ready, 1, 10'000) == 1);
        REQUIRE(echo.channel().read_available());
    }
    CHECK(message->attachment == "data");
    echo.channel().close_write();
    read_all(echo.channel().read_fd());
    CHECK(echo.wait(kSoon)->code == 0);

    options.command = {"/bin/sh", "-c", "echo cheat >/proc/self/fd/1 || echo refused"};
    Child cheat = Child::spawn(options);
    CHECK(output_of(cheat) == "refused\n");
}

TEST_CASE("a kept descriptor is found under its number") {
    Arena arena = Arena::create();
    arena.grow(5);
    ChildOptions options;
    options.command = {"/bin/sh", "-c", "printf hello >&3"};
    options.keep_fd = arena.fd();
    CHECK(Child::spawn(options).wait(kSoon)->code == 0);
    CHECK(static_cast<char>(arena.range(4, 1)[0]) == 'o');
}

TEST_CASE("a program that cannot be started is an error with its cause, and leaves nothing behind") {
    const auto failure = [](const std::string& program) {
        try {
            start({program});
        } catch (const std::system_error& error) {
            CHECK(std::string(error.what()).find("cannot start " + program) == 0);
            return error.code().value();
        }
        return 0;
    };
    const std::size_t before = open_descriptors();
    CHECK(failure("/no/such/program") == ENOENT);
    CHECK(failure("kwb-no-such-program") == ENOENT);
    CHECK(failure("/etc/passwd") == EACCES);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("a child receives signals that its parent ignores or blocks") {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    Child child = shell("kill -PIPE $$");
    Child other = shell("kill -TERM $$");
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    CHECK(child.wait(kSoon)->signal == SIGPIPE);
    CHECK(other.wait(kSoon)->signal == SIGTERM);
    CHECK((::signal(SIGPIPE, SIG_IGN) == SIG_IGN));  // the parent's disposition is unchanged
}

TEST_CASE("100 children leave no descriptor and no zombie behind") {
    start({"true"}).wait(kSoon);
    const std::size_t before = open_descriptors();
    for (int i = 0; i < 100; ++i) {
        ChildOptions options;
        options.command = {"true"};
        options.capture_stderr = true;
        Child child = Child::spawn(options);
        if (i % 2 == 0) CHECK(child.wait(kSoon)->code == 0);
    }
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("a child sees none of our descriptors but those it is given") {
    Arena ours = Arena::create();
    const Child sibling = start({"sleep", "1000"});
    // Like a shell's `40<file`: descriptors without close-on-exec, with any number.
    const int spare = ::fcntl(ours.fd(), F_DUPFD, 3);
    const int far = ::fcntl(ours.fd(), F_DUPFD, 900);
    REQUIRE(spare >= 3);
    REQUIRE(far >= 900);
    ChildOptions options;
    options.command = {"/bin/sh", "-c",
                       "n=0; while [ $n -lt 1024 ]; do [ ! -e /proc/$$/fd/$n ] || echo $n; n=$((n+1)); done"};
    Child without = Child::spawn(options);
    CHECK(output_of(without) == "0\n1\n2\n4\n");  // the last is the leash
    options.keep_fd = ours.fd();
    Child with = Child::spawn(options);
    CHECK(output_of(with) == "0\n1\n2\n3\n4\n");
    CHECK(::fcntl(far, F_GETFD) == 0);  // the parent's descriptors are still open
    ::close(spare);
    ::close(far);
}

TEST_CASE("a child may be moved") {
    Child first = start({"sleep", "1000"});
    const pid_t pid = first.pid();
    Child second = std::move(first);
    CHECK(second.pid() == pid);
    Child third = start({"sleep", "1000"});
    const Fd replaced = open_process(third.pid());
    third = std::move(second);
    CHECK(has_ended(replaced.get()));
    CHECK(third.pid() == pid);
    CHECK(!third.wait(Clock::now()));
}
