#include "judge/host.hpp"

#include <unistd.h>

#include <charconv>
#include <fstream>
#include <limits>

#include "base/text.hpp"

namespace kwb {
namespace {

/// The value behind "name : value" in one of the kernel's text files, or nothing.
std::string find_entry(const char* file, std::string_view name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == name)
            return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
    return "";
}

}  // namespace

std::string host_cpu_name() {
    const std::string name = find_entry("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown" : name;
}

std::uint64_t available_memory_bytes() {
    const std::string text = find_entry("/proc/meminfo", "MemAvailable");
    std::uint64_t kibibytes = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), kibibytes).ec != std::errc{})
        return std::numeric_limits<std::uint64_t>::max();
    return kibibytes << 10;
}

}  // namespace kwb
