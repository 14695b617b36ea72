// SPDX-License-Identifier: Apache-2.0
// Attempts operations that the sandbox must block. Prints the sandbox's report, then one line per attempt:
// its name and errno, 0 for success.
//   trespasser MODE FOLDER OUTSIDE     MODE: closed, open (no sandbox), no-landlock, forked, abort, crash,
//                                            foreign-call, shell
// FOLDER is writable in the sandbox. OUTSIDE is a sibling folder that contains a file `secret`.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sandbox/sandbox.hpp"

namespace {

const long kHighBits = 1L << 32;

/// @param result  return value of a system call, negative for failure
void attempt(const char* name, long result) {
    std::printf("%s %d\n", name, result < 0 ? errno : 0);
}

long open_and_close(const std::string& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (fd >= 0) ::close(fd);
    return fd;
}

void try_files(const std::string& folder, const std::string& outside, pid_t parent) {
    const std::string secret = outside + "/secret";
    const std::string proc = "/proc/" + std::to_string(parent);
    attempt("read-passwd", open_and_close("/etc/passwd", O_RDONLY));
    attempt("read-secret", open_and_close(secret, O_RDONLY));
    attempt("list-root", open_and_close("/", O_RDONLY | O_DIRECTORY));
    attempt("read-init-environ", open_and_close("/proc/1/environ", O_RDONLY));
    attempt("read-parent-environ", open_and_close(proc + "/environ", O_RDONLY));
    attempt("read-parent-memory", open_and_close(proc + "/mem", O_RDWR));
    attempt("append-outside", open_and_close(secret, O_WRONLY | O_APPEND));
    attempt("truncate-outside", ::truncate(secret.c_str(), 0));
    attempt("make-outside", open_and_close(outside + "/new", O_WRONLY | O_CREAT));
    attempt("make-folder-outside", ::mkdir((outside + "/folder").c_str(), 0700));
    attempt("chmod-outside", ::chmod(secret.c_str(), 0644));
    attempt("touch-outside", ::utimensat(AT_FDCWD, secret.c_str(), nullptr, 0));
    attempt("chown-outside", ::chown(secret.c_str(), ::getuid(), ::getgid()));
    attempt("link-outside", ::link(secret.c_str(), (folder + "/link").c_str()));
    attempt("make-pipe", ::mkfifo((folder + "/pipe").c_str(), 0600));
    attempt("make-symlink", ::symlink(secret.c_str(), (folder + "/symlink").c_str()));
    attempt("read-through-symlink", open_and_close(folder + "/symlink", O_RDONLY));
    attempt("remove-outside", ::rename(secret.c_str(), (folder + "/stolen").c_str()));
    attempt("make-inside", open_and_close(folder + "/file", O_RDWR | O_CREAT));
    attempt("make-folder-inside", ::mkdir((folder + "/deep").c_str(), 0700));
    attempt("move-inside", ::rename((folder + "/file").c_str(), (folder + "/deep/file").c_str()));
    attempt("read-inside", open_and_close(folder + "/deep/file", O_RDONLY | O_TRUNC));
    attempt("remove-inside", ::unlink((folder + "/deep/file").c_str()));
    attempt("read-library", open_and_close("/usr/bin/env", O_RDONLY));
    attempt("write-null", open_and_close("/dev/null", O_WRONLY));
    attempt("write-library", open_and_close("/usr/bin/env", O_WRONLY));
}

/// Landlock has no access right that covers inotify.
void try_watching(const std::string& outside) {
    const int watcher = ::inotify_init1(IN_CLOEXEC);
    attempt("watch", watcher);
    attempt("watch-old", ::syscall(SYS_inotify_init));
    attempt("watch-outside", ::inotify_add_watch(watcher, outside.c_str(), IN_ALL_EVENTS));
}

void try_network() {
    attempt("socket-unix", ::socket(AF_UNIX, SOCK_STREAM, 0));
    attempt("socket-inet", ::socket(AF_INET, SOCK_STREAM, 0));
    attempt("socket-inet-datagram", ::socket(AF_INET, SOCK_DGRAM, 0));
    attempt("socket-inet6", ::socket(AF_INET6, SOCK_STREAM, 0));
    attempt("socket-netlink", ::socket(AF_NETLINK, SOCK_RAW, 0));
    int ends[2];
    attempt("socket-pair", ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

/// Signal 0 only checks whether a signal could be sent.
void try_processes(pid_t parent) {
    const pid_t self = ::getpid();
    attempt("kill-parent", ::kill(parent, 0));
    attempt("kill-group", ::kill(0, 0));
    attempt("kill-everybody", ::kill(-1, 0));
    attempt("kill-named-group", ::kill(-::getpgrp(), 0));
    attempt("kill-parent-disguised", ::syscall(SYS_kill, kHighBits + parent, 0));
    attempt("tgkill-parent", ::syscall(SYS_tgkill, parent, parent, 0));
    attempt("tkill-parent", ::syscall(SYS_tkill, parent, 0));
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    attempt("queue-signal-parent", ::syscall(SYS_rt_sigqueueinfo, parent, 0, &info));
    attempt("open-parent", ::syscall(SYS_pidfd_open, parent, 0));
    attempt("own-signals-parent", ::fcntl(STDOUT_FILENO, F_SETOWN, parent));
    attempt("own-signals-disguised", ::syscall(SYS_fcntl, STDOUT_FILENO, kHighBits + F_SETOWN, parent));
    attempt("kill-self", ::kill(self, 0));
    attempt("tgkill-self", ::syscall(SYS_tgkill, self, self, 0));
    char byte = 0;
    iovec here{&byte, 1};
    iovec there{&byte, 1};
    attempt("read-memory-parent", ::process_vm_readv(parent, &here, 1, &there, 1, 0));
    attempt("trace-parent", ::ptrace(PTRACE_SEIZE, parent, nullptr, nullptr));
    attempt("new-group", ::setpgid(0, 0));
    attempt("new-session", ::setsid());
    attempt("outlive-parent", ::prctl(PR_SET_PDEATHSIG, 0));
    attempt("adopt-no-orphans", ::prctl(PR_SET_CHILD_SUBREAPER, 0));
    const struct sigaction defaults {};
    attempt("forget-children", ::sigaction(SIGCHLD, &defaults, nullptr));
    attempt("limit-parent", ::syscall(SYS_prlimit64, parent, RLIMIT_NOFILE, nullptr, nullptr));
}

/// Capabilities, which only root has by default.
void try_privileges() {
    __user_cap_header_struct ours{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {};
    long held = ::syscall(SYS_capget, &ours, sets);
    for (const auto& set : sets) held |= set.effective | set.permitted | set.inheritable;
    errno = EPERM;
    attempt("hold-capabilities", held != 0 ? 0 : -1);
    attempt("raise-priority", ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) - 1));
}

void try_kernel() {
    rlimit limit{};
    attempt("read-limit", ::getrlimit(RLIMIT_STACK, &limit));
    attempt("set-limit", ::setrlimit(RLIMIT_STACK, &limit));
    attempt("new-namespace", ::unshare(CLONE_NEWUSER));
    const long child = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) ::_exit(0);
    attempt("clone-namespace", child);
    attempt("clone3", ::syscall(SYS_clone3, nullptr, 0));
    attempt("mount", ::mount("none", "/mnt", "tmpfs", MS_REMOUNT, nullptr));
    attempt("chroot", ::chroot("/"));
    attempt("bpf", ::syscall(SYS_bpf, 0, nullptr, 0));
    perf_event_attr event{};
    event.size = sizeof event;
    event.type = PERF_TYPE_SOFTWARE;
    attempt("perf", ::syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    attempt("userfaultfd", ::syscall(SYS_userfaultfd, 0));
    attempt("io-uring", ::syscall(SYS_io_uring_setup, 1, nullptr));
    attempt("keys", ::syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0));
    attempt("personality", ::personality(0xffffffff));
    attempt("set-user", ::setuid(::getuid()));
    attempt("shared-memory", ::shmget(IPC_PRIVATE, 4096, 0600));
    attempt("type-into-terminal", ::ioctl(STDOUT_FILENO, 0x5412 /* TIOCSTI */, "x"));
}

void try_everything(const std::string& folder, const std::string& outside, pid_t parent) {
    try_files(folder, outside, parent);
    try_watching(outside);
    try_privileges();
    try_network();
    try_processes(parent);
    try_kernel();
}

/// Simulate a kernel without Landlock.
void hide_landlock() {
    const scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
    for (int number = 444; number <= 446; ++number)
        if (::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0) != 0) std::abort();
    if (::seccomp_load(filter) != 0) std::abort();
    ::seccomp_release(filter);
}

[[noreturn]] void leave() {
    std::fflush(nullptr);
    ::_exit(0);  // skips the leak check, which would ptrace this process
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string mode = argv[1];
    const std::string folder = argv[2];
    const std::string outside = argv[3];
    const pid_t parent = ::getppid();
    if (mode == "no-landlock") hide_landlock();

    if (mode != "open") {
        const kwb::SandboxReport report = kwb::enter_sandbox(
            {{"/usr", "/lib", "/lib64", "/bin", "/no/such/path"}, {folder}, {"/dev/null"}});
        std::printf("report %s\n", report.describe().c_str());
        std::printf("landlock %d\n", report.landlock_abi);
        std::fflush(stdout);
    }
    if (mode == "abort") std::abort();
    if (mode == "crash") {
        ::signal(SIGSEGV, SIG_DFL);  // a sanitizer installs a handler
        ::raise(SIGSEGV);
    }
#ifdef __x86_64__
    if (mode == "foreign-call")
        asm volatile("int $0x80" : : "a"(20) : "memory");  // getpid of 32-bit programs
#endif
    if (mode == "shell") {
        const std::string script = "cat " + outside + "/secret; kill -CONT " + std::to_string(parent) +
                                   "; echo x > " + outside + "/new; echo fine > " + folder + "/new; cat " +
                                   folder + "/new; ld --version";
        ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    }
    if (mode == "forked") {
        std::fflush(stdout);
        if (::fork() != 0) {
            ::wait(nullptr);
            leave();
        }
    }
    try_everything(folder, outside, parent);
    leave();
}
