// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/correctness_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "model/device_fit.hpp"
#include "model/request.hpp"

namespace kwb::gui {
namespace {

/// A matrix drawn to scale: columns and rows of elements at a place on the screen.
struct Sheet {
    ImVec2 min;
    float unit = 1;  ///< pixels per element
    double columns = 1, rows = 1;

    ImVec2 at(double column, double row) const {
        return {min.x + static_cast<float>(column) * unit, min.y + static_cast<float>(row) * unit};
    }
    ImVec2 max() const { return at(columns, rows); }
    void fill(double column, double row, double width, double height, ImU32 color) const {
        const ImVec2 from = at(column, row), to = at(column + width, row + height);
        fill_cell({from.x, from.y, to.x - from.x, to.y - from.y}, color);
    }
    void frame(ImU32 color) const { ImGui::GetWindowDrawList()->AddRect(min, max(), color); }
};

/// The launch in the terms of the picture: dimension 0 of `extent` is horizontal.
struct Geometry {
    std::array<std::uint64_t, 2> global = {1, 1};
    std::array<std::uint64_t, 2> local = {1, 1};
    std::array<std::size_t, 2> dimension = {0, 1};  ///< of the NDRange, for horizontal and vertical
    std::array<std::uint64_t, 2> output = {0,
                                           0};  ///< columns and rows of the output; 0: not one work-item each
    std::uint64_t depth = 0;                    ///< K of a matrix product; 0: no matrix product
};

std::uint64_t size_named(const Sizes& sizes, std::string_view name) {
    const std::int64_t* value = find_named(sizes, std::string(name));
    return value != nullptr ? static_cast<std::uint64_t>(*value) : 0;
}

Geometry geometry_of(const LaunchShape& launch, const Experiment& choices) {
    Geometry geometry;
    const auto along = [&](std::size_t d) {
        return d < launch.along.size() ? launch.along[d] : std::string();
    };
    // Columns of the output are drawn horizontally, whichever dimension runs along them.
    if (along(0) == "M" && along(1) == "N") geometry.dimension = {1, 0};
    for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t d = geometry.dimension[side];
        if (d >= launch.global.size()) continue;
        geometry.global[side] = std::max<std::uint64_t>(1, launch.global[d]);
        geometry.local[side] = d < launch.local.size() ? std::max<std::uint64_t>(1, launch.local[d])
                                                       : 1;  // the work-groups are unknown
        if (!along(d).empty()) geometry.output[side] = size_named(choices.sizes, along(d));
    }
    if (launch.global.size() == 1) geometry.output[1] = geometry.output[0] > 0 ? 1 : 0;
    const bool is_product = choices.problem.starts_with("matmul") && launch.global.size() == 2 &&
                            along(geometry.dimension[0]) == "N" && along(geometry.dimension[1]) == "M";
    if (is_product) geometry.depth = size_named(choices.sizes, "K");
    return geometry;
}

/// A field over the sheet that can be clicked. @return  column and row of the element under the pointer, when
/// pressed
std::optional<std::array<std::uint64_t, 2>> pick(std::string_view id, const Sheet& sheet) {
    const ImVec2 min = sheet.min, max = sheet.max();
    press_area(id, {min.x, min.y, std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)});
    if (!ImGui::IsItemActive() || !ImGui::IsMouseDown(0)) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto index = [&](float from, float to, double count) {
        return static_cast<std::uint64_t>(
            std::clamp(std::floor((to - from) / sheet.unit), 0.0f, static_cast<float>(count) - 1));
    };
    return std::array{index(min.x, mouse.x, sheet.columns), index(min.y, mouse.y, sheet.rows)};
}

/// Lines between the work-groups, if they are far enough apart.
void draw_groups(const Sheet& sheet, const Geometry& geometry) {
    constexpr float kLeastStep = 3;
    const ImU32 color = colors().text_muted.with_alpha(0.5f).u32();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max = sheet.max();
    for (std::size_t side = 0; side < 2; ++side) {
        const float step = static_cast<float>(geometry.local[side]) * sheet.unit;
        if (step < kLeastStep) continue;
        for (std::uint64_t i = geometry.local[side]; i < geometry.global[side]; i += geometry.local[side]) {
            const ImVec2 at = sheet.at(static_cast<double>(i), static_cast<double>(i));
            if (side == 0)
                list.AddLine({at.x, sheet.min.y}, {at.x, max.y}, color);
            else
                list.AddLine({sheet.min.x, at.y}, {max.x, at.y}, color);
        }
    }
}

std::string pair_words(std::uint64_t first, std::uint64_t second) {
    return fmt::format("({}, {})", first, second);
}

/// Each array to the scale of the work-items, as far as there is room. @return  the lower edge, pixels
float draw_local_memory(const std::vector<LocalArray>& arrays, float cell, float width) {
    std::vector<std::string> names;
    std::uint64_t bytes = 0, elements_across = 0;
    for (const LocalArray& array : arrays) {
        names.push_back(array.name);
        for (const std::uint64_t extent : array.extents) names.back() += fmt::format("[{}]", extent);
        bytes = add_bytes(bytes, array.bytes);
        elements_across += array.extents.empty() ? 1 : array.extents.back();
    }
    remark("launch/local", fmt::format("In local memory, once per work-group: {}, {}", enumerate(names),
                                       format_bytes(bytes)));
    const auto rows_of = [](const LocalArray& array) {
        double rows = 1;
        for (std::size_t i = 0; i + 1 < array.extents.size(); ++i)
            rows *= static_cast<double>(array.extents[i]);
        return rows;
    };
    double most_rows = 1;
    for (const LocalArray& array : arrays) most_rows = std::max(most_rows, rows_of(array));
    const float gap = tokens().gap, gaps = gap * static_cast<float>(arrays.size() - 1);
    const float unit = std::min({cell, (width - gaps) / static_cast<float>(elements_across),
                                 width / 2 / static_cast<float>(most_rows)});
    ImVec2 at = ImGui::GetCursorScreenPos();
    float bottom = at.y;
    for (const LocalArray& array : arrays) {
        const double rows = rows_of(array);
        const double columns = array.extents.empty() ? 1 : static_cast<double>(array.extents.back());
        const Sheet sheet{at, unit, columns, rows};
        sheet.fill(0, 0, columns, rows, colors().raised.u32());
        constexpr float kLeastStep = 4;
        for (double line = 1; unit >= kLeastStep && line < columns; ++line)
            ImGui::GetWindowDrawList()->AddLine(sheet.at(line, 0), sheet.at(line, rows),
                                                colors().surface.u32());
        for (double line = 1; unit >= kLeastStep && line < rows; ++line)
            ImGui::GetWindowDrawList()->AddLine(sheet.at(0, line), sheet.at(columns, line),
                                                colors().surface.u32());
        sheet.frame(colors().text_muted.u32());
        const FontScope font(fonts().small);
        if (width_of(array.name) < static_cast<float>(columns) * unit)
            paint_text("launch/local/" + array.name, {at.x + tokens().hair, at.y + tokens().hair}, array.name,
                       Tone::Normal);
        bottom = std::max(bottom, sheet.max().y);
        at.x = sheet.max().x + gap;
    }
    return bottom;
}

/// The number of work-items that the device runs together, if it reports it; 0: unknown.
std::uint64_t sub_group_size(const DeskState& state, std::size_t contestant) {
    if (contestant >= state.result_of.size() || !state.result_of[contestant]) return 0;
    const auto& info = state.shown->run.results[*state.result_of[contestant]].kernel_info;
    return info && info->preferred_multiple > 1 ? info->preferred_multiple : 0;
}

}  // namespace

void LaunchPicture::draw(const DeskState& state, Commands& commands) {
    const auto& contestants = state.preview.contestants;
    if (contestants.empty())
        return empty_state("launch/empty", kIconGrid, "No kernel is chosen",
                           "Choose one to see its work-groups.");
    draw_contestants(state, "launch/contestant", commands);
    const std::size_t contestant = selected_contestant(state);
    const Preview::Contestant& shown = contestants[contestant];
    text("launch/heading", "Launch of " + shown.label, {.font = fonts().strong, .shortens = true});
    if (!shown.geometry.empty()) remark("launch/geometry", shown.geometry);
    if (shown.launch.global.empty()) {
        const bool is_library = state.choices.contestants.size() > contestant &&
                                state.choices.contestants[contestant].kernel == kHostBlasName;
        remark("launch/none", shown.obstacle           ? *shown.obstacle
                              : is_library             ? "The CPU's BLAS library has no work-groups."
                              : shown.geometry.empty() ? "Its launch is unknown."
                                                       : "It has several launches; only one can be drawn.");
        return;
    }
    const Geometry geometry = geometry_of(shown.launch, state.choices);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::uint64_t groups = geometry.global[side] / geometry.local[side];
        // Initially a work-item inside a work-group that is not at the edge.
        if (!is_chosen_)
            selected_[side] = groups / 3 * geometry.local[side] +
                              std::min<std::uint64_t>(2 + side * 3, geometry.local[side] - 1);
        selected_[side] = std::min(selected_[side], geometry.global[side] - 1);
    }
    const auto columns = static_cast<double>(geometry.global[0]),
               rows = static_cast<double>(geometry.global[1]);
    const auto depth = static_cast<double>(geometry.depth);
    const ImVec2 room = ImGui::GetContentRegionAvail(), corner = ImGui::GetCursorScreenPos();
    const float gap = tokens().gap, whole = std::floor(room.x - tokens().scrollbar);
    // The work-group is drawn next to the NDRange in a flat panel, otherwise in the corner between A and B or
    // below.
    const bool beside = whole > 1.5f * room.y;
    const float width = beside ? std::floor(whole / 2 - gap) : whole;

    // The NDRange over the output; of a matrix product A at its left and B above it, all to the same scale.
    const float least = 6 * look().pixels();
    // A square, or of a matrix product less, if the words below have no room otherwise.
    const float below =
        5 * ImGui::GetFontSize() + (shown.launch.local_arrays.empty() ? 0 : 0.3f * width);  // these, too
    const float most_height = beside      ? std::max(room.y, 160 * look().pixels())
                              : depth > 0 ? std::clamp(room.y - below, 0.6f * width, width)
                                          : width;
    const double wide = columns + depth, tall = rows + depth;
    const float unit =
        static_cast<float>(std::min((width - (depth > 0 ? gap : 0)) / wide, (most_height - gap) / tall));
    Sheet output{corner, unit, columns, rows};
    if (rows * static_cast<double>(unit) < static_cast<double>(least))
        output.rows = static_cast<double>(least / unit);  // one dimension: a bar
    if (depth > 0)
        output.min = {corner.x + static_cast<float>(depth) * unit + gap,
                      corner.y + static_cast<float>(depth) * unit + gap};
    const std::array<std::uint64_t, 2> group = {selected_[0] / geometry.local[0] * geometry.local[0],
                                                selected_[1] / geometry.local[1] * geometry.local[1]};
    const auto first_column = static_cast<double>(group[0]), first_row = static_cast<double>(group[1]);
    const auto group_columns = static_cast<double>(geometry.local[0]);
    const double group_rows = rows > 1 ? static_cast<double>(geometry.local[1]) : output.rows;
    const ImU32 band = series_color(contestant, 90), line = series_color(contestant);
    const bool has_output = geometry.output[0] > 0 && geometry.output[1] > 0;
    output.fill(0, 0, columns, output.rows, colors().raised.with_alpha(has_output ? 0.4f : 1).u32());
    if (has_output)
        output.fill(0, 0, static_cast<double>(geometry.output[0]),
                    rows > 1 ? static_cast<double>(geometry.output[1]) : output.rows, colors().raised.u32());
    draw_groups(output, geometry);
    output.fill(first_column, first_row, group_columns, group_rows, band);
    if (depth > 0) {
        const Sheet a{{corner.x, output.min.y}, unit, depth, static_cast<double>(geometry.output[1])};
        const Sheet b{{output.min.x, corner.y}, unit, static_cast<double>(geometry.output[0]), depth};
        for (const Sheet* sheet : {&a, &b}) {
            sheet->fill(0, 0, sheet->columns, sheet->rows, colors().raised.u32());
            sheet->frame(colors().border.u32());
        }
        const double visible_rows = std::max(0.0, std::min(group_rows, a.rows - first_row));
        const double visible_columns = std::max(0.0, std::min(group_columns, b.columns - first_column));
        if (visible_rows > 0) a.fill(0, first_row, depth, visible_rows, band);
        if (visible_columns > 0) b.fill(first_column, 0, visible_columns, depth, band);
        if (selected_[0] < geometry.output[0] && selected_[1] < geometry.output[1]) {
            a.fill(0, static_cast<double>(selected_[1]), depth, 1, line);
            b.fill(static_cast<double>(selected_[0]), 0, 1, depth, line);
        }
        const FontScope font(fonts().small);
        paint_text("launch/a", {a.min.x + tokens().hair, a.min.y + tokens().hair}, "A", Tone::Muted);
        paint_text("launch/b", {b.min.x + tokens().hair, b.min.y + tokens().hair}, "B", Tone::Muted);
        paint_text("launch/c", {output.min.x + tokens().hair, output.min.y + tokens().hair}, "C",
                   Tone::Muted);
    }
    output.fill(static_cast<double>(selected_[0]), static_cast<double>(selected_[1]), 1,
                rows > 1 ? 1 : output.rows, line);
    output.frame(colors().text_muted.u32());
    if (const auto picked = pick("launch/ndrange", output)) {
        is_chosen_ = true;
        selected_[0] =
            (*picked)[0] / geometry.local[0] * geometry.local[0] + selected_[0] % geometry.local[0];
        if (rows > 1)
            selected_[1] =
                (*picked)[1] / geometry.local[1] * geometry.local[1] + selected_[1] % geometry.local[1];
    }
    const float corner_side = static_cast<float>(depth) * unit - gap;
    const bool has_groups = !shown.launch.local.empty();
    const bool in_corner = has_groups && !beside && corner_side > 110 * look().pixels();
    const float left = beside ? corner.x + width + 2 * gap : corner.x;
    ImGui::SetCursorScreenPos({left, beside || in_corner ? corner.y : output.max().y + gap});
    ImGui::BeginGroup();

    // The selected work-group, each work-item a cell.
    const std::array<std::uint64_t, 2> item = {selected_[0] % geometry.local[0],
                                               selected_[1] % geometry.local[1]};
    if (has_groups) {
        text("launch/group",
             "Work-group " + pair_words(selected_[0] / geometry.local[0], selected_[1] / geometry.local[1]),
             {.font = fonts().strong});
        const ImVec2 most = in_corner
                                ? ImVec2(corner_side, corner_side - ImGui::GetTextLineHeightWithSpacing())
                                : ImVec2(width, width * 0.4f);
        const float cell = std::clamp(std::min(most.x / static_cast<float>(geometry.local[0]),
                                               most.y / static_cast<float>(geometry.local[1])),
                                      1.0f, 22 * look().pixels());
        const Sheet items{ImGui::GetCursorScreenPos(), cell,
                          static_cast<double>(std::min<std::uint64_t>(
                              geometry.local[0], static_cast<std::uint64_t>(most.x / cell))),
                          static_cast<double>(geometry.local[1])};
        const std::uint64_t together = sub_group_size(state, contestant);
        const double inset = cell > 6 ? 0.08 : 0;
        const bool is_turned = geometry.dimension[0] == 1;
        for (std::uint64_t row = 0; row < geometry.local[1]; ++row)
            for (std::uint64_t column = 0; static_cast<double>(column) < items.columns; ++column) {
                const std::uint64_t number =
                    is_turned ? column * geometry.local[1] + row : row * geometry.local[0] + column;
                const bool odd = together > 0 && number / together % 2 == 1;
                items.fill(static_cast<double>(column) + inset, static_cast<double>(row) + inset,
                           1 - 2 * inset, 1 - 2 * inset, series_color(contestant, odd ? 50 : 110));
            }
        items.fill(static_cast<double>(item[0]) + inset, static_cast<double>(item[1]) + inset, 1 - 2 * inset,
                   1 - 2 * inset, line);
        if (const auto picked = pick("launch/items", items)) {
            is_chosen_ = true;
            selected_[0] = group[0] + (*picked)[0];
            selected_[1] = group[1] + (*picked)[1];
        }
        ImGui::SetCursorScreenPos(
            {left, in_corner ? output.max().y + gap : items.max().y + tokens().gap_small});
        if (!shown.launch.local_arrays.empty()) {
            const float bottom = draw_local_memory(shown.launch.local_arrays, cell, width);
            ImGui::SetCursorScreenPos({left, bottom + tokens().gap_small});
        }
        if (together > 0)
            remark("launch/sub_groups", fmt::format("Shades: {} work-items each, the device's "
                                                    "preferred multiple; on a GPU, one sub-group.",
                                                    together));
    }
    const std::array<std::uint64_t, 2> global_id = {selected_[geometry.dimension[0] == 0 ? 0 : 1],
                                                    selected_[geometry.dimension[0] == 0 ? 1 : 0]};
    std::string words = "Work-item " +
                        (shown.launch.global.size() == 1 ? std::to_string(global_id[0])
                                                         : pair_words(global_id[0], global_id[1])) +
                        ": ";
    if (!has_output)
        words +=
            "the launch does not have one work-item per element, so only its source shows what it computes.";
    else if (selected_[0] >= geometry.output[0] || selected_[1] >= geometry.output[1])
        words += "outside the problem; it only fills its work-group.";
    else if (depth > 0)
        words += fmt::format("its place is C[{0}][{1}], which needs row {0} of A and column {1} of B.",
                             selected_[1], selected_[0]);
    else
        words += "the launch has one per element.";
    remark("launch/item", words, Tone::Normal);
    ImGui::EndGroup();
    const float bottom = std::max(ImGui::GetItemRectMax().y, output.max().y);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({whole, bottom - corner.y});
}

}  // namespace kwb::gui
