// SPDX-License-Identifier: Apache-2.0
// The sizes of a sweep, and the quantity that its chart shows.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/panels/times_panel.hpp"

namespace kwb::gui {

Edges read_edges(std::string_view text) {
    constexpr std::int64_t kMost = 1 << 20;
    constexpr std::size_t kMostEdges = 32;
    Edges edges;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" ,;\t", at);
        if (begin == std::string_view::npos) break;
        at = std::min(text.find_first_of(" ,;\t", begin), text.size());
        const std::string_view word = text.substr(begin, at - begin);
        const auto value = read_number<std::int64_t>(word);
        if (!value || *value < 1 || *value > kMost) {
            edges.problem = fmt::format("\u201c{}\u201d is not a size; enter whole numbers from 1 to {}.",
                                        to_utf8(word), kMost);
            return edges;
        }
        edges.values.push_back(*value);
    }
    std::sort(edges.values.begin(), edges.values.end());
    edges.values.erase(std::unique(edges.values.begin(), edges.values.end()), edges.values.end());
    if (edges.values.empty())
        edges.problem = "Enter at least one size, such as 64 128 256.";
    else if (edges.values.size() > kMostEdges)
        edges.problem = fmt::format("A sweep takes at most {} sizes; remove some.", kMostEdges);
    return edges;
}

void SweepControls::draw(const DeskState& state, Commands& commands) {
    draw_sizes(state, commands);
    if (state.sweep != nullptr && !state.sweep->error.empty())
        notice("times/sweep/error", Tone::Warning, kIconWarning, "Not all sizes were measured",
               state.sweep->error);
}

void SweepControls::draw_sizes(const DeskState& state, Commands& commands) {
    const bool proposed = trim(edges_).empty();
    const Edges edges = proposed ? Edges{sweep_steps(state.choices), {}} : read_edges(edges_);
    std::vector<std::string> proposal;
    for (const std::int64_t edge : sweep_steps(state.choices)) proposal.push_back(std::to_string(edge));
    const bool under_way = state.sweep != nullptr && !state.sweep->finished && state.is_busy;
    const char* label = under_way ? "Stop sweep" : "Start sweep";
    const float gap = tokens().gap_small;
    const float width = button_width("Start sweep", kIconPlay);
    const float measures = button_width("Speed") + button_width("Time") + button_width("Map") + 2 * gap;
    text("times/sweep/label", "Sizes", {.tone = Tone::Muted, .in_row = true});
    ImGui::SameLine(0, gap);
    const float least = 6 * ImGui::GetFontSize();
    const float room = ImGui::GetContentRegionAvail().x - width - gap;
    const bool one_row = room - measures - 2 * gap > 2 * least;
    text_field(
        "times/sweep/edges", edges_,
        {.hint = join(proposal, " "), .width = std::max(one_row ? room - measures - 2 * gap : room, least)});
    tooltip(
        "Your own sizes, such as 500 512 1000 1024; if left empty, the sweep uses the sizes set "
        "below Run.");
    if (room > least) ImGui::SameLine(0, gap);
    std::string obstacle = edges.problem;
    if (state.is_busy) obstacle = "Something is running; stop it or wait until it finishes.";
    if (state.preview.obstacle) obstacle = *state.preview.obstacle;
    if (under_way) {
        if (button("times/sweep/stop", label, {.icon = kIconStop, .width = width}))
            commands.push_back(command::Stop{});
    } else if (button("times/sweep/start", label,
                      {.icon = kIconPlay,
                       .kind = ButtonKind::Primary,
                       .enabled = obstacle.empty(),
                       .width = width,
                       .tooltip = obstacle.empty() ? "Measure the chosen kernels at each of these sizes"
                                                   : std::string_view(obstacle)})) {
        commands.push_back(command::Sweep{edges.values});
    }
    if (one_row) {
        ImGui::SameLine();
        align_right(measures);
    }
    draw_views(gap);
    if (!edges.problem.empty())
        text("times/sweep/problem", edges.problem, {.tone = Tone::Warning, .wraps = true});
}

void SweepControls::draw_views(float gap) {
    ButtonRow row(gap);
    if (row.add_tab("times/sweep/speed", "Speed", view_ == View::Speed,
                    "The chart shows GFLOP/s, or GB/s for problems that only move data"))
        view_ = View::Speed;
    if (row.add_tab("times/sweep/time", "Time", view_ == View::Time, "The chart shows the time of one run"))
        view_ = View::Time;
    if (row.add_tab(
            "times/sweep/map", "Map", view_ == View::Map,
            "A row for each kernel, a column for each size: the darker, the nearer to the best of its "
            "size"))
        view_ = View::Map;
}

}  // namespace kwb::gui
