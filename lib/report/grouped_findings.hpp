// Findings about several kernels: each is printed once, with the names of all kernels that it applies to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/finding_words.hpp"
#include "report/tables.hpp"

namespace kwb {

class GroupedFindings {
public:
    /// Warnings about timings that differ only in their numbers are merged into one with a range:
    /// "8–12 % slower".
    /// @param kernel  the name of the kernel, or a place in its source, as shown to the user
    void add(const Finding& finding, const std::string& kernel);

    /// "warning: matmul/naive and matmul/tiled: …", one paragraph per finding, in the order of first
    /// appearance. Findings with the same advice are kept together; the advice follows the last of them.
    std::string render(std::string_view kind, const TableOptions& options) const;

private:
    struct Group {
        Finding low;   ///< holds the smallest numbers
        Finding high;  ///< holds the largest numbers
        std::vector<std::string> kernels;
    };
    std::vector<Group> groups_;
};

}  // namespace kwb
