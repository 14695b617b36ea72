#include <doctest/doctest.h>

#include "editor/columns.hpp"

namespace kwb::editor {
namespace {

TEST_CASE("line ends of any system become line breaks, and the most frequent one is remembered") {
    const CleanText windows = clean_text("a\r\nb\r\nc\n");
    CHECK(windows.text == "a\nb\nc\n");
    CHECK(windows.crlf);
    CHECK(windows.mixed_line_ends);
    CHECK_FALSE(clean_text("a\r\nb\nc\n").crlf);
    CHECK_FALSE(clean_text("a\r\nb\r\n").mixed_line_ends);
    CHECK(clean_text("a\rb").text == "a\nb");
}

TEST_CASE("bytes that are no UTF-8, and NUL, become U+FFFD") {
    const CleanText clean = clean_text(std::string_view("\ta\xFF\xC3(\0b\xC3\xA9", 9));
    CHECK(clean.text ==
          "\ta\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD"
          "b\xC3\xA9");
    CHECK(clean.replaced_bytes == 3);
    CHECK(clean_text("plain\n").text == "plain\n");
}

TEST_CASE("columns count code points, offsets bytes") {
    const std::string_view line = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // a é € 😀 z
    CHECK(count_code_points(line) == 5);
    const std::size_t bytes[] = {0, 1, 3, 6, 10, 11};
    for (std::size_t column = 0; column <= 5; ++column) {
        CHECK(byte_of_column(line, column) == bytes[column]);
        CHECK(column_of_byte(line, bytes[column]) == column);
    }
    CHECK(byte_of_column(line, 99) == line.size());
}

TEST_CASE("the place behind a text counts its line breaks and the code points after the last") {
    CHECK(end_of_text({2, 3}, "") == Position{2, 3});
    CHECK(end_of_text({2, 3}, "\xC3\xA9x") == Position{2, 5});
    CHECK(end_of_text({2, 3}, "ab\ncd\nxyz") == Position{4, 3});
    CHECK(end_of_text({2, 3}, "\n") == Position{3, 0});
}

}  // namespace
}  // namespace kwb::editor
