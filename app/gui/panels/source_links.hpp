// SPDX-License-Identifier: Apache-2.0
// Links between panels and the source: remarks about a line, and the contestant that a panel shows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "editor/highlight.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// The open document of a file; one of the same name in another folder if there is no other, because
/// compilers print names without folders.
std::optional<DocumentId> document_of(const DeskState& state, const std::string& file);

/// Brings a line (from 1; 0: unknown) of an open file to the front.
void go_to_line(const DeskState& state, const std::string& file, std::uint32_t line, Commands& commands);

struct ColoredLines {
    std::vector<std::string> lines;
    std::vector<std::vector<editor::Span>> spans;  ///< by line
};

/// A line (from 1) of a file and its neighbours, if the file is open.
/// @param id  of the line's probe
void draw_source_excerpt(const DeskState& state, const std::string& id, const std::string& file,
                         std::uint32_t line);
/// The same of a text that is not open, or no longer so.
void draw_source_excerpt(const std::string& id, const ColoredLines& source, std::uint32_t line);

struct SourceRemark {
    std::string_view file;
    std::uint32_t line = 0;  ///< from 1; 0: unknown
    std::string_view head;
    std::string_view sentence;
    Tone tone = Tone::Normal;  ///< of the head, where the file is not open
};

/// A click on the head, or Enter, goes to the line.
void draw_source_remark(const DeskState& state, const std::string& id, const SourceRemark& remark,
                        Commands& commands);

/// A button for each contestant, if there are several. A click selects it for all panels, with Ctrl as the
/// one to compare with.
void draw_contestants(const DeskState& state, const std::string& id, Commands& commands);

/// The selected contestant: an index into Preview::contestants, of which there is at least one.
inline std::size_t selected_contestant(const DeskState& state) {
    return std::min(state.kernel, state.preview.contestants.size() - 1);
}

}  // namespace kwb::gui
