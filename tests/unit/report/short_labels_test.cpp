#include "report/short_labels.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

using Labels = std::vector<std::string>;

LabelParts part(const std::string& kernel, const std::string& local = "16x16",
                const NamedList<std::string>& params = {}) {
    return {kernel, params, local};
}

}  // namespace

TEST_CASE("different kernels are named by the last part of their names") {
    CHECK(make_labels({part("matmul/naive"), part("/home/she/mine.cl"), part("cpu:blas", "")}) ==
          Labels{"naive", "mine", "cpu:blas"});
    CHECK(make_labels(std::vector<LabelParts>{}).empty());
}

TEST_CASE("kernels of one name get as much of their folders as tells them apart") {
    CHECK(make_labels({part("matmul/tiled"), part("/home/she/tiled.cl"), part("/home/he/tiled.cl")}) ==
          Labels{"matmul/tiled", "she/tiled", "he/tiled"});
}

TEST_CASE(
    "a kernel that stands there twice is named with its work-group, or with the parameters that differ") {
    CHECK(make_labels({part("matmul/naive", "8x8"), part("matmul/naive", "16x16")}) ==
          Labels{"naive 8x8", "naive 16x16"});
    CHECK(make_labels({part("a/t", "8x8", {{"PAD", "0"}, {"X", "1"}}),
                       part("a/t", "8x8", {{"PAD", "1"}, {"X", "1"}})}) == Labels{"t PAD=0", "t PAD=1"});
    CHECK(make_labels({part("a/t", "8x8", {{"PAD", "0"}}), part("a/t", "8x8", {{"PAD", "1"}}),
                       part("a/t", "auto", {{"PAD", "0"}})}) ==
          Labels{"t 8x8 PAD=0", "t 8x8 PAD=1", "t auto PAD=0"});
}

TEST_CASE("what is quite the same is numbered") {
    CHECK(make_labels({part("a/t"), part("a/t"), part("a/u")}) == Labels{"t", "t (2)", "u"});
}

TEST_CASE("results of a past run get labels from what they ran with") {
    KernelResult small, large;
    small.kernel = large.kernel = "matmul/tiled";
    small.params = {{"TILE", std::int64_t{8}}};
    large.params = {{"TILE", std::int64_t{32}}};
    small.launches = {{"k", {64, 64}, {8, 8}, {}}};
    large.launches = {{"k", {64, 64}, {32, 32}, {}}};
    CHECK(make_labels(std::vector{small, large}) == Labels{"tiled 8x8", "tiled 32x32"});
}
