#include "judge/processes/host.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/text.hpp"
#include "judge/processes/cgroup_memory.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// The value after "name : value" in one of the kernel's text files, or nothing.
std::string find_entry(const fs::path& file, std::string_view name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == name)
            return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
    return "";
}

/// UINT64_MAX where the system does not tell.
std::uint64_t meminfo_bytes(const fs::path& root, std::string_view name) {
    const std::string text = find_entry(root / "proc/meminfo", name);
    std::uint64_t kibibytes = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), kibibytes).ec != std::errc{})
        return UINT64_MAX;
    return kibibytes << 10;
}

}  // namespace

std::string host_cpu_name() {
    const std::string name = find_entry("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown" : name;
}

std::uint64_t machine_memory_bytes(const fs::path& root) {
    return std::min(meminfo_bytes(root, "MemTotal"),
                    read_cgroup_memory(root).limit_bytes.value_or(UINT64_MAX));
}

std::uint64_t available_memory_bytes(const fs::path& root) {
    const std::uint64_t free = read_cgroup_memory(root).free_bytes.value_or(UINT64_MAX);
    return std::max<std::uint64_t>(1, std::min(meminfo_bytes(root, "MemAvailable"), free));
}

}  // namespace kwb
