// SPDX-License-Identifier: Apache-2.0
#include "ipc/captured_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::size_t kKeptTailBytes = 4096;

/// Passes everything available from `fd` to `take`.
/// @return  false at end of file
template <class Take>
bool read_available(int fd, const Take& take) {
    std::array<char, 65536> block;
    // Bounded, so that a program that prints continuously does not block the reader.
    for (int blocks = 0; fd >= 0 && blocks < 64; ++blocks) {
        const ssize_t n = ::read(fd, block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 && errno == EAGAIN;
        take(std::string_view(block.data(), static_cast<std::size_t>(n)));
    }
    return true;
}

}  // namespace

void OutputCapture::drain(int fd) {
    read_available(fd, [this](std::string_view text) {
        const std::size_t room = std::min(text.size(), kKeptBytes - kept_.size());
        kept_.append(text.substr(0, room));
        cut_bytes_ += text.size() - room;
    });
}

void OutputCapture::append(OutputCapture later) {
    const std::size_t room = std::min(later.kept_.size(), kKeptBytes - kept_.size());
    kept_.append(later.kept_, 0, room);
    cut_bytes_ += later.cut_bytes_ + later.kept_.size() - room;
}

std::string OutputCapture::take() {
    std::string text = to_utf8(std::exchange(kept_, {}));
    const std::uint64_t cut = std::exchange(cut_bytes_, 0);
    if (cut > 0)
        text += fmt::format("\n[… {} more {} not kept]\n", cut,
                            cut == 1 ? "byte of output was" : "bytes of output were");
    return text;
}

bool OutputTail::drain(int fd) {
    return read_available(fd, [this](std::string_view text) {
        tail_.append(text);
        if (tail_.size() > kKeptTailBytes) tail_.erase(0, tail_.size() - kKeptTailBytes);
    });
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
