// SPDX-License-Identifier: Apache-2.0
#include "experiment/experiment.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

using Edges = std::vector<std::int64_t>;

Experiment choices_of(std::int64_t edge, std::optional<std::int64_t> from = {},
                      std::optional<std::int64_t> to = {}) {
    Experiment choices;
    choices.sizes = {{"M", edge}, {"N", 1}};
    choices.sweep_from = from;
    choices.sweep_to = to;
    return choices;
}

}  // namespace

TEST_CASE("without a choice a sweep ends at the chosen size, and begins six halvings before") {
    CHECK(sweep_steps(choices_of(64)) == Edges{16, 32, 64, 128, 256, 512});
    CHECK(sweep_steps(choices_of(1000)) == Edges{16, 32, 64, 128, 256, 512});
    CHECK(sweep_range(choices_of(4096)) == SweepRange{64, 4096});
    CHECK(sweep_steps(choices_of(1 << 24)).size() == 7);
    CHECK(sweep_steps(Experiment{}).back() == 512);
}

TEST_CASE("both ends of a sweep are measured, and between them what is twice the one before") {
    CHECK(sweep_steps(choices_of(64, 48, 400)) == Edges{48, 96, 192, 384, 400});
    CHECK(sweep_steps(choices_of(64, 64, 256)) == Edges{64, 128, 256});
    CHECK(sweep_steps(choices_of(64, 7, 7)) == Edges{7});
}

TEST_CASE("typed sizes are what a sweep measures, whichever button starts it") {
    Experiment choices = choices_of(64, 48, 400);
    choices.sweep_edges = {500, 512, 1000};
    CHECK(sweep_steps(choices) == Edges{500, 512, 1000});
    CHECK(sweep_range(choices) == SweepRange{500, 1000});
}

TEST_CASE("one end of a sweep may be chosen alone, and ends that do not fit make one step") {
    CHECK(sweep_range(choices_of(64, {}, 8)) == SweepRange{8, 8});
    CHECK(sweep_range(choices_of(64, {}, 2048)) == SweepRange{32, 2048});
    CHECK(sweep_range(choices_of(64, 100)) == SweepRange{100, 512});
    CHECK(sweep_range(choices_of(64, 1000)) == SweepRange{1000, 1000});
    CHECK(sweep_steps(choices_of(64, 300, 20)) == Edges{20});
    CHECK(sweep_steps(choices_of(64, -5, kMostSweepEdge)).size() == 31);
    CHECK(sweep_range(choices_of(64, {}, kMostSweepEdge + 1)).to == kMostSweepEdge);
}
