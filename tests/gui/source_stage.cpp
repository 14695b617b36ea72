// SPDX-License-Identifier: Apache-2.0
#include "gui/source_stage.hpp"

#include <algorithm>
#include <stdexcept>

#include "gui/code_line.hpp"
#include "gui/look.hpp"
#include "gui/widgets.hpp"

namespace kwb::test {

SourceProgram::SourceProgram() {
    state.session = std::make_shared<Snapshot>();
}

Document& SourceProgram::open(const std::string& name, std::string_view text, bool read_only) {
    const auto file = folder.write(name, text);
    state.documents.push_back(std::make_shared<Document>(++last_document_, file, read_only));
    state.front = last_document_;
    return *state.documents.back();
}

Document& SourceProgram::document(DocumentId id) {
    for (const auto& shown : state.documents)
        if (shown->id() == id) return *shown;
    throw std::out_of_range("no document " + std::to_string(id));
}

void SourceProgram::draw() {
    const gui::Tokens& tokens = gui::look().tokens();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens.gap, tokens.gap));
    ImGui::Begin("program", nullptr, ImGuiWindowFlags_NoDecoration);
    Commands commands;
    {
        const gui::Card card("source", {0, 0});
        if (card.visible) panel.draw(state, commands);
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    for (const Command& command : commands) perform(command);
    given.insert(given.end(), commands.begin(), commands.end());
}

void SourceProgram::perform(const Command& command) {
    if (const auto* save = std::get_if<command::SaveDocument>(&command)) {
        document(save->document).save(save->over_changes);
    } else if (const auto* close = std::get_if<command::CloseDocument>(&command)) {
        if (document(close->document).is_modified() && !close->drop_edits) return;
        std::erase_if(state.documents, [&](const auto& shown) { return shown->id() == close->document; });
        if (state.beside == close->document) state.beside.reset();
        if (state.front == close->document) state.front.reset();
        if (!state.front && !state.documents.empty()) state.front = state.documents.back()->id();
    } else if (const auto* front = std::get_if<command::BringToFront>(&command)) {
        state.front = front->document;
    } else if (const auto* beside = std::get_if<command::PutBeside>(&command)) {
        state.beside = beside->document;
    } else if (const auto* take = std::get_if<command::TakeFromDisk>(&command)) {
        document(take->document).take_from_disk();
        document(take->document).refresh();
    }
}

TextShare share_of(GuiDriver& driver, editor::Position position) {
    const ImRect view = driver.at("source/text").rect, gutter = driver.at("source/text/gutter").full;
    const gui::CodeGrid grid = gui::code_grid();
    const gui::Tokens& tokens = gui::look().tokens();
    const double x = gutter.Max.x + tokens.gap_small + static_cast<float>(position.column) * grid.advance;
    const double y = view.Min.y + tokens.hair + (static_cast<double>(position.line) + 0.5) * grid.line_height;
    return {(x - view.Min.x) / (view.GetWidth() - 1), (y - view.Min.y) / (view.GetHeight() - 1)};
}

}  // namespace kwb::test
