// SPDX-License-Identifier: Apache-2.0
#include "sandbox/policies.hpp"

#include <fstream>
#include <string>

#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// The files that the dynamic linker, libc, the ICD loader, PoCL with its LLVM, and ld read. Excludes the
/// rest of /etc, all of /home, /root, /var and /tmp, and other processes.
constexpr const char* kSystem[] = {"/usr",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/libx32",
                                   "/bin",
                                   "/sbin",
                                   "/nix/store",
                                   "/gnu/store",
                                   "/etc/OpenCL",
                                   "/etc/ld.so.cache",
                                   "/etc/ld.so.conf",
                                   "/etc/ld.so.conf.d",
                                   "/etc/alternatives",
                                   "/etc/localtime",
                                   "/proc/cpuinfo",
                                   "/proc/meminfo",
                                   "/proc/stat",
                                   "/proc/version",
                                   "/proc/filesystems",
                                   "/proc/sys/vm",
                                   "/proc/sys/kernel",
                                   "/sys/devices/system",
                                   "/sys/fs/cgroup"};
constexpr const char* kNodes[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

/// The folders in which GPU drivers look for their hardware and settings, and their device nodes. Sources:
/// the device lists of NVIDIA's container toolkit and of AMD's and Intel's notes on OpenCL in containers.
constexpr const char* kGpuSystem[] = {"/sys/module",
                                      "/sys/class",
                                      "/sys/bus/pci",
                                      "/sys/devices",
                                      "/sys/dev",
                                      "/opt/rocm",
                                      "/opt/intel",
                                      "/etc/nvidia",
                                      "/proc/driver/nvidia",
                                      "/proc/modules",
                                      "/proc/devices",
                                      "/proc/self",
                                      "/run/nvidia-persistenced"};
constexpr const char* kGpuNodes[] = {"/dev/dri",
                                     "/dev/kfd",
                                     "/dev/nvidiactl",
                                     "/dev/nvidia-uvm",
                                     "/dev/nvidia-uvm-tools",
                                     "/dev/nvidia-modeset",
                                     "/dev/nvidia-caps",
                                     "/dev/nvgpu",
                                     "/dev/nvmap"};
void add_gpu_access(SandboxPolicy& policy) {
    policy.readable.insert(policy.readable.end(), std::begin(kGpuSystem), std::end(kGpuSystem));
    policy.devices.insert(policy.devices.end(), std::begin(kGpuNodes), std::end(kGpuNodes));
    policy.writable.emplace_back(kSharedMemoryFolder);  // to share memory between processes or devices
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/dev", error)) {  // nvidia0, nvidia1, …
        const std::string name = entry.path().filename().string();
        if (name.starts_with("nvidia") && name.size() > 6 && name[6] >= '0' && name[6] <= '9')
            policy.devices.push_back(entry.path().string());
    }
}

}  // namespace

std::string library_of(const fs::path& driver_file) {
    std::ifstream in(driver_file);
    std::string line;
    std::getline(in, line);
    return to_utf8(trim(line));
}

SandboxPolicy make_policy(const fs::path& driver_file, const fs::path& cache, const fs::path& temporary) {
    SandboxPolicy policy;
    policy.readable.assign(std::begin(kSystem), std::end(kSystem));
    policy.devices.assign(std::begin(kNodes), std::end(kNodes));
    policy.writable = {cache.string(), temporary.string()};
    std::string library;
    if (!driver_file.empty()) {
        policy.readable.push_back(driver_file.string());
        library = library_of(driver_file);
        // Its folder becomes readable too: drivers keep further libraries and built-in kernels there.
        if (library.starts_with('/')) policy.readable.push_back(fs::path(library).parent_path().string());
    }
    if (fs::path(library).filename().string().find("libpocl") == std::string::npos) add_gpu_access(policy);
    return policy;
}

SandboxPolicy make_xray_policy(const fs::path& compiler, const fs::path& temporary) {
    SandboxPolicy policy;
    policy.readable.assign(std::begin(kSystem), std::end(kSystem));
    policy.devices.assign(std::begin(kNodes), std::end(kNodes));
    policy.writable = {temporary.string()};
    std::error_code error;
    const fs::path program = fs::canonical(compiler, error);
    if (!error) policy.readable.push_back(program.parent_path().parent_path().string());
    return policy;
}

}  // namespace kwb
