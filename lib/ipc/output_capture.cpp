#include "ipc/output_capture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/text.hpp"

namespace kwb {

void OutputCapture::drain(int fd) {
    std::array<char, 65536> block;
    // Bounded, so that a program that prints without pause does not block the reader.
    for (int blocks = 0; fd >= 0 && blocks < 64; ++blocks) {
        const ssize_t n = ::read(fd, block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        const auto bytes = static_cast<std::size_t>(n);
        const std::size_t room = std::min(bytes, kKeptBytes - kept_.size());
        kept_.append(block.data(), room);
        cut_bytes_ += bytes - room;
    }
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

}  // namespace kwb
