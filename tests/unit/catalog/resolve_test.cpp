// SPDX-License-Identifier: Apache-2.0
#include "catalog/resolve.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "catalog/front_matter.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

using Extents = std::vector<std::uint64_t>;

KernelFile file_of(const std::string& toml) {
    KernelFile file;
    file.spec = parse_front_matter("k.cl", toml);
    file.spec.name = "matmul/k";
    file.spec.file = "k.cl";
    file.spec.source_text = "kernel void k() {}";
    file.declared_in = "k.cl";
    file.includes = {{"tile.h", "text"}};
    return file;
}

ProblemInstance matmul(std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto extent = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    ProblemInstance problem;
    problem.problem = "matmul";
    problem.sizes = {{"M", m}, {"N", n}, {"K", k}};
    problem.buffers = {{"A", {}, Access::Read, {extent(m), extent(k)}},
                       {"B", {}, Access::Read, {extent(k), extent(n)}},
                       {"C", {}, Access::Write, {extent(m), extent(n)}}};
    return problem;
}

DeviceInfo small_device() {
    DeviceInfo device;
    device.max_work_group_size = 256;
    device.max_work_item_sizes = {256, 256, 64};
    device.local_mem_bytes = 32768;
    device.max_alloc_bytes = 1 << 20;
    return device;
}

KernelPlan plan_of(const std::string& toml, const KernelChoices& choices = {}, std::int64_t size = 100) {
    return resolve(file_of(toml), matmul(size, size, size), small_device(), choices);
}

std::string refusal_of(const KernelPlan& plan) {
    return plan.refusal ? sentence_of(*plan.refusal, Face::Terminal) : "";
}

std::string plan_error_of(const std::string& toml, const KernelChoices& choices = {}) {
    try {
        plan_of(toml, choices);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "no error";
}

KernelChoices with_params(NamedList<std::string> params, bool force = false) {
    KernelChoices choices;
    choices.params = std::move(params);
    choices.force_params = force;
    return choices;
}

KernelChoices with_local(Extents local, NamedList<std::string> params = {}, bool force = false) {
    KernelChoices choices = with_params(std::move(params), force);
    choices.local = std::move(local);
    return choices;
}

KernelChoices with_auto(bool force = false) {
    KernelChoices choices;
    choices.local_auto = true;
    choices.force_params = force;
    return choices;
}

KernelChoices for_check() {
    KernelChoices choices;
    choices.checking = true;
    return choices;
}

bool contains(const std::string& text, const std::string& part) {
    CAPTURE(text);
    CAPTURE(part);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

const std::string kTiled = R"toml([params]
TILE = [16, 8, 4, 32]
[launch]
kernel = "tiled"
local  = ["TILE", "TILE"]
global = ["round_up(N, TILE)", "round_up(M, TILE)"]
[require]
fits = "TILE * TILE <= device.max_work_group_size"
)toml";

const std::string kNaive = R"toml([launch]
kernel = "naive"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
)toml";

TEST_CASE("defaults give the plan that the file draws") {
    const KernelPlan plan = resolve(file_of(kTiled), matmul(100, 50, 7), small_device(), {});
    CHECK(plan.name == "matmul/k");
    CHECK(plan.source_sha256 == sha256_hex("kernel void k() {}"));
    CHECK(names_of(plan.includes) == std::vector<std::string>{"tile.h"});
    CHECK(plan.defines == NamedList<std::string>{{"TILE", "16"}});
    CHECK(plan.params == ParamChoice{{"TILE", std::int64_t{16}}});
    REQUIRE(plan.launches.size() == 1);
    CHECK(plan.launches[0].kernel == "tiled");
    CHECK(plan.launches[0].global == Extents{64, 112});
    CHECK(plan.launches[0].local == Extents{16, 16});
    CHECK(plan.launches[0].repeat == 1);
    CHECK_FALSE(plan.refusal);
    CHECK_FALSE(plan.expected);
}

TEST_CASE("a typed parameter takes one of its values, or any with force") {
    CHECK(*plan_of(kTiled, with_params({{"TILE", "8"}})).launches[0].local == Extents{8, 8});
    CHECK(*plan_of(kTiled, with_params({{"TILE", "5"}}, true)).launches[0].local == Extents{5, 5});
    contains(plan_error_of(kTiled, with_params({{"TILE", "5"}})),
             "TILE cannot be 5. Choose one of 16, 8, 4 and 32");
    contains(plan_error_of(kTiled, with_params({{"TIEL", "8"}})),
             "no parameter TIEL; it has TILE. Did you mean TILE?");
    contains(plan_error_of(kNaive, with_params({{"TILE", "8"}})), "it has no parameters");
    contains(plan_error_of(kTiled, with_params({{"TILE", "8"}, {"TILE", "4"}})), "given twice");
}

TEST_CASE("text parameters reach the compiler as they are and expressions as texts") {
    const std::string toml =
        "[params]\nT = ['float', 'float4']\n[launch]\nkernel = 'k'\nglobal = 'N'\n"
        "[defines]\nWIDTH = \"max(T == 'float4' and 4 or 1, 1)\"\nHALF = '1 / 2'\nNAME = 'T'\n"
        "FLAG = 'N > 1'\n";
    const KernelPlan plan = plan_of(toml, with_params({{"T", "float4"}}));
    CHECK(plan.defines ==
          NamedList<std::string>{
              {"T", "float4"}, {"WIDTH", "4"}, {"HALF", "0.5"}, {"NAME", "float4"}, {"FLAG", "1"}});
    contains(plan_error_of("[launch]\nkernel = 'k'\nglobal = 1\n[defines]\nX = '[1]'"),
             "k.cl:5:6: a macro cannot be");
}

TEST_CASE("a literal work-group is changed freely, and the global size follows it") {
    CHECK(*plan_of(kNaive).launches[0].local == Extents{16, 16});
    const KernelPlan plan = plan_of(kNaive, with_local({32, 4}));
    CHECK(*plan.launches[0].local == Extents{32, 4});
    CHECK(plan.launches[0].global == Extents{128, 100});
}

TEST_CASE("dimensions choose the parameter where the work-group is an expression over parameters") {
    const KernelPlan plan = plan_of(kTiled, with_local({8, 8}));
    CHECK(plan.defines == NamedList<std::string>{{"TILE", "8"}});
    CHECK(*plan.launches[0].local == Extents{8, 8});
    CHECK(plan.launches[0].global == Extents{104, 104});
    contains(plan_error_of(kTiled, with_local({8, 4})),
             "cannot have work-groups of 8x4, because TILE sets them. Possible: 16x16, 8x8, 4x4, 32x32");
    contains(plan_error_of(kTiled, with_local({8, 8}, {{"TILE", "16"}})), "Possible: 16x16");
    const KernelChoices forced = with_local({6, 6}, {}, true);
    CHECK(plan_of(kTiled, forced).defines == NamedList<std::string>{{"TILE", "6"}});
}

TEST_CASE("dimensions choose among several parameters and leave the others at their defaults") {
    const std::string toml =
        "[params]\nBX = [32, 16]\nWORK = [1, 2, 4]\nPAD = [0, 1]\n[launch]\nkernel = 'k'\n"
        "local = ['BX', 'BX // WORK', 2]\nglobal = ['N * BX', 'N * BX', 'N']\n";
    const KernelPlan plan = plan_of(toml, with_local({16, 4, 4}));
    CHECK(plan.params ==
          ParamChoice{{"BX", std::int64_t{16}}, {"WORK", std::int64_t{4}}, {"PAD", std::int64_t{0}}});
    CHECK(*plan.launches[0].local == Extents{16, 4, 4});
}

TEST_CASE("the driver may choose, unless the kernel's parameters fix the work-group") {
    const KernelPlan plan = plan_of(kNaive, with_auto());
    CHECK_FALSE(plan.launches[0].local);
    CHECK(plan.launches[0].global == Extents{100, 100});
    contains(plan_error_of(kTiled, with_auto()), "the driver cannot choose");
    CHECK_FALSE(plan_of(kTiled, with_auto(true)).launches[0].local);
    CHECK_FALSE(plan_of("[launch]\nkernel = 'k'\nlocal = 'auto'\nglobal = 'N'").launches[0].local);
}

TEST_CASE("chosen dimensions that cannot be launched are bad input with the numbers") {
    contains(plan_error_of(kNaive, with_local({64})),
             "launched over 2 dimensions, but a work-group of 64 has 1");
    contains(plan_error_of(kNaive, with_local({0, 16})), "at least 1 work-item");
    contains(plan_error_of(kNaive, with_local({32, 32})),
             "32x32 has 1024 work-items, but the device allows at most 256");
    contains(plan_error_of(kNaive, with_local({1, 512})),
             "too long in y, where the device allows at most 256");
    const std::string exact = "[launch]\nkernel = 'k'\nlocal = 10\nglobal = 'N'";
    contains(plan_error_of(exact, with_local({16})), "16 do not divide the 100 work-items of k");
    CHECK(plan_of(exact).launches[0].global == Extents{100});
}

TEST_CASE("the file's own shape that does not fit is a refusal, not an error") {
    const std::string exact = "[launch]\nkernel = 'k'\nlocal = 64\nglobal = 'N'";
    contains(refusal_of(plan_of(exact)), "64 do not divide the 100 work-items");
    const std::string large = "[launch]\nkernel = 'k'\nlocal = 1024\nglobal = 1024";
    contains(refusal_of(plan_of(large)), "at most 256");
}

TEST_CASE("a requirement that does not hold refuses the plan with its values, whatever else has no value") {
    const KernelPlan plan =
        plan_of(kTiled + "[defines]\nX = '1 // (32 - TILE)'", with_params({{"TILE", "32"}}));
    CHECK(refusal_of(plan) ==
          "the requirement \"fits\" does not hold: TILE * TILE <= device.max_work_group_size, with TILE = 32 "
          "and "
          "device.max_work_group_size = 256");
    contains(plan_error_of("[launch]\nkernel = 'k'\nglobal = 1\n[require]\nx = 'N'"),
             "k.cl:5:6: expected True or False");
}

TEST_CASE("arguments may be floating-point numbers that expressions cannot express") {
    const auto value_of = [](const std::string& text) {
        const KernelPlan plan = plan_of("[launch]\nkernel = 'k'\nglobal = 1\nargs = {x = '" + text + "'}");
        return *find_named(plan.launches[0].args, "x");
    };
    CHECK(std::get<ScalarValue>(value_of("0x1.8p3")) == ScalarValue(12.0));
    CHECK(std::get<ScalarValue>(value_of("-inf")) == ScalarValue(-std::numeric_limits<double>::infinity()));
    CHECK(std::signbit(std::get<double>(std::get<ScalarValue>(value_of("-0x0p+0")))));
    CHECK(std::isnan(std::get<double>(std::get<ScalarValue>(value_of("nan")))));
    CHECK(std::get<VectorValue>(value_of("[N * 2, 1 / 4, 0x1.fffffep+127]")) ==
          VectorValue{ScalarValue(std::int64_t{200}), ScalarValue(0.25), ScalarValue(0x1.fffffep+127)});
    contains(plan_error_of("[launch]\nkernel = 'k'\nglobal = 1\nargs = {x = '0x1.8q3'}"), "k.cl:4:17");
}

TEST_CASE("several launches, bindings, repeats, swaps and conditions become numbers") {
    const std::string toml = R"toml([params]
FIRST = [1, 0]
[[launch]]
kernel    = "pack"
when      = "FIRST == 1"
global    = "ceil_div(N, 3)"
args      = {src = "A", dst = " packed ", n = "N * 2", scale = "1 / 4", on = "N > 1"}
[[launch]]
kernel    = "step"
local     = 10
global    = "N"
repeat    = "log2(K // 25)"
swap      = ["packed", "C"]
local_mem = {tile = "local.x * 4"}
[[launch]]
kernel    = "never"
repeat    = 0
global    = 1
[scratch]
packed    = {type = "float4", elements = "N * K"}
[init]
C         = 0
)toml";
    const KernelPlan plan = plan_of(toml);
    REQUIRE(plan.launches.size() == 2);
    const LaunchPlan& pack = plan.launches[0];
    CHECK(pack.global == Extents{34});
    CHECK(std::get<BufferName>(*find_named(pack.args, "src")).name == "A");
    CHECK(std::get<BufferName>(*find_named(pack.args, "dst")).name == "packed");
    CHECK(std::get<ScalarValue>(*find_named(pack.args, "n")) == ScalarValue(std::int64_t{200}));
    CHECK(std::get<ScalarValue>(*find_named(pack.args, "scale")) == ScalarValue(0.25));
    CHECK(std::get<ScalarValue>(*find_named(pack.args, "on")) == ScalarValue(std::int64_t{1}));
    const LaunchPlan& step = plan.launches[1];
    CHECK(step.repeat == 2);
    CHECK(step.swap == std::pair<std::string, std::string>("packed", "C"));
    CHECK(step.local_mem == NamedList<std::uint64_t>{{"tile", 40}});
    CHECK(find_named(plan.scratch, "packed")->elements == 10000);
    CHECK(find_named(plan.init, "C")->value == 0);
    CHECK(plan_of(toml, with_params({{"FIRST", "0"}})).launches.size() == 1);
}

TEST_CASE("a run has at most 100,000 launches, all of its repetitions together") {
    const std::string launch = "[[launch]]\nkernel = 'k'\nglobal = 'N'\n";
    const std::string most = launch + "repeat = 99999\n" + launch;
    CHECK(plan_of(most).launches.size() == 2);
    const std::string error = plan_error_of(most + "repeat = 2\n");
    CHECK(error.find("k.cl:8:10: with 2 of this launch, the run has more than 100000 launches") == 0);
    CHECK(plan_error_of(most + launch).find("with 1 of this launch, the run has more than 100000") !=
          std::string::npos);
    for (const char* many : {"1000000000", "'2 ** 62'"})
        CHECK(plan_error_of(launch + "repeat = " + many).find("more than 100000 launches. Repeat fewer") !=
              std::string::npos);
}

namespace {

/// The launches of a plan, as "pair(1, 4) done(1)": functions with their whole arguments.
std::string launches_of(const std::string& toml, std::int64_t size = 8) {
    std::string text;
    for (const LaunchPlan& launch : plan_of(toml, {}, size).launches) {
        std::vector<std::string> values;
        for (const auto& [name, value] : launch.args)
            values.push_back(std::to_string(std::get<std::int64_t>(std::get<ScalarValue>(value))));
        text += (text.empty() ? "" : " ") + launch.kernel + "(" + join(values, ", ") + ")";
    }
    return text;
}

}  // namespace

TEST_CASE("a counter repeats a launch, and its expressions may use it") {
    CHECK(launches_of(
              "[launch]\nkernel = 'f'\nglobal = 'k + 1'\nrepeat = {k = 3}\nargs = {k = 'k', n = 'N'}") ==
          "f(0, 8) f(1, 8) f(2, 8)");
    const KernelPlan plan = plan_of("[launch]\nkernel = 'f'\nglobal = 'k + 1'\nrepeat = {k = 3}");
    CHECK(plan.launches[2].global == Extents{3});
    CHECK(plan.launches[2].repeat == 1);
    CHECK(plan.launches[2].counted == 0);
    CHECK(
        launches_of("[launch]\nkernel = 'f'\nglobal = 1\nwhen = 'k % 2 == 1'\nrepeat = {k = 4}\nargs = {k = "
                    "'k'}") == "f(1) f(3)");
}

TEST_CASE("counters are nested in their order, as bitonic sort needs them") {
    CHECK(launches_of(
              "[launch]\nkernel = 'pair'\nglobal = 1\nrepeat = {stage = 'log2(N)', pass = 'stage + 1'}\n"
              "args = {run = '2 ** (stage + 1)', gap = '2 ** (stage - pass)'}") ==
          "pair(2, 1) pair(4, 2) pair(4, 1) pair(8, 4) pair(8, 2) pair(8, 1)");
}

TEST_CASE("neighbouring launches that count alike take turns; others do not") {
    const auto launch = [](const std::string& kernel, const std::string& repeat) {
        return "[[launch]]\nkernel = '" + kernel + "'\nglobal = 1\nrepeat = {" + repeat +
               "}\nargs = {t = 't'}\n";
    };
    CHECK(launches_of(launch("a", "t = 2") + launch("b", "t = 2")) == "a(0) b(0) a(1) b(1)");
    CHECK(launches_of(launch("a", "t = 2") + launch("b", "t = 1")) == "a(0) a(1) b(0)");
    CHECK(launches_of(launch("a", "t = 2, s = 't'") + launch("b", "t = 2")) == "b(0) a(1) b(1)");
    CHECK(places_in_result(plan_of(launch("a", "t = 2") + launch("b", "t = 2")).launches) ==
          std::vector<std::size_t>{0, 1, 0, 1});
}

TEST_CASE("a counter needs a name of its own, and too many launches are refused at once") {
    contains(plan_error_of("[launch]\nkernel = 'f'\nglobal = 1\nrepeat = {N = 3}"),
             "k.cl:4:15: N already has a value. Give the counter another name");
    const std::string huge = "[launch]\nkernel = 'f'\nglobal = 1\nrepeat = {k = '10 ** 12'}";
    contains(refusal_of(plan_of(huge)), "exceed 4096");
    contains(refusal_of(plan_of(huge + "\nwhen = 'k < 0'")), "exceed 4096");
    const std::string most = "kernel = 'f'\nglobal = 1\nrepeat = {k = 4096}\n";
    CHECK_FALSE(plan_of("[launch]\n" + most).refusal);
    // Neighbours that count alike take turns: each counts.
    const std::string never = "[[launch]]\n" + most + "when = 'k < 0'\n";
    contains(refusal_of(plan_of(never + never)), "exceed 4096");
}

TEST_CASE("launches with counters that bind too many numbers are refused at once") {
    const auto launch = [](const char* times) {
        std::string text = fmt::format("[launch]\nkernel = 'f'\nglobal = 1\nrepeat = {{k = {}}}\n", times);
        for (int i = 0; i < 25; ++i) text += fmt::format("args.a{} = '[k, 2, 3, 4]'\n", i);
        return text;
    };
    CHECK_FALSE(plan_of(launch("2000")).refusal);
    const KernelPlan plan = plan_of(launch("4096"));
    contains(refusal_of(plan), "or bind too many arguments");
    CHECK(plan.launches.size() == 2001);
}

TEST_CASE("a plan that is refused has its launches") {
    const std::string launch = "[launch]\nkernel = 'f'\nlocal = 64\nglobal = 'N'\n";
    CHECK(plan_of(launch + "[require]\nx = 'N > 1000'").launches.size() == 1);
    CHECK(plan_of(launch + "repeat = {k = 3}").launches.size() == 3);
}

TEST_CASE("scratch that the device cannot hold refuses the plan") {
    const std::string toml = "[launch]\nkernel = 'k'\nglobal = 1\n[scratch]\nt = 'N ** 3'";
    contains(refusal_of(plan_of(toml)),
             "scratch buffer t of 1,000,000 elements exceeds the device's limit of 1 MiB");
    CHECK_FALSE(plan_of(toml, {}, 10).refusal);
}

TEST_CASE("costs override the problem's, and the first expectation that applies counts") {
    const std::string toml =
        "flops = '2 * M * N * K'\nmoves = '12.5'\n[launch]\nkernel = 'k'\nglobal = 1\n"
        "[[expect]]\ncheck = ['wrong']\nwhen = 'N % 16 != 0'\nwhy = 'edge'\n"
        "[[expect]]\nrun = 'timeout'\n";
    const KernelPlan check = plan_of(toml, for_check());
    CHECK(check.flops == 2e6);
    CHECK(check.bytes == 12.5);
    REQUIRE(check.expected);
    CHECK(check.expected->verdicts == std::vector<Verdict>{Verdict::Wrong});
    CHECK(check.expected->why == "edge");
    CHECK(plan_of(toml).expected->verdicts == std::vector<Verdict>{Verdict::Timeout});
    CHECK_FALSE(plan_of(toml, for_check(), 32).expected);
}

TEST_CASE("what cannot be evaluated is refused with its place in the file") {
    const std::string launch = "[launch]\nkernel = 'k'\n";
    contains(plan_error_of(launch + "global = 'round_up(P, 16)'"), "k.cl:3:20: unknown name `P`");
    contains(plan_error_of(launch + "global = 'TILES * 3'\n[params]\nTILE = 1"),
             "k.cl:3:11: unknown name `TILES`. Did you mean TILE?");
    contains(plan_error_of(launch + "global = 'N / 3'"), "k.cl:3:11: expected a whole number");
    contains(plan_error_of(launch + "global = 'N - 100'"), "k.cl:3:11: this global size is 0");
    contains(plan_error_of(launch + "global = 1\nlocal = 'N - 100'"), "k.cl:4:10: this local size is 0");
    contains(plan_error_of(launch + "global = 1\nargs = {x = 'Q'}"),
             "k.cl:4:14: `Q` is neither a buffer nor a number");
    contains(plan_error_of(launch + "global = 1\nargs = {x = '[[1]]'}"), "k.cl:4:14: an argument is");
    contains(plan_error_of(launch + "global = 1\nswap = ['A', 'D']"),
             "swap names `D`, which is not a buffer");
    contains(plan_error_of(launch + "global = 1\n[init]\nD = 0"), "[init] names `D`");
    contains(plan_error_of(launch + "global = 1\n[init]\nA = 0"),
             "k.cl: A is only read, but init works for outputs: C");
    contains(plan_error_of(launch + "global = 1\n[scratch]\nA = 5"), "A is already a buffer of matmul");
    contains(plan_error_of(launch + "global = 1\n[params]\nM = 5"),
             "parameter M has the same name as a size");
    contains(plan_error_of(launch + "global = 1\nlocal_mem = {t = 'local.x'}"),
             "k.cl:4:19: unknown name `local.x`");
    contains(plan_error_of("flops = '0 - N'\n" + launch + "global = 1"), "-100 is negative");
    contains(plan_error_of("title = 'x'"), "the launch of this kernel is not declared");
}

TEST_CASE("macros of [defines] may be used in expressions, but sizes keep their names") {
    const KernelPlan plan = plan_of(
        "[defines]\nTILE = 8\nAREA = \"TILE * TILE\"\nM = \"TILE\"\nWIDE = \"2 * local.x\"\nTYPE = "
        "\"'float'\"\n"
        "[launch]\nkernel = \"k\"\nlocal = [\"TILE\", 4]\nglobal = [\"round_up(M, TILE)\", 4]\n"
        "local_mem = {tile = \"AREA\"}\n");
    CHECK(plan.launches[0].local == Extents{8, 4});
    CHECK(plan.launches[0].global == Extents{104, 4});
    CHECK(plan.launches[0].local_mem == NamedList<std::uint64_t>{{"tile", 64}});
    CHECK(plan.defines == NamedList<std::string>{
                              {"TILE", "8"}, {"AREA", "64"}, {"M", "8"}, {"WIDE", "16"}, {"TYPE", "float"}});
    CHECK(
        plan_error_of("[defines]\nT = \"1 / 0\"\n[launch]\nkernel = \"k\"\nglobal = [4]\n").find("k.cl:2:") ==
        0);
}

TEST_CASE("a requirement that fails keeps everything else of this size from being evaluated") {
    const std::string launch = "[launch]\nkernel = 'k'\nlocal = ['N // 2']\nglobal = ['N']\n";
    const std::string require =
        "[require]\ntwo = 'N >= 2'\nhalf = 'N % (N // 2) == 0'\ngroup = 'local.x > 0'\n";
    contains(refusal_of(plan_of(launch + require, {}, 1)), "\"two\" does not hold: N >= 2, with N = 1");
    CHECK_FALSE(plan_of(launch + require, {}, 8).refusal);
}

TEST_CASE("an argument may be a list of numbers, and nothing else that is no number") {
    const std::string launch = "[launch]\nkernel = \"k\"\nglobal = [4]\nargs = {v = \"";
    const KernelPlan plan = plan_of(launch + "[1, M / 8]\"}\n");
    const auto vector = std::get<VectorValue>(plan.launches[0].args[0].value);
    REQUIRE(vector.size() == 2);
    CHECK(vector[0] == ScalarValue(std::int64_t{1}));
    CHECK(vector[1] == ScalarValue(12.5));
    for (const std::string text : {"[]", "['a']", "'a'", "[[1]]"})
        CHECK(plan_error_of(launch + text + "\"}\n").find("k.cl:4:") == 0);
}

TEST_CASE("a kernel none of whose launches applies is refused") {
    contains(refusal_of(plan_of("[launch]\nkernel = 'k'\nglobal = 1\nwhen = 'N > 1000'")),
             "applies at this size");
}

}  // namespace
}  // namespace kwb
