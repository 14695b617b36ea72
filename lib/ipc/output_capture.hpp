// What a program prints, kept up to a cap and never left in the pipe.
#pragma once

#include <cstdint>
#include <string>

namespace kwb {

class OutputCapture {
public:
    static constexpr std::size_t kKeptBytes = 64u << 10;

    /// Read everything that waits in `fd` (non-blocking), keep the first part, count the rest.
    void drain(int fd);

    /// Add what came after this, under the same cap.
    void append(OutputCapture later);

    /// The text kept since the last call, as UTF-8, with a last line that counts what was cut.
    std::string take();

    /// The same, as it is and still to be taken.
    const std::string& kept() const { return kept_; }

private:
    std::string kept_;
    std::uint64_t cut_bytes_ = 0;
};

}  // namespace kwb
