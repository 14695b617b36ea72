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

TEST_CASE("no export replaces a file of the problem that a kernel declares") {
    Scene scene("good");
    const fs::path array = scene.folder.write("x.npy", "an array");
    const fs::path declaration = scene.folder.write(
        "twice.toml",
        "[problem]\nname = 'twice'\nsizes = {N = 8}\nreference = 'simple.cl'\n[problem.buffers]\n"
        "x = {shape = ['N'], fill = 'x.npy'}\ny = {shape = ['N'], output = true}\n");
    const fs::path mine =
        scene.folder.write("mine.cl",
                           "/*+++\nproblem = 'twice.toml'\n[launch]\nkernel = 'k'\nglobal = ['N']\n+++*/\n"
                           "__kernel void k(__global const float* x, __global float* y) { }\n");
    const std::string declared = read_text(declaration);
    scene.open("good", {mine});
    scene.rest();
    scene.perform(command::ExportBytes{"<svg/>", array});
    scene.perform(command::ExportBytes{"<svg/>", declaration});
    CHECK(scene.notices("would replace " + array.string()));
    CHECK(scene.notices("would replace " + declaration.string()));
    CHECK(read_text(array) == "an array");
    CHECK(read_text(declaration) == declared);
}
