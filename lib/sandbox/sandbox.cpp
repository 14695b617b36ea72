// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "sandbox/privileges.hpp"

namespace kwb {
namespace {

/// Refused with any arguments. Names unknown to libseccomp or to this architecture are skipped.
constexpr const char* kRefused[] = {
    // Network. The protocol's own sockets are used through readv and writev.
    "socket", "socketpair", "socketcall", "bind", "listen", "accept", "accept4", "connect", "sendto",
    "sendmsg", "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "shutdown", "setsockopt",
    // Other processes. For kill and tgkill see refuse_signals().
    "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_send_signal", "pidfd_getfd",
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
    "migrate_pages", "get_robust_list", "ioprio_set",
    // The judge kills the process group, so no process may leave it.
    "setsid", "setpgid",
    // Identity and limits. Limits are read with prlimit64: see refuse_by_argument().
    "setrlimit", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups",
    "setfsuid", "setfsgid", "capset", "personality",
    // Files: Landlock does not control these calls (and truncate only from level 3 on). Watching a folder
    // reveals what its owner does there.
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
    "lremovexattr", "fremovexattr", "removexattrat", "file_setattr", "truncate", "mknod", "mknodat",
    "name_to_handle_at", "open_by_handle_at", "inotify_init", "inotify_init1", "inotify_add_watch",
    "fanotify_init", "fanotify_mark", "quotactl", "quotactl_fd",
    // Namespaces and mounts.
    "unshare", "setns", "chroot", "pivot_root", "mount", "umount", "umount2", "move_mount", "open_tree",
    "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "listmount", "statmount",
    // The machine.
    "acct", "swapon", "swapoff", "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "create_module", "sethostname", "setdomainname", "syslog", "settimeofday",
    "clock_settime", "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "stime", "iopl",
    "ioperm", "vhangup", "nfsservctl", "lookup_dcookie", "uselib", "_sysctl",
    // Large and often vulnerable parts of the kernel.
    "bpf", "perf_event_open", "userfaultfd", "memfd_secret", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "io_setup", "io_submit", "keyctl", "add_key", "request_key", "modify_ldt", "vm86",
    "vm86old",
    // Communication with other processes without a name in the file system.
    "shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv", "msgctl", "ipc", "mq_open", "mq_unlink", "mq_notify", "mq_timedsend", "mq_timedreceive"};

/// Refused as if the kernel did not implement them, so that libc uses its fallback.
constexpr const char* kAbsent[] = {
    "clone3",       // its flags are in memory, which a filter cannot read; clone() can be filtered
    "close_range",  // would close the protocol's descriptors
};

/// The kernel uses only the low 32 bits of descriptors, commands and options.
constexpr scmp_datum_t kLow32 = 0xffffffff;

using Values = std::initializer_list<unsigned long>;

scmp_arg_cmp low32_is(unsigned argument, unsigned long value) {
    return {argument, SCMP_CMP_MASKED_EQ, kLow32, value & kLow32};
}

scmp_arg_cmp has_bits(unsigned argument, unsigned long bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

/// Compares all 64 bits: a call with bits set above the low 32 is refused too.
scmp_arg_cmp is_not(unsigned argument, unsigned long value) {
    return {argument, SCMP_CMP_NE, value, 0};
}

/// A filter under construction; stores the first error.
class Filter {
public:
    Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW)) {
        if (!context_) {
            error_ = ENOMEM;
            return;
        }
        keep(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
        keep(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_NNP, 1));
        // All threads, in case there is more than one.
        keep(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1));
        // Otherwise kernels before 5.16 slow down every memory access of a filtered process (speculative
        // store bypass), and thus the measured kernels. Older libraries and processors do not have this
        // switch.
        ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_SSB, 1);
    }

    /// Refuses the call if all of `conditions` hold.
    void refuse(const char* name, const std::vector<scmp_arg_cmp>& conditions = {}, int with = EPERM) {
        add(SCMP_ACT_ERRNO(static_cast<std::uint16_t>(with)), name, conditions);
    }

    /// Notifies the holder of question_fd(), who decides, if all of `conditions` hold; without a holder the
    /// call fails with ENOSYS.
    void ask(const char* name, const std::vector<scmp_arg_cmp>& conditions) {
        add(SCMP_ACT_NOTIFY, name, conditions);
    }

    /// Call after load(). @return  -1 if no rule sends notifications
    int question_fd() const { return ::seccomp_notify_fd(context_.get()); }

    int load() {
        if (error_ == 0) keep(::seccomp_load(context_.get()));
        return error_;
    }

private:
    struct Release {
        void operator()(void* context) const { ::seccomp_release(context); }
    };

    void add(std::uint32_t action, const char* name, const std::vector<scmp_arg_cmp>& conditions) {
        const int number = ::seccomp_syscall_resolve_name(name);
        if (error_ != 0 || number == __NR_SCMP_ERROR) return;
        keep(::seccomp_rule_add_array(context_.get(), action, number,
                                      static_cast<unsigned>(conditions.size()), conditions.data()));
    }

    void keep(int result) {
        if (error_ == 0 && result < 0) error_ = -result;
    }

    std::unique_ptr<void, Release> context_;
    int error_ = 0;
};

/// Allows signals only to this process (0 and negative numbers mean groups or all processes), and none that
/// cannot be caught: a kernel must not be able to imitate a SIGKILL from the judge or the system.
void refuse_signals(Filter& filter) {
    const auto self = static_cast<unsigned long>(::getpid());
    filter.refuse("kill", {is_not(0, self)});
    filter.refuse("tgkill", {is_not(0, self)});
    for (const unsigned long signal : Values{SIGKILL, SIGSTOP}) {
        filter.refuse("kill", {low32_is(1, signal)});
        filter.refuse("tgkill", {low32_is(2, signal)});
    }
    for (const unsigned long command : Values{F_SETOWN, 15 /* F_SETOWN_EX */, 10 /* F_SETSIG */})
        filter.refuse("fcntl", {low32_is(1, command)});
    for (const unsigned long command : Values{0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */, FIOASYNC})
        filter.refuse("ioctl", {low32_is(1, command)});
}

void refuse_by_argument(Filter& filter) {
    for (const unsigned long option :
         Values{PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_MM, PR_SET_PTRACER, PR_SET_DUMPABLE})
        filter.refuse("prctl", {low32_is(0, option)});
    // The system forgets the CPU time of children whose parent ignores their end.
    filter.refuse("rt_sigaction", {low32_is(0, SIGCHLD), is_not(1, 0)});
    filter.refuse("prlimit64", {is_not(2, 0)});  // setting a limit
    filter.refuse("prlimit64", {is_not(0, 0)});  // another process
    for (const char* call : {"sched_setscheduler", "sched_setparam", "sched_setattr", "move_pages"})
        filter.refuse(call, {is_not(0, 0)});
    filter.refuse("setpriority", {is_not(0, 0)});  // groups and users
    filter.refuse("setpriority", {is_not(1, 0)});  // others
    // CLONE_NEWTIME is not a flag of clone(). CLONE_PARENT would make the new process a child of the judge.
    for (const unsigned long flag : Values{CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                           CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_PARENT})
        filter.refuse("clone", {has_bits(0, flag)});
    // Injecting input into a terminal, or taking control of it.
    for (const unsigned long command : Values{TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCSPGRP, TIOCSETD})
        filter.refuse("ioctl", {low32_is(1, command)});
}

void protect(Filter& filter, const PrivateDescriptors& descriptors) {
    for (const int fd : {descriptors.read_fd, descriptors.write_fd, descriptors.leash_fd}) {
        if (fd < 0) continue;
        const auto number = static_cast<unsigned long>(fd);
        for (const char* call : {"readv", "writev"})
            filter.refuse(call,
                          {low32_is(0, number), is_not(descriptors.secret_argument, descriptors.secret)});
        for (const char* call : {"read", "pread64", "preadv", "preadv2", "write", "pwrite64", "pwritev",
                                 "pwritev2", "vmsplice", "dup", "dup2", "dup3", "close", "fcntl", "ioctl"})
            filter.refuse(call, {low32_is(0, number)});
        for (const char* call : {"dup2", "dup3", "sendfile", "tee"})
            filter.refuse(call, {low32_is(1, number)});
        for (const char* call : {"sendfile", "splice", "tee", "copy_file_range"})
            filter.refuse(call, {low32_is(0, number)});
        for (const char* call : {"splice", "copy_file_range"}) filter.refuse(call, {low32_is(2, number)});
    }
}

struct SystemCallFilter {
    int error = 0;         ///< errno; 0: the filter is in force
    int question_fd = -1;  ///< descriptor for the filter's notifications, to be closed by the caller; -1:
                           ///< there are no notifications
};

/// @param asks  false: binding another thread to processors is refused without a notification
SystemCallFilter load_filter(const SandboxPolicy& policy,
                             const std::optional<PrivateDescriptors>& descriptors, bool asks) {
    Filter filter;
    for (const char* call : kRefused) filter.refuse(call);
    for (const char* call : kAbsent) filter.refuse(call, {}, ENOSYS);
    // Files in memory, which no limit counts until they are mapped. GPU drivers need them, as they need the
    // folder for such files.
    if (std::ranges::find(policy.writable, kSharedMemoryFolder) == policy.writable.end())
        filter.refuse("memfd_create", {}, ENOSYS);
    refuse_signals(filter);
    refuse_by_argument(filter);
    // A filter cannot distinguish this process's threads from other processes, but the parent process can.
    if (asks)
        filter.ask("sched_setaffinity", {is_not(0, 0)});
    else
        filter.refuse("sched_setaffinity", {is_not(0, 0)});
    if (descriptors) protect(filter, *descriptors);
    const int error = filter.load();
    return {error, asks && error == 0 ? filter.question_fd() : -1};
}

/// In this process and all that it starts, refuses: sockets; signals to, tracing of and inspecting other
/// processes; leaving the process group or clearing the parent-death signal; making the system forget the
/// children's CPU time, or who adopts them; files in memory, except for GPU drivers; changing owners,
/// modes and times of files (which Landlock does not control); watching folders; namespaces, mounts, kernel
/// interfaces; System V and POSIX message queues and asynchronous I/O. Calls of another architecture end the
/// process (SIGSYS). These stay possible: signals to itself except SIGKILL and SIGSTOP, so that abort()
/// works, and reading limits. A thread may bind itself to processors; for other threads, the process that
/// holds `question_fd` decides (linux/seccomp.h, SECCOMP_IOCTL_NOTIF_RECV). Requires no-new-privileges.
/// Source: Linux, Documentation/userspace-api/seccomp_filter.rst; libseccomp, seccomp_rule_add(3).
SystemCallFilter close_system_calls(const SandboxPolicy& policy,
                                    const std::optional<PrivateDescriptors>& descriptors) {
    if (!descriptors) return load_filter(policy, descriptors, false);  // no process could answer
    const SystemCallFilter asking = load_filter(policy, descriptors, true);
    return asking.error == 0 ? asking : load_filter(policy, descriptors, false);  // kernels before 5.7
}

/// The system's memory for open files and full pipes is in no process. GPU drivers open some hundred files.
constexpr rlim_t kMostOpenFiles = 16'384;

void lower_limits() {
    const rlimit no_core{0, 0};  // kernels crash often, and core dumps would be large
    ::setrlimit(RLIMIT_CORE, &no_core);
    rlimit files{};
    if (::getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_max > kMostFileBytes) {
        files = {kMostFileBytes, kMostFileBytes};
        ::setrlimit(RLIMIT_FSIZE, &files);
    }
    rlimit descriptors{};
    if (::getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_max > kMostOpenFiles) {
        descriptors = {std::min(descriptors.rlim_cur, kMostOpenFiles), kMostOpenFiles};
        ::setrlimit(RLIMIT_NOFILE, &descriptors);
    }
}

std::string files_are_open(const LandlockOutcome& landlock) {
    std::string gap = "files are open: ";
    if (landlock.abi == 0) return gap + "this machine's kernel has no Landlock";
    if (landlock.abi < kLeastLandlockAbi)
        return gap + "this machine's kernel supports Landlock only at level " + std::to_string(landlock.abi) +
               ", and drivers need " + std::to_string(kLeastLandlockAbi);
    return gap + "Landlock failed (" + ::strerror(landlock.error) + ")";
}

}  // namespace

SandboxReport enter_sandbox(const SandboxPolicy& policy,
                            const std::optional<PrivateDescriptors>& descriptors) {
    SandboxReport report;
    report.enforced = true;
    lower_limits();
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        report.gaps.push_back("programs may gain privileges (" + std::string(::strerror(errno)) + ")");

    if (const int failed = drop_capabilities(policy); failed != 0)
        report.gaps.push_back("root's privileges stay (" + std::string(::strerror(failed)) + ")");

    const LandlockOutcome landlock = close_files(policy);
    if (landlock.in_force)
        report.landlock_abi = landlock.abi;
    else
        report.gaps.push_back(files_are_open(landlock));

    const auto [error, question_fd] = close_system_calls(policy, descriptors);
    report.question_fd = question_fd;
    if (error == 0)
        report.network_closed = report.signals_closed = true;
    else
        report.gaps.push_back("network and other processes are open: seccomp failed (" +
                              std::string(::strerror(error)) + ")");
    return report;
}

}  // namespace kwb
