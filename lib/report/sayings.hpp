// Sentences about kernels, each said once with all kernels that it is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/table_options.hpp"

namespace kwb {

class Sayings {
public:
    void add(const std::string& sentence, const std::string& kernel);

    /// Join sayings whose first sentences differ in nothing but percentages and "… times" and whose advice
    /// (what follows the first sentence) is the same: "8 % slower" and "12 % slower" become
    /// "8 – 12 % slower".
    void merge_numbers();

    /// "warning: matmul/naive and matmul/tiled: …", a paragraph each, in the order of first appearance.
    /// Advice that several sayings share is said once, below the last of them.
    std::string render(std::string_view kind, const TableOptions& options) const;

private:
    struct Saying {
        std::string finding;  ///< the first sentence
        std::string advice;   ///< the rest, may be empty
        std::vector<std::string> kernels;
    };
    std::vector<Saying> sayings_;
};

}  // namespace kwb
