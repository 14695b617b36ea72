// SPDX-License-Identifier: Apache-2.0
#include "ipc/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/secret.hpp"

namespace kwb {
namespace {

/// Used without close_range(): higher descriptors stay open, but no process has that many.
constexpr rlim_t kMostDescriptors = 65'536;

/// Closes descriptors inherited from our parent (a shell's `3<file`, a build tool's locks). Uses only system
/// calls.
void close_from(int first) {
    if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
    rlimit files{};
    rlim_t end = kMostDescriptors;
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < end) end = files.rlim_cur;
    for (int fd = first; fd < static_cast<int>(end); ++fd) ::close(fd);
}

/// Everything that the child needs between fork and exec, where it must not allocate memory.
struct ExecPlan {
    char* const* argv;
    char* const* environment;
    int in;
    int out;
    int error;  ///< -1: inherit stderr
    int kept;
    int leash;
    int death_signal;
    pid_t parent;
};

/// Makes the machine's kernel send `signal` to the whole process group when the other end of kLeashFd closes,
/// for any reason. The descriptor counts, not a process: each process that inherits it, also from a parent
/// that has died, keeps the group on the leash. Source: Linux, fcntl(2), F_SETOWN and F_SETSIG.
void hold_leash(int signal) {
    ::fcntl(kLeashFd, F_SETOWN, -::getpid());
    ::fcntl(kLeashFd, F_SETSIG, signal);
    ::fcntl(kLeashFd, F_SETFL, O_ASYNC);
}

/// Runs in the child, which shares our memory until it calls exec; uses only system calls.
[[noreturn]] void become(const ExecPlan& plan, volatile int& error) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, plan.death_signal);
    if (::getppid() != plan.parent) ::_exit(127);  // the parent ended before prctl took effect
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // The sources are above kLeashFd (see spawn), so no dup2 overwrites one that is still needed.
    if (::dup2(plan.in, 0) < 0 || ::dup2(plan.out, 1) < 0 || (plan.error >= 0 && ::dup2(plan.error, 2) < 0) ||
        (plan.kept >= 0 && ::dup2(plan.kept, kKeptFd) < 0) || ::dup2(plan.leash, kLeashFd) < 0) {
        error = errno;
        ::_exit(127);
    }
    if (plan.kept < 0) ::close(kKeptFd);
    close_from(kLeashFd + 1);
    hold_leash(plan.death_signal);
    ::execvpe(plan.argv[0], plan.argv, plan.environment);
    error = errno;
    ::_exit(127);
}

/// Uses vfork, because fork would run OpenBLAS's fork handlers, which end its threads.
pid_t start(const ExecPlan& plan, volatile int& error) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // no signal handler of the parent may run in the child
    const pid_t pid = ::vfork();
    if (pid == 0) become(plan, error);
    const int fork_error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) error = fork_error;
    return pid;
}

/// Duplicates a descriptor to a number above those that the child uses.
Fd lift(int fd) {
    Fd lifted(::fcntl(fd, F_DUPFD_CLOEXEC, kLeashFd + 1));
    if (!lifted) throw_errno("fcntl");
    return lifted;
}

/// Creates a socket pair that carries bytes in one direction only, like a pipe.
Pipe make_one_way_sockets() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_errno("socketpair");
    Pipe pipe{Fd(ends[0]), Fd(ends[1])};
    if (::shutdown(pipe.read.get(), SHUT_WR) != 0) throw_errno("shutdown");
    return pipe;
}

std::vector<std::string> merged_environment(const ChildOptions& options) {
    const NamedList<std::string>& changes = options.environment;
    std::vector<std::string> merged;
    for (char** entry = environ; options.inherit_environment && *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        if (find_named(changes, line.substr(0, line.find('='))) == nullptr) merged.emplace_back(line);
    }
    for (const auto& [name, value] : changes) merged.push_back(name + "=" + value);
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// Moves a descriptor far from the numbers that drivers use.
/// @param how  F_DUPFD_CLOEXEC: the new one is closed on exec; F_DUPFD: it is not
Fd move_away(int fd, int how = F_DUPFD_CLOEXEC) {
    constexpr int kFirst = 200;
    Fd moved(::fcntl(fd, how, kFirst));
    if (!moved) moved = Fd(::fcntl(fd, how, kLeashFd + 1));  // the descriptor limit is low
    if (!moved) throw_errno("fcntl(F_DUPFD)");
    ::close(fd);
    return moved;
}

void replace(int fd, const Fd& by) {
    if (::dup2(by.get(), fd) < 0) throw_errno("dup2");
}

/// The data of emergency_send(); set once, before any handler is installed.
struct EmergencyExit {
    std::atomic<int> fd = -1;
    std::atomic<std::uint64_t> secret = 0;
};
EmergencyExit emergency_exit;

}  // namespace

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

std::string ExitStatus::describe() const {
    return code ? "exit code " + std::to_string(*code) : signal_name(signal);
}

Child Child::spawn(const ChildOptions& options) {
    Pipe to_child = options.over_sockets ? make_one_way_sockets() : make_pipe();
    Pipe from_child = options.over_sockets ? make_one_way_sockets() : make_pipe();
    const Fd child_in = lift(to_child.read.get());
    const Fd child_out = lift(from_child.write.get());
    Pipe captured;
    Fd child_error;
    if (options.capture_stderr) {
        captured = make_pipe();
        child_error = lift(captured.write.get());
        captured.write.reset();
        if (::fcntl(captured.read.get(), F_SETFL, O_NONBLOCK) != 0) throw_errno("fcntl");
    }
    Fd kept;
    if (options.keep_fd >= 0) kept = lift(options.keep_fd);
    // A socket, because a pipe's other end could be opened through /proc/self/fd and so kept open.
    Pipe leash = make_one_way_sockets();
    const Fd child_leash = lift(leash.read.get());
    leash.read.reset();

    std::vector<std::string> command = options.command;
    std::vector<std::string> environment = merged_environment(options);
    const std::vector<char*> argv = pointers(command);
    const std::vector<char*> envp = pointers(environment);
    const ExecPlan plan{argv.data(),       envp.data(),          child_in.get(),
                        child_out.get(),   child_error.get(),    kept.get(),
                        child_leash.get(), options.death_signal, ::getpid()};
    volatile int error = 0;
    const pid_t pid = start(plan, error);
    if (pid < 0 || error != 0) {
        if (pid > 0) ::waitpid(pid, nullptr, 0);
        throw std::system_error(error, std::generic_category(), "cannot start " + options.command.front());
    }

    Child child;
    child.pid_ = pid;
    child.pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    child.output_ = std::move(captured.read);
    child.leash_ = std::move(leash.write);
    child.channel_ = Channel(std::move(from_child.read), std::move(to_child.write), options.limits);
    if (!child.pidfd_) throw_errno("pidfd_open");
    return child;
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      output_(std::move(other.output_)),
      leash_(std::move(other.leash_)),
      channel_(std::move(other.channel_)),
      status_(std::exchange(other.status_, std::nullopt)) {}

Child& Child::operator=(Child&& other) noexcept {
    if (this != &other) {
        Child old(std::move(*this));
        pid_ = std::exchange(other.pid_, -1);
        pidfd_ = std::move(other.pidfd_);
        output_ = std::move(other.output_);
        leash_ = std::move(other.leash_);
        channel_ = std::move(other.channel_);
        status_ = std::exchange(other.status_, std::nullopt);
    }
    return *this;
}

Child::~Child() {
    if (pid_ < 0) return;
    kill();
    // A process that is stuck in a driver call may survive SIGKILL, so do not wait forever.
    wait(deadline_after_ms(2000));
}

void Child::kill() {
    if (pid_ > 0 && !status_) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);  // in case it has not created its group yet
    }
}

void Child::signal(int number) {
    if (pid_ > 0 && !status_) ::kill(-pid_, number);
}

std::optional<ExitStatus> Child::wait(Deadline deadline) {
    while (!status_) {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            throw_errno("waitid");
        }
        if (info.si_pid == pid_) {
            // Also kill the processes that the child started. This must precede waitpid, because afterwards
            // the process id may be reused.
            ::kill(-pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
            if (info.si_code == CLD_EXITED)
                status_ = {info.si_status, 0};
            else
                status_ = {std::nullopt, info.si_status};
            break;
        }
        pollfd ended{pidfd_.get(), POLLIN, 0};
        const int polled = ::poll(&ended, 1, poll_timeout_ms(deadline));
        if (polled == 0) return std::nullopt;
    }
    return status_;
}

bool is_for_drivers(std::string_view name) {
    using namespace std::string_view_literals;
    static constexpr std::array kNames = {"PATH"sv, "LANG"sv, "LANGUAGE"sv, "TZ"sv, "LD_LIBRARY_PATH"sv};
    static constexpr std::array kPrefixes = {"LC_"sv,          "OCL_ICD_"sv, "OPENCL_"sv, "POCL_"sv,
                                             "CUDA_"sv,        "NVIDIA_"sv,  // loader, PoCL, NVIDIA
                                             "AMD_"sv,         "ROC"sv,      "HSA_"sv,    "HIP_"sv,
                                             "GPU_"sv,  // AMD
                                             "ZE_"sv,          "ONEAPI"sv,   "SYCL_"sv,   "NEO"sv,
                                             "RUSTICL_"sv,     "MESA_"sv,  // Intel, Mesa
                                             "KWB_CAPTURE_"sv,             // kwb profile kwb run --no-sandbox
                                             "KWB_FAKE_"sv};               // tests
    if (std::ranges::find(kNames, name) != kNames.end() || name.ends_with("SAN_OPTIONS")) return true;
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

NamedList<std::string> driver_environment() {
    NamedList<std::string> kept;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && is_for_drivers(line.substr(0, equals)))
            kept.push_back({std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
    }
    return kept;
}

ProtocolPipes take_protocol_pipes(bool has_arena) {
    ProtocolPipes pipes;
    // The arena first: a number that becomes free is reused by the next descriptor that is opened.
    if (has_arena) pipes.arena = Arena::adopt(move_away(kKeptFd));
    // Never closed, not even by exec: any process that a kernel starts stays on the leash.
    if (::fcntl(kLeashFd, F_GETOWN) == -::getpid()) pipes.leash_fd = move_away(kLeashFd, F_DUPFD).release();
    Fd in = move_away(STDIN_FILENO);
    Fd out = move_away(STDOUT_FILENO);
    const Fd nothing(
        ::fcntl(Fd(::open("/dev/null", O_RDWR | O_CLOEXEC)).get(), F_DUPFD_CLOEXEC, kKeptFd + 1));
    if (!nothing) throw_errno("open(/dev/null)");
    replace(STDIN_FILENO, nothing);
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {  // started without stderr
        replace(STDOUT_FILENO, nothing);
        replace(STDERR_FILENO, nothing);
    }
    ::setvbuf(stdout, nullptr, _IOLBF, 0);
    pipes.channel = Channel(std::move(in), std::move(out));
    pipes.channel.use_secret(draw_secret());
    emergency_exit.secret = pipes.channel.secret();
    emergency_exit.fd = pipes.channel.write_fd();
    return pipes;
}

void emergency_send(const char* bytes, std::size_t n) noexcept {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a handler must not wait for a lock");
    const int fd = emergency_exit.fd;
    const int error = errno;
    while (fd >= 0 && n > 0) {
        iovec part{const_cast<char*>(bytes), n};
        const long written = ::syscall(SYS_writev, fd, &part, 1UL, emergency_exit.secret.load(), 0, 0);
        if (written < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            if (::poll(&ready, 1, kEmergencySendMs) == 1) continue;
        }
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes += written;
        n -= static_cast<std::size_t>(written);
    }
    errno = error;
}

}  // namespace kwb
