// SPDX-License-Identifier: Apache-2.0
// Properties of all problems, and the costs of those without their own tests.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "model/argument_names.hpp"
#include "problems/problem.hpp"

using namespace kwb;

TEST_CASE(
    "every problem has a name of its own, all its sizes everywhere, and buffers that its arguments name") {
    std::set<std::string> names;
    for (const Problem* problem : all_problems()) {
        CAPTURE(problem->name());
        CHECK(names.insert(problem->name()).second);
        CHECK(&get_problem(problem->name()) == problem);
        CHECK(names_of(problem->default_sizes()) == problem->size_names());
        for (const std::int64_t tile : {1, 2, 16, 64, 256, 1024}) {
            std::vector<Sizes> all = problem->awkward_sizes(tile);
            CHECK(all.size() >= 12);
            for (const Sizes& sizes : all) {
                CAPTURE(to_string(sizes));
                CHECK(std::ranges::count(all, sizes) == 1);
                REQUIRE(names_of(sizes) == problem->size_names());
                const ProblemInstance instance = problem->at(sizes);
                CHECK(instance.problem == problem->name());
                CHECK(instance.sizes == sizes);
                CHECK(instance.cost.bytes > 0);
                double bytes = 0;
                for (const BufferSpec& buffer : instance.buffers)
                    bytes +=
                        static_cast<double>(buffer.bytes()) * (buffer.access == Access::ReadWrite ? 2 : 1);
                CHECK(instance.cost.bytes == bytes);
            }
        }
    }
    CHECK(names == std::set<std::string>{"convolution", "copy", "fma_chain", "histogram", "matmul", "max",
                                         "saxpy", "scan", "stencil", "sum", "transpose", "vector_add"});
}

TEST_CASE("awkward lengths are one below, at and above whole work-groups, and never below 1") {
    const auto has = [](const std::vector<Sizes>& all, std::int64_t length) {
        return std::ranges::count(all, Sizes{{"N", length}}) == 1;
    };
    for (const std::int64_t tile : {1, 7, 64, 256}) {
        CAPTURE(tile);
        const std::vector<Sizes> all = get_problem("vector_add").awkward_sizes(tile);
        for (const std::int64_t length :
             {std::int64_t{1}, tile, tile + 1, 4 * tile - 1, 4 * tile + 1, 16 * tile})
            CHECK(has(all, length));
        CHECK(!has(all, 0));
    }
    CHECK_THROWS_AS(get_problem("vector_add").awkward_sizes(0), ContractError);
}

TEST_CASE("a copy moves eight bytes a number and computes nothing") {
    const ProblemInstance instance = get_problem("copy").at({{"N", 1000}});
    CHECK(instance.cost.flops == 0);
    CHECK(instance.cost.bytes == 8000);
    CHECK(instance.argument_names() == std::vector<std::string>{"X", "Y", "N"});
}

TEST_CASE("a chain costs two operations per step and hardly any memory traffic") {
    const ProblemInstance instance = get_problem("fma_chain").at({{"N", 1000}});
    CHECK(instance.cost.flops == 2.0 * 1000 * kFmaChainSteps);
    CHECK(instance.cost.flops / instance.cost.bytes > 1000);
    CHECK(instance.argument_names() == std::vector<std::string>{"X", "A", "B", "Y", "N", "S"});
}

TEST_CASE("uncheckable sizes are rejected as such, and the largest checkable ones are not") {
    const auto limit = [](const char* problem, const Sizes& sizes) {
        return get_problem(problem).find_checking_limit(sizes).value_or("");
    };
    CHECK(limit("matmul", {{"M", 1}, {"N", 1}, {"K", 1 << 23}}).empty());
    CHECK(limit("matmul", {{"M", 1}, {"N", 1}, {"K", (1 << 23) + 1}}).starts_with("K = 8388609 is too long"));
    CHECK(limit("stencil", {{"H", 4}, {"W", 4}, {"S", 10}}).empty());
    CHECK(limit("stencil", {{"H", 4}, {"W", 4}, {"S", 11}}).starts_with("S = 11 steps are too many"));
    CHECK(limit("convolution", {{"H", 4}, {"W", 4}, {"F", 255}}).empty());
    CHECK(limit("convolution", {{"H", 4}, {"W", 4}, {"F", 256}}).starts_with("F = 256 is too large"));
    CHECK(limit("copy", {{"N", 1 << 30}}).empty());
}

TEST_CASE("sizes are refused where they are missing, and read from one number") {
    CHECK_THROWS_AS(get_problem("copy").at({{"M", 4}}), ContractError);
    CHECK_THROWS_AS(get_problem("fma_chain").at({{"N", 0}}), ContractError);
    CHECK(parse_sizes(get_problem("copy"), "77") == Sizes{{"N", 77}});
    CHECK(parse_sizes(get_problem("copy"), "1M") == Sizes{{"N", 1'000'000}});
    CHECK(parse_sizes(get_problem("transpose"), "2kx3") == Sizes{{"M", 2000}, {"N", 3}});
    for (const char* text : {"1Mi", "M", "3G", "k", "1 M"})
        CHECK_THROWS_AS(parse_sizes(get_problem("copy"), text), BadInput);
    CHECK_THROWS_WITH_AS(parse_sizes(get_problem("copy"), "7x7"),
                         "size '7x7': 2 sizes, but copy has 1 (N). Give one number, e.g. 512 or 4k",
                         BadInput);
    CHECK_THROWS_WITH_AS(
        parse_sizes(get_problem("matmul"), "7x7"),
        "size '7x7': 2 sizes, but matmul has 3 (M, N, K). Give one number, e.g. 512 or 4k, or MxNxK, "
        "e.g. 512x256x1024",
        BadInput);
}

TEST_CASE("spellings are those of arguments that the problem has, as a matcher sees them") {
    for (const Problem* problem : all_problems()) {
        CAPTURE(problem->name());
        const ProblemInstance instance = problem->at(problem->default_sizes());
        for (const auto& [name, words] : problem->spellings()) {
            const auto& shown_name = name;
            CAPTURE(shown_name);
            CHECK((instance.find_buffer(name) != nullptr || instance.find_scalar(name) != nullptr));
            CHECK_FALSE(words.empty());
            for (const std::string& word : words)
                CHECK(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos);
        }
    }
}

TEST_CASE("each problem knows how its arguments are usually called") {
    const auto meaning = [](const char* problem, const NamedArgument& argument) {
        const Problem& known = get_problem(problem);
        const ProblemInstance instance = known.at(known.default_sizes());
        const auto found = match_arguments({argument}, instance, {}, spellings_of(instance));
        return found.front() ? found.front()->name : "-";
    };
    CHECK(meaning("matmul", {"hA", false}) == "M");
    CHECK(meaning("matmul", {"widthA", false}) == "K");
    CHECK(meaning("matmul", {"wB", false}) == "N");
    CHECK(meaning("matmul", {"rows", false}) == "-");
    CHECK(meaning("transpose", {"rows", false}) == "M");
    CHECK(meaning("transpose", {"width", false}) == "N");
    CHECK(meaning("convolution", {"mask", true}) == "filter");
    CHECK(meaning("convolution", {"imageWidth", false}) == "W");
    CHECK(meaning("convolution", {"maskWidth", false}) == "F");
    CHECK(meaning("stencil", {"ny", false}) == "H");
    CHECK(meaning("stencil", {"iterations", false}) == "S");
    CHECK(meaning("histogram", {"bins", true}) == "H");
    CHECK(meaning("histogram", {"num_bins", false}) == "BINS");
    CHECK(meaning("sum", {"total", true}) == "R");
    CHECK(meaning("max", {"largest", true}) == "R");
    CHECK(meaning("max", {"sum", true}) == "-");
    CHECK(meaning("saxpy", {"a", false}) == "alpha");
}

TEST_CASE("a declared problem recognises common names of heights, widths and other sizes") {
    ProblemInstance own;
    own.problem = "blur";
    own.scalars = {{"W", ElementType{Scalar::Int32, 1}, std::int64_t{4}},
                   {"H", ElementType{Scalar::Int32, 1}, std::int64_t{3}},
                   {"BINS", ElementType{Scalar::Int32, 1}, std::int64_t{5}}};
    const auto found =
        match_arguments({{"height", false}, {"ncols", false}, {"nbins", false}}, own, {}, spellings_of(own));
    REQUIRE((found[0] && found[1] && found[2]));
    CHECK(found[2]->name == "BINS");
    CHECK(found[0]->name == "H");
    CHECK(found[1]->name == "W");
}

TEST_CASE("a shipped problem may have other numbers than its own") {
    const Sizes sizes = {{"M", 3}, {"N", 4}, {"K", 5}};
    const ProblemInstance own = get_problem("matmul").at(sizes);
    const Problem& problem = get_problem("matmul:double4");
    const ProblemInstance instance = problem.at(sizes);
    CHECK(&get_problem("matmul:double4") == &problem);
    CHECK(!is_same_problem(problem, get_problem("matmul")));
    CHECK(problem.title() == get_problem("matmul").title() + ", in double4");
    for (const BufferSpec& buffer : instance.buffers) CHECK(to_string(buffer.type) == "double4");
    CHECK(to_string(instance.find_scalar("K")->type) == "int");
    CHECK(instance.cost.bytes == 8 * own.cost.bytes);
    CHECK(instance.cost.flops == 4 * own.cost.flops);
    CHECK(!problem.has_host_library());
    CHECK(std::get<std::int64_t>(get_problem("saxpy:int").at({{"N", 1}}).find_scalar("alpha")->value) == 3);

    CHECK(typed_name("matmul", "float") == "matmul");
    CHECK(typed_name("histogram", "unsigned int") == "histogram");
    CHECK(typed_name("copy", "unsigned int") == "copy:uint");
    CHECK(&get_problem("matmul:float") == &get_problem("matmul"));
    CHECK(&get_problem("copy:unsigned int") == &get_problem("copy:uint"));
    for (const char* name : {"matmul:", "matmul:double3", "matmul:long", ":double", "stencil:int",
                             "histogram:float", "histogram:int4", "matmul:double:int"}) {
        CAPTURE(name);
        CHECK(find_problem(name) == nullptr);
        CHECK_THROWS_AS(get_problem(name), BadInput);
    }
}
