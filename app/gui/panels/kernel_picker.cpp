#include "gui/panels/experiment_parts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {
namespace {

bool matches(const KernelEntry& entry, std::string_view filter) {
    const std::string words = to_lower(entry.name + " " + entry.title);
    for (const std::string& part : split(to_lower(trim(filter)), ' '))
        if (words.find(part) == std::string::npos) return false;
    return true;
}

}  // namespace

std::string kernel_words(std::string_view kernel) {
    const std::size_t slash = kernel.find_last_of('/');
    if (slash != std::string_view::npos) kernel.remove_prefix(slash + 1);
    if (kernel.ends_with(".cl")) kernel.remove_suffix(3);
    return std::string(kernel);
}

std::optional<std::string> KernelPicker::draw(std::string_view id, const DeskState& state,
                                              std::string_view problem, std::string_view chosen) {
    const std::string name(id);
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) filter_.clear();
    const TextFieldState typed =
        text_field(name + "/filter", filter_,
                   {.icon = kIconSearch, .hint = "Part of its name or title", .takes_keyboard = appears});
    std::optional<std::string> result;
    std::string_view of_problem;
    const KernelEntry* entered = nullptr;  // for Enter: exactly this name, otherwise the first
    for (const KernelEntry& entry : state.kernels) {
        const bool fits = problem.empty() || entry.may_solve(problem);
        if (!fits || !matches(entry, filter_)) continue;
        if (problem.empty() && entry.problem != of_problem) {
            of_problem = entry.problem;
            field_label(name + "/problem/" + entry.problem, entry.problem.empty() ? "Others" : entry.problem);
        }
        const bool usable = entry.error.empty();
        const bool taken = option(name + "/option/" + entry.name, kernel_words(entry.name),
                                  {.chosen = entry.name == chosen,
                                   .enabled = usable,
                                   .remark = usable ? entry.title : entry.error,
                                   .tooltip = usable ? std::string_view() : entry.error});
        if (!usable) continue;
        if (taken) result = entry.name;
        if (!entered || kernel_words(entry.name) == trim(filter_)) entered = &entry;
    }
    if (typed.entered && entered) result = entered->name;
    if (!entered)
        text(name + "/none", "No kernel of this name; open its file instead", {.tone = Tone::Muted});
    if (result || typed.escaped) ImGui::CloseCurrentPopup();
    return result;
}

}  // namespace kwb::gui
