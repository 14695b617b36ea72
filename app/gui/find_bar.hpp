// SPDX-License-Identifier: Apache-2.0
// Find, replace and go to line, in a bar above the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/find.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::gui {

struct FindBarEvents {
    bool edited = false;  ///< text was replaced
    bool moved = false;   ///< caret or selection changed and should be scrolled into view
    bool closed = false;  ///< keyboard focus returns to the text
};

/// One bar for all documents, so that the search text stays when the user switches files.
class FindBar {
public:
    enum class Mode { Closed, Find, GoToLine };

    /// @param buffer  its selection becomes the search text if it lies within one line
    void open_find(const editor::TextBuffer& buffer);
    void open_go_to();
    void close() { mode_ = Mode::Closed; }
    bool is_open() const { return mode_ != Mode::Closed; }

    FindBarEvents draw(std::string_view id, editor::TextBuffer& buffer);

    /// Selects the next (+1) or previous (-1) occurrence. @return  false if there is none
    bool step(editor::TextBuffer& buffer, int by);

    /// All occurrences while the bar searches, for the text view to highlight; cached until text or query
    /// change.
    std::span<const editor::TextRange> found(const editor::TextBuffer& buffer);

private:
    void draw_find(const std::string& id, editor::TextBuffer& buffer, FindBarEvents& events);
    void draw_go_to(const std::string& id, editor::TextBuffer& buffer, FindBarEvents& events);
    /// "3 of 12", "not found"; empty if nothing is searched for.
    std::string count_words(const editor::TextBuffer& buffer);
    void select_from_here(editor::TextBuffer& buffer);

    Mode mode_ = Mode::Closed;
    bool wants_keyboard_ = false;  ///< the field requests focus from the next frame on
    bool takes_keyboard_ = false;  ///< the field takes focus in this frame
    editor::FindQuery query_;
    std::string replacement_;
    std::string line_;
    editor::Position searched_from_;  ///< start of the incremental search while the needle is typed
    std::string remark_;              ///< "12 replaced"

    struct FoundIn {
        const editor::TextBuffer* buffer = nullptr;
        std::uint64_t revision = 0;
        editor::FindQuery query;
        friend bool operator==(const FoundIn&, const FoundIn&) = default;
    };
    FoundIn found_in_;
    std::vector<editor::TextRange> found_;
};

}  // namespace kwb::gui
