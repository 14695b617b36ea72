// Expressions in a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// "N x M": extents as they were written.
inline std::string join_written(const std::vector<Written>& extents, std::string_view separator) {
    std::vector<std::string> texts;
    for (const Written& extent : extents) texts.push_back(extent.text);
    return join(texts, separator);
}

}  // namespace kwb
