// What editing the longest source costs, told but not judged: timings are measured, never asserted.
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
        highlighter.reset();
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
    const double comment_open = median_us(10, [&](int i) {  // the worst place: all below changes its colour
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
