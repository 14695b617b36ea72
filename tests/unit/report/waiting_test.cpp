#include "report/waiting.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("a step that lasts tells how long it has lasted and how long it may") {
    Progress progress;
    CHECK(waiting_words(progress).empty());
    progress.limit_ms = 30'000;
    progress.elapsed_ms = 999;
    CHECK(waiting_words(progress).empty());
    progress.elapsed_ms = 12'004;
    CHECK(waiting_words(progress) == "12 s of at most 30 s");
    progress.limit_ms = 500'500;
    CHECK(waiting_words(progress) == "12 s of at most 500.5 s");
    progress.limit_ms.reset();
    CHECK(waiting_words(progress) == "12 s");
}
