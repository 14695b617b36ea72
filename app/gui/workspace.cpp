// SPDX-License-Identifier: Apache-2.0
#include "gui/workspace.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/named.hpp"
#include "base/text.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
Workspace::Workspace(Desk& desk, WorkspaceOptions options)
    : Shell(options.toggle_full_screen),
      desk_(desk),
      options_(std::move(options)),
      follows_settings_(options_.follows_saved_look),
      exports_(pending_, options_.paint, options_.copy),
      experiment_(pending_, hovered_),
      source_(pending_, hovered_),
      times_(exports_, hovered_),
      reasons_(exports_, hovered_, found_),
      correctness_(exports_, hovered_, found_),
      history_(pending_, options_.now),
      tune_(exports_),
      files_(pending_) {}

void Workspace::open_files(const std::vector<std::filesystem::path>& files) {
    dropped_.insert(dropped_.end(), files.begin(), files.end());
}

bool Workspace::timing_runs() const {
    const Snapshot& session = *state().session;
    return session.phase == Snapshot::Phase::Running && session.progress &&
           (session.progress->stage == "time" || session.progress->stage == "what if");
}

void Workspace::begin_frame() {
    desk_.update();
    found_.follow(state());
    if (std::exchange(follows_settings_, false)) follow_settings();
    if (std::exchange(revealed_, state().revealed.number) != state().revealed.number)
        bring_to_front(Panel::Source);
    if (!dropped_.empty()) {
        commands_.push_back(command::OpenFiles{std::exchange(dropped_, {})});
        bring_to_front(Panel::Source);
    }
    GImGui->NavWindowingTarget = nullptr;  // Ctrl+Tab switches panels instead of windows
}

void Workspace::end_frame() {
    experiment_.end_frame();
    hovered_.end_frame();
    show_relevant_panel();
    show_proof();
    show_race();
    show_wrong();
    show_step();
    if (found_.asked_errors) bring_to_front(Panel::Correctness);
    observe_shown();
    remember_look();
    if (commands_.empty()) return;
    sort_commands();
    const Commands commands = std::exchange(commands_, {});
    desk_.perform(commands);
    if (options_.wake) options_.wake();
}

void Workspace::follow_settings() {
    look().set_theme(state().settings.theme);
    look().set_scale(static_cast<float>(state().settings.scale));
}

void Workspace::remember_look() {
    const Settings& kept = state().settings;
    const bool other_scale = !presents_ && std::abs(kept.scale - static_cast<double>(look().scale())) > 1e-3;
    if (!options_.follows_saved_look || (kept.theme == look().theme() && !other_scale)) return;
    change_settings([this](Settings& changed) {
        changed.theme = look().theme();
        if (!presents_) changed.scale = static_cast<double>(look().scale());
    });
}

void Workspace::run() {
    if (!experiment_.may_run()) {
        // The fields of the size are in the heading bar.
        if (!experiment_.refuses_setting()) bring_to_front(Panel::Experiment);
        return;
    }
    if (state().is_busy || state().preview.obstacle) return;
    commands_.push_back(command::Run{});
}

/// Shows the results of what the user starts.
void Workspace::show_relevant_panel() {
    const auto is_run = [](const Command& command) {
        return std::holds_alternative<command::Run>(command) ||
               std::holds_alternative<command::Sweep>(command);
    };
    if (std::any_of(commands_.begin(), commands_.end(), is_run))
        for (const auto& column : arrangement_)
            for (const Area& area : column)
                if (area.has(Panel::Times) && front_of(area) == Panel::Source) bring_to_front(Panel::Times);
}

/// Shows the evidence that a click in this frame asks for: the bar of the experiment, the lines in both
/// sources, or X-ray.
void Workspace::show_proof() {
    if (!found_.asked || state().shown == nullptr) return;
    const Reason& reason = found_.asked->reason;
    const Answer& answer = found_.explained();
    // The slower one on the left.
    const std::size_t left = answer.other, right = answer.subject;
    const auto side_of = [&](std::size_t index, const ReasonSide& of) {
        command::CompareLines::Side side{state().shown->run.results[index].file, {}};
        if (of.places.empty()) return side;
        side.file = file_of(of.places.front(), side.file);
        for (const XrayPlace& place : of.places)
            if (place.line > 0 && place.file == of.places.front().file) side.lines.push_back(place.line - 1);
        return side;
    };
    const auto contestant_of = [&](std::size_t result) {
        return static_cast<std::size_t>(std::ranges::find(state().result_of, std::optional(result)) -
                                        state().result_of.begin());
    };
    command::CompareLines lines{side_of(left, reason.slower), side_of(right, reason.faster)};
    if (lines.front.lines.empty()) std::swap(lines.front, lines.beside);
    const bool is_counted = reason.basis == ReasonBasis::Counted && !found_.asked->wants_map;
    if (is_counted && !lines.front.lines.empty()) {
        commands_.push_back(std::move(lines));
    } else if (reason.basis == ReasonBasis::Measured && !found_.asked->wants_map) {
        bring_to_front(Panel::Reasons);
        reasons_.point_at(reason);
    } else if (contestant_of(left) < state().result_of.size()) {  // else it is no longer chosen
        bring_to_front(Panel::Xray);
        commands_.push_back(command::SelectKernel{contestant_of(left)});
        if (found_.asked->wants_map) {
            xray_.show_maps();
        } else if (is_counted) {
            xray_.show_numbers();
            if (state().other != contestant_of(right))
                commands_.push_back(command::SelectKernel{contestant_of(right), true});
        } else {
            xray_.show_code(reason.subject);
        }
    }
}

/// X-ray's steps up to a race that a click in this frame asks for.
void Workspace::show_race() {
    if (!found_.asked_race || state().shown == nullptr) return;
    const auto contestant = std::ranges::find(state().result_of, found_.asked_race);
    if (contestant == state().result_of.end()) return;
    bring_to_front(Panel::Xray);
    const auto index = static_cast<std::size_t>(contestant - state().result_of.begin());
    commands_.push_back(command::SelectKernel{index});
    xray_.show_race(*state().shown->run.results[*found_.asked_race].finding,
                    state().choices.contestants[index].kernel);
}

/// X-ray's steps to the wrong element that a click in this frame asks for.
void Workspace::show_wrong() {
    const auto contestant = std::ranges::find(state().result_of, found_.asked_wrong);
    if (!found_.asked_wrong || contestant == state().result_of.end()) return;
    bring_to_front(Panel::Xray);
    const auto index = static_cast<std::size_t>(contestant - state().result_of.begin());
    commands_.push_back(command::SelectKernel{index});
    xray_.show_wrong(index);
}

/// The step of the exercise at which a hint looks.
void Workspace::show_step() {
    const LessonStep* const step = learn_.take_step();
    const auto& all = state().choices.contestants;
    const auto exercise =
        std::ranges::find(all, state().course.exercise.string(), &Experiment::Contestant::kernel);
    if (step == nullptr || exercise == all.end()) return;
    bring_to_front(Panel::Xray);
    const auto index = static_cast<std::size_t>(exercise - all.begin());
    commands_.push_back(command::SelectKernel{index});
    xray_.show_step(index, *step);
}

/// X-ray observes, and the desk counts and shows, the contestants on the screen.
void Workspace::observe_shown() {
    const auto tuned = drawn_[static_cast<std::size_t>(Panel::Tune)] ? tune_.target() : std::nullopt;
    if (std::exchange(tune_target_, tuned) != tuned) commands_.push_back(command::ShowTuning{tuned});
    const auto steps = drawn_[static_cast<std::size_t>(Panel::Xray)] ? xray_.steps_target() : std::nullopt;
    if (std::exchange(steps_target_, steps) != steps) commands_.push_back(command::StepThrough{steps});
    XrayTarget target = xray_.target();
    target.counted.clear();
    if (!drawn_[static_cast<std::size_t>(Panel::Xray)]) target.contestants.clear();
    if (drawn_[static_cast<std::size_t>(Panel::Times)] && times_.shows_xray())
        for (std::size_t i = 0; i < state().choices.contestants.size(); ++i) target.counted.push_back(i);
    if (target == xray_target_) return;
    xray_target_ = target;
    commands_.push_back(command::Observe{std::move(target)});
}

/// Commands of the same frame may depend on each other: first settings, then choices, then the rest.
void Workspace::sort_commands() {
    const auto rank = [](const Command& command) {
        if (std::holds_alternative<command::ChangeSettings>(command)) return 0;
        return std::holds_alternative<command::Edit>(command) ? 1 : 2;
    };
    std::stable_sort(commands_.begin(), commands_.end(),
                     [&](const Command& one, const Command& other) { return rank(one) < rank(other); });
}

void Workspace::save_front(bool under_another_name) {
    if (!state().front) return;
    const Document* front = state().find_document(*state().front);
    if (front == nullptr) return;
    if (under_another_name)
        pending_.ask_document(front->id(), front->name(), commands_);
    else
        source_.save(*front, commands_);
}

/// A lesson has its own choices, so that the experiment's are hidden while one is open, until they are asked
/// for.
std::string Workspace::switch_of(Panel panel) const {
    const bool is_lesson = panel == Panel::Experiment && state().course.open;
    return "panel/" + name_of(panel) + (is_lesson ? "/lesson" : "");
}

bool Workspace::is_shown(Panel panel) const {
    const bool* kept = find_named(state().settings.switches, switch_of(panel));
    return kept != nullptr ? *kept : panel != Panel::Experiment || !state().course.open;
}

void Workspace::show(Panel panel, bool shown) {
    if (is_shown(panel) != shown)
        change_settings(
            [key = switch_of(panel), shown](Settings& kept) { put_named(kept.switches, key, shown); });
}

void Workspace::remember_front(const Area& area, Panel panel) {
    change_settings([area = "area/" + std::string(area.name), panel](Settings& kept) {
        put_named(kept.tabs, area, name_of(panel));
    });
}

void Workspace::bring_to_front(Panel panel) {
    show(panel, true);
    std::erase(brought_, panel);
    brought_.insert(brought_.begin(), panel);
    for (const auto& column : arrangement_)
        for (const Area& area : column)
            if (area.has(panel) && area.panels.size() > 1 && front_of(area) != panel)
                remember_front(area, panel);
}

void Workspace::keep_fronts() {
    if (!keeps_) return;
    for (const auto& column : arrangement_)
        for (const Area& area : column) {
            if (area.panels.size() < 2) continue;
            const auto kept = std::ranges::find_if(*keeps_, [&](Panel panel) { return area.has(panel); });
            remember_front(area, kept != keeps_->end() ? *kept : area.panels.front());
        }
    keeps_.reset();
}

void Workspace::focus(Panel panel) {
    if (presents_ && area_with(panel) == nullptr) return;
    bring_to_front(panel);
    focused_ = panel;
    wants_keyboard_ = panel;
}

void Workspace::step_focus(int by) {
    const int count = static_cast<int>(kPanels);
    int at = focused_ ? static_cast<int>(*focused_) : (by > 0 ? -1 : 0);
    for (int tries = 0; tries < count; ++tries) {
        at = (at + by + count) % count;
        const auto panel = static_cast<Panel>(at);
        if (is_shown(panel) && (!presents_ || area_with(panel) != nullptr)) return focus(panel);
    }
}

void Workspace::present(bool on) {
    constexpr float kLarger = 1.4f;
    if (presents_ == on) return;
    presents_ = on;
    look().tab_order().hide_help(on);
    if (on) {
        scale_before_ = look().scale();
        keeps_ = brought_;
        for (const Panel panel : {Panel::Times, Panel::Xray, Panel::Reasons}) keeps_->push_back(panel);
        std::erase_if(*keeps_, [&](Panel panel) { return !drawn_[static_cast<std::size_t>(panel)]; });
    }
    look().set_scale(on ? scale_before_ * kLarger : scale_before_);
    source_.present(on);
    learn_.present(on);
}

bool Workspace::acts_on_typed() {
    using enum Action;
    constexpr Action kActing[] = {Run,      Save,     SaveAs,     OpenFile, CloseFile, NextPanel, PanelBefore,
                                  NextMark, FindNext, FullScreen, Keys,     Quit,      Present};
    return std::any_of(std::begin(kActing), std::end(kActing), [](Action action) { return pressed(action); });
}

void Workspace::handle_keys() {
    Shell::handle_keys();
    if (modal_is_open()) return;
    // Apply pending input before running a command that uses it; the desk receives it in the next frame.
    const bool runs = std::exchange(runs_next_, false);
    const bool types = acts_on_typed() && experiment_.finish_typing();
    if (pressed(Action::Run) && types)
        runs_next_ = true;
    else if (runs || pressed(Action::Run))
        run();
    const bool list_is_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (pressed(Action::Stop) && state().is_busy && !list_is_open) commands_.push_back(command::Stop{});
    if (pressed(Action::OpenFile))
        commands_.push_back(command::OpenDialog{FolderListing::Purpose::OpenKernels, "", {".cl"}});
    if (!drawn_[static_cast<std::size_t>(Panel::Source)]) {  // otherwise the panel handles them itself
        if (pressed(Action::Save)) save_front(false);
        if (pressed(Action::SaveAs)) save_front(true);
    }
    for (const Panel panel : kAllPanels)
        if (pressed(focus_action(panel))) focus(panel);
    handle_lesson_keys();
    handle_kernel_keys();
    if (pressed(Action::Present)) present(!presents_);
    if (pressed(Action::NextPanel)) step_focus(+1);
    if (pressed(Action::PanelBefore)) step_focus(-1);
}

/// F4 selects the next kernel; F2 compares it with the next of the others, then with none.
void Workspace::handle_kernel_keys() {
    const std::size_t count = state().choices.contestants.size();
    if (count < 2) return;
    if (pressed(Action::NextKernel, true))
        commands_.push_back(command::SelectKernel{(state().kernel + 1) % count});
    if (pressed(Action::KernelBefore, true))
        commands_.push_back(command::SelectKernel{(state().kernel + count - 1) % count});
    if (!pressed(Action::CompareKernel)) return;
    std::size_t next = state().other ? *state().other + 1 : 0;
    if (next == state().kernel) ++next;
    commands_.push_back(command::SelectKernel{next < count ? next : *state().other, true});
}

void Workspace::handle_lesson_keys() {
    if (!state().course.open) return;
    if (pressed(Action::CheckExercise) && !state().course.asked) {
        commands_.push_back(command::CheckExercise{presents_});  // an audience votes instead
        learn_.show_result();
        bring_to_front(Panel::Learn);
    }
    if (pressed(Action::ShowHint)) {
        commands_.push_back(command::ShowHint{});
        bring_to_front(Panel::Learn);
    }
    if (!presents_) return;
    if (pressed(plain(Key::PageDown))) learn_.step(+1);
    if (pressed(plain(Key::PageUp))) learn_.step(-1);
}

std::string Workspace::status() const {
    std::string words = progress_words(state());
    if (words.empty())
        words = state().device == nullptr ? "No device" : "Ready";
    else
        words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    const Document* front = state().front ? state().find_document(*state().front) : nullptr;
    if (front != nullptr) words += "     " + front->name() + (front->is_modified() ? ", edited" : "");
    return words;
}

void Workspace::draw_overlays() {
    files_.draw(state(), commands_);
    keys_.draw(state(), commands_);
    profile_.draw(state(), commands_);
    unsaved_.draw(state(), commands_);
    draw_notices(state(), commands_);
}

}  // namespace kwb::gui
