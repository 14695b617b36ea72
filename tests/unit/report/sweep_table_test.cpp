#include "report/sweep_table.hpp"

#include <doctest/doctest.h>

#include "unit/report/lines.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

namespace {

KernelResult at(KernelResult result, std::int64_t n) {
    result.size = {{"M", n}, {"N", n}, {"K", n}};
    return result;
}

std::vector<KernelResult> sweep() {
    return {at(sample::naive(), 64), at(sample::tiled(), 64), sample::naive(), sample::wrong()};
}

}  // namespace

TEST_CASE("a sweep has a row for each size and a column for each kernel") {
    CHECK(table_lines(sweep_table(sweep(), {true, false, 100})) ==
          std::vector<std::string>{"size    matmul/naive  matmul/tiled TILE=16  matmul/unguarded TILE=16",
                                   "64    21.8 (12.3 ms)         111 (2.41 ms)                         -",
                                   "512   21.8 (12.3 ms)                     -                     wrong"});
}

TEST_CASE("kernels that do not fit side by side follow below") {
    for (unsigned width = 40; width <= 110; ++width) {
        const std::string text = sweep_table(sweep(), {true, false, width});
        const auto lines = split_lines(text.substr(0, text.find("Cells:")));
        CAPTURE(width);
        CHECK(widest(lines) <= width);
        CHECK(occurrences(text, "21.8 (12.3 ms)") == 2);
        CHECK(occurrences(text, "size") >= (width < 60 ? 2u : 1u));
    }
}

TEST_CASE("a fault of a sweep is told below, with its size") {
    CHECK(sweep_table(sweep()).find("\nmatmul/unguarded TILE=16 at 512: wrong\n") != std::string::npos);
}
