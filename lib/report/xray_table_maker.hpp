// SPDX-License-Identifier: Apache-2.0
// Fills the tables of X-ray's report row by row.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "report/numbers.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// A cell without a figure.
inline constexpr const char* kNone = "-";

/// "1,024", "3.94"
inline std::string figure_text(double figure) {
    return group_thousands(format_digits(figure));
}

inline std::string whole_text(std::uint64_t count) {
    return group_thousands(std::to_string(count));
}

/// "matmul/tiled TILE=16", and the function if the file has several.
inline std::string name_of(const ObservedKernel& kernel, const std::string& function, std::size_t functions) {
    return functions > 1 ? kernel.label + ", " + function : kernel.label;
}

/// The text of a cell.
struct Figure {
    Figure(std::string words, bool bad = false) : text(std::move(words)), is_bad(bad) {}
    Figure(const char* words) : text(words) {}
    std::string text;
    bool is_bad = false;
};

/// A table whose columns are filled row by row.
class TableMaker {
public:
    /// @param keys  leading columns that name a row
    TableMaker(std::string title, std::vector<XrayTable::Column> columns, std::size_t keys = 1) {
        table_.title = std::move(title);
        table_.keys = keys;
        table_.columns = std::move(columns);
    }
    void add(const std::vector<Figure>& row, const XrayPlace* place = nullptr) {
        if (place != nullptr) table_.places.push_back(*place);
        for (std::size_t i = 0; i < row.size(); ++i) {
            table_.columns[i].cells.push_back(row[i].text);
            table_.columns[i].bad.push_back(row[i].is_bad);
        }
    }
    XrayTable take() { return std::move(table_); }
    /// Without the columns that have no figure, such as registers on CPUs.
    XrayTable take_figures() {
        std::erase_if(table_.columns, [](const XrayTable::Column& column) {
            return !column.cells.empty() &&
                   std::ranges::all_of(column.cells, [](const std::string& cell) { return cell == kNone; });
        });
        return take();
    }

private:
    XrayTable table_;
};

}  // namespace kwb
