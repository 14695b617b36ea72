// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/syntax.hpp"
#include "tune/space.hpp"
#include "tune/t1_file.hpp"
#include "tune/t1_values.hpp"

namespace kwb {
namespace {

std::string values_text(const std::string& text) {
    std::vector<std::string> texts;
    for (const ParamValue& value : read_t1_values(text)) texts.push_back(to_string(value));
    return join(texts, " ");
}

std::string values_error(const std::string& text) {
    try {
        return "read as " + values_text(text);
    } catch (const ExpressionError& error) {
        return error.what();
    }
}

std::string param(const std::string& name, const std::string& values) {
    return R"({"Name": ")" + name + R"(", "Type": "int", "Values": ")" + values + "\"}";
}

std::string condition(const std::string& expression) {
    return R"({"Parameters": [], "Expression": ")" + expression + "\"}";
}

/// Kernel Tuner's example of a matrix product.
const std::string kTutorialParams =
    param("block_size_x", "[16, 32, 64]") + "," + param("block_size_y", "[2**i for i in range(6)]") + "," +
    param("tile_size_x", "[1, 2, 4, 8]") + "," + param("tile_size_y", "[1, 2, 4, 8]");

std::string t1_text(const std::string& params, const std::string& conditions = "",
                    const std::string& more = "") {
    return R"({"ConfigurationSpace": {"TuningParameters": [)" + params + R"(], "Conditions": [)" +
           conditions + "]}" + (more.empty() ? "" : ", " + more) + "}";
}

const std::string kLaunch =
    R"("Language": "OpenCL", "KernelName": "product", "KernelFile": "p.cl",
       "LocalSize": {"X": "block_size_x", "Y": "block_size_y", "Z": "1"},
       "GlobalSize": {"X": "512 // block_size_x", "Y": "512"}, "GlobalSizeType": "CUDA")";

std::string with_kernel(const std::string& more) {
    return t1_text(kTutorialParams, "", R"("KernelSpecification": {)" + kLaunch + ", " + more + "}");
}

T1File t1_of(const std::string& text) {
    return read_t1(text, "my.json");
}

std::string t1_error(const std::string& text) {
    try {
        t1_of(text);
        return "";
    } catch (const BadInput& error) {
        return error.what();
    }
}

/// Of a matrix product.
const T1Case kMatmul = {"matmul", {"M", "N", "K"}, {"N", "M"}, 2};

std::string global_of(const T1File& file, const T1Case& about = kMatmul) {
    return join(t1_global(file, about), ", ");
}

template <class Function>
std::string refusal_of(const Function& function) {
    try {
        function();
        return "";
    } catch (const BadInput& error) {
        return error.what();
    }
}

#define CHECK_HAS(text, part)                        \
    do {                                             \
        const std::string said = text;               \
        INFO("said: ", said);                        \
        CHECK(said.find(part) != std::string::npos); \
    } while (false)

}  // namespace

TEST_CASE("lists of values have the values that Python gives them") {
    CHECK(values_text("[16, 32, 64]") == "16 32 64");
    CHECK(values_text(" [ 1,2 , ] ") == "1 2");
    CHECK(values_text("[i for i in range(3,35,16)]") == "3 19");
    CHECK(values_text("[16*i for i in range(1,4)]") == "16 32 48");
    CHECK(values_text("[2**i for i in range(6)]") == "1 2 4 8 16 32");
    CHECK(values_text("[128+64*i for i in range(3)]") == "128 192 256");
    CHECK(values_text("[1, 2] + list(range(32, 96+1, 32))") == "1 2 32 64 96");
    CHECK(values_text("range(5, 0, -2)") == "5 3 1");
    CHECK(values_text("[i for i in [3, 4, 5, 6] + [9] if i % 2 == 0 or i > 8]") == "4 6 9");
    CHECK(values_text("[min(x, 3) for x in range(5)]") == "0 1 2 3");
    CHECK(values_text("['row', \"a, b + [c] for d\"]") == "row a, b + [c] for d");
    CHECK(values_text("[True, False]") == "1 0");
    CHECK(values_text("(16, 32)") == "16 32");
    CHECK(values_text("[-1, 7 // 2, 8 / 2]") == "-1 3 4");
    CHECK(values_text("range(9223372036854775806, 9223372036854775807)") == "9223372036854775806");
}

TEST_CASE("a list that is none is refused with the column") {
    CHECK(values_error("[16, a]").starts_with("column 6: unknown name `a`"));
    CHECK(values_error("[1] + [ü]").starts_with("column 8: "));
    CHECK(values_error("[1] + 2").starts_with("column 7: expected a list"));
    CHECK(values_error("[]") == "column 1: the list is empty. Give at least one value");
    CHECK(values_error("range(4, 2)") == "column 1: the list is empty. Give at least one value");
    CHECK(values_error("").starts_with("column 1: expected a list"));
    CHECK(values_error("[1, 2") == "column 6: expected `]`, found the end");
    CHECK(values_error("[1,,2]").starts_with("column 4: expected a value"));
    CHECK_HAS(values_error("[0.5]"), "Give whole numbers or texts, e.g. \"0.5\"");
    CHECK_HAS(values_error("[[1, 2]]"), "is a list, which a parameter cannot have");
    CHECK_HAS(values_error("[1 / 0]"), "division by zero");
    CHECK_HAS(values_error("[x for 1 in range(3)]"), "`for` must be followed by a name");
    CHECK_HAS(values_error("[x for x]"), "`for` must be followed by a name");
    CHECK_HAS(values_error("range(1, 2, 0)"), "the step of a range is 0");
    CHECK_HAS(values_error("range(1, 2, 3, 4)"), "one to three");
    CHECK_HAS(values_error("range(10**12)"), "more than 4096 values");
    CHECK_HAS(values_error("[1] * 5"), "column 5: `*` needs a number");
    CHECK_HAS(values_error("__import__('os').system('x')"), "column 17: expected an operator or the end");
    CHECK_HAS(values_error("[__import__('os').system('x')]"), "column 18: expected an operator or the end");
    CHECK_HAS(values_error("[exec('x') for i in range(3)]"), "column 2: unknown function `exec`");
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "list(";
    CHECK_HAS(values_error(deep), "the expression has 25000 bytes");
    CHECK_HAS(values_error(deep + "[1]" + std::string(5000, ')')), "nested more than 8 deep");
    CHECK_HAS(values_error("[" + std::string(100'000, '1') + "]"), "Write it with range()");
}

TEST_CASE("a T1 file gives the tutorial's 44 valid configurations, in the order of the file") {
    const T1File file =
        t1_of(t1_text(kTutorialParams, condition("block_size_x == block_size_y * tile_size_y")));
    REQUIRE(file.conditions.size() == 1);
    CHECK(file.conditions[0].name == "Conditions[0] of my.json");
    const Space space(
        {"k.cl", file.params, {{file.conditions[0].name, file.conditions[0].value}}, Scope{}, {}});
    CHECK(space.combinations() == 288);
    CHECK(space.size() == 44);
    CHECK(names_of(file.params) ==
          std::vector<std::string>{"block_size_x", "block_size_y", "tile_size_x", "tile_size_y"});
}

TEST_CASE("a condition that cannot be evaluated names the T1 file") {
    const T1File file = t1_of(t1_text(param("A", "[0, 1]"), condition("1 % A == 0")));
    const auto space = [&] {
        Space({"k.cl", file.params, {{file.conditions[0].name, file.conditions[0].value}}, Scope{}, {}});
    };
    CHECK_THROWS_WITH_AS(
        space(),
        "my.json: ConfigurationSpace.Conditions[0].Expression '1 % A == 0' for k.cl: column 3: division by "
        "zero in 1 % 0",
        BadInput);
}

TEST_CASE("the launch is Kernel Tuner's, with the problem's sizes in place of numbers") {
    const std::string div =
        R"("GridDivX": ["block_size_x", "tile_size_x"], "GridDivY": ["block_size_y * tile_size_y"])";
    const T1File file = t1_of(with_kernel(R"("ProblemSize": [512, "256", 1], )" + div));
    CHECK(file.kernel_name == "product");
    CHECK(file.kernel_file == "p.cl");
    CHECK(t1_local(file) == std::vector<std::string>{"block_size_x", "block_size_y"});
    CHECK(global_of(file) ==
          "ceil_div(N, block_size_x * tile_size_x) * local.x, ceil_div(M, (block_size_y * tile_size_y)) * "
          "local.y");

    // Without GridDiv, Kernel Tuner divides by block_size_x and so on.
    CHECK(global_of(t1_of(with_kernel(R"("ProblemSize": [512, 512], "GridDivX": [], "GridDivY": null)"))) ==
          "ceil_div(N, block_size_x) * local.x, ceil_div(M, block_size_y) * local.y");
    CHECK(global_of(t1_of(with_kernel(R"("ProblemSize": 512, "GridDivX": 64, "GridDivY": 1)"))) ==
          "ceil_div(N * M, 64) * local.x, ceil_div(1, 1) * local.y");
    CHECK(global_of(t1_of(with_kernel(R"("SharedMemory": 0)"))) ==
          "(512 // block_size_x) * local.x, (512) * local.y");
    const T1File bare = t1_of(t1_text(kTutorialParams));
    CHECK(t1_local(bare) == std::vector<std::string>{"block_size_x", "block_size_y"});
}

TEST_CASE("a launch that cannot be worked out is refused with the option that says it") {
    const auto global_refusal = [](const std::string& more, const T1Case& about = kMatmul) {
        return refusal_of([&] { global_of(t1_of(with_kernel(more)), about); });
    };
    CHECK(global_refusal(R"("ProblemSize": ["16 * tile_size_x", 512])") ==
          "my.json: KernelSpecification.ProblemSize[0]: '16 * tile_size_x' is not a number. Set the "
          "work-items with --global");
    CHECK_HAS(global_refusal(R"("ProblemSize": [8, 8, 8])"),
              "it has 3 dimensions, but the output of matmul has 2.");
    CHECK_HAS(global_refusal(R"("ProblemSize": [8], "GridDivX": ["tile_sise_x"])"),
              "KernelSpecification.GridDivX[0] 'tile_sise_x': column 1: unknown name");
    CHECK_HAS(refusal_of([] { global_of(t1_of(t1_text(kTutorialParams))); }), "ProblemSize is missing");
    CHECK_HAS(refusal_of([] { t1_local(t1_of(t1_text(param("A", "[1]")))); }), "LocalSize is missing");
    const std::string gemm =
        R"("KernelSpecification": {"LocalSize": {"X": "block_size_x", "Y": "1"}, "ProblemSize": [4096, 4096]})";
    CHECK_HAS(refusal_of([&] { t1_local(t1_of(t1_text(param("MWG", "[16]"), "", gemm))); }),
              "my.json: KernelSpecification.LocalSize.X 'block_size_x': column 1: unknown name");
}

TEST_CASE("the problem's size is taken over where it says all sizes") {
    const auto size_of = [](const std::string& size, const T1Case& about = kMatmul) {
        return t1_size(t1_of(with_kernel(R"("ProblemSize": )" + size)), about);
    };
    CHECK(size_of("[512, 512]") == "512x512x512");
    CHECK(size_of("[512, 256]", {"transpose", {"M", "N"}, {"N", "M"}, 2}) == "256x512");
    CHECK(size_of("1000", {"copy", {"N"}, {"N"}, 1}) == "1000");
    CHECK(size_of(R"(["tile_size_x", 2])") == std::nullopt);
    CHECK_HAS(refusal_of([&] { size_of("[512, 256]"); }), "K of matmul is missing. Set the size with --size");
    CHECK_HAS(refusal_of([&] { size_of("[512]"); }), "--size");
    CHECK_HAS(refusal_of([&] { size_of("[0, 0]"); }), "ProblemSize[0]: 0 is not a size");
}

TEST_CASE("strategy and budget are taken over where there is the same, and the rest is named") {
    const auto with = [](const std::string& more) { return t1_of(t1_text(param("A", "[1]"), "", more)); };
    const T1File file = with(R"("Search": {"Name": "random_sample"},
        "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 20}],
        "KernelSpecification": {"Arguments": [{"Name": "x"}], "SharedMemory": 0, "CompilerOptions": []})");
    CHECK(t1_strategy(*file.search) == StrategyKind::Random);
    CHECK(t1_strategy({"", "greedy_mls"}) == StrategyKind::Climb);
    CHECK(file.budget->configurations == 20);
    CHECK(file.unused == std::vector<std::string>{"Arguments (the problem has its own inputs)"});
    CHECK(with(R"("Budget": [{"Type": "TuningDuration", "BudgetValue": 1.5}])").budget->time_ms == 1500);
    const T1File other = with(R"("Search": {"Name": "firefly_algorithm"},
        "Budget": [{"Type": "ConfigurationFraction", "BudgetValue": 0.5}])");
    CHECK(!t1_strategy(*other.search));
    CHECK(!other.budget);
    CHECK_HAS(join(other.unused, ""), "Budget of type ConfigurationFraction (--budget takes");
}

TEST_CASE("bad T1 files are refused in one sentence with the file, the place and a remedy") {
    CHECK(t1_error("tuning\n").starts_with("my.json: "));
    CHECK_HAS(t1_error("tuning\n"), "JSON");
    CHECK_HAS(t1_error("{}"),
              "my.json: ConfigurationSpace is missing. The parts of a T1 file are listed in docs/tuning.md");
    CHECK_HAS(t1_error("[1]"), "my.json: it must be an object.");
    CHECK_HAS(t1_error(R"({"ConfigurationSpace": 3})"), "ConfigurationSpace");
    CHECK_HAS(t1_error(R"({"ConfigurationSpace": {}})"), "ConfigurationSpace.TuningParameters is missing");
    CHECK_HAS(t1_error(t1_text("")),
              "ConfigurationSpace.TuningParameters must be an array of 1 to 1000 items");
    CHECK_HAS(t1_error(t1_text("3")), "ConfigurationSpace.TuningParameters[0] must be an object");
    CHECK_HAS(t1_error(t1_text(R"({"Name": "A"})")), "TuningParameters[0].Values is missing");
    CHECK_HAS(t1_error(t1_text(R"({"Name": "A", "Values": [1, 2]})")),
              "TuningParameters[0].Values must be a text");
    CHECK_HAS(t1_error(t1_text(R"({"Name": 3, "Values": "[1]"})")),
              "TuningParameters[0].Name must be a text");
    CHECK_HAS(t1_error(t1_text(param("A B=1 -cl-x", "[1]"))),
              "cannot be the name of a parameter. Use only letters");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]") + "," + param("A", "[2]"))),
              "TuningParameters[1].Name: A appears");
    CHECK_HAS(
        t1_error(t1_text(param("A", "[1, b]"))),
        "my.json: ConfigurationSpace.TuningParameters[0].Values: of parameter A, column 5: unknown name `b`");
    CHECK_HAS(t1_error(t1_text(param("A", "range(1000000)"))), "more than 4096 values. List fewer");
    CHECK_HAS(t1_error(t1_text(param("TILE", "[1]"), condition("TIEL > 1"))),
              "my.json: ConfigurationSpace.Conditions[0].Expression 'TIEL > 1': column 1: unknown name "
              "`TIEL`. Did you mean TILE?");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), condition("A > 1") + "," + condition("A >"))),
              "Conditions[1].Expression 'A >': column 4: expected a value");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), condition("__import__('os').system('x')"))),
              "column 17: expected");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), condition("open('/etc/passwd')"))),
              "unknown function `open`");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), R"({"Parameters": ["A"]})")),
              "Conditions[0].Expression is missing");
    CHECK_HAS(t1_error(with_kernel(R"("ProblemSize": {"X": 3})")),
              "KernelSpecification.ProblemSize must be a whole");
    CHECK_HAS(t1_error(with_kernel(R"("ProblemSize": [1.5])")),
              "ProblemSize[0] must be a whole number or a text");
    CHECK_HAS(t1_error(with_kernel(R"("ProblemSize": [1, 2, 3, 4])")), "ProblemSize must be an array");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), "",
                               R"("Budget": [{"Type": "ConfigurationCount", "BudgetValue": 0}])")),
              "Budget[0].BudgetValue must be a number above 0");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), "", R"("Search": {})")), "Search.Name is missing");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), "", R"("Search": {"Name": 3})")),
              "Search.Name must be a text");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), "", R"("Search": "x")")), "Search must be an object");
    CHECK_HAS(t1_error(t1_text(param("A", "[1]"), "", R"("KernelSpecification": 3)")), "must be an object");
    std::string many = param("P", "[1]");
    for (int i = 0; i < 1000; ++i) many += "," + param("P" + std::to_string(i), "[1]");
    CHECK_HAS(t1_error(t1_text(many)), "TuningParameters must be an array of");
}

}  // namespace kwb
