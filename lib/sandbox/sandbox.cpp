#include "sandbox/sandbox.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "sandbox/capabilities.hpp"
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
