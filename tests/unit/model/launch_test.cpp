// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "model/argument_names.hpp"
#include "model/device_fit.hpp"
#include "model/device_info.hpp"
#include "model/element.hpp"
#include "model/image.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

// --- model/launch.hpp ---

using namespace kwb;

// --- model/argument_names.hpp ---

namespace {

constexpr ElementType kFloat{Scalar::Float32, 1};
constexpr ElementType kInt{Scalar::Int32, 1};

ProblemInstance matmul() {
    ProblemInstance instance;
    instance.problem = "matmul";
    instance.sizes = {{"M", 2}, {"N", 3}, {"K", 4}};
    instance.buffers = {{"A", kFloat, Access::Read, {2, 4}},
                        {"B", kFloat, Access::Read, {4, 3}},
                        {"C", kFloat, Access::Write, {2, 3}}};
    instance.scalars = {
        {"M", kInt, std::int64_t{2}}, {"N", kInt, std::int64_t{3}}, {"K", kInt, std::int64_t{4}}};
    return instance;
}

ProblemInstance copy() {
    ProblemInstance instance;
    instance.problem = "copy";
    instance.sizes = {{"N", 5}};
    instance.buffers = {{"X", kFloat, Access::Read, {5}}, {"Y", kFloat, Access::Write, {5}}};
    instance.scalars = {{"N", kInt, std::int64_t{5}}};
    return instance;
}

NamedArgument pointer(const std::string& name) {
    return {name, true};
}
NamedArgument number(const std::string& name) {
    return {name, false};
}

/// The meaning of each argument, as "C A - N".
std::string meanings(const std::vector<NamedArgument>& arguments, const ProblemInstance& problem,
                     const std::vector<std::string>& scratch = {}, const Spellings& spellings = {}) {
    std::string text;
    for (const auto& match : match_arguments(arguments, problem, scratch, spellings))
        text += (text.empty() ? "" : " ") + (match ? match->name : std::string("-"));
    return text;
}

}  // namespace

TEST_CASE("arguments match by equal names, in any order, and with scratch buffers") {
    CHECK(meanings({pointer("C"), pointer("A"), number("K")}, matmul()) == "C A K");
    CHECK(meanings({pointer("packed"), pointer("B")}, matmul(), {"packed"}) == "packed B");
    // A pointer with the name of a size matches that size, so that the user gets an error message.
    CHECK(meanings({pointer("M")}, matmul()) == "M");
}

TEST_CASE("upper and lower case do not matter where the name is the same otherwise") {
    CHECK(meanings({pointer("a"), pointer("b"), pointer("c"), number("n")}, matmul()) == "A B C N");
    const auto match = match_arguments({pointer("a")}, matmul());
    CHECK(match.front()->how == NameMatch::OtherCase);
    CHECK(meanings({pointer("n"), number("a")}, matmul()) == "- -");   // a pointer cannot be a size
    CHECK(meanings({pointer("A"), pointer("a")}, matmul()) == "A -");  // A is already used
}

TEST_CASE("common spellings match if they are unambiguous") {
    CHECK(meanings({pointer("d_C"), pointer("A_dev"), pointer("matB")}, matmul()) == "C A B");
    CHECK(meanings({pointer("output"), pointer("input"), number("num_elements")}, copy()) == "Y X N");
    CHECK(meanings({pointer("g_odata"), pointer("g_idata"), number("size")}, copy()) == "Y X N");
    CHECK(meanings({pointer("dst"), pointer("src"), number("len")}, copy()) == "Y X N");
    CHECK(meanings({pointer("Cmat"), pointer("Avec"), number("Ndim")}, matmul()) == "C A -");
    CHECK(meanings({pointer("out"), pointer("lhs"), pointer("rhs")}, matmul()) == "C A B");
}

TEST_CASE("a spelling that fits two arguments, or an argument that fits two names, stays open") {
    CHECK(meanings({pointer("src"), pointer("in")}, copy()) == "- -");
    CHECK(meanings({pointer("foo"), number("width")}, matmul()) == "- -");
    CHECK(meanings({pointer("X"), pointer("src")}, copy()) == "X -");  // X is already used
    CHECK(meanings({pointer("y"), pointer("out")}, copy()) == "Y -");
    CHECK(meanings({}, copy()).empty());
    CHECK(meanings({pointer(""), pointer("_"), number("__")}, copy()) == "- - -");
}

TEST_CASE("the problem's own spellings match too, and those of unknown names are ignored") {
    const std::vector<NamedArgument> arguments = {pointer("product"), number("hA"), number("d_rows")};
    const Spellings own = {{"C", {"product"}}, {"M", {"ha"}}, {"Z", {"rows"}}};
    CHECK(meanings(arguments, matmul(), {}, own) == "C M -");
    CHECK(meanings(arguments, matmul()) == "- - -");
    // A spelling shared by two names of the problem is ambiguous.
    CHECK(meanings({number("rows")}, matmul(), {}, {{"M", {"rows"}}, {"K", {"rows"}}}) == "-");
}

namespace {

NamedArgument typed(const std::string& name, const std::string& type, bool is_const = false) {
    const bool is_pointer = type.ends_with('*');
    return named_argument({name, type, is_pointer ? AddressSpace::Global : AddressSpace::Private, is_const});
}

/// As meanings(), and then by elimination.
std::string eliminated(const std::vector<NamedArgument>& arguments, const ProblemInstance& problem,
                       const std::vector<std::string>& scratch = {},
                       const std::vector<std::string>& taken = {}) {
    auto matches = match_arguments(arguments, problem, scratch);
    match_by_elimination(arguments, matches, problem, scratch, taken);
    std::string text;
    for (const auto& match : matches)
        text += (text.empty() ? "" : " ") + (match ? match->name : std::string("-"));
    return text;
}

}  // namespace

TEST_CASE("what only one argument can be, that argument is") {
    CHECK(eliminated({typed("A", "float*"), typed("q", "float*"), typed("C", "float*")}, matmul()) ==
          "A B C");
    CHECK(eliminated({typed("M", "int"), typed("N", "int"), typed("depth", "int")}, matmul()) == "M N K");
    // Only an input can be const, so the other one is the output.
    CHECK(eliminated({typed("now", "float*", true), typed("next", "float*")}, copy()) == "X Y");
    CHECK(eliminated({typed("p", "float*"), typed("q", "float*", true)}, copy()) == "Y X");
}

TEST_CASE("nothing is bound that elimination does not prove") {
    CHECK(eliminated({typed("x_new", "float*"), typed("x_old", "float*")}, copy()) == "- -");
    CHECK(eliminated({typed("p", "float*", true), typed("q", "float*", true), typed("C", "float*")},
                     matmul()) == "- - C");
    CHECK(eliminated({typed("M", "int"), typed("a", "int"), typed("b", "int")}, matmul()) == "M - -");
    // Three pointers for an input and an output: one of them is something else.
    CHECK(eliminated({typed("p", "float*", true), typed("q", "float*"), typed("r", "float*")}, copy()) ==
          "- - -");
    CHECK(eliminated({typed("p", "int*"), typed("q", "float*"), typed("w", "float")}, copy()) == "- - -");
    for (const char* other : {"offset", "lda", "stride_x", "tile_width", "incx"})
        CHECK(eliminated({typed("X", "float*"), typed("Y", "float*"), typed(other, "int")}, copy()) ==
              "X Y -");
    CHECK(eliminated({typed("X", "float*"), typed("p", "float*")}, copy(), {"T"}) == "X -");
    CHECK(eliminated({typed("X", "float*"), typed("p", "float*")}, copy(), {}, {"Y"}) == "X -");
    CHECK(eliminated({typed("X", "float*"), typed("Y", "float*"), typed("n2", "int2")}, copy()) == "X Y -");
}

// --- model/device_fit.hpp ---

using Shape = std::vector<std::uint64_t>;

TEST_CASE("a shape's work-items are its product, and the largest number where that is too large") {
    CHECK(count_items({7}) == 7);
    CHECK(count_items({16, 8, 2}) == 256);
    CHECK(count_items({UINT32_MAX, UINT32_MAX}) == std::uint64_t{UINT32_MAX} * UINT32_MAX);
    CHECK(count_items({std::uint64_t{1} << 32, std::uint64_t{1} << 32}) == UINT64_MAX);
    CHECK(count_items({UINT64_MAX, 2, 0}) == 0);
}

TEST_CASE("a work-group is cut to the limit of each dimension, then halved where it is longest") {
    CHECK(shrink_work_group({32, 32}, 256, {}) == Shape{16, 16});
    CHECK(shrink_work_group({32, 32}, 512, {}) == Shape{32, 16});
    CHECK(shrink_work_group({1000}, 256, {}) == Shape{256});
    CHECK(shrink_work_group({1, 1, 128}, 256, {256, 256, 64}) == Shape{1, 1, 64});
    CHECK(shrink_work_group({64, 4}, 128, {0, 0}) == Shape{32, 4});
}

TEST_CASE("what shrinks always fits and is never empty") {
    for (const std::uint64_t most : {1u, 3u, 64u, 1000u})
        for (const Shape& shape : {Shape{1}, {5, 7, 9}, {UINT64_MAX, UINT64_MAX}, {1, 100000}}) {
            const Shape fit = shrink_work_group(shape, most, {512, 512, 2});
            CHECK(count_items(fit) >= 1);
            CHECK(count_items(fit) <= most);
            for (std::size_t d = 0; d < shape.size(); ++d) CHECK(fit[d] <= shape[d]);
        }
}

TEST_CASE("what would fit is said with its work-items") {
    CHECK(describe_fit({32, 32}, 256, {}) == "16x16 (256 work-items) would fit");
    CHECK(describe_fit({9}, 1, {}) == "1 (1 work-item) would fit");
}

TEST_CASE("the work-group that is advised divides, and is the largest up to the one that was wanted") {
    CHECK(dividing_work_group({512, 512}, {10, 10}) == std::vector<std::uint64_t>{8, 8});
    for (std::uint64_t global = 1; global < 80; ++global)
        for (std::uint64_t wanted = 1; wanted < 40; ++wanted) {
            const std::uint64_t found = dividing_work_group({global}, {wanted}).front();
            CAPTURE(global);
            CAPTURE(wanted);
            REQUIRE(found <= wanted);
            REQUIRE(global % found == 0);
            for (std::uint64_t larger = found + 1; larger <= wanted; ++larger) REQUIRE(global % larger != 0);
        }
    CHECK(dividing_work_group({UINT64_MAX}, {UINT64_MAX}).front() <= 1u << 16);
}

TEST_CASE("what to do about a work-group that does not divide is another one or a rounded global size") {
    CHECK(advise_on_division({512, 512}, {10, 10}, 0) ==
          "Choose one that divides, e.g. 8x8, or let the file round the global size up with "
          "round_up(…, local.x), to 520, and guard the edge in the kernel");
    CHECK(
        advise_on_division({101}, {10}, 0) ==
        "Let the file round the global size up with round_up(…, local.x), to 110, and guard the edge in the "
        "kernel");
    CHECK(advise_on_division({64, 64, 9}, {8, 8, 2}, 2, false).find("local.z), to 10,") != std::string::npos);
    CHECK(advise_on_division({64, 64, 9}, {8, 8, 2}, 2, false).find("e.g.") == std::string::npos);
}

// --- sizes ---

TEST_CASE("equal extents are shown once, different ones by name") {
    CHECK(to_string(Sizes{{"M", 512}, {"N", 512}, {"K", 512}}) == "512");
    CHECK(to_string(Sizes{{"M", 512}, {"N", 256}, {"K", 512}}) == "M=512 N=256 K=512");
    CHECK(to_string(Sizes{{"n", 9}}) == "n=9");
    CHECK(to_string(Sizes{}) == "");
}

TEST_CASE("a buffer's elements are the product of its shape") {
    BufferSpec buffer{"A", {Scalar::Float32, 1}, Access::Read, {3, 5}};
    CHECK(buffer.elements() == 15);
    CHECK(buffer.bytes() == 60);
}

TEST_CASE("a check keeps inputs twice, and outputs three times with expected values and bounds") {
    CHECK(reference_bytes(matmul()) == (8 + 12) * (3 * 4) + 6 * (4 * 4 + 2 * (8 + 4)));
    ProblemInstance in_place = copy();
    in_place.buffers[1].access = Access::ReadWrite;
    CHECK(reference_bytes(in_place) == 5 * (3 * 4) + 5 * (3 * 4) + 5 * (4 * 4 + 2 * (8 + 4)));
}

TEST_CASE("a problem finds its buffers and scalars by name") {
    ProblemInstance problem;
    problem.buffers = {{"A", {}, Access::Read, {4}}, {"C", {}, Access::Write, {4}}};
    problem.scalars = {{"N", {Scalar::Int32, 1}, std::int64_t{4}}};
    CHECK(problem.find_buffer("C") == &problem.buffers[1]);
    CHECK(problem.find_buffer("N") == nullptr);
    CHECK(problem.find_scalar("N") == &problem.scalars[0]);
    CHECK(problem.argument_names() == std::vector<std::string>{"A", "C", "N"});
}

TEST_CASE("every verdict is read by the name that it writes") {
    const std::vector<std::string> names = enum_names<Verdict>();
    CHECK(names.size() == static_cast<std::size_t>(Verdict::Skipped) + 1);
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(parse_enum<Verdict>(names[i]) == static_cast<Verdict>(i));
        CHECK(to_string(static_cast<Verdict>(i)) == names[i]);
    }
    CHECK(!parse_enum<Verdict>("fine"));
    CHECK(!parse_enum<Verdict>(""));
}

// --- model/element.hpp ---

TEST_CASE("every element type is read by the name that it writes") {
    for (int scalar = 0; scalar <= static_cast<int>(Scalar::Float64); ++scalar)
        for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u}) {
            const ElementType type{static_cast<Scalar>(scalar), width};
            CHECK(parse_element_type(to_string(type)) == type);
        }
}

TEST_CASE("names as OpenCL C allows them") {
    CHECK(parse_element_type("unsigned int") == ElementType{Scalar::UInt32, 1});
    CHECK(parse_element_type("unsigned") == ElementType{Scalar::UInt32, 1});
    CHECK(parse_element_type("unsigned char") == ElementType{Scalar::UInt8, 1});
    CHECK(parse_element_type(" float4 ") == ElementType{Scalar::Float32, 4});
    for (const char* name :
         {"", "float5", "float44", "size_t", "floaty", "unsigned float", "int 4", "ufloat"})
        CHECK(!parse_element_type(name));
}

TEST_CASE("vectors of three components have the size of four") {
    CHECK(ElementType{Scalar::Float32, 3}.bytes() == 16);
    CHECK(ElementType{Scalar::Float32, 4}.bytes() == 16);
    CHECK(ElementType{Scalar::Float16, 1}.bytes() == 2);
    CHECK(ElementType{Scalar::UInt64, 16}.bytes() == 128);
}

TEST_CASE("floating types are told from integers") {
    CHECK(ElementType{Scalar::Float16, 1}.is_floating());
    CHECK(ElementType{Scalar::Float64, 2}.is_floating());
    CHECK(!ElementType{Scalar::UInt64, 1}.is_floating());
}

// --- model/image.hpp ---

TEST_CASE("names of samplers") {
    for (const char* name :
         {"nearest_none", "linear_clamp", "nearest_edge_normalized", "linear_repeat_normalized"})
        CHECK(to_string(parse_sampler(name).value()) == name);
    for (const char* name :
         {"", "nearest", "edge_nearest", "linear_repeat", "nearest_mirror", "linear_edge_"})
        CHECK(!parse_sampler(name));
}

TEST_CASE("which buffers are grids of pixels") {
    const auto shape_of = [](ElementType type, std::vector<std::uint64_t> shape) {
        return image_shape({"A", type, Access::Read, std::move(shape), true});
    };
    const auto grid = shape_of({Scalar::UInt8, 4}, {3, 5});
    REQUIRE(grid);
    CHECK(grid->height == 3);
    CHECK(grid->width == 5);
    CHECK(grid->is_normalized);
    CHECK(shape_of({Scalar::UInt8, 1}, {3, 5, 4}).value().pixel == ElementType{Scalar::UInt8, 4});
    CHECK(!shape_of({Scalar::UInt8, 1}, {3, 5, 3}));
    CHECK(!shape_of({Scalar::UInt8, 2}, {3, 5, 2}));
    CHECK(!shape_of({Scalar::UInt8, 8}, {3, 5}));
    CHECK(!shape_of({Scalar::Float64, 1}, {3, 5}));
    CHECK(!shape_of({Scalar::Float32, 1}, {15}));
}

TEST_CASE("a buffer of bytes is a picture, grey or in colour, of at most 128 pixels a side") {
    const auto buffer = [](ElementType type, std::vector<std::uint64_t> shape) {
        return BufferSpec{"p", type, Access::Write, std::move(shape), false};
    };
    CHECK(!is_picture(buffer({Scalar::UInt8, 2}, {3, 4})));
    CHECK(!is_picture(buffer({Scalar::Float32, 4}, {3, 4})));
    CHECK(!is_picture(buffer({Scalar::UInt8, 4}, {12})));

    const BufferSpec colours = buffer({Scalar::UInt8, 4}, {1, 2});
    const std::vector<std::uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 255};
    const Picture picture = make_picture(colours, std::as_bytes(std::span(bytes)));
    CHECK(picture.pixels == std::vector<std::uint32_t>{0xFF030201, 0xFF070605});

    const BufferSpec grey = buffer({Scalar::UInt8, 1}, {2, 512});
    std::vector<std::uint8_t> ramp;
    for (int i = 0; i < 1024; ++i) ramp.push_back(static_cast<std::uint8_t>(i / 4));
    const Picture small = make_picture(grey, std::as_bytes(std::span(ramp)));
    CHECK(small.rows == 1);
    CHECK(small.columns == 128);
    CHECK(small.pixels.front() == 0xFF000000);
    CHECK(small.pixels.back() == 0xFF7F7F7F);
    CHECK(small.pixels[5] == 0xFF050505);
    const std::vector<std::byte> wide(300 * 200);
    const Picture fitted = make_picture(buffer({Scalar::UInt8, 1}, {200, 300}), wide);
    CHECK(fitted.rows == 85);
    CHECK(fitted.columns == 128);
}
