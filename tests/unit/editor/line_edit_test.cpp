#include <doctest/doctest.h>

#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

template <class Edit>
std::string after(const char* text, Edit edit) {
    TextBuffer buffer = buffer_with(text);
    edit(buffer);
    const std::string result = marked(buffer);
    buffer.undo();
    CHECK(marked(buffer) == marked(buffer_with(text)));  // each is one step, and brings the selection back
    buffer.redo();
    CHECK(marked(buffer) == result);
    return result;
}

TEST_CASE("Tab fills up to the next step, or indents the selected lines but not empty ones") {
    const auto indent = [](TextBuffer& buffer) { buffer.indent(); };
    CHECK(after("ab|c", indent) == "ab  |c");
    CHECK(after("|x", indent) == "    |x");
    CHECK(after("a^b\n\nc|d\ne", indent) == "    a^b\n\n    c|d\ne");
    CHECK(after("^ab\n|cd", indent) == "^    ab\n|cd");  // only reached with its line break
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

}  // namespace
}  // namespace kwb::editor
