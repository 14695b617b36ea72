// What a program prints: kept up to a limit, and never left in the pipe.
#pragma once

#include <cstdint>
#include <string>

namespace kwb {

class OutputCapture {
public:
    static constexpr std::size_t kKeptBytes = 64u << 10;

    /// Read everything available in `fd` (non-blocking); keep the first part and count the rest.
    void drain(int fd);

    /// Append later output, under the same limit.
    void append(OutputCapture later);

    /// Take the text kept so far, as UTF-8, with a last line that counts what was cut.
    std::string take();

    /// The text kept so far, as raw bytes.
    const std::string& kept() const { return kept_; }

private:
    std::string kept_;
    std::uint64_t cut_bytes_ = 0;
};

}  // namespace kwb
