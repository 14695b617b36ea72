#include "gui/panels/run_headline.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "gui/banner.hpp"
#include "gui/panels/run_bar.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

/// Each warning once, with the contestants that it is about.
std::vector<std::string> collect_warnings(const ShownRun& run) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> about;
    const std::size_t known = std::min(run.labels.size(), run.run.results.size());
    for (std::size_t i = 0; i < known; ++i)
        for (const std::string& warning : run.run.results[i].warnings) {
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
    const std::string words = to_string(sizes);
    return words.find('=') == std::string::npos ? "size " + words : words;
}

}  // namespace

std::string name_of_earlier(const ShownRun& earlier, const ShownRun& present) {
    const std::time_t when = std::chrono::system_clock::to_time_t(earlier.run.when);
    std::string name = fmt::format("earlier run of {:%H:%M}", fmt::localtime(when));
    if (earlier.run.sizes != present.run.sizes) name += " at " + to_string(earlier.run.sizes);
    return name;
}

void RunHeadline::draw_state(const DeskState& state) {
    std::string progress = progress_words(state);
    if (state.sweep != nullptr && !state.sweep->finished && state.is_busy)
        progress = fmt::format("Sweep, {} done. {}", counted(state.sweep->results.size(), "size"), progress);
    if (!progress.empty())
        text("times/progress", progress, {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    if (state.shown == nullptr) return;
    const ShownRun& run = *state.shown;
    if (!run.error.empty()) {
        notice("times/error", Tone::Danger, kIconWarning, "The run came to a bad end", run.error);
        return;
    }
    std::string words = run.run.problem;
    if (!run.run.sizes.empty()) words += ", " + sizes_words(run.run.sizes);
    if (!run.run.environment.device.empty()) words += ", on " + run.run.environment.device;
    if (run.stopped) words = "Stopped before the end: " + words;
    if (state.compared != nullptr) words += ", beside the " + name_of_earlier(*state.compared, run);
    text("times/run", words,
         {.tone = run.stopped ? Tone::Warning : Tone::Muted, .font = look().fonts().small, .shortens = true});
}

void RunHeadline::draw_warnings(const std::shared_ptr<const ShownRun>& run) {
    if (run != warnings_of_) {
        warnings_ = collect_warnings(*run);
        warnings_of_ = run;
    }
    if (warnings_.empty()) return;
    constexpr const char* kPopup = "times/warnings/list";
    const std::string label = counted(warnings_.size(), "warning");
    if (button("times/warnings", label, {.icon = kIconWarning, .tooltip = "Read all warnings of this run"}))
        ImGui::OpenPopup(kPopup);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    text("times/warnings/first", warnings_.front(), {.tone = Tone::Warning, .shortens = true});
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
