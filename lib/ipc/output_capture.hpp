// Captures what a program prints, up to a limit, and keeps the pipe empty.
#pragma once

#include <cstdint>
#include <string>

namespace kwb {

class OutputCapture {
public:
    static constexpr std::size_t kKeptBytes = 64u << 10;

    /// Reads everything available from `fd` (non-blocking); keeps the first part and counts the rest.
    void drain(int fd);

    /// Appends later output, with the same limit.
    void append(OutputCapture later);

    /// Returns the text kept so far and clears it, as UTF-8, with a last line that counts the bytes cut off.
    std::string take();

    /// The text kept so far, as raw bytes.
    const std::string& kept() const { return kept_; }

private:
    std::string kept_;
    std::uint64_t cut_bytes_ = 0;
};

}  // namespace kwb
