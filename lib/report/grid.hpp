// A table of text cells, laid out in columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/text_layout.hpp"

namespace kwb {

struct Cell {
    std::string text;
    Tone tone = Tone::Plain;
};

enum class Align { Left, Right };

/// Names of kernels are never cut to fewer columns than this, however narrow the terminal.
inline constexpr std::size_t kLeastLabelColumns = 8;

class Grid {
public:
    void add_column(std::string header, Align align);
    /// @param row  one cell per column
    /// @throws ContractError  the number of cells differs from that of the columns
    void add_row(std::vector<Cell> row);

    /// Width of the table, in terminal columns.
    std::size_t width() const;
    /// The width if the cells of the first column are cut to `least` columns.
    std::size_t least_width(std::size_t least) const;

    /// Cut the cells of the first column so that the table is at most `width` columns wide, but not to fewer
    /// than `least` columns.
    void fit_first_column(std::size_t width, std::size_t least, bool unicode);

    /// The header and the rows, each ending with '\n', without trailing blanks.
    std::string render(const TableOptions& options) const;

private:
    struct Column {
        std::string header;
        Align align;
        std::size_t width;
    };
    std::string render_row(const std::vector<Cell>& row, const TableOptions& options) const;

    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace kwb
