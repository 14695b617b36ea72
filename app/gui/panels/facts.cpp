#include "gui/panels/facts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "gui/widgets.hpp"

namespace kwb::gui {
float width_of(std::string_view words) {
    return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
}

void draw_facts(std::string_view id, const Facts& facts) {
    if (facts.empty()) return;
    float names = 0;
    for (const Fact& fact : facts) names = std::max(names, width_of(fact.name));
    const float second = ImGui::GetCursorPosX() + names + 2 * look().tokens().gap;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look().tokens().gap_small, look().tokens().hair));
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const std::string row = std::string(id) + "/" + std::to_string(i);
        text(row + "/name", facts[i].name, {.tone = Tone::Muted});
        ImGui::SameLine();
        ImGui::SetCursorPosX(second);
        text(row + "/value", facts[i].value, {.wraps = true});
    }
    ImGui::PopStyleVar();
}

void draw_rows(std::string_view id, const ListedRows& rows) {
    const float gap = 2 * look().tokens().gap_small, room = ImGui::GetContentRegionAvail().x;
    const std::size_t columns = rows.heads.size();
    std::vector<float> widths(columns);
    float sum = -gap;
    for (std::size_t k = 0; k < columns; ++k) {
        {
            const FontScope font(look().fonts().small);
            widths[k] = width_of(rows.heads[k]);
        }
        const FontScope font(look().fonts().mono);
        for (const auto& line : rows.lines) widths[k] = std::max(widths[k], width_of(line[k]));
        sum += widths[k] + gap;
    }
    if (sum > room)  // shrink all columns equally
        for (float& width : widths)
            width *= std::max(0.1f, room - gap * static_cast<float>(columns - 1)) /
                     (sum - gap * static_cast<float>(columns - 1));
    const float left = ImGui::GetCursorPosX();
    const auto draw_line = [&](const std::string& line_id, const std::vector<std::string>& words,
                               ImFont* font, Tone tone) {
        float x = left;
        for (std::size_t k = 0; k < columns; ++k) {
            if (k > 0) ImGui::SameLine();
            const FontScope scope(font);
            const std::string shown = shortened(words[k], widths[k] + 1);
            ImGui::SetCursorPosX(k == 0 ? x : x + std::max(0.0f, widths[k] - width_of(shown)));
            text(line_id + "/" + std::to_string(k), shown, {.tone = tone, .font = font});
            if (shown != words[k]) tooltip(words[k]);
            x += widths[k] + gap;
        }
    };
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look().tokens().hair));
    draw_line(std::string(id) + "/head", rows.heads, look().fonts().small, Tone::Muted);
    for (std::size_t i = 0; i < rows.lines.size(); ++i)
        draw_line(std::string(id) + "/" + std::to_string(i), rows.lines[i], look().fonts().mono,
                  Tone::Normal);
    ImGui::PopStyleVar();
}

void draw_printed(std::string_view id, const std::string& words) {
    constexpr std::ptrdiff_t kMostLines = 14;
    const std::string name(id);
    const std::ptrdiff_t lines = 1 + std::count(words.begin(), words.end(), '\n');
    {
        const FontScope font(look().fonts().mono);
        const float height = static_cast<float>(std::clamp<std::ptrdiff_t>(lines + 1, 3, kMostLines)) *
                                 ImGui::GetTextLineHeight() +
                             2 * ImGui::GetStyle().FramePadding.y;
        // Read-only: ImGui does not modify the buffer.
        ImGui::InputTextMultiline(("##" + name).c_str(), const_cast<char*>(words.c_str()), words.size() + 1,
                                  {-1, height}, ImGuiInputTextFlags_ReadOnly);
        probe(name);
    }
    if (button(name + "/copy", "Copy", {.icon = kIconFile, .kind = ButtonKind::Quiet}))
        ImGui::SetClipboardText(words.c_str());
}

namespace {

std::string who(const std::string& name, const std::string& file) {
    return name.empty() ? std::filesystem::path(file).filename().string() : name;
}

}  // namespace

std::string short_line(const IdleDriver& driver) {
    return who(driver.name, driver.driver_file) + ": no device in this machine";
}

std::string short_line(const DriverFailure& failure) {
    const std::string driver = who(failure.name, failure.driver_file);
    switch (failure.kind) {
        case DriverFailure::Kind::NotLoaded:
            return driver + ": its library cannot be loaded";
        case DriverFailure::Kind::Refused:
            return driver + ": returns an error";
        case DriverFailure::Kind::Crashed:
            return driver + ": crashes when queried";
        case DriverFailure::Kind::Hung:
            return driver + ": does not answer";
        case DriverFailure::Kind::NoCompiler:
            return driver + ": has no compiler";
    }
    return driver;
}

std::string short_line(const StartingDriver& driver) {
    return fmt::format("{}: starting, {:.0f} s of at most {:g} s", who("", driver.driver_file),
                       driver.waited_ms / 1000, driver.most_ms / 1000);
}

bool is_alarming(const DriverFailure& failure) {
    return failure.kind != DriverFailure::Kind::NotLoaded;
}

}  // namespace kwb::gui
