// SPDX-License-Identifier: Apache-2.0
// kwb why: experiments on PoCL. What they measure differs from machine to machine; what was measured does
// not.
#include <map>

#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// The experiments of a result by their names: "cache_hits B".
std::map<std::string, nlohmann::json> effects_of(const nlohmann::json& result) {
    std::map<std::string, nlohmann::json> effects;
    for (const nlohmann::json& effect : result.at("effects")) {
        std::string name = effect.at("what").get<std::string>();
        if (name == "cache_hits" || name == "sorted") name += " " + effect.at("buffer").get<std::string>();
        effects[name] = effect;
    }
    return effects;
}

std::string own(const char* body) {
    return std::string(
               "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"k\"\nglobal = [\"N\"]\nlocal = "
               "[64]\n+++*/\n") +
           "#define MANY 1000000000\n" + body;
}

}  // namespace

TEST_CASE("each experiment is timed against the kernel as it is; the verdict is that of the kernel") {
    const nlohmann::json document =
        kwb_json({"why", "matmul/naive", "matmul/tiled", "--size", "64", "--rounds", "7", "--json", "-"});
    const nlohmann::json& results = document.at("results");
    for (const nlohmann::json& result : results) {
        CHECK(result.at("verdict") == "correct");
        for (const auto& entry : effects_of(result)) {
            const nlohmann::json& effect = entry.second;
            INFO(entry.first);
            CHECK(effect.at("obstacle") == "");
            CHECK(effect.at("rounds") == 7);
            CHECK(effect.at("as_it_is_ms") > 0);
        }
    }
    // At 64, all buffers are in the nearest cache anyway.
    CHECK(effects_of(results[0]).contains("empty_kernel"));
    CHECK_FALSE(effects_of(results[0]).contains("no_barriers"));
    CHECK(effects_of(results[1]).contains("no_barriers"));
    CHECK_FALSE(effects_of(results[1]).contains("together"));  // it would be the same experiment again
}

TEST_CASE("changes of several kinds are also made together") {
    const nlohmann::json document =
        kwb_json({"why", "matmul/tiled", "--size", "256", "--rounds", "6", "--no-xray", "--json", "-"});
    const auto effects = effects_of(document.at("results")[0]);
    REQUIRE(effects.contains("together"));
    CHECK(effects.at("together").at("obstacle") == "");
    CHECK(effects.at("together").at("share") > 0);  // what is left
}

TEST_CASE("buffers that are larger than the cache are held in it, each alone, then together") {
    const nlohmann::json document = kwb_json(
        {"why", "vector_add/elements", "--size", "4000000", "--rounds", "6", "--no-xray", "--json", "-"});
    const auto effects = effects_of(document.at("results")[0]);
    for (const char* const name : {"cache_hits A", "cache_hits B", "cache_hits "}) {
        INFO(name);
        REQUIRE(effects.contains(name));
        CHECK(effects.at(name).at("obstacle") == "");
        CHECK(effects.at(name).at("rounds") == 6);
    }
}

TEST_CASE("integers are also put in ascending order, and samples show the hot loop") {
    const nlohmann::json histogram = kwb_json({"why", "histogram/global_atomics", "--size", "1000000",
                                               "--rounds", "6", "--no-xray", "--json", "-"});
    const auto effects = effects_of(histogram.at("results")[0]);
    REQUIRE(effects.contains("sorted X"));
    CHECK(effects.at("sorted X").at("obstacle") == "");
    CHECK(effects.at("sorted X").at("rounds") == 6);
    const nlohmann::json chain =
        kwb_json({"why", "fma_chain/fma_chain", "--rounds", "6", "--no-xray", "--json", "-"});
    const nlohmann::json& loop = chain.at("results")[0].at("hot_loop");
    if (loop.is_null()) {  // too few samples on a busy machine, or no x86-64
        MESSAGE("no hot loop was found");
    } else {
        CHECK(loop.at("share") > 0.9);
        CHECK(loop.at("lanes") >= 4);
        CHECK(loop.at("instructions_per_operation") < 1);
    }
}

TEST_CASE("an experiment that crashes loses its own effect only") {
    const TempFolder folder;
    // Without the first barrier's order, the last work-item has not written a valid index yet.
    folder.write("k.cl", own("__kernel void k(__global const float* X, __global float* Y) {\n"
                             "    __local long at;\n"
                             "    int i = get_local_id(0);\n"
                             "    if (i == 0) at = MANY * 1000l;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    if (i == 63) at = 0;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    Y[get_global_id(0)] = X[get_global_id(0) + at];\n"
                             "}\n"));
    const nlohmann::json document =
        kwb_json({"why", (folder / "k.cl").string(), "--size", "6400", "--rounds", "6", "--json", "-"});
    const nlohmann::json& result = document.at("results")[0];
    CHECK(result.at("verdict") == "correct");
    const auto effects = effects_of(result);
    CHECK(effects.at("no_barriers").at("obstacle") != "");
    CHECK(effects.at("no_barriers").at("share").is_null());
    CHECK(effects.at("empty_kernel").at("rounds") == 6);
}

TEST_CASE("the time of a wrong kernel is not explained") {
    const TempFolder folder;
    folder.write(
        "k.cl",
        own("__kernel void k(__global const float* X, __global float* Y) { Y[get_global_id(0)] = 1; }\n"));
    const nlohmann::json document =
        kwb_json({"why", (folder / "k.cl").string(), "--size", "6400", "--json", "-"}, 1);
    CHECK(document.at("results")[0].at("verdict") == "wrong");
    CHECK(document.at("results")[0].at("effects").is_null());
}

TEST_CASE("a run ends with what is counted, and names the command that measures") {
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "matmul/tiled", "--size", "64"}), 0,
                "of global memory in loads and stores", "The same command with --why measures");
    const Finished why = run_kwb({"why", "matmul/naive", "matmul/tiled", "--size", "64", "--rounds", "6"});
    CHECK(why.exit_code == 0);
    CHECK_SAYS(why.out, "what if", "without barriers", "empty kernels");
    CHECK_FALSE(says(why.out, "with --why"));
}

TEST_CASE("the library of the CPU and untrusted kernels are not explained") {
    const Finished library = run_kwb({"why", "matmul/naive", "cpu:blas", "--size", "64", "--rounds", "6"});
    CHECK(library.exit_code == 0);
    CHECK_SAYS(library.out, "empty kernels");
    CHECK_FALSE(says(library.out, "nothing that was seen"));
    CHECK_FALSE(says(library.out, "shows a reason"));
    CHECK_TELLS(run_kwb({"why", "matmul/naive", "--foreign", "--size", "64", "--rounds", "1"}), 0,
                "an untrusted kernel could forge the times of its process");
}

TEST_CASE("kernels of different problems are not compared") {
    CHECK_REFUSED(run_kwb({"why", "matmul/naive", "copy/copy"}), 2, "matmul", "copy");
    CHECK_REFUSED(run_kwb({"why"}), 2, "KERNEL");
}

TEST_CASE("the answer and its reasons are data, with what is computed for a GPU") {
    const nlohmann::json document = kwb_json({"why", "matmul/naive", "matmul/tiled", "--size", "64",
                                              "--rounds", "6", "--target", "a100,rtx a6000", "--json", "-"});
    REQUIRE(document.at("answers").size() == 1);
    const nlohmann::json& answer = document.at("answers")[0];
    CHECK(answer.at("faster").get<int>() + answer.at("slower").get<int>() == 1);
    std::map<std::string, nlohmann::json> counted;
    for (const nlohmann::json& reason : answer.at("reasons"))
        if (reason.at("basis") == "counted") counted[reason.at("kind").get<std::string>()] = reason;
    REQUIRE(counted.contains("global_traffic"));
    CHECK_FALSE(counted.at("global_traffic").at("slower").at("places").empty());
    for (const nlohmann::json& result : document.at("results")) {
        REQUIRE(result.at("gpus").size() == 2);
        CHECK(result.at("gpus")[0].at("gpu") == "NVIDIA A100");
        CHECK(result.at("gpus")[0].at("at_least").at("ms") > 0);
    }
}

TEST_CASE("reasons are not computed for what X-ray does not count in a run") {
    CHECK_REFUSED(run_kwb({"why", "matmul/naive", "--target", "mi210"}), 2, "AMD Instinct MI210 has 64",
                  "kwb xray --target");
    CHECK_REFUSED(run_kwb({"why", "matmul/naive", "--target", "device"}), 2, "name a GPU");
    CHECK_REFUSED(run_kwb({"why", "matmul/naive", "--target", "nonsense"}), 2, "nonsense");
}
