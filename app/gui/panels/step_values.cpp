// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/step_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/difference.hpp"
#include "debug/values.hpp"
#include "gui/code_line.hpp"
#include "gui/keys.hpp"
#include "gui/panels/source_links.hpp"
#include "model/xray_words.hpp"

namespace kwb::gui {
namespace {

constexpr std::uint64_t kMemoryRows = 16, kMemoryColumns = 17;
/// In heights of a row: less room leaves no variable to be seen.
constexpr float kLeastRoom = 10;
/// Of the width: variables, next to their values in all work-items.
constexpr float kLeftShare = 0.54f;

/// Of store_text(), which begins with "line".
std::string store_sentence(std::string words) {
    words.front() = 'L';
    return words + ".";
}

}  // namespace

void StepValues::draw(const DeskState& state, std::size_t contestant, Commands& commands) {
    if (target_.contestant != contestant || wanted_ == contestant) {
        target_ = {contestant};
        target_.finds_wrong = wanted_ == contestant;
        wanted_.reset();
    }
    take(state.steps);
    go_to_begin(state);
    draw_target(state);
    make_room();
    if (!draw_status(state)) return;
    const float top = ImGui::GetCursorScreenPos().y;
    look_around();
    draw_controls();
    draw_slider();
    draw_place(state, commands);
    look_around();  // after what was pressed above
    const float width = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    const float left = std::floor((width - tokens().gap) * kLeftShare), right = width - tokens().gap - left;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::BeginGroup();
    draw_variables(left);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + left);
    draw_selected(left);
    ImGui::PopTextWrapPos();
    for (const debug::MemoryView& view : memory_) draw_memory(view, left);
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y;
    ImGui::SetCursorScreenPos({corner.x + left + tokens().gap, corner.y});
    ImGui::BeginGroup();
    draw_lanes(right);
    draw_origins(right);
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, std::max(bottom, ImGui::GetItemRectMax().y) - corner.y});
    if (state.steps_are_outdated) dim_from(top);
}

void StepValues::make_room() {
    const float font = ImGui::GetFontSize();
    if (!moves_ || std::exchange(roomy_font_, font) == font) return;
    const float above = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y;
    if (ImGui::GetWindowHeight() - above < kLeastRoom * ImGui::GetFrameHeight())
        ImGui::SetScrollFromPosY(above, 0);
}

void StepValues::take(const std::shared_ptr<const ShownSteps>& steps) {
    if (steps_ == steps) return;
    const std::shared_ptr<const ShownSteps> before = std::exchange(steps_, steps);
    std::vector<debug::Breakpoint> breakpoints;
    debug::Moment moment;
    if (moves_) {
        breakpoints = moves_->breakpoints();
        moment = moves_->moment();
    }
    if (!moves_) roomy_font_ = 0;
    moves_.reset();
    around_.reset();
    told_.clear();
    sources_.clear();
    if (steps_ == nullptr || steps_->player == nullptr) return;
    for (const auto& [name, source] : steps_->sources) {
        std::vector<std::string> lines = split_lines(source);
        std::vector<std::vector<editor::Span>> spans = editor::highlight_lines(lines);
        sources_.push_back({name, {std::move(lines), std::move(spans)}});
    }
    moves_.emplace(*steps_->player);
    for (const debug::Breakpoint& one : breakpoints) {
        try {
            moves_->add_breakpoint(one.file, one.line, one.condition);
        } catch (const BadInput&) {  // the text has changed: the line is gone, or its variables
        }
    }
    const auto whose = [](StepsTarget target) {  // whichever part
        target.from = 0;
        return target;
    };
    const bool goes_on =
        before != nullptr && before->key.kernel.chosen.kernel == steps_->key.kernel.chosen.kernel &&
        whose(before->key.target) == whose(steps_->key.target) && moment.item < steps_->player->items();
    if (steps_->start.store || !goes_on) moment = steps_->start.moment;
    const debug::Player& player = *steps_->player;
    moves_->select(
        {moment.item, std::clamp(moment.step, player.first_step(moment.item), player.steps(moment.item))});
    if (steps_->start.store) {
        told_ = store_words(*steps_->start.store);
        selected_.clear();  // of the variables there, the one to be seen is chosen anew
    }
    told_ += steps_->comparison_error;
    if (steps_->comparison == nullptr) return;
    if (steps_->comparison->differences.empty())
        told_ = debug::no_difference_text(*steps_->comparison);
    else
        go_to_difference(steps_->comparison->differences.front());
}

void StepValues::begin_at(std::size_t contestant, const LessonStep& step) {
    target_ = {contestant};
    wanted_.reset();
    begin_ = {contestant, step};
}

void StepValues::begin_at(std::size_t contestant, const TracedAccess& access) {
    target_ = {contestant, access.launch, access.group};
    wanted_.reset();
    begin_ = {contestant, access};
}

void StepValues::go_to_begin(const DeskState& state) {
    if (!begin_ || begin_->first != target_.contestant || !moves_ || state.steps_are_outdated) return;
    StepsTarget wanted = target_;
    wanted.contestant = 0;
    wanted.against = {};
    if (steps_->key.target != wanted) return;  // still the recording before
    const auto begin = std::exchange(begin_, std::nullopt)->second;
    if (const auto* const step = std::get_if<LessonStep>(&begin))
        go_to_step(state, *step);
    else
        go_to_access(std::get<TracedAccess>(begin));
}

void StepValues::go_to_access(const TracedAccess& access) {
    const debug::Player& player = moves_->player();
    const Recording& recording = player.recording();
    std::size_t interval = recording.barriers, times = access.times;
    for (std::uint32_t i = 0; i < recording.events.size(); ++i) {
        const RecordedEvent& event = recording.events[i];
        if (event.kind == RecordedKind::Barrier) ++interval;
        const bool is_access = event.stores() || event.kind == RecordedKind::Read;
        if (!is_access || event.item != access.item || interval != access.interval ||
            recording.sites[event.site].place != access.place)
            continue;
        if (times-- == 0) return moves_->go_to_store(i);
    }
}

void StepValues::go_to_step(const DeskState& state, const LessonStep& step) {
    const auto document = document_of(state, steps_->file.string());
    const Document* const source = document ? state.find_document(*document) : nullptr;
    const auto place = source == nullptr ? std::nullopt : step_place(step, source->buffer().text());
    try {
        const Recording& recording = moves_->player().recording();
        moves_->select({debug::item_at(recording, step.lane), 0});
        told_ = place && moves_->go_to_place(debug::Moves::read_place(*place))
                    ? ""
                    : "This work-item does not come to the line of the hint any more.";
    } catch (const BadInput& error) {  // other work-groups, other variables
        told_ = error.what();
    }
}

void StepValues::draw_target(const DeskState& state) {
    const bool has_groups = steps_ != nullptr && !steps_->groups.empty();
    bool is_first = true;
    const auto next = [&](const std::string& label) {
        if (!std::exchange(is_first, false)) flow_next(button_width(label) + tokens().gap);
    };
    if (has_groups) {
        std::uint32_t launch = target_.launch;
        std::vector<std::uint64_t> group = target_.group;
        if (target_.finds_wrong && moves_) {
            launch = moves_->player().recording().launch;
            group = moves_->player().recording().group;
            group.resize(3);
        }
        const auto shown = std::pair(launch, group);
        group_.draw("values", {steps_->launches, steps_->groups}, launch, group);
        is_first = false;
        if (std::pair(launch, group) != shown) {
            take_recorded_group();
            target_.launch = launch;
            target_.group = std::move(group);
            target_.from = 0;
        }
    }
    const std::string find = "Find a wrong element";
    next(find);
    if (button("values/find_wrong", find,
               {.icon = kIconSearch,
                .kind = ButtonKind::Quiet,
                .enabled = !target_.finds_wrong,
                .tooltip = "Step to where the first wrong element was stored, at the smallest size that "
                           "has one"}))
        target_.finds_wrong = true;
    draw_difference(state);
    if (!target_.finds_wrong && target_.sizes.empty()) return;
    const std::string back = "Back to size " + to_string(state.choices.sizes);
    next(back);
    if (button("values/back", back, {.kind = ButtonKind::Quiet, .tooltip = "Record at the chosen size"})) {
        const std::size_t contestant = target_.contestant;
        target_ = {contestant};
    }
}

/// The first store that differs from the kernel to compare with, then the next ones.
void StepValues::draw_difference(const DeskState& state) {
    const bool can_compare =
        state.other && *state.other != target_.contestant && *state.other < state.preview.contestants.size();
    if (target_.against && (!can_compare || target_.against != state.other)) target_.against.reset();
    const bool is_compared = moves_ && target_.against && steps_->comparison != nullptr;
    const std::string label = is_compared ? "Next difference" : "First difference";
    flow_next(button_width(label) + tokens().gap);
    const std::string help =
        !can_compare ? "Choose a kernel to compare with (F2) to step to the first difference"
        : is_compared
            ? "On to the next store that differs, in this work-item"
            : "Step to the first store that differs from " + state.preview.contestants[*state.other].label;
    if (!button("values/difference", label,
                {.kind = ButtonKind::Quiet,
                 .enabled = can_compare && (is_compared || !target_.against),
                 .tooltip = help}))
        return;
    target_.against = state.other;
    if (!is_compared) {
        target_.from = 0;
        return;
    }
    const debug::Difference* const next = debug::next_difference(*steps_->comparison, moves_->player(),
                                                                 moves_->moment(), debug::Whose::WorkItem);
    if (next == nullptr)
        told_ = "No further difference in this work-item.";
    else
        go_to_difference(*next);
}

void StepValues::go_to_difference(const debug::Difference& difference) {
    if (!moves_->player().has(difference.moment)) {
        told_ = "The next difference is in another part of the record.";
        return;
    }
    moves_->select(difference.moment);
    told_ = debug::differences_text(*steps_->comparison, difference.moment, moves_->player().recording());
    std::ranges::replace(told_, '\n', ' ');
    // "C[4] ([1][0])"; a caller's variable, "history[3] of f", has no name here.
    if (difference.name.find(" of ") == std::string::npos)
        selected_ = difference.name.substr(0, difference.name.find(' '));
}

bool StepValues::draw_status(const DeskState& state) {
    if (steps_ == nullptr) {
        if (state.is_recording)
            empty_state("values/empty", kIconClock, "Recording",
                        "X-ray runs the work-group and records each value that it stores.");
        else if (state.is_busy)
            empty_state("values/empty", kIconClock, "Recording waits",
                        "It would disturb the measurement; it starts after the run.");
        else
            empty_state("values/empty", kIconClock, "Not recorded yet",
                        "Recording starts when nothing else runs.");
        return false;
    }
    if (state.steps_are_outdated)
        text("values/outdated",
             state.is_recording ? "Outdated; being recorded again\u2026"
             : state.is_busy    ? "Outdated; recorded again after the run"
                                : "Outdated; recorded again when nothing else runs",
             {.tone = Tone::Warning, .icon = kIconClock, .shortens = true});
    if (!moves_) {
        empty_state("values/failed", steps_->key.target.finds_wrong ? kIconCheck : kIconForbidden,
                    steps_->key.target.finds_wrong ? "No wrong element" : "No recording", steps_->error);
        return false;
    }
    if (!steps_->start.text.empty())
        text("values/wrong", trim(steps_->start.text),
             {.tone = Tone::Danger, .icon = kIconWarning, .wraps = true});
    if (!moves_->player().recording().is_whole()) draw_parts();
    return true;
}

/// Which part of a long record is shown, and the way to the others.
void StepValues::draw_parts() {
    const Recording& recording = moves_->player().recording();
    remark("values/part",
           fmt::format("The work-group does too much to be recorded at once; these are its events {} to {}.",
                       recording.begin + 1, recording.end()),
           Tone::Warning);
    ButtonRow row(tokens().hair);
    const auto add = [&](const char* id, const char* label, const char* help, bool enabled,
                         std::uint64_t from) {
        if (!row.add(id, label, {.kind = ButtonKind::Quiet, .enabled = enabled, .tooltip = help})) return;
        take_recorded_group();
        target_.from = from;
        target_.against.reset();
    };
    add("values/part/before", "\u2039 Earlier", "Record the part before this one", recording.begin > 0,
        recording.begin - 1);
    add("values/part/after", "Later \u203a", "Record the part after this one", recording.goes_on,
        recording.end());
}

/// Instead of the search for a wrong element, what it has found.
void StepValues::take_recorded_group() {
    if (!std::exchange(target_.finds_wrong, false)) return;
    target_.sizes = steps_->sizes;
    if (!moves_) return;
    const Recording& recording = moves_->player().recording();
    target_.launch = recording.launch;
    target_.group = recording.group;
    target_.group.resize(3);
}

void StepValues::go_to(debug::Moment moment) {
    told_.clear();
    moves_->select(moment);
}

void StepValues::look_around() {
    Around now{moves_->moment(), selected_, unfolded_, look().theme()};
    if (around_ == now) return;
    const debug::Player& player = moves_->player();
    variables_ = debug::variable_rows(moves_->scope(), unfolded_);
    if (selected_.empty() && !around_) {  // something to see at first
        const auto is_own = [](const debug::VariableRow& row) { return !row.unfolds && !row.is_parameter; };
        auto own = std::ranges::find_if(variables_, [&](const debug::VariableRow& row) {
            return is_own(row) && (row.type == "float" || row.type == "double");
        });
        if (own == variables_.end()) own = std::ranges::find_if(variables_, is_own);
        if (own != variables_.end()) now.selected = selected_ = own->expression;
    }
    lanes_.clear();
    lane_words_.clear();
    selected_error_.clear();
    if (!selected_.empty()) {
        try {
            for (debug::LaneValue& lane : debug::lane_values(player, moves_->scope(), selected_)) {
                using State = debug::LaneValue::State;
                ValueCell& cell = lanes_.emplace_back();
                cell.number = lane.number;
                cell.is_faded = lane.is_elsewhere;
                lane_words_.push_back(
                    (lane.state == State::Known   ? selected_ + " = " + lane.text
                     : lane.state == State::Unset ? selected_ + " is not set yet"
                                                  : selected_ + " is not known") +
                    (lane.is_elsewhere ? ", at its last step before the next barrier: it does not come here"
                                       : ""));
                cell.text = lane.state == State::Known   ? std::move(lane.text)
                            : lane.state == State::Unset ? "?"
                                                         : "\u2013";
            }
            lanes_[now.moment.item].outline = colors().warning.u32();
        } catch (const BadInput& error) {
            selected_error_ = error.what();
        }
    }
    origins_ = moves_->is_end() || player.steps(now.moment.item) == 0 ? std::vector<debug::Origin>()
                                                                      : debug::origins_of(player, now.moment);
    printed_.clear();
    if (now.moment.step > player.first_step(now.moment.item))
        for (const std::uint32_t event :
             player.prints_between({now.moment.item, now.moment.step - 1}, now.moment))
            printed_ += player.printed_line(event) + "\n";
    memory_ = debug::memory_views(player, now.moment, kMemoryRows, kMemoryColumns);
    memory_cells_.clear();
    for (const debug::MemoryView& view : memory_) {
        std::vector<ValueCell>& cells = memory_cells_.emplace_back();
        for (const debug::MemoryView::Cell& cell : view.cells)
            cells.push_back({cell.text, cell.number, cell.text.empty() || cell.text == "?",
                             cell.is_stored ? colors().danger.u32()
                             : cell.is_read ? colors().warning.u32()
                                            : 0});
    }
    around_ = std::move(now);
}

void StepValues::draw_controls() {
    const debug::Player& player = moves_->player();
    const debug::Moment now = moves_->moment();
    const std::size_t steps = player.steps(now.item);
    ButtonRow row(tokens().hair);
    const auto add = [&](const char* id, const char* label, const std::string& help, bool enabled,
                         const std::function<void()>& move, std::optional<Action> action = {}) {
        const std::string tip = help + (action ? " (" + keys_of(*action) + ")" : "");
        const bool is_pressed =
            row.add(id, label, {.kind = ButtonKind::Quiet, .enabled = enabled, .tooltip = tip});
        if (is_pressed || (enabled && action && pressed(*action, true))) {
            told_.clear();
            move();
        }
    };
    using enum debug::Direction;
    add("values/start", "\u00ab", "To the previous barrier, or the beginning", now.step > 0,
        [&] { moves_->go_to_barrier(Backwards); });
    add(
        "values/back_one", "\u2039", "One line back", now.step > 0, [&] { moves_->step(Backwards); },
        Action::StepLineBack);
    add(
        "values/step", "\u203a", "One line, into functions that it calls", now.step < steps,
        [&] { moves_->step(Forwards); }, Action::StepLine);
    add("values/end", "\u00bb", "To the next barrier, or the end", now.step < steps,
        [&] { moves_->go_to_barrier(Forwards); });
    add(
        "values/over_back", "Over, back", "One line back, past functions that are called", now.step > 0,
        [&] { moves_->next(Backwards); }, Action::StepOverBack);
    add(
        "values/over", "Over", "One line, past functions that it calls", now.step < steps,
        [&] { moves_->next(Forwards); }, Action::StepOver);
    add("values/leave", "Leave loop", "On to a line below this one", now.step < steps,
        [&] { moves_->leave_loop(); });
}

/// The steps of the work-item from left to right, with a line at each barrier.
void StepValues::draw_slider() {
    const debug::Player& player = moves_->player();
    const debug::Moment now = moves_->moment();
    const std::size_t first = player.first_step(now.item);
    const int last = static_cast<int>(player.steps(now.item) - first);
    if (last < 1) return;
    if (const auto moved = step_slider("values/slider", static_cast<int>(now.step - first), 0, last))
        go_to({now.item, first + static_cast<std::size_t>(*moved)});
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    for (const std::size_t step : player.barrier_steps(now.item)) {
        const float x = min.x + (max.x - min.x) * to_float(step - first) / static_cast<float>(last);
        ImGui::GetWindowDrawList()->AddLine({x, max.y - tokens().hair}, {x, max.y},
                                            colors().text_muted.u32());
    }
}

void StepValues::draw_place(const DeskState& state, Commands& commands) {
    const debug::Player& player = moves_->player();
    const debug::Moment now = moves_->moment();
    const RecordedSite* const site = player.site(now);
    const std::string item = "Work-item " + debug::item_text(player.recording(), now.item);
    if (site == nullptr)
        return text("values/no_steps", item + " has no steps", {.tone = Tone::Muted, .shortens = true});
    const std::string file = file_of(site->place, steps_->file).string();
    if (moves_->is_end()) {
        text("values/at_end",
             item + (player.is_over(now.item) ? ": behind its last step"
                                              : ": this part of the record ends here"),
             {.shortens = true, .in_row = true});
    } else if (button("values/place", fmt::format("{}: line {}", item, site->place.line),
                      {.icon = kIconCode,
                       .kind = ButtonKind::Quiet,
                       .enabled = !state.steps_are_outdated,
                       .tooltip = state.steps_are_outdated ? "The line may be another one by now"
                                                           : "Go to this line, which has not run yet"})) {
        go_to_line(state, file, site->place.line, commands);
    }
    const std::string words = fmt::format("step {}, after {}", debug::step_text(player, now),
                                          counted(player.interval(now), "barrier"));
    flow_next(width_of(words));
    text("values/words", words, {.tone = Tone::Muted, .shortens = true, .in_row = true});
    // A line of its own even if it is empty: what is below stays where it is.
    text("values/told", told_, {.tone = Tone::Accent, .wraps = true});
    if (const ColoredLines* const source = find_named(sources_, site->place.file))
        draw_source_excerpt("values/line", *source, site->place.line);
    if (!printed_.empty())
        text("values/printed", "Printed by the step before: " + std::string(trim(printed_)), {.wraps = true});
}

void StepValues::run(debug::Direction direction) {
    told_.clear();
    try {
        const debug::Stop stop = moves_->run(direction, debug::Whose::WorkItem);
        if (stop.reason == debug::Stop::Reason::End)
            told_ = std::string(direction == debug::Direction::Forwards ? "No stop follows"
                                                                        : "No stop lies before") +
                    (moves_->player().recording().is_whole() ? "." : " in this part of the record.");
        else if (stop.reason == debug::Stop::Reason::Watchpoint)
            told_ = store_sentence(stop.text);
        else if (!stop.problem.empty())
            told_ = "The condition has no value here: " + stop.problem + ".";
    } catch (const BadInput& error) {  // of a condition
        told_ = error.what();
    }
}

/// "Line 53 stores 7 to sum, which held 3."
std::string StepValues::store_words(std::uint32_t event) const {
    return store_sentence(debug::store_text(moves_->player(), event));
}

}  // namespace kwb::gui
