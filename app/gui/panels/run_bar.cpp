#include "gui/panels/run_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/text.hpp"
#include "desk/choices.hpp"
#include "gui/fields.hpp"
#include "gui/keys.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"
#include "report/numbers.hpp"

namespace kwb::gui {
namespace {

/// Why nothing can run, or null if a run is possible.
const std::string* obstacle_of(const ChoicesEdit& edit) {
    if (const std::string* refusal = edit.typing.refusal()) return refusal;
    return edit.state.preview.obstacle ? &*edit.state.preview.obstacle : nullptr;
}

void draw_button(ChoicesEdit& edit, float width) {
    const DeskState& state = edit.state;
    if (state.is_busy) {
        const bool stopping = state.session->phase == Snapshot::Phase::Stopping;
        if (button("experiment/stop", stopping ? "Stopping\u2026" : "Stop  (" + keys_of(Action::Stop) + ")",
                   {.icon = kIconStop, .enabled = !stopping, .width = width}))
            edit.commands.push_back(command::Stop{});
        return;
    }
    const std::string* obstacle = obstacle_of(edit);
    if (button("experiment/run", "Run  (" + keys_of(Action::Run) + ")",
               {.icon = kIconPlay,
                .kind = ButtonKind::Primary,
                .enabled = !obstacle,
                .width = width,
                .tooltip = obstacle
                               ? std::string_view(*obstacle)
                               : "Check and time the chosen kernels; uses edited sources even if not saved"}))
        edit.commands.push_back(command::Run{});
}

/// Shows which kernels cannot run as chosen, because their blocks, which give the reason, may be out of
/// sight.
void draw_misfits(const DeskState& state, TextOptions options) {
    std::vector<std::string> names;
    std::string reasons;
    for (const Preview::Contestant& shown : state.preview.contestants)
        if (shown.obstacle) {
            names.push_back(shown.label);
            reasons += (reasons.empty() ? "" : "\n\n") + shown.label + ": " + *shown.obstacle;
        }
    if (names.empty()) return;
    options.tone = Tone::Warning;
    options.icon = kIconWarning;
    options.shortens = true;
    text("experiment/misfits",
         std::to_string(names.size()) + " of " + std::to_string(state.preview.contestants.size()) +
             (names.size() == 1 ? " does not fit: " : " do not fit: ") + join(names, ", "),
         options);
    tooltip(reasons);
}

void draw_state(const ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const TextOptions small = {.font = look().fonts().small};
    if (state.is_busy) {
        TextOptions muted = small;
        muted.tone = Tone::Muted;
        muted.shortens = true;
        text("experiment/progress", progress_words(state), muted);
    } else if (const std::string* obstacle = obstacle_of(edit)) {
        TextOptions danger = small;
        danger.tone = Tone::Danger;
        danger.icon = kIconWarning;
        danger.wraps = true;
        text("experiment/obstacle", *obstacle, danger);
    } else {
        draw_misfits(state, small);
    }
}

}  // namespace

std::string progress_words(const DeskState& state) {
    if (state.measuring_ceilings) return "Measuring the device's ceilings";
    const Snapshot& session = *state.session;
    if (session.phase == Snapshot::Phase::Stopping) return "Stopping";
    if (session.phase == Snapshot::Phase::Listing) {
        std::string words = session.devices ? starting_words(*session.devices) : "";
        if (words.empty()) return "Querying the drivers for devices";
        words.front() = 'W';
        return words;
    }
    if (!session.progress) return state.is_busy ? "Starting" : "";
    const Progress& progress = *session.progress;
    constexpr std::string_view kCheck = "check";
    std::string words = progress.stage;
    if (progress.stage == "build") words = "Building";
    if (progress.stage.starts_with(kCheck)) words = "Checking" + progress.stage.substr(kCheck.size());
    if (progress.stage == "time") words = "Timing";
    if (!progress.kernel.empty()) words += " " + kernel_words(progress.kernel);
    if (progress.rounds > 0) words += ", " + counted(progress.rounds, "round");
    if (const std::string waiting = waiting_words(progress); !waiting.empty())
        words += ": " + waiting;
    else if (progress.median_ms)
        words += ": " + format_time_ms(*progress.median_ms, progress.ci95_ms);
    return words;
}

namespace {

/// Draws the sweep's button and its first and last size. A typed value is kept; an empty field follows the
/// problem size again.
void draw_sweep(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const float gap = look().tokens().gap_small;
    const SweepRange range = sweep_range(state.choices);
    const std::vector<std::int64_t> edges = sweep_steps(state.choices);
    const std::string* obstacle = obstacle_of(edit);
    std::string words = "Measure all kernels at " + counted(edges.size(), "size") + " from " +
                        std::to_string(range.from) + " to " + std::to_string(range.to) +
                        ", each twice as large as the one before";
    if (obstacle) words = *obstacle;
    if (button("experiment/sweep", "Sweep",
               {.icon = kIconLines, .enabled = !state.is_busy && !obstacle, .tooltip = words}))
        edit.commands.push_back(command::Sweep{edges});
    const std::string to = "to";
    ImGui::SameLine(0, gap);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(to.c_str()).x - 2 * gap;
    const float width = std::floor(room / 2);
    const auto edge = [&](const std::string& id, std::int64_t value, std::optional<std::int64_t>& chosen) {
        const auto typed = typed_field(id, std::to_string(value), edit.typing, width);
        tooltip("Extent of the problem in every direction; empty it to follow the size above");
        if (!typed) return;
        if (trim(*typed).empty())
            chosen.reset();
        else if (const auto extent = read_extent(*typed); extent && *extent <= kMostSweepEdge)
            chosen = *extent;
        else
            edit.typing.refuse("Sweep: " + not_a_number(*typed, "1 to " + std::to_string(kMostSweepEdge)));
    };
    edge("experiment/sweep/from", range.from, edit.choices.sweep_from);
    ImGui::SameLine(0, gap);
    text("experiment/sweep/label", to, {.tone = Tone::Muted});
    ImGui::SameLine(0, gap);
    edge("experiment/sweep/to", range.to, edit.choices.sweep_to);
}

}  // namespace

void draw_run_bar(ChoicesEdit& edit) {
    draw_state(edit);
    const float gap = look().tokens().gap_small;
    const float live =
        ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("Live").x;
    draw_button(edit, ImGui::GetContentRegionAvail().x - live - gap);
    ImGui::SameLine(0, gap);
    if (tick("experiment/live", "Live", edit.choices.live,
             "Run again after every change of the choices or a file"))
        edit.choices.live = !edit.choices.live;
    draw_sweep(edit);
}

Edges read_edges(std::string_view text) {
    constexpr std::int64_t kMost = 1 << 20;
    constexpr std::size_t kMostEdges = 32;
    Edges edges;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" ,;\t", at);
        if (begin == std::string_view::npos) break;
        at = std::min(text.find_first_of(" ,;\t", begin), text.size());
        const std::string_view word = text.substr(begin, at - begin);
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fault != std::errc() || end != word.data() + word.size() || value < 1 || value > kMost) {
            edges.problem = fmt::format("\u201c{}\u201d is not a size; enter whole numbers from 1 to {}.",
                                        to_utf8(word), kMost);
            return edges;
        }
        edges.values.push_back(value);
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
    const float gap = look().tokens().gap_small;
    const float width = button_width("Start sweep", kIconPlay);
    const float measures = button_width("Speed") + button_width("Time") + gap;
    ImGui::AlignTextToFramePadding();
    text("times/sweep/label", "Sizes", {.tone = Tone::Muted});
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
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - measures);
    }
    draw_measure(gap);
    if (!edges.problem.empty())
        text("times/sweep/problem", edges.problem, {.tone = Tone::Warning, .wraps = true});
}

void SweepControls::draw_measure(float gap) {
    const auto choice = [&](const char* id, const char* label, SweepMeasure measure, const char* words) {
        const bool chosen = measure_ == measure;
        if (chosen) ImGui::PushStyleColor(ImGuiCol_Text, look().colors().accent_text.vec());
        if (button(id, label, {.kind = chosen ? ButtonKind::Normal : ButtonKind::Quiet, .tooltip = words}))
            measure_ = measure;
        if (chosen) ImGui::PopStyleColor();
    };
    choice("times/sweep/speed", "Speed", SweepMeasure::Auto,
           "The chart shows GFLOP/s, or GB/s of problems that only move data");
    ImGui::SameLine(0, gap);
    choice("times/sweep/time", "Time", SweepMeasure::Time, "The chart shows the time of one run");
}

}  // namespace kwb::gui
