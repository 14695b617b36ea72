#include "model/work_group.hpp"

#include <doctest/doctest.h>

using namespace kwb;

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
          "choose one that divides, e.g. 8x8, or let the file round the global size up with "
          "round_up(…, local.x), to 520, and guard the edge in the kernel");
    CHECK(
        advise_on_division({101}, {10}, 0) ==
        "let the file round the global size up with round_up(…, local.x), to 110, and guard the edge in the "
        "kernel");
    CHECK(advise_on_division({64, 64, 9}, {8, 8, 2}, 2, false).find("local.z), to 10,") != std::string::npos);
    CHECK(advise_on_division({64, 64, 9}, {8, 8, 2}, 2, false).find("e.g.") == std::string::npos);
}
