// Finding, replacing and going to a line, in a bar above the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/find.hpp"
#include "editor/text_buffer.hpp"

namespace kwb::gui {

struct FindBarEvents {
    bool edited = false;  ///< something was replaced
    bool moved = false;   ///< caret and selection are elsewhere: reveal them
    bool closed = false;  ///< the keyboard goes back to the text
};

/// One bar for all documents: what is searched for stays when the person changes files.
/// Probes: `id`/needle, `id`/count, `id`/previous, `id`/next, `id`/case, `id`/word, `id`/close,
/// `id`/replacement, `id`/replace, `id`/replace_all; `id`/line, `id`/go.
class FindBar {
public:
    enum class Mode { Closed, Find, GoToLine };

    /// @param buffer  its selection, if it lies in one line, is what is looked for from now on
    void open_find(const editor::TextBuffer& buffer);
    void open_go_to();
    void close() { mode_ = Mode::Closed; }
    bool is_open() const { return mode_ != Mode::Closed; }
    Mode mode() const { return mode_; }

    FindBarEvents draw(std::string_view id, editor::TextBuffer& buffer);

    /// Select the next (+1) or the previous (-1) occurrence. @return  false if there is none
    bool step(editor::TextBuffer& buffer, int by);

    /// All occurrences while the bar finds, for the text to show; kept until text or query change.
    std::span<const editor::TextRange> found(const editor::TextBuffer& buffer);

private:
    void draw_find(const std::string& id, editor::TextBuffer& buffer, FindBarEvents& events);
    void draw_replace(const std::string& id, editor::TextBuffer& buffer, FindBarEvents& events);
    void draw_go_to(const std::string& id, editor::TextBuffer& buffer, FindBarEvents& events);
    void select_from_here(editor::TextBuffer& buffer);

    Mode mode_ = Mode::Closed;
    bool wants_keyboard_ = false;  ///< the field, from the next frame on
    bool takes_keyboard_ = false;  ///< in this frame
    editor::FindQuery query_;
    std::string replacement_;
    std::string line_;
    editor::Position searched_from_;  ///< while the needle is being typed
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
