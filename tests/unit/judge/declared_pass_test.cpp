// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/half.hpp"
#include "base/text.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/verify/output_check.hpp"
#include "model/json.hpp"

namespace kwb {
namespace {

constexpr Scalar kScalars[] = {Scalar::Int8,    Scalar::UInt8,   Scalar::Int16,  Scalar::UInt16,
                               Scalar::Int32,   Scalar::UInt32,  Scalar::Int64,  Scalar::UInt64,
                               Scalar::Float16, Scalar::Float32, Scalar::Float64};

std::vector<double> values_of(const BufferSpec& buffer, const Fill& fill, std::uint64_t stream = 1) {
    const std::vector<std::byte> bytes = make_content(buffer, fill, stream, kNoCheckpoint);
    std::vector<double> values;
    for (std::size_t at = 0; at < bytes.size(); at += scalar_bytes(buffer.type.scalar))
        values.push_back(read_scalar(buffer.type.scalar, &bytes[at]));
    return values;
}

template <class T>
std::string text_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::span<const std::byte> as_bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// Check the output `got` against the expected values `right`.
template <class T>
OutputCheck checked(const ElementType& type, const Tolerance& tolerance, const std::vector<T>& right,
                    const std::vector<T>& got) {
    const BufferSpec buffer{"y", type, Access::Write, {right.size() / type.width}};
    const std::string truth = text_of(right);
    const std::string answer = text_of(got);
    const OutputReference reference =
        make_output_reference(buffer, as_bytes(truth), tolerance, kNoCheckpoint);
    return check_output(buffer, as_bytes(answer), reference, poison_pattern(type, Pass::Real));
}

/// Number of wrong elements in `got`, if `right` is expected.
template <class T>
std::uint64_t count_wrong(const ElementType& type, const Tolerance& tolerance, const std::vector<T>& right,
                          const std::vector<T>& got) {
    return checked<T>(type, tolerance, right, got).wrong;
}

double steps_above(double value, int steps) {
    for (; steps > 0; --steps) value = std::nextafter(value, std::numeric_limits<double>::infinity());
    return value;
}

constexpr ElementType kFloat{Scalar::Float32, 1};
constexpr ElementType kDouble{Scalar::Float64, 1};

}  // namespace

TEST_CASE("whole numbers of a range fill every type with all of them") {
    for (const Scalar scalar : kScalars) {
        const BufferSpec buffer{"x", {scalar, 4}, Access::Read, {50, 5}};
        const std::vector<double> values = values_of(buffer, {FillKind::Integers, 3, 7});
        REQUIRE(values.size() == 1000);
        for (const double wanted : {3, 4, 5, 6, 7})
            CHECK(std::count(values.begin(), values.end(), wanted) > 120);
        CHECK(std::count_if(values.begin(), values.end(), [](double v) { return v < 3 || v > 7; }) == 0);
        CHECK(values_of(buffer, {FillKind::Integers, 3, 7}, 2) != values);
        CHECK(values_of(buffer, {FillKind::Integers, 3, 7}) == values);
    }
}

TEST_CASE("a ramp and a constant are what they say; a ramp of bytes goes round") {
    for (const Scalar scalar : kScalars) {
        const BufferSpec buffer{"x", {scalar, 1}, Access::Read, {100}};
        const std::vector<double> ramp = values_of(buffer, {FillKind::Ramp, 5, 1});
        CHECK(ramp.front() == 5);
        CHECK(ramp.back() == 104);
        CHECK(values_of(buffer, {FillKind::Constant, 9, 0}) == std::vector<double>(100, 9));
    }
    CHECK(values_of({"x", {Scalar::UInt8, 1}, Access::Read, {300}}, {FillKind::Ramp, 0, 1})[299] ==
          299 - 256);
    CHECK(values_of({"x", {Scalar::Int32, 1}, Access::Read, {3}}, {FillKind::Ramp, 0, -2}) ==
          std::vector<double>{0, -2, -4});
}

TEST_CASE("uniform numbers stay in their range and normal ones have their mean and deviation") {
    for (const Scalar scalar : {Scalar::Float16, Scalar::Float32, Scalar::Float64}) {
        const BufferSpec buffer{"x", {scalar, 1}, Access::Read, {100000}};
        double sum = 0;
        for (const double value : values_of(buffer, {FillKind::Uniform, 2, 3})) {
            CHECK_UNARY(value >= 2 && value < 3);
            sum += value;
        }
        CHECK(sum / 1e5 == doctest::Approx(2.5).epsilon(0.01));
        double mean = 0, square = 0;
        for (const double value : values_of(buffer, {FillKind::Normal, 5, 2})) {
            mean += value / 1e5;
            square += value * value / 1e5;
        }
        // Standard errors: 2 / sqrt(1e5) = 0.006 for the mean, about 0.005 for the deviation.
        CHECK(std::fabs(mean - 5) < 0.04);
        CHECK(std::fabs(std::sqrt(square - mean * mean) - 2) < 0.03);
    }
}

TEST_CASE("each tolerance takes what it allows and nothing beyond") {
    const float next = std::nextafter(1.0f, 2.0f);
    CHECK(count_wrong<float>(kFloat, {}, {1, 2}, {1, 2}) == 0);
    CHECK(count_wrong<float>(kFloat, {}, {1, 2}, {next, 2}) == 1);
    CHECK(count_wrong<float>(kFloat, {0, 0, 1}, {1, 2}, {next, 2}) == 0);
    CHECK(count_wrong<float>(kFloat, {0, 0, 1}, {1, 2}, {std::nextafter(next, 2.0f), 2}) == 1);
    CHECK(count_wrong<float>(kFloat, {0, 1e-3, 0}, {100, -100}, {100.09f, -100.11f}) == 1);
    CHECK(count_wrong<float>(kFloat, {0.5, 0, 0}, {100, 0}, {100.5f, -0.51f}) == 1);
    CHECK(count_wrong<float>(kFloat, {0, 1e-3, 0}, {0}, {1e-30f}) == 1);
    CHECK(count_wrong<std::int32_t>({Scalar::Int32, 1}, {2, 0, 0}, {10, 10}, {12, 13}) == 1);
}

TEST_CASE("bounds of doubles beyond the largest float hold") {
    const Tolerance usual = usual_tolerance(kDouble);
    for (const double right : {1.5e60, 1.5e300, -1.5e60}) {
        CHECK(count_wrong<double>(kDouble, usual, {right}, {-7}) == 1);
        CHECK(count_wrong<double>(kDouble, usual, {right}, {right * (1 + 2e-12)}) == 1);
        CHECK(count_wrong<double>(kDouble, usual, {right}, {right * (1 + 0.5e-12)}) == 0);
        CHECK(count_wrong<double>(kDouble, {0, 0, 4}, {right}, {-7}) == 1);
    }
    const OutputCheck far = checked<double>(kDouble, {1e-300, 0, 0}, {0, 0}, {0, 1e10});
    CHECK(far.wrong == 1);
    CHECK(std::isinf(far.error_map.worst_share.back()));
}

TEST_CASE("bounds of doubles below the least float hold") {
    for (const double right : {1.5e-40, 1.5e-300, 5e-324, 0.0}) {
        CAPTURE(right);
        CHECK(count_wrong<double>(kDouble, {0, 0, 8}, {right, right}, {right, steps_above(right, 1)}) == 0);
        CHECK(count_wrong<double>(kDouble, {0, 0, 8}, {right}, {steps_above(right, 8)}) == 0);
        CHECK(count_wrong<double>(kDouble, {0, 0, 8}, {right}, {steps_above(right, 9)}) == 1);
    }
    CHECK(count_wrong<double>(kDouble, {0, 1e-3, 0}, {1e-60}, {1.0005e-60}) == 0);
    CHECK(count_wrong<double>(kDouble, {0, 1e-3, 0}, {1e-60}, {1.002e-60}) == 1);
}

TEST_CASE("an error of exactly the bound is right, and the next larger one is wrong") {
    CHECK(count_wrong<double>(kDouble, {0.7, 0, 0}, {0, 0}, {0.7, steps_above(0.7, 1)}) == 1);
    CHECK(count_wrong<double>(kDouble, {0, 0.125, 0}, {1, -1}, {1.125, -steps_above(1.125, 1)}) == 1);
    CHECK(count_wrong<float>(kFloat, {0.7, 0, 0}, {0, 0}, {0.7f, std::nextafter(0.7f, 1.0f)}) == 1);
    // 0.1f and the half nearest to 0.3 are slightly larger than 0.1 and 0.3, but have no other
    // representation.
    CHECK(count_wrong<float>(kFloat, {0.1, 0, 0}, {0, 0}, {0.1f, std::nextafter(0.1f, 1.0f)}) == 1);
    const ElementType half{Scalar::Float16, 1};
    CHECK(count_wrong<Half>(half, {0.3, 0, 0}, {Half(0), Half(0)}, {Half(0.3f), Half(0.301f)}) == 1);
    CHECK(count_wrong<float>(kFloat, {1e300, 0, 0}, {1}, {3e38f}) == 0);
}

TEST_CASE("with a relative tolerance alone only 0 matches 0") {
    const OutputCheck check = checked<double>(kDouble, {0, 0.5, 0}, {0, 0}, {-0.0, 1e-300});
    CHECK(check.wrong == 1);
    CHECK(check.first_wrong.front().index.front() == 1);
    CHECK(std::isinf(check.worst_share));
}

TEST_CASE("the distance to the next number is that of the type, down to its least ones") {
    for (const double value : {1.0, 1.75, -3e30, 1e-37, 1e-44, 0.0})
        CHECK(unit_in_last_place(value, Scalar::Float32) ==
              static_cast<double>(std::nextafter(std::fabs(static_cast<float>(value)), INFINITY)) -
                  static_cast<double>(std::fabs(static_cast<float>(value))));
    for (const double value : {1.0, -1.75, 3e300, 2.3e-308, 1e-320, 0.0})
        CHECK(unit_in_last_place(value, Scalar::Float64) ==
              std::nextafter(std::fabs(value), INFINITY) - std::fabs(value));
    CHECK(unit_in_last_place(1, Scalar::Float16) == 0x1p-10);
    CHECK(unit_in_last_place(0, Scalar::Float16) == 0x1p-24);
    CHECK(unit_in_last_place(1e9, Scalar::Int64) == 1);
}

TEST_CASE("expected and got are told in digits that differ") {
    const double small = 1.5e-40;
    const NumberTexts words = checked<double>(kDouble, {}, {small}, {steps_above(small, 1)}).first_words;
    CHECK(words.first != words.second);
    CHECK(std::stod(words.second) == steps_above(small, 1));
    const std::int64_t large = INT64_MAX - 5;
    const NumberTexts whole = checked<std::int64_t>({Scalar::Int64, 1}, {}, {large}, {large + 1}).first_words;
    CHECK(whole.first == "9223372036854775802");
    CHECK(whole.second == "9223372036854775803");
}

TEST_CASE("not-a-number is right where the truth is, unless nothing was written; infinities must agree") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    float poison = 0;
    std::memcpy(&poison, poison_pattern(kFloat, Pass::Real).data(), sizeof poison);
    const Tolerance loose{1, 1, 0};
    CHECK(count_wrong<float>(kFloat, loose, {nan, 1, inf}, {-nan, 1, inf}) == 0);
    CHECK(count_wrong<float>(kFloat, loose, {nan, 1, inf}, {1, nan, -inf}) == 3);
    CHECK(count_wrong<float>(kFloat, loose, {nan}, {poison}) == 1);
}

TEST_CASE("whole numbers of 64 bits are compared bit for bit") {
    const std::int64_t large = INT64_MAX - 5;
    const ElementType type{Scalar::Int64, 2};
    CHECK(count_wrong<std::int64_t>(type, {}, {large, -large}, {large, -large}) == 0);
    CHECK(count_wrong<std::int64_t>(type, {}, {large, -large}, {large + 1, -large}) == 1);
    CHECK(count_wrong<std::int64_t>(type, {1, 0, 0}, {large, INT64_MIN}, {large + 1, INT64_MIN + 2}) == 1);
    CHECK(count_wrong<std::uint64_t>({Scalar::UInt64, 1}, {}, {UINT64_MAX}, {UINT64_MAX - 1}) == 1);
}

TEST_CASE("a wrong component of a vector is named with its place in the vector") {
    const BufferSpec buffer{"y", {Scalar::Float32, 4}, Access::Write, {2, 3}};
    std::vector<float> right(24, 1.0f);
    std::vector<float> got = right;
    got[4 * 5 + 2] = 7;
    const std::string truth = text_of(right);
    const std::string answer = text_of(got);
    const OutputReference reference = make_output_reference(buffer, as_bytes(truth), {}, kNoCheckpoint);
    const OutputCheck check =
        check_output(buffer, as_bytes(answer), reference, poison_pattern(buffer.type, Pass::Real));
    CHECK(check.wrong == 1);
    CHECK(check.first_wrong.at(0).index == std::vector<std::uint64_t>{1, 2, 2});
}

TEST_CASE("a problem of arrays alone needs no device, has one pass, and survives its message") {
    DeclaredInstance declared;
    declared.instance.problem = "mine";
    declared.instance.sizes = {{"N", 3}};
    declared.instance.buffers = {{"x", kFloat, Access::Read, {3}},
                                 {"y", {Scalar::Int16, 1}, Access::Write, {3}}};
    declared.instance.scalars = {{"N", {Scalar::Int32, 1}, std::int64_t{3}}, {"a", kFloat, 0.5}};
    declared.instance.cost = {6, 18};
    declared.inputs = {
        {"x", {{FillKind::Array, 0, 0}, std::make_shared<const std::string>(text_of<float>({1, 2, 3}))}}};
    declared.outputs = {
        {"y", {{1, 0, 0}, false, std::make_shared<const std::string>(text_of<std::int16_t>({4, 5, 6}))}}};

    RunRequest request;
    request.problem = "mine";
    request.sizes = declared.instance.sizes;
    request.contestants = {{std::nullopt}};
    request.declared = std::make_shared<const DeclaredInstance>(declared);
    DeclaredInstance back = *from_json<RunRequest>(to_json(request)).declared;
    put_contents(back, join_contents(declared));
    CHECK(dump_json(to_json(back)) == dump_json(to_json(declared)));
    CHECK(join_contents(back) == join_contents(declared));
    DeclaredInstance broken = back;
    CHECK_THROWS_AS(put_contents(broken, "short"), ProtocolError);
    CHECK_THROWS_AS(put_contents(broken, std::string(100, 'x')), ProtocolError);

    const DeclaredSolver solver(back, [] { return nullptr; });
    CHECK_FALSE(solver.has_exact_pass());
    CHECK(join(solver.remarks(), " ").find("every run has the same inputs") != std::string::npos);
    const PassData data = solver.make(back.instance, Pass::Real, 1, kNoCheckpoint);
    CHECK(std::memcmp(data.inputs.at(0).value.data(), text_of<float>({1, 2, 3}).data(), 12) == 0);
    CHECK(data.outputs.at(0).value.expected == std::vector<double>{4, 5, 6});
    CHECK(data.outputs.at(0).value.tolerance == Tolerance{1, 0, 0});
}

}  // namespace kwb
