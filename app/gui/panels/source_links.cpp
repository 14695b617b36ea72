// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/source_links.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "gui/code_line.hpp"

namespace kwb::gui {

std::optional<DocumentId> document_of(const DeskState& state, const std::string& file) {
    const std::filesystem::path wanted(file);
    for (const auto& document : state.documents)
        if (document->path() == wanted) return document->id();
    for (const auto& document : state.documents)
        if (document->path().filename() == wanted.filename()) return document->id();
    return std::nullopt;
}

void go_to_line(const DeskState& state, const std::string& file, std::uint32_t line, Commands& commands) {
    const auto document = document_of(state, file);
    if (!document) return;
    command::BringToFront front{*document};
    if (line > 0) front.line = line - 1;
    commands.push_back(front);
}

namespace {

using ColoredLine = std::pair<std::string_view, std::span<const editor::Span>>;

/// @param line_at  the text of a line from 0, and its colours
template <class LineAt>
void draw_excerpt(const std::string& id, std::size_t lines, const LineAt& line_at, std::uint32_t number) {
    if (number == 0 || number > lines) return;
    constexpr std::size_t kRows = 3;  // the line in the middle
    const std::size_t here = number - 1;
    const CodeGrid grid = code_grid();
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    const float left = number_width(grid, lines, 2) + tokens().gap;
    // Indented no more than this line.
    const std::size_t indent =
        std::min(line_at(here).first.find_first_not_of(' '), line_at(here).first.size());
    const VisibleColumns columns{indent, indent + static_cast<std::size_t>(room / grid.advance)};
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t row = 0; row < kRows; ++row) {
        const std::size_t line = here + row - kRows / 2;
        if (line >= lines) continue;  // also before the first one
        const ImVec2 at = {corner.x, corner.y + to_float(row) * grid.line_height};
        if (line == here)
            list.AddRectFilled(at, {at.x + room, at.y + grid.line_height}, colors().selection.u32());
        draw_line_number(list, {at.x + left - tokens().gap_small, at.y}, grid, line + 1,
                         (line == here ? colors().text : colors().text_muted).u32());
        ImGui::PushClipRect({at.x + left, at.y}, {at.x + room, at.y + grid.line_height}, true);
        const auto [words, spans] = line_at(line);
        draw_code_line(list, {at.x + left - to_float(indent) * grid.advance, at.y}, grid, words, spans,
                       columns);
        ImGui::PopClipRect();
    }
    ImGui::Dummy({room, kRows * grid.line_height});
    probe(id, {.label = std::string(line_at(here).first), .container = true});
}

}  // namespace

void draw_source_excerpt(const DeskState& state, const std::string& id, const std::string& file,
                         std::uint32_t line) {
    const auto document = document_of(state, file);
    const Document* const shown = document ? state.find_document(*document) : nullptr;
    if (shown == nullptr) return;
    const editor::TextBuffer& source = shown->buffer();
    draw_excerpt(
        id, std::min(source.line_count(), shown->colors().line_count()),
        [&](std::size_t i) { return ColoredLine(source.line(i), shown->colors().line(i)); }, line);
}

void draw_source_excerpt(const std::string& id, const ColoredLines& source, std::uint32_t line) {
    draw_excerpt(
        id, source.lines.size(), [&](std::size_t i) { return ColoredLine(source.lines[i], source.spans[i]); },
        line);
}

void draw_source_remark(const DeskState& state, const std::string& id, const SourceRemark& remark,
                        Commands& commands) {
    const std::string file(remark.file);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().hair));
    if (document_of(state, file)) {
        if (button(id + "/place", remark.head,
                   {.icon = kIconCode,
                    .kind = ButtonKind::Quiet,
                    .tooltip = remark.line > 0 ? "Go to this line of the source" : "Show this source"}))
            go_to_line(state, file, remark.line, commands);
    } else {
        text(id + "/place", remark.head, {.tone = remark.tone});
    }
    ImGui::PopStyleVar();
    ImGui::PushTextWrapPos(0);
    message_text(id + "/sentence", remark.sentence);
    ImGui::PopTextWrapPos();
}

void draw_contestants(const DeskState& state, const std::string& id, Commands& commands) {
    const auto& shown = state.preview.contestants;
    if (shown.size() < 2) return;
    const std::size_t chosen = selected_contestant(state);
    ButtonRow row(tokens().hair);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string label = shortened(shown[i].label, ImGui::GetWindowWidth() / 2);
        const bool is_shown = i == chosen || i == state.other;
        if (row.add(id + "/" + std::to_string(i), label,
                    {.kind = i == chosen ? ButtonKind::Normal : ButtonKind::Quiet,
                     .tooltip = label == shown[i].label ? std::string_view() : shown[i].label}))
            commands.push_back(command::SelectKernel{i, ImGui::GetIO().KeyCtrl});
        underline_last(series_color(i, is_shown ? 255 : 110), tokens().hair);
    }
}

}  // namespace kwb::gui
