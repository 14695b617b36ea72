// SPDX-License-Identifier: Apache-2.0
// The row of a kernel in the experiment: colour, name, launch and verdict; opened, its fields.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "gui/chart_widget.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/panels/results_table.hpp"
#include "model/request.hpp"

namespace kwb::gui {
namespace {

/// Formats "16x16" for display: "16 × 16".
std::string local_words(std::string_view local, std::string_view sign = " \u00d7 ") {
    std::string words;
    for (const char c : local) words += c == 'x' ? std::string(sign) : std::string(1, c);
    return local == "auto" ? "by the driver" : words;
}

/// "16×16 TILE=16": what distinguishes a contestant from others of the same kernel.
std::string launch_words(const Experiment::Contestant& now, const Preview::Contestant& shown) {
    std::vector<std::string> words;
    const std::string local = !now.local.empty()     ? now.local
                              : shown.locals.empty() ? ""
                                                     : shown.locals.front();
    if (!local.empty()) words.push_back(local_words(local, "\u00d7"));
    for (const ParamPreview& param : shown.params) words.push_back(param.name + "=" + param.chosen);
    if (!now.device.empty()) words.push_back("on " + now.device);
    return join(words, " ");
}

/// The right end of a row.
struct RowEnd {
    const char* icon = nullptr;
    std::string words;
    Tone tone = Tone::Muted;
};

/// The step of contestant `index` in the run that is in progress.
RowEnd step_of(const DeskState& state, std::size_t index) {
    const auto& progress = state.session->progress;
    if (!progress || !progress->contestant || *progress->contestant != index) return {kIconClock, "waiting"};
    if (progress->stage == "build") return {kIconRefresh, "building", Tone::Accent};
    if (progress->stage == "time") return {kIconRefresh, "timing", Tone::Accent};
    if (progress->stage == "what if") return {kIconRefresh, "experiments", Tone::Accent};
    return {kIconRefresh, "checking", Tone::Accent};
}

RowEnd end_of_row(const DeskState& state, std::size_t index, const Preview::Contestant& shown) {
    if (shown.unreadable) return {kIconForbidden, misfit_word(shown)};
    const auto result_of = index < state.result_of.size() ? state.result_of[index] : std::nullopt;
    const KernelResult* result = result_of ? &state.shown->run.results[*result_of] : nullptr;
    if (state.runs_as_chosen && (result == nullptr || !result->judged)) return step_of(state, index);
    if (result != nullptr) {
        const VerdictLook seen = look_of(state, *result_of);
        // An expected result at one size is shown without words.
        const bool is_plain = seen.tone == Tone::Success && check_of(state, *result_of) == nullptr;
        return {seen.icon, is_plain ? "" : seen.words, seen.tone};
    }
    if (shown.obstacle) return {kIconForbidden, misfit_word(shown)};
    if (index < state.checks.size() && state.checks[index] != nullptr) {
        const ShownCheck& check = *state.checks[index];
        if (const auto seen = look_of(check)) return {seen->icon, seen->words, seen->tone};
        return {kIconClock, fmt::format("{} of {}", check.results.size(), counted(check.planned, "size"))};
    }
    if (shown.unsaved) return {kIconFile, "edited", Tone::Accent};
    return {};
}

class Row {
public:
    Row(ChoicesEdit& edit, std::size_t index, std::size_t color)
        : edit_(edit),
          state_(edit.state),
          index_(index),
          color_(color),
          id_("experiment/contestant/" + std::to_string(index)),
          now_(state_.choices.contestants[index]),
          shown_(index < state_.preview.contestants.size() ? state_.preview.contestants[index] : kNothing) {}

    void draw() {
        draw_line();
        if (edit_.rows.open != index_) return;
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::Indent(tokens().gap);
        ImGui::BeginGroup();
        draw_kernel();
        if (shown_.is_bare) draw_own_form(edit_, id_ + "/own", now_.kernel, shown_);
        draw_fields();
        draw_remarks();
        ImGui::EndGroup();
        ImGui::Unindent(tokens().gap);
        ImGui::GetWindowDrawList()->AddRectFilled(corner,
                                                  {corner.x + tokens().hair, ImGui::GetItemRectMax().y},
                                                  series_color(color_), tokens().hair / 2);
    }

private:
    Experiment::Contestant& edited() { return edit_.choices.contestants[index_]; }

    void draw_line() {
        const float more = button_width("\u2026"), gap = tokens().hair;
        const float width = ImGui::GetContentRegionAvail().x - more - gap;
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const bool is_open = edit_.rows.open == index_;
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                            ImVec2(0, tokens().hair));  // a row grows by it on both sides
        const bool clicked = ImGui::Selectable(("##" + id_).c_str(), is_open || is_selected(), 0,
                                               {width, ImGui::GetFrameHeight()});
        ImGui::PopStyleVar();
        const bool compares = ImGui::GetIO().KeyCtrl;
        if (clicked && !compares) edit_.rows.open = is_open ? std::nullopt : std::optional(index_);
        if (clicked) edit_.commands.push_back(command::SelectKernel{index_, compares});
        probe(id_, {.container = true});
        edit_.hovered.link_last(color_);
        drag();
        row_tooltip(hint());
        paint_line(corner, width);
        ImGui::SameLine(0, gap);
        if (button(id_ + "/more", "\u2026",
                   {.kind = ButtonKind::Quiet,
                    .width = more,
                    .tooltip =
                        "Run only this one, check all sizes, make it the baseline, duplicate, move, pin or "
                        "remove it"}))
            ImGui::OpenPopup((id_ + "/menu").c_str());
        draw_menu();
    }

    /// Among several, for all panels.
    bool is_selected() const { return state_.choices.contestants.size() > 1 && state_.kernel == index_; }

    /// Shows with a line where the dragged row would be dropped.
    void drag() {
        KernelRows& rows = edit_.rows;
        if (ImGui::IsItemActivated()) rows.dragged = index_;
        if (!rows.dragged) return;
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        const float y = ImGui::GetIO().MousePos.y;
        if (y < min.y || y > max.y) return;
        rows.target = index_;
        if (*rows.dragged == index_) return;
        const float edge = *rows.dragged < index_ ? max.y : min.y;
        ImGui::GetWindowDrawList()->AddRectFilled(
            {min.x, edge - tokens().hair / 2}, {max.x, edge + tokens().hair / 2}, colors().focus_ring.u32());
    }

    std::string hint() const {
        std::string words = shown_.title.empty() ? short_kernel_name(now_.kernel) : shown_.title;
        for (const std::string& more : {launch_words(now_, shown_), role_words()})
            if (!more.empty()) words += "\n" + more;
        if (shown_.obstacle) words += "\n" + *shown_.obstacle;
        for (const std::string& warning : shown_.warnings) words += "\n" + warning;
        return words;
    }

    /// "baseline · compared"
    std::string role_words() const {
        std::vector<std::string> words;
        if (state_.choices.baseline == index_ && state_.choices.contestants.size() > 1)
            words.push_back("baseline");
        if (state_.other == index_) words.push_back("compared");
        return join(words, " \u00b7 ");
    }

    /// From left to right: colour, name, role, launch, verdict. If there is too little room, first the launch
    /// is cut, then the verdict's words are left out, then the name is cut.
    void paint_line(ImVec2 corner, float width) const {
        const float gap = tokens().gap_small, begin = corner.x + tokens().hair;
        const float top = corner.y + (ImGui::GetFrameHeight() - ImGui::GetTextLineHeight()) / 2;
        draw_swatch({begin, corner.y}, ImGui::GetFrameHeight(), color_);
        const float left = begin + tokens().grip + gap, right = corner.x + width - tokens().hair;
        std::string name = short_kernel_name(now_.kernel);
        if (now_.pinned) name = with_icon(kIconPin, name);
        const std::string role = role_words();
        const RowEnd end = end_of_row(state_, index_, shown_);
        std::string words = end.icon == nullptr ? end.words
                            : end.words.empty() ? end.icon
                                                : with_icon(end.icon, end.words);
        const float role_width = role.empty() ? 0 : width_of(role) + gap;
        if (width_of(name) + gap + role_width + width_of(words) > right - left && end.icon != nullptr &&
            fonts().has_icons)
            words = end.icon;
        const float end_width = words.empty() ? 0 : width_of(words) + gap;
        name = shortened(name, right - left - role_width - end_width);
        const float role_at = left + width_of(name) + gap, launch_at = role_at + role_width;
        paint_text(id_ + "/name", {left, top}, name, Tone::Normal);
        if (!role.empty()) paint_text(id_ + "/role", {role_at, top}, role, Tone::Muted);
        const std::string launch = launch_words(now_, shown_);
        const float launch_room = right - end_width - launch_at;
        if (launch_room > 3 * ImGui::GetFontSize() && !launch.empty())
            paint_text(id_ + "/launch", {launch_at, top}, shortened(launch, launch_room), Tone::Muted);
        if (!words.empty()) paint_text(id_ + "/verdict", {right - end_width + gap, top}, words, end.tone);
    }

    void draw_kernel() {
        const Combo combo(id_ + "/kernel", short_kernel_name(now_.kernel),
                          {.popup_width = 34 * ImGui::GetFontSize(), .tooltip = shown_.title});
        if (!combo.open) return;
        if (const auto kernel = pick_kernel(edit_, id_ + "/kernel", {now_.kernel}, Picking::One))
            if (*kernel != now_.kernel) edited() = {*kernel, {}, ""};
    }

    void draw_menu() {
        const Popup popup((id_ + "/menu").c_str());
        if (!popup.open) return;
        Experiment& choices = edit_.choices;
        const std::size_t count = state_.choices.contestants.size();
        if (option(id_ + "/run", with_icon(kIconPlay, "Run only this one"),
                   {.enabled = !state_.is_busy && !shown_.obstacle && edit_.typing.refusal() == nullptr}))
            edit_.commands.push_back(command::Run{index_});
        if (option(
                id_ + "/check_sizes", with_icon(kIconGrid, "Check all sizes"),
                {.enabled = !state_.is_busy && !shown_.obstacle && now_.kernel != kHostBlasName,
                 .tooltip = "Sizes such as 1, primes, and one more than a work-group, where kernels tend to "
                            "be wrong"}))
            edit_.commands.push_back(command::CheckSizes{index_});
        if (option(id_ + "/baseline", with_icon(kIconCheck, "Make it the baseline"),
                   {.enabled = state_.choices.baseline != index_,
                    .tooltip = "The speed-ups of the other kernels are relative to the baseline"}))
            choices.baseline = index_;
        if (option(id_ + "/compare", state_.other == index_ ? "No longer compare with it" : "Compare with it",
                   {.enabled = state_.kernel != index_,
                    .tooltip = "Its numbers stand next to those of the selected kernel in X-ray"}))
            edit_.commands.push_back(command::SelectKernel{index_, true});
        if (option(id_ + "/pin", with_icon(kIconPin, now_.pinned ? "Unpin" : "Pin"),
                   {.tooltip = "A pinned kernel stays when the others are cleared"}))
            edited().pinned = !now_.pinned;
        if (option(id_ + "/up", with_icon(kIconUp, "Move up"), {.enabled = index_ > 0}))
            move_contestant(choices, edit_.rows, index_, index_ - 1);
        if (option(id_ + "/down", with_icon(kIconDown, "Move down"), {.enabled = index_ + 1 < count}))
            move_contestant(choices, edit_.rows, index_, index_ + 1);
        if (option(id_ + "/duplicate", with_icon(kIconPlus, "Duplicate"),
                   {.enabled = count < kMostContestants,
                    .tooltip = "Compare it with itself at other dimensions or parameters"})) {
            const Experiment::Contestant copy = now_;
            const auto at = static_cast<std::ptrdiff_t>(index_);
            choices.contestants.insert(choices.contestants.begin() + at + 1, copy);
            if (choices.baseline > index_) ++choices.baseline;
            if (edit_.rows.open && *edit_.rows.open > index_) ++*edit_.rows.open;
        }
        if (option(id_ + "/remove", with_icon(kIconTrash, "Remove"))) {
            edit_.rows.open.reset();
            keep_contestants(choices, [&](std::size_t i) { return i != index_; });
        }
    }

    void draw_fields() {
        if (now_.kernel == kHostBlasName) return;
        const float width = half_width();
        // The form of a bare file has the work-group of all its rows.
        const auto is_same = [&](const Experiment::Contestant& one) { return one.kernel == now_.kernel; };
        const bool has_local = !shown_.is_bare || !now_.local.empty() ||
                               std::ranges::count_if(edit_.choices.contestants, is_same) > 1;
        if (has_local) draw_local(shown_.params.empty() ? ImGui::GetContentRegionAvail().x : width);
        bool right = has_local;
        for (const ParamPreview& param : shown_.params) {
            if (right) beside_last();
            draw_param(param, width);
            right = !right;
        }
        draw_device();
    }

    /// Only if there is a choice, or if the chosen device is gone.
    void draw_device() {
        const auto& list = state_.session->devices;
        if (!list || (list->devices.size() < 2 && now_.device.empty())) return;
        const auto name_of = [&](const std::string& id) {
            const auto found = std::ranges::find(list->devices, id, &DeviceInfo::id);
            return found == list->devices.end() ? id : id + "  " + found->name;
        };
        field_label(id_ + "/device/label", "Device");
        const std::string same = "The experiment's";
        const Combo combo(id_ + "/device", now_.device.empty() ? same : name_of(now_.device),
                          {.popup_width = 28 * ImGui::GetFontSize()});
        if (!combo.open) return;
        if (option(id_ + "/device/same", same, {.chosen = now_.device.empty()})) edited().device.clear();
        for (const DeviceInfo& device : list->devices)
            if (option(id_ + "/device/option/" + device.id, name_of(device.id),
                       {.chosen = device.id == now_.device}))
                edited().device = device.id;
    }

    void draw_local(float width) {
        ImGui::BeginGroup();
        field_label(id_ + "/local/label", "Work-group");
        std::string words = local_words(now_.local);
        if (now_.local.empty())
            words = shown_.locals.empty() ? "default" : local_words(shown_.locals.front());
        {
            const Combo combo(id_ + "/local", words,
                              {.width = width,
                               .popup_width = 15 * ImGui::GetFontSize(),
                               .tooltip = "Work-items per work-group"});
            if (combo.open) draw_locals();
        }
        ImGui::EndGroup();
    }

    void draw_locals() {
        field_label(id_ + "/local/other", "Other, e.g. 32x4");

        if (const auto typed = typed_field(id_ + "/local/typed", now_.local, edit_.typing)) {
            edited().local = *typed;
            ImGui::CloseCurrentPopup();
        }
        if (option(id_ + "/local/own", "Kernel's default", {.chosen = now_.local.empty()}))
            edited().local.clear();
        for (const std::string& local : shown_.locals)
            if (option(id_ + "/local/option/" + local, local_words(local), {.chosen = local == now_.local}))
                edited().local = local;
        const bool listed =
            std::find(shown_.locals.begin(), shown_.locals.end(), now_.local) != shown_.locals.end();
        if (!now_.local.empty() && !listed)
            option(id_ + "/local/option/" + now_.local, local_words(now_.local), {.chosen = true});
    }

    void draw_param(const ParamPreview& param, float width) {
        ImGui::BeginGroup();
        const std::string id = id_ + "/param/" + param.name;
        field_label(id + "/label", param.name, width);
        {
            const Combo combo(id, param.chosen, {.width = width});
            if (combo.open)
                for (const std::string& value : param.values)
                    if (option(id + "/option/" + value, value, {.chosen = value == param.chosen}))
                        choose_param(param, value);
        }
        ImGui::EndGroup();
    }

    void choose_param(const ParamPreview& param, const std::string& value) {
        // A value that the user did not set came from the work-group. Reset the work-group, because it would
        // set the value again.
        const bool typed = find_named(now_.params, param.name) != nullptr;
        if (!typed && param.chosen != param.values.front()) edited().local.clear();
        kwb::choose_param(edited(), param, value);
    }

    void draw_remarks() {
        if (state_.choices.baseline == index_ && state_.choices.contestants.size() > 1)
            remark(id_ + "/is_baseline", "The others are compared with it", Tone::Accent);
        if (shown_.obstacle) return remark(id_ + "/obstacle", *shown_.obstacle, Tone::Normal, kIconForbidden);
        if (now_.kernel == kHostBlasName)
            remark(id_ + "/geometry", "The CPU's BLAS library");
        else if (!shown_.geometry.empty())
            remark(id_ + "/geometry", shown_.geometry);
        for (std::size_t i = 0; i < shown_.warnings.size(); ++i)
            remark(id_ + "/warning/" + std::to_string(i), shown_.warnings[i], Tone::Warning);
    }

    static inline const Preview::Contestant kNothing;

    ChoicesEdit& edit_;
    const DeskState& state_;
    std::size_t index_;
    std::size_t color_;  ///< its slot among the colours of charts
    std::string id_;
    const Experiment::Contestant& now_;
    const Preview::Contestant& shown_;
};

}  // namespace

std::string misfit_word(const Preview::Contestant& shown) {
    const bool is_incomplete = shown.is_bare && (shown.unreadable || !shown.completed.missing().empty());
    return is_incomplete ? "incomplete" : shown.unreadable ? "unreadable" : "does not fit";
}

void move_contestant(Experiment& choices, KernelRows& rows, std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t index) {
        return choices.contestants.begin() + static_cast<std::ptrdiff_t>(index);
    };
    if (from < to)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
    const auto moved = [&](std::size_t index) {
        if (index == from) return to;
        if (from < index && index <= to) return index - 1;
        if (to <= index && index < from) return index + 1;
        return index;
    };
    choices.baseline = moved(choices.baseline);
    if (rows.open) rows.open = moved(*rows.open);
}

void draw_kernel_row(ChoicesEdit& edit, std::size_t index, std::size_t color) {
    Row(edit, index, color).draw();
}

}  // namespace kwb::gui
