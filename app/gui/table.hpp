// SPDX-License-Identifier: Apache-2.0
// A table of texts: ImGui's, with this window's look, and probes for its parts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/widgets.hpp"

namespace kwb::gui {

struct TableColumn {
    std::string id;  ///< unique in the table, for probes
    std::string head = {};
    bool is_number = false;  ///< aligned right
    float width = 0;         ///< in pixels; the user can drag it, until it changes here
    bool is_shown = true;
    std::string help = {};  ///< what the head means, shown when the pointer is on it; empty: nothing
    bool wraps = false;     ///< its cells may be broken into lines; then the rows give their heights
    float cells = 0;        ///< width of its cells in one line
    float least = 0;        ///< width with its head, and cells that wrap, in lines of single words

    /// Widens it to `words`, in the current font, and to its head.
    void fit(std::string_view words);
    /// Lines of a cell at the width of the column.
    std::size_t lines_of(std::string_view words) const;
};

/// Narrows columns that are together wider than `room`, as far as they can be: heads break into lines first,
/// then cells that wrap.
void narrow_columns(std::span<TableColumn> columns, float room);

/// In pixels, in the current font.
float table_row_height();
float table_height(std::size_t rows);
float table_width(std::span<const TableColumn> columns);

struct TableOptions {
    ImVec2 size = {0, 0};  ///< in pixels; width 0: all available; height 0: as high as its rows
    bool sorts = false;    ///< a click on a head sorts by its column, another one reverses, a third ends that
    ImGuiTableFlags flags = 0;  ///< ImGuiTableFlags_ScrollX, ImGuiTableFlags_ScrollY
    int fixed = 0;              ///< the leading columns that stay when the others scroll
};

/// How the user sorts a table.
struct TableOrder {
    std::size_t column = 0;
    bool is_reversed = false;
    friend bool operator==(const TableOrder&, const TableOrder&) = default;
};

struct SortKey {
    std::optional<double> number = {};  ///< nullopt: the row comes after all numbers, by its words
    std::string words = {};
};
/// The rows from the top down; equal ones keep their order.
std::vector<std::size_t> sorted_rows(std::span<const SortKey> keys, bool is_reversed);

/// `Table table("results", columns); table.draw_rows(count, [&](std::size_t i) { table.press_row(…); … });`
/// The heads stay on top when the rows scroll; a column's edge can be dragged there. Probes:
/// "<table>/head/<column>", "<table>/row/<row>", "<table>/cell/<row>/<column>".
class Table : Scope {
public:
    /// @param columns  must outlive this object
    Table(std::string id, std::span<const TableColumn> columns, const TableOptions& options = {});
    ~Table();

    /// nullopt: the rows stay as they are.
    const std::optional<TableOrder>& order() const { return order_; }

    /// Calls `draw` for each row, of many only for those on the screen; it begins that row.
    void draw_rows(std::size_t count, const std::function<void(std::size_t)>& draw);

    /// Begins a row of plain text, as high as this many lines.
    void begin_row(std::size_t name, std::size_t lines = 1);
    /// Begins a row that can be pressed; it is the last item until the first cell. @return  true if it was
    bool press_row(std::size_t name, bool selected = false, std::size_t lines = 1);
    /// Where the row's first text begins on the screen.
    ImVec2 corner() const { return corner_; }
    /// Draws the next cell of the row, cut to its column. @param inset  of its text, in pixels
    void cell(std::string_view words, Tone tone = Tone::Normal, float inset = 0);

private:
    void draw_heads(bool sorts) const;

    std::string id_;
    std::span<const TableColumn> columns_;
    bool is_visible_;
    std::optional<TableOrder> order_;
    std::string row_;  ///< the current one
    std::size_t lines_ = 1;
    std::size_t next_ = 0;  ///< its next cell
    ImVec2 corner_;
};

}  // namespace kwb::gui
