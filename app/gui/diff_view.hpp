// SPDX-License-Identifier: Apache-2.0
// Two texts side by side, with their differences marked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/diff.hpp"
#include "editor/highlight.hpp"
#include "gui/code_line.hpp"
#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Both sides scroll together, with equal lines next to each other. Read-only.
class DiffView {
public:
    /// Identifies a text: the same key means the same text.
    struct Texts {
        std::uint64_t left = 0, left_revision = 0;
        std::uint64_t right = 0, right_revision = 0;
        friend bool operator==(const Texts&, const Texts&) = default;
    };

    bool holds(const Texts& key) const { return key_ == key; }
    /// Compares two texts. Takes a few milliseconds for thousands of lines, so call it only if holds()
    /// returns false.
    void compare(const Texts& key, std::span<const std::string> left, std::span<const std::string> right);

    /// @param size  in pixels
    void draw(std::string_view id, std::string_view left_title, std::string_view right_title, ImVec2 size);

    /// Marks lines (from 0) and scrolls to the first of them. Other texts have no marks.
    void mark(std::span<const std::size_t> left, std::span<const std::size_t> right);

    /// Scrolls to the first marked line, if there is one.
    void show_marked();

    std::size_t difference_count() const { return differences_.size(); }
    /// Scrolls to the next (+1) or previous (-1) difference.
    void step(int by);
    /// The top row of the last frame.
    std::size_t first_visible_row() const { return first_row_; }
    const std::vector<editor::DiffRow>& rows() const { return rows_; }

private:
    struct Side {
        std::vector<std::string> lines;
        std::vector<std::size_t> marked;
        std::vector<std::vector<editor::Span>> spans;
        std::size_t longest = 0;  ///< in code points
    };
    static Side side_of(std::span<const std::string> lines);
    void draw_side(ImDrawList& list, const Side& side, bool is_left, ImRect area, float gutter,
                   ImVec2 scroll) const;
    void draw_overview(ImDrawList& list, ImRect area) const;

    std::optional<Texts> key_;
    Side left_, right_;
    std::vector<editor::DiffRow> rows_;
    std::vector<std::size_t> differences_;  ///< first row of each run of differing rows
    std::optional<std::size_t> current_;    ///< index into `differences_` after step()
    std::optional<std::size_t> wanted_row_;
    std::optional<std::size_t> shown_row_;  ///< that was last scrolled to
    std::size_t shown_first_ = 0;           ///< the top row then
    std::size_t first_row_ = 0;
    ImGuiID inside_ = 0;     ///< the window that it was drawn in last
    float line_height_ = 0;  ///< then
};

}  // namespace kwb::gui
