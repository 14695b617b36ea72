// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/text.hpp"
#include "editor/columns.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

// --- line edit ---

template <class Edit>
std::string after(const char* text, Edit edit) {
    TextBuffer buffer = buffer_with(text);
    edit(buffer);
    const std::string result = marked(buffer);
    buffer.undo();
    CHECK(marked(buffer) == marked(buffer_with(text)));  // one undo step; restores the selection
    buffer.redo();
    CHECK(marked(buffer) == result);
    return result;
}

TEST_CASE("Tab fills up to the next step, or indents the selected lines but not empty ones") {
    const auto indent = [](TextBuffer& buffer) { buffer.indent(); };
    CHECK(after("ab|c", indent) == "ab  |c");
    CHECK(after("|x", indent) == "    |x");
    CHECK(after("a^b\n\nc|d\ne", indent) == "    a^b\n\n    c|d\ne");
    CHECK(after("^ab\n|cd", indent) == "^    ab\n|cd");  // the second line is not selected
}

TEST_CASE("Shift+Tab takes up to one step from all touched lines") {
    const auto unindent = [](TextBuffer& buffer) { buffer.unindent(); };
    CHECK(after("      a|b", unindent) == "  a|b");
    CHECK(after("  ^ a\n    b\nc|", unindent) == "^a\nb\nc|");
}

TEST_CASE("comments are toggled at the least indentation, and only taken away if all lines have them") {
    const auto toggle = [](TextBuffer& buffer) { buffer.toggle_comment(); };
    CHECK(after("    a|b", toggle) == "    // a|b");
    CHECK(after("    // a|b", toggle) == "    a|b");
    CHECK(after("//a|b", toggle) == "a|b");
    CHECK(after("  a^\n\n    b|", toggle) == "  // a^\n\n  //   b|");
    CHECK(after("  // a^\n\n  //   b|", toggle) == "  a^\n\n    b|");
    CHECK(after("// a^\nb|", toggle) == "// // a^\n// b|");
    CHECK(after("  |", toggle) == "  // |");
}

TEST_CASE("lines are duplicated below, and the caret goes along") {
    const auto duplicate = [](TextBuffer& buffer) { buffer.duplicate_lines(); };
    CHECK(after("a|b\nc", duplicate) == "ab\na|b\nc");
    CHECK(after("a^b\nc|d", duplicate) == "ab\ncd\na^b\nc|d");
}

TEST_CASE("lines are deleted with their line break, the last one with the one before it") {
    const auto remove = [](TextBuffer& buffer) { buffer.delete_lines(); };
    CHECK(after("abc\nde|f\ng", remove) == "abc\ng|");
    CHECK(after("abc\nde|f", remove) == "ab|c");
    CHECK(after("^a\nb\n|c", remove) == "|c");
    CHECK(after("a|b", remove) == "|");
    CHECK(after("^a\nb|", remove) == "|");
}

TEST_CASE("lines move by one and stop at the text's ends") {
    const auto up = [](TextBuffer& buffer) { buffer.move_lines(-1); };
    const auto down = [](TextBuffer& buffer) { buffer.move_lines(1); };
    CHECK(after("a\nb|\nc", up) == "b|\na\nc");
    CHECK(after("^a\nb|\nc", down) == "c\n^a\nb|");
    TextBuffer first = buffer_with("a|\nb");
    first.move_lines(-1);
    CHECK_FALSE(first.can_undo());
}

// --- tabs ---

TEST_CASE("a tab reaches to the next multiple of the tab width") {
    const std::string_view line = "\ta\t\xC3\xA9x";
    const std::size_t cells[] = {0, 4, 5, 8, 9, 10, 10};
    for (std::size_t column = 0; column < std::size(cells); ++column)
        CHECK(cell_of_column(line, column) == cells[column]);
    CHECK(cells_of(line) == 10);
    CHECK(without_tabs(line) == "    a   \xC3\xA9x");
    const std::size_t columns[] = {0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5};
    for (std::size_t cell = 0; cell < std::size(columns); ++cell) {
        CAPTURE(cell);
        CHECK(column_of_cell(line, cell) == columns[cell]);
    }
}

TEST_CASE("saving after an edit in one line leaves all other lines as they were, byte by byte") {
    for (const std::string end : {"\n", "\r\n"}) {
        std::string file;
        const std::vector<std::string> lines = {"kernel void k() {", "\tint a;  \t", "\t\tif (a)\treturn;",
                                                "    int b;", "\xE2\x80\x96 \t"};
        for (const std::string& line : lines) file += line + end;
        TextBuffer buffer;
        buffer.load(file);
        CHECK(buffer.file_text() == file);
        buffer.set_caret({0, 17});
        buffer.type("x");
        std::string wanted = file;
        wanted.insert(17, "x");
        CHECK(buffer.file_text() == wanted);
    }
}

TEST_CASE("Tab, Enter and } write what the file is indented with") {
    TextBuffer buffer = buffer_with("\tint a;\n\tif (a) {|}\n  x");
    CHECK(buffer.has_tabs());
    buffer.new_line();
    CHECK(marked(buffer) == "\tint a;\n\tif (a) {\n\t\t|\n\t}\n  x");
    buffer = buffer_with("\tif (a) {\n\t\tb;\n\t\t|");
    buffer.type("}");
    CHECK(marked(buffer) == "\tif (a) {\n\t\tb;\n\t}|");
    buffer = buffer_with("\ta|b");
    buffer.indent();
    CHECK(marked(buffer) == "\ta\t|b");
    buffer = buffer_with("^\ta\n\tb|");
    buffer.indent();
    CHECK(marked(buffer) == "^\t\ta\n\t\tb|");
    buffer.unindent();
    buffer.unindent();
    CHECK(marked(buffer) == "^a\nb|");
    buffer = buffer_with("    a\n|");
    CHECK_FALSE(buffer.has_tabs());
    buffer.indent();
    CHECK(marked(buffer) == "    a\n    |");
}

TEST_CASE("Backspace takes one tab, or the blanks back to the last step") {
    TextBuffer buffer = buffer_with("\t\t|a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t|a");
    buffer = buffer_with("\t      |a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t    |a");
    buffer.backspace();
    CHECK(marked(buffer) == "\t|a");
}

TEST_CASE("up and down keep the place on the screen over lines with tabs") {
    TextBuffer buffer = buffer_with("    ab|c\n\tabc\nabcdefg");
    buffer.move(Motion::Down);
    CHECK(buffer.caret() == Position{1, 3});
    buffer.move(Motion::Down);
    CHECK(buffer.caret() == Position{2, 6});
}

}  // namespace
}  // namespace kwb::editor
