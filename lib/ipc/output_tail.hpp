// The end of what a program prints to its standard error, for messages about why it failed.
#pragma once

#include <cstddef>
#include <string>

namespace kwb {

class OutputTail {
public:
    /// Reads everything available from `fd` (non-blocking); keeps only the end.
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
