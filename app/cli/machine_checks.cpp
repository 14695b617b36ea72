#include "machine_checks.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;

namespace {

using State = Finding::State;

/// From linux/landlock.h, which exists in Debian 12 but not on older systems.
constexpr unsigned kLandlockCreateRulesetVersion = 1;

/// @return  the version of the ABI, or less than 1 if the kernel has no Landlock
long landlock_abi() {
#ifdef SYS_landlock_create_ruleset
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kLandlockCreateRulesetVersion);
#else
    return 0;
#endif
}

bool has_seccomp_filter() {
    unsigned action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace

Finding check_cache() {
    try {
        const fs::path folder = cache_folder();
        if (is_noexec(folder))
            return {State::Bad, "compiler cache",
                    folder.string() +
                        " lies on a file system that forbids programs (noexec), which ends PoCL; set "
                        "KWB_CACHE_DIR to "
                        "a folder elsewhere"};
        return {State::Good, "compiler cache", folder.string()};
    } catch (const EnvironmentError& error) {
        return {State::Bad, "compiler cache", error.what()};
    }
}

Finding check_linker() {
    const std::string linker = find_in_path("ld");
    if (linker.empty())
        return {State::Bad, "linker", "ld is not in PATH; PoCL needs it: apt-get install binutils"};
    return {State::Good, "linker", linker + " (PoCL links kernels with it)"};
}

std::vector<Finding> kernel_isolation() {
    const long abi = landlock_abi();
    const std::string landlock = abi < 1 ? "this kernel has none, or it is switched off"
                                         : "this kernel allows it, ABI " + std::to_string(abi) +
                                               (abi >= 6   ? ": files, network and signals"
                                                : abi >= 4 ? ": files and network"
                                                           : ": files only");
    return {{State::Note, "Landlock", landlock},
            {State::Note, "seccomp filters",
             has_seccomp_filter() ? "this kernel allows them" : "this kernel does not allow them"}};
}

}  // namespace kwb::cli
