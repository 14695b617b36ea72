#include "gui/panels/experiment_parts.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "gui/look.hpp"

namespace kwb::gui {
namespace {

/// Exponents of two of the slider's range, which take from a moment to some seconds on a CPU. The more
/// extents there are, the more work a given size is.
struct Steps {
    int least, most;
};
Steps steps_for(std::size_t extents) {
    if (extents <= 1) return {10, 28};
    if (extents == 2) return {5, 14};
    return {4, 13};
}

bool all_alike(const Sizes& sizes) {
    return std::all_of(sizes.begin(), sizes.end(),
                       [&](const auto& size) { return size.value == sizes.front().value; });
}

/// "1024 = 2^10", "1000", "512 \u00d7 256 \u00d7 1024"
std::string words_of(const Sizes& sizes) {
    const std::int64_t first = sizes.front().value;
    if (all_alike(sizes)) {
        const bool power = (first & (first - 1)) == 0;
        const int exponent = static_cast<int>(std::lround(std::log2(static_cast<double>(first))));
        return std::to_string(first) + (power ? " = 2^" + std::to_string(exponent) : "");
    }
    std::vector<std::string> extents;
    for (const auto& size : sizes) extents.push_back(std::to_string(size.value));
    return join(extents, " \u00d7 ");
}

}  // namespace

void SizeFields::draw(ChoicesEdit& edit) {
    if (edit.choices.sizes.empty()) return;
    draw_slider(edit);
    draw_extents(edit);
}

void SizeFields::draw_slider(ChoicesEdit& edit) {
    Sizes& sizes = edit.choices.sizes;
    const std::int64_t first = sizes.front().value;
    const Steps steps = steps_for(sizes.size());
    field_label("experiment/size", "Size  " + words_of(sizes));
    const int now = static_cast<int>(std::lround(std::log2(static_cast<double>(first))));
    const auto moved = step_slider("experiment/size/slider", now, steps.least, steps.most);
    if (!moved) return;
    for (auto& size : sizes)
        if (size.value == first) size.value = std::int64_t{1} << *moved;
}

void SizeFields::draw_extents(ChoicesEdit& edit) {
    Sizes& sizes = edit.choices.sizes;
    const bool alike = all_alike(sizes);
    const float gap = look().tokens().gap_small;
    const auto count = static_cast<float>(std::min<std::size_t>(sizes.size(), 3));
    const float width = std::floor((ImGui::GetContentRegionAvail().x - (count - 1) * gap) / count);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (i % 3 != 0) beside_last();
        ImGui::BeginGroup();
        const std::string id = "experiment/size/" + sizes[i].name;
        text(id + "/label", sizes[i].name, {.tone = Tone::Muted, .font = look().fonts().small});
        const auto typed =
            typed_field(id, std::to_string(edit.state.choices.sizes[i].value), edit.typing, width);
        ImGui::EndGroup();
        if (!typed) continue;
        const auto value = read_extent(*typed);
        if (!value) {
            edit.typing.refuse(sizes[i].name + ": " + not_a_number(*typed, "1 to 2147483647"));
            continue;
        }
        if (linked_ && alike)
            for (auto& size : sizes) size.value = *value;
        else
            sizes[i].value = *value;
    }
    if (sizes.size() > 1) {
        if (tick("experiment/size/linked", "Equal extents", linked_ && alike,
                 "A number typed into one field is taken for all of them")) {
            linked_ = !(linked_ && alike);
            if (linked_)
                for (auto& size : sizes) size.value = sizes.front().value;
        }
    }
    draw_bytes(edit.state, sizes.size() > 1);
}

void SizeFields::draw_bytes(const DeskState& state, bool beside_tick) {
    if (state.preview.device_bytes == 0) return;
    const FontScope font(look().fonts().small);
    const std::string words = format_bytes(state.preview.device_bytes) + " on the device";
    if (beside_tick) {
        // At the right end of the line, if there is room.
        const float begin = ImGui::GetItemRectMax().x + look().tokens().gap;
        const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        const float width = ImGui::CalcTextSize(words.c_str()).x;
        if (end - width >= begin) {
            const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
            ImGui::SameLine();
            ImGui::SetCursorScreenPos({end - width, std::round(middle - ImGui::GetFontSize() / 2)});
            ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset = 0;
        }
    }
    text("experiment/size/bytes", words, {.tone = Tone::Muted, .font = look().fonts().small, .wraps = true});
}

}  // namespace kwb::gui
