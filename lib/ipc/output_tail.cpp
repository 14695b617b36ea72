#include "ipc/output_tail.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <vector>

#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::size_t kKeptBytes = 4096;

}  // namespace

bool OutputTail::drain(int fd) {
    std::array<char, 4096> block;
    // Bounded, so that a program that prints without pause does not block the reader.
    for (int blocks = 0; fd >= 0 && blocks < 64; ++blocks) {
        const ssize_t n = ::read(fd, block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) return false;
        if (n < 0) return errno == EAGAIN;
        tail_.append(block.data(), static_cast<std::size_t>(n));
        if (tail_.size() > kKeptBytes) tail_.erase(0, tail_.size() - kKeptBytes);
    }
    return true;
}

std::string OutputTail::last_lines(std::size_t most) const {
    std::string text = tail_;
    std::replace(text.begin(), text.end(), '\r', '\n');  // ssh ends its lines with both
    std::vector<std::string> lines = split_lines(text);
    std::erase_if(lines, [](const std::string& line) { return trim(line).empty(); });
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
    for (std::string& line : lines) {
        line = std::string(trim(line));
        std::replace_if(line.begin(), line.end(), is_control, ' ');
        if (line.size() > kMostLine) line = line.substr(0, kMostLine) + " …";
    }
    return to_utf8(join(lines, " / "));
}

}  // namespace kwb
