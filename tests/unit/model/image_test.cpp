#include "model/image.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

using namespace kwb;

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
