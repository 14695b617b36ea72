#include "report/grid.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr std::size_t kGap = 2;  ///< blanks between columns

}  // namespace

void Grid::add_column(std::string header, Align align) {
    expects(rows_.empty(), "Grid::add_column: rows have been added");
    const std::size_t width = display_width(header);
    columns_.push_back({std::move(header), align, width});
}

void Grid::add_row(std::vector<Cell> row) {
    expects(row.size() == columns_.size(), "Grid::add_row: a cell for every column");
    for (std::size_t i = 0; i < row.size(); ++i)
        columns_[i].width = std::max(columns_[i].width, display_width(row[i].text));
    rows_.push_back(std::move(row));
}

std::size_t Grid::width() const {
    std::size_t sum = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
    for (const Column& column : columns_) sum += column.width;
    return sum;
}

std::size_t Grid::least_width(std::size_t least) const {
    if (columns_.empty()) return 0;
    return width() - columns_.front().width + std::min(columns_.front().width, least);
}

void Grid::fit_first_column(std::size_t width_wanted, std::size_t least, bool unicode) {
    if (width() <= width_wanted) return;
    Column& first = columns_.front();
    const std::size_t rest = width() - first.width;
    const std::size_t room = std::max(least, width_wanted > rest ? width_wanted - rest : 0);
    if (room >= first.width) return;
    first.width = room;
    first.header = shorten(first.header, room, unicode);
    for (auto& row : rows_) row.front().text = shorten(row.front().text, room, unicode);
}

std::string Grid::render_row(const std::vector<Cell>& row, const TableOptions& options) const {
    std::string line;
    std::size_t pending = 0;  // blanks, written only if another cell follows
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t used = display_width(row[i].text);
        const std::size_t spare = columns_[i].width - std::min(used, columns_[i].width);
        const bool right = columns_[i].align == Align::Right;
        if (right) pending += spare;
        if (used > 0) {
            line += std::string(pending, ' ') + paint(row[i].text, row[i].tone, options);
            pending = 0;
        }
        pending += (right ? 0 : spare) + kGap;
    }
    return line + "\n";
}

std::string Grid::render(const TableOptions& options) const {
    std::vector<Cell> header;
    for (const Column& column : columns_) header.push_back({column.header, Tone::Strong});
    std::string text = render_row(header, options);
    for (const auto& row : rows_) text += render_row(row, options);
    return text;
}

}  // namespace kwb
