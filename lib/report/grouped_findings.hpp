// Findings about several kernels, each said once with all kernels that it is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/finding_words.hpp"
#include "report/tables.hpp"

namespace kwb {

class GroupedFindings {
public:
    /// Doubts about times that differ in nothing but how large they are become one with the range of both:
    /// "8–12 % slower".
    /// @param kernel  or the place, for a person
    void add(const Finding& finding, const std::string& kernel);

    /// "warning: matmul/naive and matmul/tiled: …", a paragraph each, in the order of first appearance.
    /// Advice that several share is given once, below the last of them.
    std::string render(std::string_view kind, const TableOptions& options) const;

private:
    struct Group {
        Finding low;   ///< with the smallest numbers
        Finding high;  ///< with the largest
        std::vector<std::string> kernels;
    };
    std::vector<Group> groups_;
};

}  // namespace kwb
