// SPDX-License-Identifier: Apache-2.0
// A program's output, read from a pipe: its beginning for a result, or its end for a message about a failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kwb {

/// Keeps the beginning.
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

/// Keeps the end.
class OutputTail {
public:
    /// Reads everything available from `fd` (non-blocking).
    /// @return  false at end of file, after which poll() would report `fd` forever
    bool drain(int fd);

    /// The last lines that are not blank, in their order and joined by " / ", as UTF-8 without control
    /// characters; each shortened to kMostLine bytes. Empty if there is none.
    std::string last_lines(std::size_t most) const;

    static constexpr std::size_t kMostLine = 200;

private:
    std::string tail_;
};

}  // namespace kwb
