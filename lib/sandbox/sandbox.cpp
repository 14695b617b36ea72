#include "sandbox/sandbox.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "sandbox/landlock.hpp"
#include "sandbox/system_calls.hpp"

namespace kwb {
namespace {

void lower_limits() {
    const rlimit no_core{0, 0};  // kernels crash often, and core dumps would be large
    ::setrlimit(RLIMIT_CORE, &no_core);
    rlimit files{};
    if (::getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_max > kMostFileBytes) {
        files = {kMostFileBytes, kMostFileBytes};
        ::setrlimit(RLIMIT_FSIZE, &files);
    }
}

std::string files_are_open(const LandlockOutcome& landlock) {
    std::string gap = "files are open: ";
    if (landlock.abi == 0) return gap + "this machine's kernel has no Landlock";
    if (landlock.abi < kLeastLandlockAbi)
        return gap + "this machine's kernel knows Landlock only at level " + std::to_string(landlock.abi) +
               ", and drivers need " + std::to_string(kLeastLandlockAbi);
    return gap + "Landlock failed (" + ::strerror(landlock.error) + ")";
}

/// Words of 32 capabilities each, the lowest first.
using Sets = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

constexpr std::uint32_t kOverride = std::uint32_t{1} << CAP_DAC_OVERRIDE;

int set_capabilities(std::uint32_t effective, std::uint32_t permitted) {
    __user_cap_header_struct ours{_LINUX_CAPABILITY_VERSION_3, 0};
    Sets sets{};
    sets[0] = {effective, permitted, 0};
    return ::syscall(SYS_capset, &ours, sets.data()) == 0 ? 0 : errno;
}

bool are_writable(const std::vector<std::string>& folders) {
    return std::all_of(folders.begin(), folders.end(), [](const std::string& folder) {
        return ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0 || errno == ENOENT;
    });
}

/// Drops all capabilities of this process for good (with no-new-privileges also of all that it starts):
/// raising priorities, locking memory, opening raw devices, looking into other users' processes.
/// CAP_DAC_OVERRIDE stays where the writable folders belong to another user and cannot be used otherwise
/// (`sudo` with that user's cache); Landlock decides which files that concerns. Affects the calling thread,
/// so call it while there is one.
/// @return  0, or errno
/// Source: Linux, capabilities(7), capset(2).
int drop_capabilities(const SandboxPolicy& policy) {
    __user_cap_header_struct ours{_LINUX_CAPABILITY_VERSION_3, 0};
    Sets sets{};
    if (::syscall(SYS_capget, &ours, sets.data()) != 0) return errno;
    const bool any = std::any_of(sets.begin(), sets.end(), [](const __user_cap_data_struct& set) {
        return (set.effective | set.permitted | set.inheritable) != 0;
    });
    if (!any) return 0;
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0,
            0);  // capset does it too, but not on all kernels

    const std::uint32_t spare = sets[0].permitted & kOverride;
    if (spare != 0 && are_writable(policy.writable)) {
        // They may be writable only because of CAP_DAC_OVERRIDE: try without it.
        if (const int error = set_capabilities(0, spare); error != 0) return error;
        if (!are_writable(policy.writable)) return set_capabilities(spare, spare);
    }
    return set_capabilities(0, 0);
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

    const auto [error, question_fd] = close_system_calls(descriptors);
    report.question_fd = question_fd;
    if (error == 0)
        report.network_closed = report.signals_closed = true;
    else
        report.gaps.push_back("network and other processes are open: seccomp failed (" +
                              std::string(::strerror(error)) + ")");
    return report;
}

}  // namespace kwb
