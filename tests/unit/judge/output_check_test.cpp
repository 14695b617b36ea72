// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/output_check.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "model/error_map.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

float poison_value() {
    float value = 0;
    std::memcpy(&value, poison_pattern({Scalar::Float32, 1}, Pass::Real).data(), sizeof value);
    return value;
}

/// An output of rows x columns with the expected values 1, 2, 3 …, correct until errors are injected.
struct Planted {
    Planted(std::uint64_t rows, std::uint64_t columns) : spec(floats_spec({rows, columns})) {
        for (std::uint64_t i = 0; i < rows * columns; ++i) {
            got.push_back(static_cast<float>(i + 1));
            reference.expected.push_back(static_cast<double>(i + 1));
        }
    }
    float& at(std::uint64_t row, std::uint64_t column) {
        return got[static_cast<std::size_t>(row * spec.shape[1] + column)];
    }
    void allow(float bound) { reference.bound.assign(got.size(), bound); }
    OutputCheck check() const {
        return check_output(spec, bytes_of(got), reference, poison_pattern(spec.type, Pass::Real));
    }
    ErrorMap map(std::uint32_t most_cells = 256) const {
        return detailed_map(check(), spec, bytes_of(got), reference, poison_pattern(spec.type, Pass::Real),
                            most_cells);
    }

    BufferSpec spec;
    std::vector<float> got;
    OutputReference reference;
};

void check_one(const OutputCheck& check, std::vector<std::uint64_t> index, double expected, float got) {
    CHECK(check.wrong == 1);
    REQUIRE(check.first_wrong.size() == 1);
    const WrongElement& first = check.first_wrong.front();
    CHECK(first.buffer == "C");
    CHECK(first.index == index);
    CHECK(first.expected == expected);
    if (std::isnan(got))
        CHECK(std::isnan(first.got));
    else
        CHECK(first.got == static_cast<double>(got));
}

}  // namespace

TEST_CASE("a right output is right, exactly and within a bound") {
    Planted planted(5, 7);
    CHECK(planted.check().wrong == 0);
    CHECK(planted.check().worst_share == 0);
    planted.allow(1e-6f);
    CHECK(planted.check().wrong == 0);
}

TEST_CASE("one wrong element is found wherever it is, with index, expected and got") {
    for (const auto& [row, column] : {std::pair{0u, 0u}, {0u, 6u}, {2u, 3u}, {4u, 0u}, {4u, 6u}}) {
        const auto& shown_row = row;
        CAPTURE(shown_row);
        const auto& shown_column = column;
        CAPTURE(shown_column);
        Planted planted(5, 7);
        const double expected = planted.at(row, column);
        planted.at(row, column) += 1;
        check_one(planted.check(), {row, column}, expected, planted.at(row, column));
        CHECK(planted.check().worst_share == std::numeric_limits<double>::infinity());
    }
}

TEST_CASE("the last bit of one element shows in the exact pass") {
    Planted planted(8, 8);
    planted.at(7, 7) = std::nextafter(planted.at(7, 7), kInf);
    check_one(planted.check(), {7, 7}, 64, planted.at(7, 7));
}

TEST_CASE("NaN and both infinities are wrong even under a generous bound") {
    for (const float bad : {kNaN, kInf, -kInf}) {
        CAPTURE(bad);
        Planted planted(3, 3);
        planted.allow(1e30f);
        planted.at(1, 1) = bad;
        const OutputCheck check = planted.check();
        check_one(check, {1, 1}, 5, bad);
        CHECK(check.not_a_number == 1);
        CHECK(check.unwritten == 0);
        CHECK(check.worst_share == std::numeric_limits<double>::infinity());
        CHECK(planted.map().worst_share[4] == kInf);
    }
}

TEST_CASE("an unwritten corner is wrong and said to be unwritten") {
    Planted planted(6, 6);
    planted.allow(1e30f);
    for (const auto& [row, column] : {std::pair{4u, 4u}, {4u, 5u}, {5u, 4u}, {5u, 5u}})
        planted.at(row, column) = poison_value();
    const OutputCheck check = planted.check();
    CHECK(check.wrong == 4);
    CHECK(check.unwritten == 4);
    CHECK(check.not_a_number == 0);
    CHECK(check.first_wrong.front().index == std::vector<std::uint64_t>{4, 4});
}

TEST_CASE("a wrong sign is wrong, but minus zero is zero") {
    Planted planted(2, 2);
    planted.at(1, 0) = -planted.at(1, 0);
    check_one(planted.check(), {1, 0}, 3, -3);
    Planted zero(1, 1);
    zero.reference.expected = {0};
    zero.got = {-0.0f};
    CHECK(zero.check().wrong == 0);
}

TEST_CASE("an error is judged by the bound of its own element") {
    Planted planted(1, 3);
    planted.reference.bound = {0.5f, 0.25f, 0.125f};
    for (float& value : planted.got) value += 0.25f;
    const OutputCheck check = planted.check();
    check_one(check, {0, 2}, 3, 3.25f);
    CHECK(check.worst_share == 2);
}

TEST_CASE("an error that attains its bound is allowed, one bit more is not") {
    Planted planted(1, 1);
    planted.allow(0.25f);
    planted.at(0, 0) = 1.25f;
    CHECK(planted.check().wrong == 0);
    CHECK(planted.check().worst_share == 1);
    planted.at(0, 0) = std::nextafter(1.25f, 2.0f);
    CHECK(planted.check().wrong == 1);
}

TEST_CASE("all wrong elements are counted, the first sixteen are listed in order") {
    Planted planted(10, 10);
    for (float& value : planted.got) value += 1;
    const OutputCheck check = planted.check();
    CHECK(check.wrong == 100);
    REQUIRE(check.first_wrong.size() == kFirstWrong);
    for (std::uint64_t i = 0; i < kFirstWrong; ++i)
        CHECK(check.first_wrong[i].index == std::vector<std::uint64_t>{i / 10, i % 10});
}

TEST_CASE("what differs from poison in one byte was written") {
    for (std::size_t byte = 0; byte < sizeof(float); ++byte) {
        CAPTURE(byte);
        Planted planted(2, 2);
        planted.allow(1);
        std::array<std::uint8_t, sizeof(float)> bytes{};
        const float poison = poison_value();
        std::memcpy(bytes.data(), &poison, sizeof poison);
        bytes[byte] ^= 1;
        std::memcpy(&planted.at(1, 0), bytes.data(), sizeof poison);
        CHECK(planted.check().wrong == 1);
        CHECK(planted.check().unwritten == 0);
    }
}

TEST_CASE("an output of more elements than one step of the check is checked to its end") {
    const std::uint64_t rows = kElementsPerStep / 1000 + 50;
    for (const std::uint64_t element :
         {kElementsPerStep - 1, kElementsPerStep, std::size_t{rows * 1000 - 1}}) {
        CAPTURE(element);
        Planted planted(rows, 1000);
        planted.allow(0.5f);
        planted.got[element] -= 1;
        const OutputCheck check = planted.check();
        CHECK(check.wrong == 1);
        CHECK(check.first_wrong.at(0).index == index_of(element, planted.spec.shape));
        const ErrorMap map = planted.map();
        CHECK(map.worst_share[cell_of(map, element)] == 2);
        CHECK(map.worst_elements[cell_of(map, element)].element == element);
    }
}

namespace {

template <class T>
void check_extremes(Scalar scalar) {
    const BufferSpec spec{"C", {scalar, 1}, Access::Write, {3}};
    const std::vector<T> got = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(1)};
    OutputReference reference;
    for (const T value : got) reference.expected.push_back(static_cast<double>(value));
    const auto poison = poison_pattern(spec.type, Pass::Exact);
    CAPTURE(static_cast<int>(scalar));
    CHECK(check_output(spec, bytes_of(got), reference, poison).wrong == 0);
    reference.expected[1] = -reference.expected[1] - 1;
    CHECK(check_output(spec, bytes_of(got), reference, poison).wrong == 1);
}

}  // namespace

TEST_CASE("every type of output is read as what it is, to the ends of its range") {
    check_extremes<std::int8_t>(Scalar::Int8);
    check_extremes<std::uint8_t>(Scalar::UInt8);
    check_extremes<std::int16_t>(Scalar::Int16);
    check_extremes<std::uint16_t>(Scalar::UInt16);
    check_extremes<std::int32_t>(Scalar::Int32);
    check_extremes<std::uint32_t>(Scalar::UInt32);
    check_extremes<std::int64_t>(Scalar::Int64);
    check_extremes<std::uint64_t>(Scalar::UInt64);
    check_extremes<float>(Scalar::Float32);
    check_extremes<double>(Scalar::Float64);
    const BufferSpec half{"C", {Scalar::Float16, 1}, Access::Write, {2}};
    const std::vector<std::uint16_t> bits = {0x3C00, 0xFBFF};  // 1 and the lowest finite half
    CHECK(
        check_output(half, bytes_of(bits), {{1, -65504}, {}}, poison_pattern(half.type, Pass::Exact)).wrong ==
        0);
}

TEST_CASE("integer outputs are compared by their value, with and without sign") {
    const BufferSpec spec{"C", {Scalar::UInt8, 1}, Access::Write, {3}};
    const std::vector<std::uint8_t> got = {0, 200, 255};
    CHECK(check_output(spec, bytes_of(got), {{0, 200, 255}, {}}, poison_pattern(spec.type, Pass::Exact))
              .wrong == 0);
    const BufferSpec sign{"C", {Scalar::Int64, 1}, Access::Write, {2}};
    const std::vector<std::int64_t> wide = {-5, std::int64_t{1} << 40};
    const auto check =
        check_output(sign, bytes_of(wide), {{-5, 0x1p40 + 1}, {}}, poison_pattern(sign.type, Pass::Exact));
    CHECK(check.wrong == 1);
    CHECK(check.first_wrong.front().index == std::vector<std::uint64_t>{1});
}

TEST_CASE("the error map has one cell an element for small outputs and puts an error where it is") {
    Planted planted(5, 7);
    planted.allow(0.5f);
    planted.at(3, 6) += 1;
    const ErrorMap map = planted.map();
    REQUIRE(map.rows == 5);
    REQUIRE(map.columns == 7);
    for (std::uint32_t row = 0; row < 5; ++row)
        for (std::uint32_t column = 0; column < 7; ++column)
            CHECK(map.worst_share[row * 7 + column] == (row == 3 && column == 6 ? 2.f : 0.f));
}

TEST_CASE("the error map of a large or a long and thin output shrinks to 256 cells a side") {
    struct Case {
        std::uint64_t rows, columns, row, column;
    };
    for (const Case& c : {Case{1000, 700, 999, 699},
                          {1000, 700, 0, 0},
                          {1000, 700, 501, 350},
                          {1, 5000, 0, 4999},
                          {5000, 1, 4999, 0},
                          {5000, 3, 2500, 2},
                          {257, 256, 256, 255},
                          {256, 257, 128, 100},
                          {3, 100'000, 1, 50'000}}) {
        CAPTURE(c.rows);
        CAPTURE(c.columns);
        Planted planted(c.rows, c.columns);
        planted.at(c.row, c.column) = kNaN;
        const ErrorMap map = planted.map();
        CHECK(map.rows == std::min<std::uint64_t>(256, c.rows));
        CHECK(map.columns == std::min<std::uint64_t>(256, c.columns));
        CHECK(map.extents->rows == c.rows);
        CHECK(map.extents->columns == c.columns);
        REQUIRE(map.worst_share.size() == std::size_t{map.rows} * map.columns);
        const std::uint64_t cell =
            c.row * map.rows / c.rows * map.columns + c.column * map.columns / c.columns;
        for (std::size_t i = 0; i < map.worst_share.size(); ++i)
            if ((map.worst_share[i] > 1) != (i == cell)) FAIL("cell ", i, " instead of ", cell);
    }
}

TEST_CASE("a cell of the error map shows the worst of its elements") {
    Planted planted(1, 512);
    planted.allow(1);
    planted.at(0, 10) += 3;
    planted.at(0, 11) += 2;
    CHECK(planted.map().worst_share[5] == 3.f);
}

TEST_CASE("a coarser error map is what a check with fewer cells would have made") {
    for (const auto& [rows, columns] : {std::pair{1000u, 700u}, {200u, 65u}, {5u, 300u}, {64u, 64u}}) {
        const auto& shown_rows = rows;
        CAPTURE(shown_rows);
        const auto& shown_columns = columns;
        CAPTURE(shown_columns);
        Planted planted(rows, columns);
        planted.allow(1e9f);
        std::vector<float> expected(std::size_t{std::min(rows, 64u)} * std::min(columns, 64u), 0.0f);
        for (std::uint32_t i = 0; i < rows * columns; i += 7) {
            const float off = static_cast<float>(i * 2654435761u % 1000u);
            planted.reference.expected[i] = static_cast<double>(planted.got[i]) - static_cast<double>(off);
            float& cell = expected[i / columns * std::min(rows, 64u) / rows * std::min(columns, 64u) +
                                   i % columns * std::min(columns, 64u) / columns];
            cell = std::max(cell, static_cast<float>(static_cast<double>(off) / 1e9));
        }
        const ErrorMap coarse = planted.map(64);
        CHECK(cell_bytes(coarse) == cell_bytes(coarsened(planted.map(), 64)));
        CHECK(coarse.rows == std::min(rows, 64u));
        CHECK(coarse.columns == std::min(columns, 64u));
        CHECK(coarse.extents->rows == rows);
        CHECK(coarse.worst_share == expected);
        for (std::size_t cell = 0; cell < coarse.worst_share.size(); ++cell) {
            const WorstElement& worst = coarse.worst_elements.at(cell);
            const bool in_cell = cell_of(coarse, worst.element) == cell;
            const auto share = static_cast<float>((worst.got - worst.expected) / 1e9);
            if (!in_cell || share != coarse.worst_share[cell]) FAIL("cell ", cell);
        }
    }
}

TEST_CASE("each cell of the error map tells which element it shows, what was expected there and what came") {
    Planted planted(1000, 700);
    planted.allow(1);
    planted.at(501, 350) += 3;
    planted.at(501, 351) += 2;
    planted.at(502, 350) += 3;
    const ErrorMap map = planted.map();
    REQUIRE(map.worst_elements.size() == map.worst_share.size());
    const WorstElement& worst = map.worst_elements[cell_of(map, 501 * 700 + 350)];
    CHECK(worst.element == 501 * 700 + 350);
    CHECK(worst.expected == 501 * 700 + 351);
    CHECK(worst.got == 501 * 700 + 354);
    for (std::size_t cell = 0; cell < map.worst_elements.size(); ++cell) {
        const WorstElement& shown = map.worst_elements[cell];
        if (cell_of(map, shown.element) != cell) FAIL("cell ", cell);
        if (shown.element == worst.element) continue;
        // A cell without an error shows its first element.
        CHECK(shown.got == shown.expected);
        CHECK((shown.element == 0 || cell_of(map, shown.element - 1) != cell));
    }
}

TEST_CASE("what is expected of a float is shown as a float, of a double as a double") {
    Planted planted(1, 2);
    planted.reference.expected = {1.0 / 3, 2};
    CHECK(planted.map().worst_elements[0].expected == static_cast<double>(static_cast<float>(1.0 / 3)));
    const BufferSpec wide{"C", {Scalar::Float64, 1}, Access::Write, {2}};
    const std::vector<double> got = {1.0 / 7, 2};
    const OutputReference reference{{1.0 / 3, 2}, {}};
    const ErrorMap map =
        detailed_map(check_output(wide, bytes_of(got), reference, poison_pattern(wide.type, Pass::Real)),
                     wide, bytes_of(got), reference, poison_pattern(wide.type, Pass::Real));
    CHECK(map.worst_elements[0].expected == 1.0 / 3);
    CHECK(map.worst_elements[0].got == 1.0 / 7);
}

TEST_CASE("a one-dimensional output is one row of the error map") {
    BufferSpec spec = floats_spec({4});
    const std::vector<float> got = {1, 2, 3, 5};
    const ErrorMap map =
        check_output(spec, bytes_of(got), {{1, 2, 3, 4}, {}}, poison_pattern(spec.type, Pass::Real))
            .error_map;
    CHECK(map.rows == 1);
    CHECK(map.columns == 4);
    CHECK(map.worst_share[3] > 1);
}

TEST_CASE("an element's index follows the shape, row-major") {
    CHECK(index_of(0, {4, 5}) == std::vector<std::uint64_t>{0, 0});
    CHECK(index_of(19, {4, 5}) == std::vector<std::uint64_t>{3, 4});
    CHECK(index_of(7, {4, 5}) == std::vector<std::uint64_t>{1, 2});
    CHECK(index_of(23, {2, 3, 4}) == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(index_of(6, {10}) == std::vector<std::uint64_t>{6});
}

TEST_CASE("the first differing byte is found, also in the last place") {
    std::vector<std::byte> a(100, std::byte{7});
    std::vector<std::byte> b = a;
    CHECK(!first_difference(a, b));
    b[99] = std::byte{8};
    CHECK(first_difference(a, b) == 99);
    b[3] = std::byte{8};
    CHECK(first_difference(a, b) == 3);
    CHECK(!first_difference({}, {}));
}

TEST_CASE("of differences in several steps the first is found") {
    std::vector<std::byte> a(kElementsPerStep + 5);
    std::vector<std::byte> b = a;
    b.back() = std::byte{1};
    CHECK(first_difference(a, b) == kElementsPerStep + 4);
    b[7] = std::byte{1};
    CHECK(first_difference(a, b) == 7);
}
