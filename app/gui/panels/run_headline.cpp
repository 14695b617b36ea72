#include "gui/panels/run_headline.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "gui/panels/run_bar.hpp"
#include "gui/widgets.hpp"
#include "report/notes.hpp"

namespace kwb::gui {
namespace {

/// Lists each warning once, with the contestants that it concerns.
std::vector<std::string> collect_warnings(const ShownRun& run) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> about;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        for (const std::string& warning : warning_sentences(run.run.results[i], Face::Window)) {
            if (about[warning].empty()) order.push_back(warning);
            about[warning].push_back(run.labels[i]);
        }
    std::vector<std::string> sentences;
    for (const std::string& warning : order)
        sentences.push_back(about[warning].size() == known && known > 1
                                ? "All: " + warning
                                : enumerate(about[warning]) + ": " + warning);
    return sentences;
}

std::string sizes_words(const Sizes& sizes) {
    return (is_square(sizes) ? "size " : "") + to_string(sizes);
}

}  // namespace

std::string clock_time(std::chrono::system_clock::time_point when) {
    return fmt::format("{:%H:%M}", fmt::localtime(std::chrono::system_clock::to_time_t(when)));
}

std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present) {
    std::string name = "earlier run of " + clock_time(earlier.run.when);
    if (earlier.run.sizes != present.run.sizes) name += " at " + to_string(earlier.run.sizes);
    return name;
}

void RunHeadline::draw(const DeskState& state, bool shows_sweep) {
    if (state.shown != warnings_of_) {
        warnings_ = state.shown != nullptr ? collect_warnings(*state.shown) : std::vector<std::string>();
        warnings_of_ = state.shown;
    }
    const ImVec2 begin = ImGui::GetCursorPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string label = warnings_.empty() ? "" : counted(warnings_.size(), "warning");
    const float width = warnings_.empty() ? 0 : button_width(label, kIconWarning);
    draw_words(state, shows_sweep, room - (width > 0 ? width + look().tokens().gap : 0));
    if (width > 0) {
        ImGui::SetCursorPos({begin.x + room - width, begin.y});
        draw_warnings();
    }
    ImGui::SetCursorPos(begin);
    ImGui::Dummy({room, ImGui::GetFrameHeight()});
}

void RunHeadline::draw_sweep(const ShownSweep& sweep, float room) const {
    const std::time_t when = std::chrono::system_clock::to_time_t(sweep.when);
    std::string words = fmt::format("Sweep of {:%F %H:%M}: {}", fmt::localtime(when), sweep.problem);
    if (!sweep.sizes.empty())
        words += ", " + to_string(sweep.sizes.front()) + " to " + to_string(sweep.sizes.back());
    if (!sweep.environment.device.empty()) words += ", on " + sweep.environment.device;
    text("times/run", words, {.tone = Tone::Muted, .icon = kIconLines, .shortens = true, .room = room});
}

void RunHeadline::draw_words(const DeskState& state, bool shows_sweep, float room) const {
    ImGui::AlignTextToFramePadding();
    std::string progress = progress_words(state);
    if (state.sweep != nullptr && !state.sweep->finished && state.is_busy)
        progress = fmt::format("Sweep, {} done. {}", counted(state.sweep->results.size(), "size"), progress);
    if (!progress.empty())
        return text("times/progress", progress,
                    {.tone = Tone::Accent, .icon = kIconClock, .shortens = true, .room = room});
    if (shows_sweep && state.sweep != nullptr) return draw_sweep(*state.sweep, room);
    if (state.shown == nullptr)
        return text("times/run", "Nothing has run yet",
                    {.tone = Tone::Muted, .shortens = true, .room = room});
    const ShownRun& run = *state.shown;
    std::string words = run.run.problem;
    if (!run.run.sizes.empty()) words += ", " + sizes_words(run.run.sizes);
    if (!run.run.environment.device.empty()) words += ", on " + run.run.environment.device;
    if (run.stopped) words = "Stopped before the end: " + words;
    if (state.shows_earlier) {
        const std::time_t when = std::chrono::system_clock::to_time_t(run.run.when);
        words = fmt::format("An older run, of {:%F %H:%M}: {}", fmt::localtime(when), words);
    }
    if (state.compared != nullptr) words += ", compared with the " + name_of_earlier(*state.compared, run);
    text("times/run", words,
         {.tone = run.stopped || state.shows_earlier ? Tone::Warning : Tone::Muted,
          .icon = state.shows_earlier ? kIconHistory : nullptr,
          .shortens = true,
          .room = room});
}

void RunHeadline::draw_warnings() {
    constexpr const char* kPopup = "times/warnings/list";
    ImGui::PushStyleColor(ImGuiCol_Text, text_color(Tone::Warning));
    const bool wanted = button("times/warnings", counted(warnings_.size(), "warning"),
                               {.icon = kIconWarning, .kind = ButtonKind::Quiet});
    ImGui::PopStyleColor();
    tooltip(warnings_.front());
    if (wanted) ImGui::OpenPopup(kPopup);
    if (!ImGui::BeginPopup(kPopup)) return;
    ImGui::PushTextWrapPos(36 * ImGui::GetFontSize());
    for (std::size_t i = 0; i < warnings_.size(); ++i) {
        ImGui::PushStyleColor(ImGuiCol_Text, text_color(Tone::Normal));
        ImGui::TextUnformatted(warnings_[i].c_str());
        ImGui::PopStyleColor();
        probe("times/warnings/" + std::to_string(i), {.label = warnings_[i], .wraps = true});
    }
    ImGui::PopTextWrapPos();
    ImGui::EndPopup();
}

}  // namespace kwb::gui
