// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "support/process.hpp"

namespace kwb::test {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

int left_ms(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
}

Clock::time_point patience() {
    return Clock::now() + std::chrono::seconds(Process::kPatienceSeconds);
}

/// Both ends of a pseudo-terminal; `read` is the master.
Pipe make_terminal() {
    Pipe terminal;
    terminal.read = Fd(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal.read || ::grantpt(terminal.read.get()) != 0 || ::unlockpt(terminal.read.get()) != 0)
        throw_errno("posix_openpt");
    terminal.write = Fd(::open(::ptsname(terminal.read.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal.write) throw_errno("open of a pseudo-terminal");
    return terminal;
}

std::vector<std::string> environment_for(const ProcessOptions& options) {
    std::vector<std::string> lines;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        const std::string name(line.substr(0, line.find('=')));
        if (find_named(options.environment, name) == nullptr &&
            std::find(options.unset.begin(), options.unset.end(), name) == options.unset.end())
            lines.emplace_back(line);
    }
    for (const auto& [name, value] : options.environment) lines.push_back(name + "=" + value);
    return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// Append available data. @return  false at end-of-file
bool take(Fd& fd, std::string& text) {
    char block[65536];
    const ssize_t n = ::read(fd.get(), block, sizeof block);
    if (n > 0) text.append(block, static_cast<std::size_t>(n));
    // Reading the master fails with EIO once the last slave descriptor is closed.
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) fd.reset();
    return n > 0;
}

bool has_marker(pid_t pid, std::string_view marker) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(in), {}};
    return environment.find(marker) != std::string::npos;
}

}  // namespace

Process::Process(const ProcessOptions& options) {
    Pipe in = make_pipe();
    Pipe out = options.is_terminal ? make_terminal() : make_pipe();
    Pipe err = options.stderr_is_terminal ? make_terminal() : make_pipe();
    if (options.out_file) {
        out.write = Fd(::open(options.out_file->c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
        if (!out.write) throw_errno("open of " + options.out_file->string());
    }
    if (options.out_is_closed) out.read.reset();
    if (::write(in.write.get(), options.in.data(), options.in.size()) !=
        static_cast<ssize_t>(options.in.size()))
        throw_errno("write to a pipe");

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (options.is_terminal) {
        // In a session of its own, whose terminal this is: Ctrl-C is its signal.
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, ::ptsname(out.read.get()), O_RDWR, 0);
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
    } else {
        posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
    }
    std::vector<std::string> command = options.command;
    std::vector<std::string> environment = environment_for(options);
    const int error = ::posix_spawnp(&pid_, command.front().c_str(), &actions, &attributes,
                                     pointers(command).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
    if (options.is_interactive) in_ = std::move(in.write);
    if (options.is_terminal) in_ = Fd(::fcntl(out.read.get(), F_DUPFD_CLOEXEC, 0));
    out_ = std::move(out.read);
    err_ = std::move(err.read);
}

Process::~Process() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

bool Process::read_some() {
    if (!out_ && !err_) return false;
    pollfd fds[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
    if (::poll(fds, 2, left_ms(patience())) == 0)
        throw std::runtime_error("nothing came from the program; so far:\n" + finished_.out + finished_.err);
    if (fds[0].revents != 0) take(out_, finished_.out);
    if (fds[1].revents != 0) take(err_, finished_.err);
    return true;
}

void Process::wait_for_stderr(std::string_view text) {
    const auto deadline = patience();
    while (finished_.err.find(text) == std::string::npos)
        if (Clock::now() > deadline || !read_some())
            throw std::runtime_error("'" + std::string(text) + "' did not come; standard error so far:\n" +
                                     finished_.err);
}

void Process::wait_for_stdout(const std::function<bool(std::string_view)>& is_enough) {
    const auto deadline = patience();
    while (!is_enough(finished_.out))
        if (Clock::now() > deadline || !read_some())
            throw std::runtime_error("what was waited for did not come; standard output so far:\n" +
                                     finished_.out);
}

void Process::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(in_.get(), text.data(), text.size());
        if (written < 0) throw_errno("write to the program");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void Process::send_signal(int signal) {
    ::kill(pid_, signal);
}

Finished Process::finish() {
    while (read_some()) {
    }
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    finished_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return finished_;
}

Finished run_process(const ProcessOptions& options) {
    return Process(options).finish();
}

std::vector<pid_t> marked(std::string_view marker) {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        pid_t pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc{} || end != name.data() + name.size()) continue;
        if (pid != ::getpid() && has_marker(pid, marker)) found.push_back(pid);
    }
    return found;
}

bool all_gone(std::string_view marker) {
    const auto deadline = patience();
    // Those that end may have started others, which end, too.
    for (std::vector<pid_t> left = marked(marker); !left.empty(); left = marked(marker))
        for (const pid_t pid : left) {
            const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
            if (!handle) continue;  // has already ended
            pollfd ended{handle.get(), POLLIN, 0};
            if (::poll(&ended, 1, left_ms(deadline)) == 0) return false;
        }
    return true;
}

std::size_t count_marked(std::string_view marker) {
    return marked(marker).size();
}

std::vector<ListedProcess> list_processes() {
    std::vector<ListedProcess> processes;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        if (!std::getline(file, stat)) continue;
        // "pid (name) state parent group …"; the name may contain any character.
        const std::size_t open = stat.find('(');
        const std::size_t close = stat.rfind(')');
        ListedProcess process;
        process.pid = static_cast<pid_t>(std::atoi(stat.c_str()));
        std::istringstream rest(stat.substr(close + 1));
        if (process.pid <= 0 || !(rest >> process.state >> process.parent >> process.group)) continue;
        process.name = stat.substr(open + 1, close - open - 1);
        processes.push_back(std::move(process));
    }
    return processes;
}

}  // namespace kwb::test
