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

/// What a column of kernels' names keeps of each, however narrow the terminal.
inline constexpr std::size_t kLeastLabelColumns = 8;

class Grid {
public:
    void add_column(std::string header, Align align);
    /// @param row  one cell a column
    /// @throws ContractError  another number of cells
    void add_row(std::vector<Cell> row);

    /// Columns that the widest line takes.
    std::size_t width() const;
    /// The same if the first column's cells are cut to `least` columns.
    std::size_t least_width(std::size_t least) const;

    /// Cut the cells of the first column so that the table takes at most `width` columns, but leave it
    /// `least` columns.
    void fit_first_column(std::size_t width, std::size_t least, bool unicode);

    /// The header and the rows, each ended by '\n', no blanks at line ends.
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
