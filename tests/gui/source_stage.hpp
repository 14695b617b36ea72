// SPDX-License-Identifier: Apache-2.0
// The source panel with sample documents, in its own window.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gui/gui_driver.hpp"
#include "gui/panels/source_panel.hpp"
#include "gui/source_stage.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {

/// Executes the panel's commands as the desk would, without a judge and without watching files.
class SourceProgram : public gui::Program {
public:
    SourceProgram();

    void draw() override;

    /// Create a file with this text, open it and bring it to the front.
    Document& open(const std::string& name, std::string_view text, bool read_only = false);
    Document& document(DocumentId id);

    /// Number of commands of this type so far.
    template <typename Wanted>
    std::size_t count() const {
        std::size_t found = 0;
        for (const Command& command : given) found += std::holds_alternative<Wanted>(command) ? 1 : 0;
        return found;
    }

    TempFolder folder;
    DeskState state;
    gui::PendingSave pending;
    gui::Hovered hovered;
    gui::SourcePanel panel{pending, hovered};
    Commands given;  ///< all commands so far

private:
    void perform(const Command& command);

    DocumentId last_document_ = 0;
};

/// Position in the front document, relative to the size of the probe source/text (0 … 1); assumes that the
/// text is not scrolled.
struct TextShare {
    double x, y;
};
TextShare share_of(GuiDriver& driver, editor::Position position);

// The source panel with one open document.

inline constexpr std::string_view kSourceText =
    "float one(float x) { return x; }\n"
    "float two(float X) { return one(X); }\n"
    "\n"
    "float xx = 1;\n";

/// A panel of 1024 × 640 pixels that shows "a.cl" with this text.
struct Opened {
    explicit Opened(std::string_view text = kSourceText, bool read_only = false) {
        program.open("a.cl", text, read_only);
        driver.settle();
    }
    Document& document() { return program.document(1); }
    editor::TextBuffer& buffer() { return document().buffer(); }
    void edit(const std::string& words = "// mine\n") {
        buffer().type(words);
        document().refresh();
        driver.settle();
    }

    WindowlessStage stage{1024, 640};
    SourceProgram program;
    GuiDriver driver{stage, program};
};

}  // namespace kwb::test
