// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "editor/diff.hpp"
#include "editor/find.hpp"
#include "editor/highlight.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::Chance;
using test::random_position;

// Random edits of the buffer, compared with the simplest possible model: a string of code points and two
// offsets.

struct Model {
    std::u32string text;
    std::size_t caret = 0;
    std::size_t anchor = 0;

    std::size_t offset_of(Position position) const {
        std::size_t offset = 0;
        for (std::size_t line = 0; line < position.line; ++line) offset = text.find(U'\n', offset) + 1;
        return offset + position.column;
    }
    std::size_t first() const { return std::min(caret, anchor); }
    std::size_t last() const { return std::max(caret, anchor); }
    void replace(std::size_t begin, std::size_t end, const std::u32string& inserted) {
        text.replace(begin, end - begin, inserted);
        caret = anchor = begin + inserted.size();
    }
    /// Start of the range that Backspace erases.
    std::size_t backspace_begin() const {
        if (caret == 0 || text[caret - 1] != U' ') return caret - (caret > 0 ? 1 : 0);
        std::size_t line = caret;
        while (line > 0 && text[line - 1] != U'\n') --line;
        for (std::size_t i = line; i < caret; ++i)
            if (text[i] != U' ') return caret - 1;
        return line + (caret - line - 1) / 4 * 4;
    }
};

std::string utf8(const std::u32string& text) {
    std::string out;
    for (const char32_t c : text) {
        if (c < 0x80)
            out += static_cast<char>(c);
        else if (c < 0x800)
            (out += static_cast<char>(0xC0 | (c >> 6))) += static_cast<char>(0x80 | (c & 0x3F));
        else
            ((out += static_cast<char>(0xE0 | (c >> 12))) += static_cast<char>(0x80 | ((c >> 6) & 0x3F))) +=
                static_cast<char>(0x80 | (c & 0x3F));
    }
    return out;
}

const std::u32string kPieces[] = {U"x",      U" ",    U"\u00E9",        U"\u20AC", U"float a;", U"\n",
                                  U"a\nb\n", U"\n\n", U"    y\n\u00E9", U"/*",     U"*/",       U"    "};

TEST_CASE("random edits give what a plain string gives, and undo and redo go all the way and back") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        TextBuffer buffer;
        buffer.load("one\ntwo \xC3\xA9\n\n    three");
        Model model{U"one\ntwo \u00E9\n\n    three", 0, 0};
        // texts[n]: the text from which n undo steps lead back to the start.
        std::vector<std::string> texts{buffer.text()};
        for (int round = 0; round < 600; ++round) {
            const std::u32string& piece = chance.of(kPieces);
            switch (chance.below(10)) {
                case 0:
                case 1:
                case 2:
                    buffer.type(utf8(piece));
                    model.replace(model.first(), model.last(), piece);
                    break;
                case 3:
                    buffer.backspace();
                    if (model.caret != model.anchor)
                        model.replace(model.first(), model.last(), U"");
                    else
                        model.replace(model.backspace_begin(), model.caret, U"");
                    break;
                case 4:
                    buffer.erase_forward();
                    model.replace(model.first(),
                                  model.caret != model.anchor ? model.last()
                                                              : std::min(model.caret + 1, model.text.size()),
                                  U"");
                    break;
                case 5:
                    buffer.paste(utf8(piece));
                    model.replace(model.first(), model.last(), piece);
                    break;
                case 6: {
                    const Position one = random_position(chance, buffer);
                    const Position two = random_position(chance, buffer);
                    const auto [begin, end] = std::minmax(one, two);
                    const std::size_t from = model.offset_of(begin);
                    const std::size_t to = std::min(model.offset_of(end), from + 20);
                    const std::u32string gone = model.text.substr(from, to - from);
                    buffer.replace({begin, end_of_text(begin, utf8(gone))}, utf8(piece));
                    model.replace(from, to, piece);
                    break;
                }
                case 7:
                    if (chance.below(4) != 0) break;
                    for (std::size_t i = chance.below(6); i > 0 && buffer.can_undo(); --i) buffer.undo();
                    for (std::size_t i = chance.below(4); i > 0 && buffer.can_redo(); --i) buffer.redo();
                    REQUIRE(buffer.text() == texts[buffer.history().undo_count()]);
                    // Take over the buffer's text into the model.
                    while (utf8(model.text) != buffer.text()) {
                        model.text.clear();
                        const std::string text = buffer.text();
                        for (std::size_t byte = 0; byte < text.size();) {
                            const auto lead = static_cast<unsigned char>(text[byte]);
                            const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
                            char32_t c = size == 1 ? lead : size == 2 ? lead & 0x1Fu : lead & 0x0Fu;
                            for (std::size_t i = 1; i < size; ++i)
                                c = (c << 6) | (static_cast<unsigned char>(text[byte + i]) & 0x3Fu);
                            model.text += c;
                            byte += size;
                        }
                    }
                    model.caret = model.offset_of(buffer.caret());
                    model.anchor = model.offset_of(buffer.anchor());
                    continue;
                default: {
                    const Position anchor = random_position(chance, buffer);
                    Position caret = chance.below(2) == 0 ? anchor : random_position(chance, buffer);
                    if (caret.line > anchor.line + 2) caret = anchor;  // so that some text is left
                    buffer.select({anchor, caret});
                    model.anchor = model.offset_of(buffer.anchor());
                    model.caret = model.offset_of(buffer.caret());
                }
            }
            REQUIRE(buffer.text() == utf8(model.text));
            REQUIRE(model.offset_of(buffer.caret()) == model.caret);
            REQUIRE(model.offset_of(buffer.anchor()) == model.anchor);
            texts.resize(buffer.history().undo_count() + 1);
            texts.back() = buffer.text();
        }
        REQUIRE(buffer.history().undo_count() > 50);
        for (int round = 0; round < 2; ++round) {
            while (buffer.can_undo()) {
                const Selection before = buffer.selection();
                const auto count = buffer.history().undo_count();
                buffer.undo();
                REQUIRE(buffer.text() == texts[count - 1]);
                buffer.redo();
                REQUIRE(buffer.text() == texts[count]);
                if (round > 0) REQUIRE(buffer.clamp(before.caret) == before.caret);
                buffer.undo();
            }
            REQUIRE_FALSE(buffer.is_modified());
            while (buffer.can_redo()) {
                buffer.redo();
                REQUIRE(buffer.text() == texts[buffer.history().undo_count()]);
            }
        }
    }
}

TEST_CASE("any text on disk is taken over exactly, as one step") {
    const char* const lines[] = {"", "a", "b", "    c", "}", "{", "\xC3\xA9"};
    Chance chance(7);
    const auto random_text = [&] {
        std::string text;
        for (std::size_t i = chance.below(12); i > 0; --i) text += std::string(chance.of(lines)) + "\n";
        if (chance.below(2) == 0) text += chance.of(lines);
        return text;
    };
    for (int round = 0; round < 3000; ++round) {
        const std::string before = random_text();
        const std::string after = random_text();
        CAPTURE(before);
        CAPTURE(after);
        TextBuffer buffer;
        buffer.load(before);
        buffer.select({random_position(chance, buffer), random_position(chance, buffer)});
        const Selection selection = buffer.selection();
        buffer.replace_from_disk(after);
        REQUIRE(buffer.text() == after);
        REQUIRE(buffer.clamp(buffer.caret()) == buffer.caret());
        REQUIRE(buffer.history().undo_count() == (before == after ? 0 : 1));
        buffer.undo();
        REQUIRE(buffer.text() == before);
        if (before != after) REQUIRE(buffer.selection() == selection);
    }
}

// Cost of editing the longest source: measured and printed, but not asserted.

/// Median time of a call in µs.
template <class Call>
double median_us(int calls, Call call) {
    std::vector<double> times;
    for (int i = 0; i < calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call(i);
        times.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
    return times[static_cast<std::size_t>(calls / 2)];
}

TEST_CASE(
    "a source of 2,000 lines is edited, coloured, searched and compared correctly; the times are told") {
    const std::string source = test::long_source();
    TextBuffer buffer;
    buffer.load(source);
    REQUIRE(buffer.line_count() >= 2000);
    REQUIRE(source.size() >= 80'000);
    Highlighter highlighter;
    const double load = median_us(5, [&](int) { buffer.load(source); });
    const double scratch = median_us(5, [&](int) {
        highlighter = Highlighter();
        highlighter.update(buffer);
    });
    std::size_t line = 1000;
    buffer.set_caret({line, 4});
    double recolour = 0;
    const double typing = median_us(200, [&](int) { buffer.type("x"); });
    highlighter.update(buffer);
    recolour = median_us(200, [&](int) {
        buffer.type("y");
        highlighter.update(buffer);
    });
    const double new_line = median_us(200, [&](int) {
        buffer.new_line();
        highlighter.update(buffer);
    });
    const double comment_open = median_us(10, [&](int i) {  // worst case: recolours all lines below
        buffer.set_caret({4, 0});
        if (i % 2 == 0)
            buffer.type("/*");
        else
            buffer.undo();
        highlighter.update(buffer);
    });
    const double undo = median_us(100, [&](int) { buffer.undo(); });
    const double find = median_us(9, [&](int) {
        CHECK(find_all(buffer.lines(), {"tile", false, false}).size() >= 444);
    });
    const double bracket = median_us(9, [&](int) { find_bracket_pair(buffer, highlighter, buffer.caret()); });
    const double all = median_us(5, [&](int i) {
        CHECK(replace_all(buffer, {i % 2 == 0 ? "float" : "half", true, true},
                          i % 2 == 0 ? "half" : "float") > 0);
    });
    const double indent = median_us(5, [&](int i) {
        buffer.select_all();
        i % 2 == 0 ? buffer.indent() : buffer.unindent();
    });

    const auto left = test::lines_of(source);
    auto few = left;
    auto many = left;
    for (std::size_t i = 20; i < few.size(); i += 100) few[i] += "  // changed";
    for (std::size_t i = 0; i < many.size(); i += 3) many[i] += " + 1";
    auto other = left;
    std::reverse(other.begin(), other.end());
    const auto timed_diff = [&](const std::vector<std::string>& right) {
        return median_us(5, [&](int) { CHECK(diff_side_by_side(left, right).size() >= left.size()); });
    };
    const double diff_few = timed_diff(few);
    const double diff_many = timed_diff(many);
    const double diff_reversed = timed_diff(other);
    MESSAGE("lines " << left.size() << ", bytes " << source.size() << "; µs: load " << load << ", colour all "
                     << scratch << ", type " << typing << ", type and colour " << recolour
                     << ", new line and colour " << new_line << ", comment opened at the top " << comment_open
                     << ", undo " << undo << ", find " << find << ", bracket " << bracket << ", replace all "
                     << all << ", indent all " << indent << ", diff of 20 changes " << diff_few << ", of 667 "
                     << diff_many << ", reversed " << diff_reversed);
}

}  // namespace
}  // namespace kwb::editor
