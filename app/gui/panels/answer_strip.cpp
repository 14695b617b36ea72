// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/text.hpp"
#include "gui/keys.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/panels/fault_links.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/panels/results_table.hpp"
#include "model/request.hpp"
#include "report/answer.hpp"

namespace kwb::gui {
namespace {

/// Each press multiplies the time budget, or the time limit.
constexpr double kLonger = 4, kMostBudgetMs = 60'000;
constexpr double kMostTimeoutMs = 3'600'000;

/// The content of the strip.
struct Said {
    std::string line;
    std::string detail;
    const char* icon = nullptr;
    Tone tone = Tone::Normal;
};

bool names_results(const DeskState& state) {
    return state.shown != nullptr && state.shown->finished && !state.shown->run.results.empty() &&
           state.shown->labels.size() == state.shown->run.results.size();
}

/// The answer is a fault with a cause in short words, which gets a line of its own.
bool has_cause(const Answer& answer, const DeskState& state) {
    return names_results(state) && answer.kind == Answer::Kind::Faulty && !state.shown->stopped &&
           !cause_of(state.shown->run.results[answer.subject]).empty();
}

/// The result at fault that the line below the headline is about: the answer's, or else the selected one if
/// the headline does not name it.
std::optional<std::size_t> told_fault(const Answer& answer, const DeskState& state) {
    if (has_cause(answer, state)) return answer.subject;
    if (!names_results(state) || state.shown->stopped || state.is_outdated) return std::nullopt;
    const std::size_t index = state.selected;
    if (index >= state.shown->run.results.size()) return std::nullopt;
    const KernelResult& result = state.shown->run.results[index];
    if (!result.judged || result.as_expected() || result.reason.empty() ||
        (answer.kind == Answer::Kind::Faulty && answer.subject == index))
        return std::nullopt;
    return index;
}

/// Where the shown results were measured, and when if that was not just now.
std::string place_words(const DeskState& state) {
    const ShownRun& run = *state.shown;
    std::vector<std::string> words = {run.run.problem};
    if (!run.run.sizes.empty()) {
        const bool is_default = !state.size_cause.empty() && run.run.sizes == state.choices.sizes;
        words.push_back("size " + to_string(run.run.sizes) +
                        (is_default ? " (" + state.size_cause + ")" : ""));
    }
    if (!run.run.environment.device.empty()) words.push_back(run.run.environment.device);
    const auto is_library = [](const KernelResult& result) { return result.kernel == kHostBlasName; };
    if (std::ranges::any_of(run.run.results, is_library)) words.push_back("cpu:blas on the CPU");
    if (state.shows_earlier) words.push_back(local_time(run.run.when, "%F %H:%M"));
    const auto is_unsaved = [](const KernelResult& result) { return result.unsaved; };
    if (std::ranges::any_of(run.run.results, is_unsaved)) words.push_back("with unsaved text");
    return join(words, " \u00b7 ");
}

Said before_any_run(const DeskState& state) {
    std::vector<std::string> labels;
    for (const Preview::Contestant& contestant : state.preview.contestants)
        if (!contestant.obstacle) labels.push_back(contestant.label);
    const std::string key = keys_of(Action::Run);
    std::string line = labels.size() == 1   ? "to check and time " + labels.front()
                       : labels.size() == 2 ? "to compare " + labels[0] + " with " + labels[1]
                                            : fmt::format("to compare {} kernels", labels.size());
    return {"Press " + key + " " + line,
            "Results are checked first; then the kernels take turns on the device.", nullptr, Tone::Muted};
}

Said what_to_say(const DeskState& state, const std::string* refusal, const Answer& answer) {
    if (state.is_busy) {
        std::string words = progress_words(state);
        if (words.empty()) words = "Starting";
        const std::string what = state.choices.problem + " \u00b7 size " + to_string(state.choices.sizes);
        return {words + "\u2026", state.runs_as_chosen ? what : " ", kIconClock, Tone::Accent};
    }
    // Red is for wrong results; a kernel that cannot run gets a neutral colour.
    if (refusal != nullptr) return {*refusal, "", kIconForbidden};
    const bool shows_answer = names_results(state) && !state.is_outdated;
    if (state.preview.obstacle && !shows_answer)
        return {*state.preview.obstacle, "", kIconForbidden,
                state.choices.contestants.empty() ? Tone::Muted : Tone::Normal};
    if (state.shown != nullptr && !state.shown->error.empty())
        return {"The run failed", state.shown->error, kIconWarning, Tone::Danger};
    if (!names_results(state)) return before_any_run(state);
    const ShownRun& run = *state.shown;
    Said said{headline(answer, run.run.results, run.labels),
              has_cause(answer, state) ? "" : headline_detail(answer, run.run.results)};
    if (run.stopped) said = {"Stopped before the end", "kernels not measured yet are skipped"};
    said.detail += (said.detail.empty() ? "" : "   \u00b7   ") + place_words(state);
    if (answer.kind == Answer::Kind::Faulty) said.tone = look_of(run.run.results[answer.subject]).tone;
    if (state.shows_earlier) said.icon = kIconHistory;
    if (state.is_outdated) said.tone = Tone::Muted;
    return said;
}

/// A button for a kernel's verdict; a click selects the kernel, and shows what is wrong.
void draw_chip(const DeskState& state, std::size_t index, RunReasons& reasons, Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const VerdictLook seen = look_of(state, index, true);
    const ShownCheck* const check = check_of(state, index);
    std::string tooltip = result.reason;
    if (tooltip.empty())
        tooltip = (check == nullptr ? "" : checked_sizes(*check) + ". ") + "Show its source and its result";
    if (button("answer/verdict/" + std::to_string(index), state.shown->labels[index] + ": " + seen.words,
               {.icon = seen.icon,
                .kind = ButtonKind::Quiet,
                .tooltip = tooltip,
                .tone = state.is_outdated ? Tone::Muted : seen.tone})) {
        commands.push_back(command::SelectContestant{index});
        if (!result.as_expected()) reasons.asked_errors = index;
    }
    underline_last(series_color(index, state.is_outdated ? 110 : 255), tokens().hair);
}

float chip_width(const DeskState& state, std::size_t index) {
    const VerdictLook seen = look_of(state, index, true);
    return button_width(state.shown->labels[index] + ": " + seen.words, seen.icon);
}

/// A fault at another size, or the first hint, of a kernel of the answer whose result is right at this size.
std::string hint_words(const DeskState& state, const std::vector<std::size_t>& kernels) {
    for (const std::size_t index : kernels) {
        const KernelResult& result = state.shown->run.results[index];
        if (const ShownCheck* const check = check_of(state, index); check != nullptr && check->faults() > 0)
            return fmt::format("{} at size {}: {}", state.shown->labels[index],
                               to_string(check->first_fault()->size), check->first_fault()->reason);
        if (!is_good(result.verdict) || !result.as_expected() || result.hints.empty()) continue;
        const Hint& hint = result.hints.front();
        const std::string place = hint.line > 0 ? fmt::format(", line {}", hint.line) : "";
        return state.shown->labels[index] + place + ": " + hint.sentence;
    }
    return "";
}

/// A remedy for the answer; drawn at the right end.
struct Remedy {
    std::string label;
    const char* icon = nullptr;
    std::string tooltip;
    std::vector<Command> commands;
};

Remedy remedy_of(const DeskState& state, const std::string* refusal, const Answer& answer) {
    if (refusal != nullptr || state.is_busy || !names_results(state) || state.preview.obstacle) return {};
    if (state.is_outdated)
        return {"Outdated \u2013 " + keys_of(Action::Run),
                kIconRefresh,
                "The kernels, texts, parameters, sizes or the device have changed since these results; "
                "run again",
                {command::Run{}}};
    if (answer.kind == Answer::Kind::Faulty &&
        state.shown->run.results[answer.subject].verdict == Verdict::Timeout)
        if (const auto longer = longer_limit(state))
            return {longer->label, kIconClock, longer->tooltip, longer->commands};
    if (answer.kind == Answer::Kind::TooNoisy || answer.kind == Answer::Kind::TooFewRounds)
        if (const auto longer = longer_budget(state))
            return {"Measure longer", kIconClock, longer->tooltip, longer->commands};
    return {};
}

constexpr const char* kCheckSizes = "Check all sizes";

/// A kernel is known to be right at one size only.
bool may_check_sizes(const DeskState& state) {
    if (state.is_busy || state.is_outdated || state.shows_earlier || !names_results(state)) return false;
    for (std::size_t i = 0; i < state.shown->run.results.size(); ++i) {
        const KernelResult& result = state.shown->run.results[i];
        const ShownCheck* const check = check_of(state, i);
        if (result.verdict == Verdict::Correct && result.as_expected() && result.kernel != kHostBlasName &&
            (check == nullptr || !check->is_finished()))
            return true;
    }
    return false;
}

/// @param what  "time limit"
std::optional<MoreTime> longer(const DeskState& state, double Experiment::*time_ms, double most_ms,
                               std::string_view what, std::string_view tooltip) {
    if (state.is_busy || state.shows_earlier || state.preview.obstacle || state.choices.*time_ms >= most_ms)
        return std::nullopt;
    const double more_ms = std::min(most_ms, state.choices.*time_ms * kLonger);
    const auto raise = [=](Experiment& choices) { choices.*time_ms = more_ms; };
    return MoreTime{fmt::format("Raise the {} to {:g} s", what, more_ms / 1000),
                    std::string(tooltip),
                    {command::Edit{raise}, command::Run{}}};
}

/// The sentence below the headline, which matters most: in at most two lines, left of its links.
struct Lead {
    std::string words, whole;  ///< in lines; as one text
    float height = 0;
    bool has_short_links = false, is_cut = false;
};

/// In one line if its links, or their short forms, leave room for it.
Lead lead_of(std::string words, float links, float short_links, float width) {
    const FontScope font(fonts().lead);
    Lead lead;
    lead.whole = std::move(words);
    for (const std::size_t most : {1u, 2u})
        for (const float taken : {links, short_links}) {
            const float room = std::max(width - taken - tokens().gap_small, width / 2);
            const std::vector<std::string> lines = wrapped(lead.whole, room, most);
            lead.words = join(lines, "\n");
            lead.has_short_links = taken != links;
            lead.height = static_cast<float>(lines.size()) * ImGui::GetTextLineHeight();
            lead.is_cut = join(lines, " ") != lead.whole;
            if (!lead.is_cut) return lead;
        }
    return lead;
}

/// Puts links on a level with the first line.
float links_inset() {
    const ChipStyle style;
    return std::max(0.0f, (compat::size_of(*fonts().lead) - ImGui::GetFrameHeight()) / 2);
}

void draw_lead(const char* id, const Lead& lead, bool is_outdated) {
    text(id, lead.words, {.tone = is_outdated ? Tone::Muted : Tone::Normal, .font = fonts().lead});
    if (lead.is_cut) tooltip(lead.whole);
}

std::string measuring_words(const RunReasons& reasons) {
    return reasons.line().empty() ? "Measuring what makes the difference\u2026" : "measuring more\u2026";
}

/// The first reason, with its evidence as links.
Lead because_of(const DeskState& state, RunReasons& reasons, float width) {
    const auto links_width = [&](bool is_short) {
        float links = 0;
        for (const std::size_t chip : reasons.chips())
            links += evidence_width(reasons.items()[chip], is_short || chip != reasons.chips().front()) +
                     tokens().gap_small;
        if (state.explaining)
            links +=
                width_of(with_icon(kIconClock, measuring_words(reasons)), fonts().small) + tokens().gap_small;
        return links;
    };
    return lead_of(reasons.line(), links_width(false), links_width(true), width);
}

void draw_because(const DeskState& state, const Lead& lead, RunReasons& reasons) {
    const float spacing = tokens().gap_small, top = ImGui::GetCursorScreenPos().y;
    if (!lead.words.empty()) {
        draw_lead("answer/because", lead, state.is_outdated);
        ImGui::SameLine(0, spacing);
    }
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, top + links_inset()});
    for (const std::size_t chip : reasons.chips()) {
        draw_evidence("answer/evidence/" + std::to_string(chip), reasons.items()[chip],
                      lead.has_short_links || chip != reasons.chips().front(), reasons);
        ImGui::SameLine(0, spacing);
    }
    const ChipStyle style;
    if (state.explaining)
        text("answer/explaining", measuring_words(reasons),
             {.tone = Tone::Accent, .font = fonts().small, .icon = kIconClock, .in_row = true});
}

constexpr const char* kShowErrors = "Show the errors";

/// The cause of a fault, or what is wrong, with its links.
Lead fault_lead(const DeskState& state, std::size_t index, float width) {
    const KernelResult& result = state.shown->run.results[index];
    std::string words = cause_of(result);
    const ChipStyle style;
    const float links = words.empty() ? button_width(kShowErrors, kIconGrid) + tokens().gap_small
                                      : fault_links_width(state, index);
    if (words.empty())
        words = result.reason.empty() ? verdict_words(result.verdict) : split_lines(result.reason).front();
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return lead_of(state.shown->labels[index] + ": " + words, links, links, width);
}

void draw_fault(const DeskState& state, const Lead& lead, std::size_t index, RunReasons& reasons,
                Commands& commands) {
    const float top = ImGui::GetCursorScreenPos().y;
    draw_lead("answer/cause", lead, state.is_outdated);
    ImGui::SameLine(0, tokens().gap_small);
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, top + links_inset()});
    if (!cause_of(state.shown->run.results[index]).empty())
        return draw_fault_links("answer/fault", state, index, reasons, commands);
    const ChipStyle style;
    if (button("answer/fault/errors", kShowErrors,
               {.icon = kIconGrid, .tooltip = "Its wrong elements, in Correctness"})) {
        commands.push_back(command::SelectContestant{index});
        reasons.asked_errors = index;
    }
}

}  // namespace

std::optional<MoreTime> longer_limit(const DeskState& state) {
    return longer(state, &Experiment::timeout_ms, kMostTimeoutMs, "time limit",
                  "Run again with more time for each build and each launch");
}

std::optional<MoreTime> longer_budget(const DeskState& state) {
    return longer(state, &Experiment::time_budget_ms, kMostBudgetMs, "time per kernel",
                  "Run again, and measure each kernel longer");
}

void draw_answer_strip(const DeskState& state, const std::string* refusal, RunReasons& reasons,
                       Hovered& hovered, Commands& commands) {
    const Answer& answer = reasons.answer();
    const Said said = what_to_say(state, refusal, answer);
    const auto fault =
        !state.is_busy && refusal == nullptr ? told_fault(answer, state) : std::optional<std::size_t>();
    const bool is_because =
        fault.has_value() || (!state.is_busy && (!reasons.line().empty() || state.explaining));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, spacing = tokens().gap_small;
    const float title = compat::size_of(*fonts().headline) + tokens().hair;
    const Lead lead = fault        ? fault_lead(state, *fault, width)
                      : is_because ? because_of(state, reasons, width)
                                   : Lead{};
    const float lead_height =
        is_because ? std::max(lead.height, compat::size_of(*fonts().lead)) + tokens().hair : 0;
    const float height =
        spacing / 2 + title + lead_height + compat::size_of(*fonts().small) + tokens().hair + spacing / 2;
    const float middle =
        corner.y + spacing / 2 + (compat::size_of(*fonts().headline) - ImGui::GetFrameHeight()) / 2;

    // From the right: the remedy, then the verdicts, while they leave half of the room to the headline.
    float right = corner.x + width;
    const Remedy remedy = remedy_of(state, refusal, answer);
    if (!remedy.label.empty()) {
        const float wide = button_width(remedy.label, remedy.icon);
        right -= wide;
        ImGui::SetCursorScreenPos({right, middle});
        if (button("answer/remedy", remedy.label,
                   {.icon = remedy.icon, .tooltip = remedy.tooltip, .tone = Tone::Warning}))
            commands.insert(commands.end(), remedy.commands.begin(), remedy.commands.end());
        right -= spacing;
    } else if (refusal == nullptr && can_ask_why(state, answer)) {
        right -= button_width(kWhy, kIconQuestion);
        ImGui::SetCursorScreenPos({right, middle});
        draw_why("answer/why", commands);
        right -= spacing;
    }
    if (refusal == nullptr && remedy.label.empty() && may_check_sizes(state)) {
        right -= button_width(kCheckSizes, kIconGrid);
        ImGui::SetCursorScreenPos({right, middle});
        if (button(
                "answer/check_sizes", kCheckSizes,
                {.icon = kIconGrid,
                 .kind = ButtonKind::Quiet,
                 .tooltip = "Check each kernel at sizes such as 1, primes, and one more than a work-group, "
                            "where kernels tend to be wrong"}))
            commands.push_back(command::CheckSizes{});
        right -= spacing;
    }
    std::vector<std::size_t> chips;
    const bool is_said = refusal == nullptr && !(state.preview.obstacle && state.is_outdated);
    if (names_results(state) && !state.is_busy && is_said && answer.kind != Answer::Kind::None) {
        chips = {answer.subject};
        if (answer.other != answer.subject) chips.push_back(answer.other);
        // A fault of a kernel outside the answer.
        for (std::size_t i = 0; i < state.shown->run.results.size(); ++i)
            if (!state.shown->run.results[i].as_expected() && std::ranges::find(chips, i) == chips.end())
                chips.push_back(i);
    }
    // Where not all have room, faults come first; those of right kernels do not make the headline smaller.
    const auto is_fault = [&](std::size_t index) { return !state.shown->run.results[index].as_expected(); };
    const float whole = corner.x + width_of(said.line, fonts().headline) + spacing;
    std::vector<std::size_t> shown = chips;
    std::stable_partition(shown.begin(), shown.end(), is_fault);
    float left_end = right;
    std::erase_if(shown, [&](std::size_t index) {
        const float least = is_fault(index) ? std::min(whole, corner.x + width / 2) : whole;
        const float left = left_end - chip_width(state, index) - spacing;
        if (left < least) return true;
        left_end = left;
        return false;
    });
    for (const std::size_t index : chips) {
        if (std::ranges::find(shown, index) == shown.end()) continue;
        right -= chip_width(state, index);
        ImGui::SetCursorScreenPos({right, middle});
        draw_chip(state, index, reasons, commands);
        hovered.link_last(index);
        right -= spacing;
    }

    const float room = right - corner.x - spacing;
    {
        const std::string line = said.icon != nullptr ? with_icon(said.icon, said.line) : said.line;
        ImFont* font = fonts().headline;
        for (ImFont* smaller : {fonts().title, fonts().body}) {
            const FontScope scope(font);
            if (width_of(line) <= room) break;
            font = smaller;
        }
        const FontScope scope(font);
        const bool wraps = width_of(line) > room && said.detail.empty();
        const float top = wraps ? corner.y + tokens().gap_small / 2
                                : corner.y + tokens().gap_small / 2 +
                                      (compat::size_of(*fonts().headline) - compat::size_of(*font)) / 2;
        ImGui::SetCursorScreenPos({corner.x, top});
        text("answer/headline", said.line,
             {.tone = said.tone,
              .font = font,
              .icon = said.icon,
              .wraps = wraps,
              .shortens = !wraps,
              .room = room});
    }
    if (is_because) {
        ImGui::SetCursorScreenPos({corner.x, corner.y + spacing / 2 + title});
        if (fault)
            draw_fault(state, lead, *fault, reasons, commands);
        else
            draw_because(state, lead, reasons);
    }
    ImGui::SetCursorScreenPos({corner.x, corner.y + spacing / 2 + title + lead_height});
    float left = 0;
    if (const std::string hint = hint_words(state, chips); !hint.empty()) {
        const FontScope scope(fonts().small);
        const std::string words = with_icon(kIconWarning, hint);
        const float free = room - width_of(said.detail) - spacing;
        const float hint_room = std::min(width_of(words), std::max(free, room / 2));
        text("answer/hint", hint,
             {.tone = state.is_outdated ? Tone::Muted : Tone::Warning,
              .font = fonts().small,
              .icon = kIconWarning,
              .shortens = true,
              .room = hint_room});
        left = hint_room + spacing;
        ImGui::SameLine(0, spacing);
    }
    if (!said.detail.empty())
        text("answer/detail", said.detail,
             {.tone = Tone::Muted, .font = fonts().small, .shortens = true, .room = room - left});
    look().set_answer({corner, {corner.x + width, corner.y + height}});
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, height});
}

}  // namespace kwb::gui
