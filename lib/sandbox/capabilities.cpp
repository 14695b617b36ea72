#include "sandbox/capabilities.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace kwb {
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
    // capset() also does this, but not on all kernels.
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);

    const std::uint32_t spare = sets[0].permitted & kOverride;
    if (spare != 0 && are_writable(policy.writable)) {
        // They may be writable only because of CAP_DAC_OVERRIDE: try without it.
        if (const int error = set_capabilities(0, spare); error != 0) return error;
        if (!are_writable(policy.writable)) return set_capabilities(spare, spare);
    }
    return set_capabilities(0, 0);
}

}  // namespace kwb
