// The kernels of the experiment: the list to choose from, and the block of each.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/widgets.hpp"
#include "model/request.hpp"

namespace kwb::gui {
namespace {

bool matches(const KernelEntry& entry, std::string_view filter) {
    const std::string words = to_lower(entry.name + " " + entry.title);
    for (const std::string& part : split(to_lower(trim(filter)), ' '))
        if (words.find(part) == std::string::npos) return false;
    return true;
}

/// Width of a field, so that two fit in a row.
float half_width() {
    return std::floor((ImGui::GetContentRegionAvail().x - tokens().gap_small) / 2);
}

/// Formats "16x16" for display: "16 × 16".
std::string local_words(std::string_view local) {
    std::string words;
    for (const char c : local) words += c == 'x' ? " \u00d7 " : std::string(1, c);
    return local == "auto" ? "by the driver" : words;
}

class Block {
public:
    Block(ChoicesEdit& edit, std::size_t index)
        : edit_(edit),
          state_(edit.state),
          index_(index),
          id_("experiment/contestant/" + std::to_string(index)),
          now_(state_.choices.contestants[index]),
          shown_(index < state_.preview.contestants.size() ? state_.preview.contestants[index] : kNothing) {}

    void draw() {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::Indent(tokens().gap);
        ImGui::BeginGroup();
        draw_kernel();
        draw_fields();
        draw_remarks();
        ImGui::EndGroup();
        ImGui::Unindent(tokens().gap);
        ImGui::GetWindowDrawList()->AddRectFilled(corner,
                                                  {corner.x + tokens().hair, ImGui::GetItemRectMax().y},
                                                  series_color(index_), tokens().hair / 2);
    }

private:
    Choices::Contestant& wished() { return edit_.choices.contestants[index_]; }

    void draw_kernel() {
        const float more = ImGui::GetFrameHeight() * 1.2f;
        const float gap = tokens().hair;
        {
            const Combo combo(id_ + "/kernel", short_kernel_name(now_.kernel),
                              {.width = ImGui::GetContentRegionAvail().x - more - gap,
                               .popup_width = 34 * ImGui::GetFontSize(),
                               .tooltip = shown_.title});
            if (combo.open)
                if (const auto kernel =
                        pick_kernel(edit_, id_ + "/kernel", state_.choices.problem, now_.kernel))
                    if (*kernel != now_.kernel) wished() = {*kernel, {}, ""};
        }
        ImGui::SameLine(0, gap);
        if (button(id_ + "/more", "\u2026",
                   {.kind = ButtonKind::Quiet,
                    .width = more,
                    .tooltip = "Duplicate it, make it the baseline, remove it"}))
            ImGui::OpenPopup((id_ + "/menu").c_str());
        draw_menu();
    }

    void draw_menu() {
        const Popup popup((id_ + "/menu").c_str());
        if (!popup.open) return;
        const auto at = static_cast<std::ptrdiff_t>(index_);
        const bool is_baseline = state_.choices.baseline == index_;
        if (option(id_ + "/baseline", with_icon(kIconCheck, "Make it the baseline"),
                   {.enabled = !is_baseline,
                    .tooltip = "The speed-ups of the other kernels are relative to the baseline"}))
            edit_.choices.baseline = index_;
        if (option(id_ + "/duplicate", with_icon(kIconPlus, "Duplicate"),
                   {.enabled = state_.choices.contestants.size() < kMostContestants,
                    .tooltip = "Compare it with itself at other dimensions or parameters"})) {
            const Choices::Contestant copy = now_;
            edit_.choices.contestants.insert(edit_.choices.contestants.begin() + at + 1, copy);
            if (edit_.choices.baseline > index_) ++edit_.choices.baseline;
        }
        if (option(id_ + "/remove", with_icon(kIconTrash, "Remove")))
            edit_.commands.push_back(command::RemoveContestant{index_});
    }

    void draw_fields() {
        if (now_.kernel == kHostBlasName) return;
        const float width = half_width();
        draw_local(shown_.params.empty() ? ImGui::GetContentRegionAvail().x : width);
        bool right = true;
        for (const ParamPreview& param : shown_.params) {
            if (right) beside_last();
            draw_param(param, width);
            right = !right;
        }
    }

    void draw_local(float width) {
        ImGui::BeginGroup();
        field_label(id_ + "/local/label", "Work-group");
        std::string words = local_words(now_.local);
        if (now_.local.empty())
            words = shown_.locals.empty() ? "its own" : local_words(shown_.locals.front());
        {
            const Combo combo(id_ + "/local", words,
                              {.width = width,
                               .popup_width = 15 * ImGui::GetFontSize(),
                               .tooltip = "Work-items in a work-group"});
            if (combo.open) draw_locals();
        }
        ImGui::EndGroup();
    }

    void draw_locals() {
        if (option(id_ + "/local/own", "The kernel's own", {.chosen = now_.local.empty()}))
            wished().local.clear();
        for (const std::string& local : shown_.locals)
            if (option(id_ + "/local/option/" + local, local_words(local), {.chosen = local == now_.local}))
                wished().local = local;
        const bool listed =
            std::find(shown_.locals.begin(), shown_.locals.end(), now_.local) != shown_.locals.end();
        if (!now_.local.empty() && !listed)
            option(id_ + "/local/option/" + now_.local, local_words(now_.local), {.chosen = true});
        field_label(id_ + "/local/other", "Another one, e.g. 32x4");

        if (const auto typed = typed_field(id_ + "/local/typed", now_.local, edit_.typing)) {
            wished().local = *typed;
            ImGui::CloseCurrentPopup();
        }
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
        auto& params = wished().params;
        // A value that the user did not set came from the work-group. Reset the work-group, because it would
        // set the value again.
        const bool typed = find_named(params, param.name) != nullptr;
        if (!typed && param.chosen != param.values.front()) wished().local.clear();
        std::erase_if(params, [&](const auto& one) { return one.name == param.name; });
        if (value != param.values.front()) params.push_back({param.name, value});
    }

    void draw_remarks() {
        if (state_.choices.baseline == index_ && state_.choices.contestants.size() > 1)
            remark(id_ + "/is_baseline", "The others are compared with it", Tone::Accent);
        if (shown_.obstacle) return remark(id_ + "/obstacle", *shown_.obstacle, Tone::Danger, kIconWarning);
        if (now_.kernel == kHostBlasName)
            remark(id_ + "/geometry", "The host's library, on the processor");
        else if (!shown_.geometry.empty())
            remark(id_ + "/geometry", shown_.geometry);
        for (std::size_t i = 0; i < shown_.warnings.size(); ++i)
            remark(id_ + "/warning/" + std::to_string(i), shown_.warnings[i], Tone::Warning);
    }

    static inline const Preview::Contestant kNothing;

    ChoicesEdit& edit_;
    const DeskState& state_;
    std::size_t index_;
    std::string id_;
    const Choices::Contestant& now_;
    const Preview::Contestant& shown_;
};

}  // namespace

std::optional<std::string> pick_kernel(ChoicesEdit& edit, const std::string& id, std::string_view problem,
                                       std::string_view chosen) {
    std::string& filter = edit.kernel_filter;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) filter.clear();
    const TextFieldState typed =
        text_field(id + "/filter", filter,
                   {.icon = kIconSearch, .hint = "Part of its name or title", .takes_keyboard = appears});
    std::optional<std::string> result;
    std::string_view of_problem;
    const KernelEntry* entered = nullptr;  // for Enter: exactly this name, otherwise the first
    for (const KernelEntry& entry : edit.state.kernels) {
        const bool fits = problem.empty() || entry.may_solve(problem);
        if (!fits || !matches(entry, filter)) continue;
        if (problem.empty() && entry.problem != of_problem) {
            of_problem = entry.problem;
            field_label(id + "/problem/" + entry.problem, entry.problem.empty() ? "Others" : entry.problem);
        }
        const bool usable = entry.error.empty();
        const bool taken = option(id + "/option/" + entry.name, short_kernel_name(entry.name),
                                  {.chosen = entry.name == chosen,
                                   .enabled = usable,
                                   .remark = usable ? entry.title : entry.error,
                                   .tooltip = usable ? std::string_view() : entry.error});
        if (!usable) continue;
        if (taken) result = entry.name;
        if (!entered || short_kernel_name(entry.name) == trim(filter)) entered = &entry;
    }
    if (typed.entered && entered) result = entered->name;
    if (!entered) text(id + "/none", "No kernel of this name; open its file instead", {.tone = Tone::Muted});
    if (result || typed.escaped) ImGui::CloseCurrentPopup();
    return result;
}

void draw_contestant(ChoicesEdit& edit, std::size_t index) {
    Block(edit, index).draw();
}

}  // namespace kwb::gui
