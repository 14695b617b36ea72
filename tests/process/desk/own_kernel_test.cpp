// A file that says nothing about itself, in the window's desk.
#include <doctest/doctest.h>

#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("a file that says nothing is shown with what is missing, and its side-car makes it whole at once") {
    Scene scene("good");
    const fs::path bare = scene.folder.write("bare.cl", "__kernel void k(__global float* c) { c[0] = 0; }\n");
    scene.open("good", {bare});
    scene.rest();
    REQUIRE(scene.state().preview.contestants.size() == 1);
    REQUIRE(scene.state().preview.contestants[0].obstacle);
    CHECK(mentions(*scene.state().preview.contestants[0].obstacle,
                   "which problem it solves; adopt it in a terminal with"));
    CHECK(mentions(*scene.state().preview.contestants[0].obstacle,
                   "kwb adopt " + bare.string() + " --problem matmul"));
    CHECK(scene.document(bare) != nullptr);

    scene.folder.write("bare.cl.toml",
                       "problem = \"matmul\"\n[launch]\nkernel = \"k\"\nglobal = [\"N\", \"M\"]\n");
    scene.desk->wait_until([](const DeskState& state) { return !state.preview.contestants[0].obstacle; });
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.size() == 1);
}
