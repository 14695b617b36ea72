#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "judge/declared_solver.hpp"
#include "judge/fill.hpp"
#include "judge/output_reference.hpp"
#include "judge/verify.hpp"
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
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::span<const std::byte> as_bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// How many are wrong of `got`, where `right` is right.
template <class T>
std::uint64_t count_wrong(const ElementType& type, const Tolerance& tolerance, const std::vector<T>& right,
                          const std::vector<T>& got) {
    const BufferSpec buffer{"y", type, Access::Write, {right.size() / type.width}};
    const std::string truth = bytes_of(right);
    const std::string answer = bytes_of(got);
    const OutputReference reference =
        make_output_reference(buffer, as_bytes(truth), tolerance, kNoCheckpoint);
    return check_output(buffer, as_bytes(answer), reference, poison_pattern(type, Pass::Real)).wrong;
}

constexpr ElementType kFloat{Scalar::Float32, 1};

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
        // Standard errors: 2 / sqrt(1e5) = 0.006 of the mean, about 0.005 of the deviation.
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
    const std::string truth = bytes_of(right);
    const std::string answer = bytes_of(got);
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
        {"x", {{FillKind::Array, 0, 0}, std::make_shared<const std::string>(bytes_of<float>({1, 2, 3}))}}};
    declared.outputs = {
        {"y", {{1, 0, 0}, false, std::make_shared<const std::string>(bytes_of<std::int16_t>({4, 5, 6}))}}};

    RunRequest request;
    request.problem = "mine";
    request.sizes = declared.instance.sizes;
    request.contestants = {{std::nullopt}};
    request.declared = std::make_shared<const DeclaredInstance>(declared);
    DeclaredInstance back = *request_from_json(to_json(request)).declared;
    put_contents(back, join_contents(declared));
    CHECK(dump_json(to_json(back)) == dump_json(to_json(declared)));
    CHECK(join_contents(back) == join_contents(declared));
    DeclaredInstance broken = back;
    CHECK_THROWS_AS(put_contents(broken, "short"), ProtocolError);
    CHECK_THROWS_AS(put_contents(broken, std::string(100, 'x')), ProtocolError);

    const DeclaredSolver solver(back, [] { return nullptr; });
    CHECK_FALSE(solver.has_exact_pass());
    CHECK_FALSE(solver.may_vary("x"));
    const PassData data = solver.make(back.instance, Pass::Real, 1, kNoCheckpoint);
    CHECK(std::memcmp(data.inputs.at(0).value.data(), bytes_of<float>({1, 2, 3}).data(), 12) == 0);
    CHECK(data.outputs.at(0).value.expected == std::vector<double>{4, 5, 6});
    CHECK(data.outputs.at(0).value.bound == std::vector<float>{1, 1, 1});
}

}  // namespace kwb
