// SPDX-License-Identifier: Apache-2.0
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
