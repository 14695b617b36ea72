// The source panel with one document opened.
#pragma once

#include <string>
#include <string_view>

#include "gui/source_stage.hpp"

namespace kwb::test {

inline constexpr std::string_view kSourceText =
    "float one(float x) { return x; }\n"
    "float two(float X) { return one(X); }\n"
    "\n"
    "float xx = 1;\n";

/// A panel of 1024 × 640 that shows "a.cl" with this text.
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
