// SPDX-License-Identifier: Apache-2.0
#include "sandbox/privileges.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

#include "base/fd.hpp"

// Debian 12's headers define Landlock up to level 2, and its libc has no wrappers, so the stable kernel
// interface is declared here. The call numbers are the same on all architectures.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace kwb {
namespace {

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}

/// Access rights for files, in the order of their levels.
enum Access : std::uint64_t {
    kExecute = bit(0),
    kWriteFile = bit(1),
    kReadFile = bit(2),
    kReadDir = bit(3),
    kRemoveDir = bit(4),
    kRemoveFile = bit(5),
    kMakeDir = bit(7),
    kMakeFile = bit(8),
    kMakeLink = bit(12),
    kMove = bit(13),      // LANDLOCK_ACCESS_FS_REFER, level 2
    kTruncate = bit(14),  // level 3
    kIoctl = bit(15),     // LANDLOCK_ACCESS_FS_IOCTL_DEV, level 5
};

constexpr std::uint64_t kReadable = kExecute | kReadFile | kReadDir;
/// No devices, sockets or pipes: opening one would block the process that removes the folder.
constexpr std::uint64_t kWritable =
    kReadable | kWriteFile | kRemoveDir | kRemoveFile | kMakeDir | kMakeFile | kMakeLink | kMove | kTruncate;
constexpr std::uint64_t kDevice = kReadFile | kReadDir | kWriteFile | kTruncate | kIoctl;
/// Rights that apply to objects other than folders.
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctl;

/// struct landlock_ruleset_attr of level 6; older kernels accept it as long as the unknown fields are 0.
struct Ruleset {
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scoped;
};

/// struct landlock_path_beneath_attr
struct [[gnu::packed]] PathRule {
    std::uint64_t allowed;
    std::int32_t parent_fd;
};
constexpr int kPathRule = 1;
constexpr unsigned kAskVersion = 1;

/// A ruleset that denies all rights of this level unless a rule allows them.
Ruleset everything_of(int abi) {
    Ruleset all{bit(13) - 1, 0, 0};
    all.files |= kMove;
    if (abi >= 3) all.files |= kTruncate;
    if (abi >= 4) all.network = bit(0) | bit(1);  // binding and connecting TCP
    if (abi >= 5) all.files |= kIoctl;
    if (abi >= 6) all.scoped = bit(0) | bit(1);  // abstract sockets, signals
    return all;
}

/// Ignores paths that are missing or inaccessible.
int allow(const Fd& ruleset, std::uint64_t handled, const std::string& path, std::uint64_t rights) {
    Fd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat info {};
    if (!place || ::fstat(place.get(), &info) != 0) return 0;
    if (!S_ISDIR(info.st_mode)) rights &= kOfFiles;
    const PathRule rule{rights & handled, place.get()};
    if (::syscall(SYS_landlock_add_rule, ruleset.get(), kPathRule, &rule, 0) != 0) return errno;
    // Rules are tied to inodes, and /proc creates new inodes after it has dropped an entry under memory
    // pressure. Entries that are held open are not dropped.
    if (path.starts_with("/proc/")) static_cast<void>(place.release());
    return 0;
}

}  // namespace

LandlockOutcome close_files(const SandboxPolicy& policy) {
    LandlockOutcome outcome;
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
    if (abi <= 0) return outcome;
    outcome.abi = static_cast<int>(abi);
    if (outcome.abi < kLeastLandlockAbi) return outcome;

    const Ruleset all = everything_of(outcome.abi);
    const Fd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0)));
    if (!ruleset) {
        outcome.error = errno;
        return outcome;
    }
    const auto allow_all = [&](const std::vector<std::string>& paths, std::uint64_t rights) {
        for (const std::string& path : paths)
            if (outcome.error == 0) outcome.error = allow(ruleset, all.files, path, rights);
    };
    allow_all(policy.readable, kReadable);
    allow_all(policy.writable, kWritable);
    allow_all(policy.devices, kDevice);
    if (outcome.error == 0 && ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        outcome.error = errno;
    outcome.in_force = outcome.error == 0;
    return outcome;
}

namespace {

/// Words with 32 capabilities each, the lowest first.
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

}  // namespace

int drop_capabilities(const SandboxPolicy& policy) {
    __user_cap_header_struct ours{_LINUX_CAPABILITY_VERSION_3, 0};
    Sets sets{};
    if (::syscall(SYS_capget, &ours, sets.data()) != 0) return errno;
    const bool any = std::any_of(sets.begin(), sets.end(), [](const __user_cap_data_struct& set) {
        return (set.effective | set.permitted | set.inheritable) != 0;
    });
    if (!any) return 0;
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0,
            0);  // capset also does this, but not on all kernels

    const std::uint32_t spare = sets[0].permitted & kOverride;
    if (spare != 0 && are_writable(policy.writable)) {
        // They may be writable only because of CAP_DAC_OVERRIDE: try without it.
        if (const int error = set_capabilities(0, spare); error != 0) return error;
        if (!are_writable(policy.writable)) return set_capabilities(spare, spare);
    }
    return set_capabilities(0, 0);
}

}  // namespace kwb
