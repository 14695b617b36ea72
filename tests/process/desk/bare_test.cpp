// SPDX-License-Identifier: Apache-2.0
// A file that does not say how it is launched, in the window's desk.
#include <doctest/doctest.h>

#include "base/file.hpp"
#include "process/desk/scene.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr const char* kBare =
    "__kernel void product(__global const float* A, __global const float* B, __global float* C,\n"
    "                      int M, int N, int K) {\n"
    "    int column = get_global_id(0), row = get_global_id(1);\n"
    "    if (row >= M || column >= N) return;\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
    "    C[row * N + column] = sum;\n"
    "}\n";

struct BareScene : Scene {
    fs::path bare = folder.write("theirs.cl", kBare);
    explicit BareScene(const std::string& source = kBare) : Scene("timed") {
        write_file(bare, source);
        open("timed", {bare});
        rest();
    }
    const Preview::Contestant& shown() const { return state().preview.contestants.at(0); }
    void wait_for_notes() {
        desk->wait_until(
            [](const DeskState& state) { return !state.preview.contestants.at(0).notes.empty(); });
    }
    void say(const std::function<void(OwnText&)>& change) {
        Experiment choices = state().choices;
        OwnText own;
        if (const OwnText* known = find_named(choices.own, choices.contestants[0].kernel)) own = *known;
        change(own);
        put_named(choices.own, choices.contestants[0].kernel, own);
        perform(to_choices(choices));
    }
};

}  // namespace

TEST_CASE("a bare file is completed from its source and runs, and what was deduced is told") {
    BareScene scene;
    scene.wait_for_notes();
    CHECK(scene.shown().is_bare);
    CHECK(!scene.shown().obstacle);
    CHECK(mentions(join(scene.shown().notes, "\n"), "kernel  product"));
    const CompletedLaunch& completed = scene.shown().completed;
    CHECK(completed.function == "product");
    REQUIRE(completed.arguments.size() == 6);
    CHECK(completed.arguments[0].type == "global const float*");
    CHECK(completed.arguments[2].value == "C");
    CHECK(completed.arguments[5].type == "int");
    CHECK(completed.global == "round_up(N, local.x), round_up(M, local.y)");
    CHECK(completed.local.empty());
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Correct);
}

TEST_CASE("macros that a bare file takes from its host program are told until they are given") {
    std::string source = kBare;
    source.replace(source.find("k < K"), 5, "k < DEPTH");
    BareScene scene(source);
    scene.wait_for_notes();
    CHECK(scene.shown().missing_macros == std::vector<std::string>{"DEPTH"});
    CHECK(!scene.shown().obstacle);
    scene.say([](OwnText& own) { own.defines = "DEPTH = K"; });
    CHECK(scene.shown().missing_macros.empty());
}

TEST_CASE("what is said about a bare file counts, and what is wrong is said with its option") {
    BareScene scene;
    scene.wait_for_notes();
    scene.say([](OwnText& own) { own.global = "round_up(N, 8), round_up(M, 8)"; });
    CHECK(mentions(join(scene.shown().notes, "\n"), "round_up(N, 8)"));
    scene.say([](OwnText& own) { own.args = "A, B"; });
    REQUIRE(scene.shown().obstacle);
    CHECK(mentions(*scene.shown().obstacle, "--args"));
    CHECK(scene.shown().completed.arguments.size() == 6);
    CHECK(scene.shown().completed.arguments[0].value.empty());
    scene.say([](OwnText& own) { own.args = ""; });
    CHECK(!scene.shown().obstacle);
}

TEST_CASE("arguments that no name identifies are guessed, and wait for a person") {
    const std::string source =
        "__kernel void product(__global const float* p, __global const float* q, __global float* C,\n"
        "                      int M, int N, int inner) {\n"
        "    int column = get_global_id(0), row = get_global_id(1);\n"
        "    if (row >= M || column >= N) return;\n"
        "    float sum = 0;\n"
        "    for (int k = 0; k < inner; ++k) sum += p[row * inner + k] * q[k * N + column];\n"
        "    C[row * N + column] = sum;\n"
        "}\n";
    BareScene scene(source);
    scene.desk->wait_until(
        [](const DeskState& state) { return !state.preview.contestants.at(0).completed.arguments.empty(); });
    const CompletedLaunch& launch = scene.shown().completed;
    CHECK(launch.is_guessed());
    CHECK(launch.arguments[0].value.empty());
    CHECK(launch.arguments[0].offer.guess == "A");
    CHECK(launch.arguments[1].offer.guess == "B");
    CHECK(launch.arguments[5].offer.guess == "K");
    CHECK(launch.arguments[1].offer.choices == std::vector<std::string>{"A", "B", "C"});
    REQUIRE(scene.shown().obstacle);
    CHECK(mentions(*scene.shown().obstacle, "check what each argument gets"));
    CHECK(!mentions(*scene.shown().obstacle, "--"));
    scene.say([](OwnText& own) { own.args = "p = A, q = B, inner = K"; });
    CHECK(!scene.shown().obstacle);
}

TEST_CASE("of several kernel functions one is chosen") {
    BareScene scene(std::string(kBare) +
                    "__kernel void other(__global float* C) { C[get_global_id(0)] = 0; }\n");
    scene.desk->wait_until(
        [](const DeskState& state) { return state.preview.contestants.at(0).functions.size() == 2; });
    REQUIRE(scene.shown().obstacle);
    CHECK(mentions(*scene.shown().obstacle, "choose the kernel function"));
    scene.say([](OwnText& own) { own.entry = "product"; });
    CHECK(!scene.shown().obstacle);
}

TEST_CASE("Keep writes the launch next to the file, once") {
    BareScene scene;
    scene.wait_for_notes();
    scene.perform(command::KeepLaunch{scene.bare.string()});
    const fs::path side_car = scene.bare.string() + ".toml";
    REQUIRE(fs::exists(side_car));
    CHECK(mentions(read_text(side_car), "problem = \"matmul\""));
    CHECK(!scene.shown().is_bare);
    CHECK(!scene.shown().obstacle);
    scene.perform(command::KeepLaunch{scene.bare.string()});
    CHECK(scene.notices("its launch is incomplete"));
}
