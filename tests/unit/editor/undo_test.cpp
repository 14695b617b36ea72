// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "editor/undo.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::marked;

TEST_CASE("a run of typing is undone as one step and brings the replaced selection back") {
    TextBuffer buffer = buffer_with("one ^two| three");
    for (const char* key : {"f", "o", "u", "r"}) buffer.type(key);
    CHECK(marked(buffer) == "one four| three");
    buffer.undo();
    CHECK(marked(buffer) == "one ^two| three");
    CHECK_FALSE(buffer.can_undo());
    buffer.redo();
    CHECK(marked(buffer) == "one four| three");
}

TEST_CASE("moving the caret, a new line, a pause and another kind of edit each begin a new step") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    buffer.move(Motion::Left);
    buffer.move(Motion::Right);
    buffer.type("b");
    CHECK(buffer.history().undo_count() == 2);
    buffer.end_run();
    buffer.type("c");
    CHECK(buffer.history().undo_count() == 3);
    buffer.new_line();
    buffer.type("d");
    CHECK(buffer.history().undo_count() == 5);
    buffer.backspace();
    buffer.backspace();
    CHECK(buffer.history().undo_count() == 6);
    buffer.paste("x");
    buffer.paste("y");
    CHECK(buffer.history().undo_count() == 8);
}

TEST_CASE("a caret that is set where it stands ends no run") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    buffer.set_caret(buffer.caret());
    buffer.type("b");
    CHECK(buffer.history().undo_count() == 1);
}

TEST_CASE("runs of backspace and of delete are one step each, over line breaks") {
    TextBuffer buffer = buffer_with("ab\ncd|");
    for (int i = 0; i < 4; ++i) buffer.backspace();
    CHECK(marked(buffer) == "a|");
    buffer.undo();
    CHECK(marked(buffer) == "ab\ncd|");
    buffer = buffer_with("|ab\ncd");
    for (int i = 0; i < 4; ++i) buffer.erase_forward();
    CHECK(marked(buffer) == "|d");
    buffer.undo();
    CHECK(marked(buffer) == "|ab\ncd");
}

TEST_CASE("undoing back to the saved text is unmodified, and so is redoing up to it") {
    TextBuffer buffer = buffer_with("|");
    buffer.type("a");
    CHECK(buffer.is_modified());
    buffer.mark_saved();
    CHECK_FALSE(buffer.is_modified());
    buffer.type("b");  // a separate undo step, although typing continues
    CHECK(buffer.is_modified());
    buffer.undo();
    CHECK_FALSE(buffer.is_modified());
    CHECK(buffer.text() == "a");
    buffer.undo();
    CHECK(buffer.is_modified());
    buffer.redo();
    CHECK_FALSE(buffer.is_modified());
    buffer.undo();
    buffer.type("a");  // the same text, but not from redo
    CHECK(buffer.is_modified());
    CHECK_FALSE(buffer.can_redo());
}

TEST_CASE("beyond the budget the oldest steps are forgotten and the newest is kept") {
    TextBuffer buffer(2000);
    buffer.load("");
    for (int i = 0; i < 50; ++i) buffer.paste("0123456789");
    CHECK(buffer.history().bytes() <= 2000);
    CHECK(buffer.history().undo_count() < 50);
    CHECK(buffer.history().undo_count() > 2);
    const std::string large(10'000, 'x');
    buffer.paste(large);
    CHECK(buffer.history().undo_count() == 1);
    buffer.undo();
    CHECK(buffer.text().size() == 500);
    buffer.type("y");
    CHECK(buffer.history().bytes() < 1000);  // the undone steps are discarded
}

TEST_CASE("an edit that changes nothing is no step") {
    TextBuffer buffer = buffer_with("|x");
    buffer.backspace();
    buffer.unindent();
    buffer.paste("");
    CHECK_FALSE(buffer.can_undo());
    CHECK_FALSE(buffer.is_modified());
}

TEST_CASE("undoing a missing step violates the contract; the buffer checks first") {
    UndoHistory history;
    CHECK_THROWS_AS(history.take_undo(), ContractError);
    CHECK_THROWS_AS(history.take_redo(), ContractError);
    TextBuffer buffer;
    buffer.undo();
    buffer.redo();
    CHECK(buffer.text().empty());
}

}  // namespace
}  // namespace kwb::editor
