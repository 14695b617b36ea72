// SPDX-License-Identifier: Apache-2.0
#include "catalog/front_matter.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <random>

#include "base/error.hpp"

namespace kwb {
namespace {

/// A kernel file that uses every key.
const std::string kFull = R"toml(/*+++
title   = "Everything at once"
problem = "matmul"
source  = "Nobody, 2024"
flops   = "2 * M * N * K"
moves   = 1024

[params]
TILE  = [16, 8, 32]
ALPHA = ["float", "float4"]
FAST  = true
BIAS  = -3

[[launch]]
kernel    = "pack"
global    = "round_up(N, 64)"
when      = "N > 64"
args      = {src = "A", n = "ceil_div(N, 256)"}
repeat    = 3
swap      = ["tmp", "C"]

[[launch]]
kernel    = "multiply"
local     = ["TILE", 4]
global    = ["round_up(N, TILE)", "M"]
local_mem = {tile = "TILE * TILE"}

[[launch]]
kernel = "finish"
local  = "auto"
global = ["M"]

[scratch]
tmp   = "M * N"
sums  = {type = "uint4", elements = "N"}

[init]
C = 0
A = "input"
B = -1.5

[build]
options = "-cl-fast-relaxed-math"

[defines]
PAD   = "TILE + 1"
TYPE  = "ALPHA"

[require]
fits = "TILE * TILE <= device.max_work_group_size"
even = "N % 2 == 0"

[[expect]]
run   = "wrong"
check = ["wrong", "out_of_bounds"]
when  = "N % TILE != 0"
why   = "the edge is not guarded"

[[expect]]
verdict = "correct"
+++*/
__kernel void pack() {}
)toml";

KernelSpec parse(const std::string& source) {
    return parse_front_matter("k.cl", extract_front_matter("k.cl", source).value());
}

KernelSpec parse_toml(const std::string& toml) {
    return parse("/*+++\n" + toml + "\n+++*/\n");
}

std::string error_of(const std::string& source) {
    try {
        const auto toml = extract_front_matter("k.cl", source);
        if (toml) parse_front_matter("k.cl", *toml);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "no error";
}

TEST_CASE("every key of the design is read") {
    const KernelSpec spec = parse(kFull);
    CHECK(spec.title == "Everything at once");
    CHECK(spec.problem == "matmul");
    CHECK(spec.source == "Nobody, 2024");
    CHECK(spec.flops->text == "2 * M * N * K");
    CHECK(spec.moves->text == "1024");
    CHECK(spec.build_options == "-cl-fast-relaxed-math");

    REQUIRE(spec.launches.size() == 3);
    const LaunchSpec& pack = spec.launches[0];
    CHECK(pack.kernel == "pack");
    REQUIRE(pack.global.size() == 1);
    CHECK(pack.global[0].text == "round_up(N, 64)");
    CHECK_FALSE(pack.local);
    CHECK(pack.when->text == "N > 64");
    CHECK(names_of(pack.args) == std::vector<std::string>{"src", "n"});
    CHECK(pack.args[1].value.text == "ceil_div(N, 256)");
    CHECK(pack.repeat->text == "3");
    CHECK(pack.swap == std::pair<std::string, std::string>("tmp", "C"));
    const LaunchSpec& multiply = spec.launches[1];
    REQUIRE(multiply.local);
    CHECK((*multiply.local)[0].text == "TILE");
    CHECK((*multiply.local)[1].text == "4");
    CHECK(multiply.local_mem.front().value.text == "TILE * TILE");
    CHECK_FALSE(spec.launches[2].local);

    CHECK(find_named(spec.scratch, "tmp")->type == ElementType{});
    CHECK(find_named(spec.scratch, "sums")->type == ElementType{Scalar::UInt32, 4});
    CHECK(find_named(spec.scratch, "sums")->elements.text == "N");
    CHECK(find_named(spec.init, "C")->value == 0);
    CHECK(find_named(spec.init, "A")->to_input);
    CHECK(find_named(spec.init, "B")->value == -1.5);
    CHECK(names_of(spec.defines) == std::vector<std::string>{"PAD", "TYPE"});
    CHECK(names_of(spec.require) == std::vector<std::string>{"fits", "even"});

    REQUIRE(spec.expect.size() == 3);
    CHECK(spec.expect[0].mode == ExpectSpec::Mode::Run);
    CHECK(spec.expect[1].mode == ExpectSpec::Mode::Check);
    CHECK(spec.expect[1].verdicts == std::vector<Verdict>{Verdict::Wrong, Verdict::OutOfBounds});
    CHECK(spec.expect[1].when->text == "N % TILE != 0");
    CHECK(spec.expect[1].why == "the edge is not guarded");
    CHECK(spec.expect[2].mode == ExpectSpec::Mode::Both);
    CHECK_FALSE(spec.expect[2].when);
}

TEST_CASE("parameters keep the order and values that the person wrote, the first value being the default") {
    const KernelSpec spec = parse(kFull);
    CHECK(names_of(spec.params) == std::vector<std::string>{"TILE", "ALPHA", "FAST", "BIAS"});
    CHECK(spec.params[0].value ==
          std::vector<ParamValue>{std::int64_t{16}, std::int64_t{8}, std::int64_t{32}});
    CHECK(spec.params[1].value == std::vector<ParamValue>{std::string("float"), std::string("float4")});
    CHECK(spec.params[2].value == std::vector<ParamValue>{std::int64_t{1}});
    CHECK(spec.params[3].value == std::vector<ParamValue>{std::int64_t{-3}});

    const KernelSpec one_line = parse_toml("params = {z = 1, a = 2, m = 3}");
    CHECK(names_of(one_line.params) == std::vector<std::string>{"z", "a", "m"});
}

TEST_CASE("every expression knows its line and column in the .cl file") {
    const KernelSpec spec = parse(kFull);
    const Written& global = spec.launches[1].global[0];
    CHECK(global.line == 25);
    CHECK(global.column == 15);
    CHECK(spec.launches[1].local->at(1).column == 22);
    CHECK(spec.moves->line == 6);
    CHECK(spec.moves->column == 11);
    const KernelSpec same_line = parse("\n  /*+++ flops = '''2*N''' +++*/");
    CHECK(same_line.flops->line == 2);
    CHECK(same_line.flops->column == 20);
}

TEST_CASE("a single [launch] is one launch, and Windows line ends are taken") {
    const KernelSpec spec = parse("/*+++\r\n[launch]\r\nkernel = \"k\"\r\nglobal = \"N\"\r\n+++*/");
    REQUIRE(spec.launches.size() == 1);
    CHECK(spec.launches[0].global[0].line == 4);
}

TEST_CASE("a file without front matter has none") {
    CHECK_FALSE(extract_front_matter("k.cl", "/* just words */ __kernel void k() {}"));
    CHECK_FALSE(extract_front_matter("k.cl", ""));
}

TEST_CASE("each mistake is named with file, line, column and what to do") {
    struct Mistake {
        std::string toml;
        const char* place;
        const char* message;
    };
    const std::string launch = "[launch]\nkernel = \"k\"\n";
    const Mistake mistakes[] = {
        {"titel = 'x'", "k.cl:2:1: ", "no key `titel`"},
        {"titel = 'x'", "k.cl:2:1: ", "Did you mean title?"},
        {"title = 3", "k.cl:2:9: ", "title must be a text in quotes, not a whole number"},
        {"title = = 3", "k.cl:2:9: ", "invalid TOML"},
        {"title = 'a'\ntitle = 'b'", "k.cl:3:", "invalid TOML"},
        {"title = \"a", "k.cl:2:", "invalid TOML"},
        {"[params]\nTILE = []", "k.cl:3:8: ", "at least one value"},
        {"[params]\nTILE = [8, 8]", "k.cl:3:12: ", "lists 8 twice"},
        {"[params]\nTILE = 1.5", "k.cl:3:8: ", "whole number or a text"},
        {"[params]\n\"a b\" = 1", "k.cl:3:1: ", "cannot be the name of a parameter"},
        {"params = 3", "k.cl:2:10: ", "must be a table"},
        {"launch = 3", "k.cl:2:10: ", "[launch] must be a table"},
        {"[[launch]]\nkernel = 'k'\n[[launch]]\nkernel = 'l'\nglobal = 1",
         "k.cl:2:1: ", "lacks its global size"},
        {"[[launch]]\nglobal = 'N'\n[[launch]]\nkernel = 'l'\nglobal = 1", "k.cl:2:1: ", "lacks its kernel"},
        {launch + "repeat = {}", "k.cl:4:10: ", "repeat has no counter. Give e.g. repeat = {k = \"N\"}"},
        {launch + "repeat = {\"a b\" = 2}", "k.cl:4:11: ", "cannot be a counter"},
        {launch + "global = []", "k.cl:4:10: ", "0 sizes"},
        {launch + "global = ['M', 'N', 1, 1]", "k.cl:4:10: ", "4 sizes"},
        {launch + "global = ['M', 'N']\nlocal = 16", "k.cl:5:9: ", "local has 1 sizes, global has 2"},
        {launch + "global = ['M', 'N + ']", "k.cl:4:21: ", "expected a value, found the end"},
        {launch + "global = ['round_up(N, TILE']", "k.cl:4:28: ", "expected `)`"},
        {launch + "global = '''\nN +\n  * 2'''", "k.cl:6:3: ", "found `*`"},
        {launch + "global = ['N', \"\\n\\n * 2\"]", "k.cl:4:17: ", "found `*`"},
        {launch + "global = [[1]]", "k.cl:4:11: ", "not an array"},
        {launch + "global = 'N'\nswap = ['X']", "k.cl:5:8: ", "swap names two buffers"},
        {launch + "global = 'N'\nlocl = 16", "k.cl:5:1: ", "Did you mean local"},
        {"[launch]\nkernel = 'my kernel'\nglobal = 1", "k.cl:3:10: ", "name of a kernel function"},
        {"[scratch]\nt = {type = 'float5', elements = 1}", "k.cl:3:13: ", "`float5` is not an element type"},
        {"[scratch]\nt = {type = 'float'}", "k.cl:3:1: ", "lacks its size"},
        {"[init]\nC = 'zero'", "k.cl:3:5: ", "\"input\""},
        {"[build]\nflags = ''", "k.cl:3:1: ", "no key `flags`. Known keys: options"},
        {"[params]\nT = 1\n[defines]\nT = 'N'", "k.cl:5:6: ", "T is a parameter too"},
        {"[defines]\nT = 'N'\n[params]\nT = 1", "k.cl:3:6: ", "T is a parameter too"},
        {"[expect]\nrun = 'wrnog'", "k.cl:3:7: ", "Did you mean wrong"},
        {"[expect]\nwhen = 'N > 1'", "k.cl:2:1: ", "has no verdict"},
        {"flops = 'foo(N)'", "k.cl:2:10: ", "unknown function `foo`"},
        {"flops = 1979-05-27", "k.cl:2:9: ", "not a date"},
        {"flops = inf", "k.cl:2:9: ", "must be a number"},
    };
    for (const Mistake& mistake : mistakes) {
        CAPTURE(mistake.toml);
        const std::string error = error_of("/*+++\n" + mistake.toml + "\n+++*/");
        CAPTURE(error);
        CHECK(error.find(mistake.place) == 0);
        CHECK(error.find(mistake.message) != std::string::npos);
    }
}

std::string repeated(const std::string& part, const std::string& separator, int times) {
    std::string text = part;
    for (int i = 1; i < times; ++i) text += separator + part;
    return text;
}

TEST_CASE("nesting that would overflow the stack is refused at its first level too many") {
    const std::string key = repeated("a", ".", 20'000);
    for (const std::string& toml :
         {"[" + key + "]", key + " = 1", "[" + repeated("\"a\"", " . ", 5000) + "]", "x = {" + key + " = 1}",
          "x = [\n" + repeated("[", "\n", 9000), "x = " + repeated("{a", "=", 9000),
          // A text may end in five quotes, and what comes after it is no text.
          "x = [\"\"\"a\"\"\"\"\", {" + key + " = 1}]", "x = ['''a'''', {" + key + " = 1}]",
          "x = [\"\\\"\", '\\', {" + key + " = 1}]", "x = \"\" # \"\n" + key + " = 1"})
        CHECK(error_of("/*+++\n" + toml + "\n+++*/").find("nested more than 16 levels deep") !=
              std::string::npos);
    CHECK(error_of("/*+++\n[" + key + "]\n+++*/").starts_with("k.cl:2:33: "));
}

TEST_CASE("dots and brackets in texts and comments are no nesting") {
    const std::string dots = repeated(".", "", 100) + repeated("[", "", 100) + repeated("{", "", 100);
    CHECK(parse_toml("title = '" + dots + "' # " + dots + "\nsource = '''" + dots + "'''").title == dots);
    CHECK(parse_toml("flops = \"\"\"1.5 + \n 2.5\"\"\"\nparams = {a = [1, 2], b = [3]}").params.size() == 2);
}

TEST_CASE("lengths and counts are bounded") {
    const auto refuses = [](const std::string& toml, const char* message) {
        const std::string error = error_of("/*+++\n" + toml + "\n+++*/");
        CAPTURE(error);
        CHECK(error.find(message) != std::string::npos);
    };
    const auto entries = [](const char* name, const char* value, int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += fmt::format("{}{} = {}\n", name, i, value);
        return text;
    };
    refuses("title = '" + std::string(70'000, 'x') + "'", "k.cl: its declarations are longer than 64 KiB");
    refuses("[scratch]\n" + entries("s", "1", 257), "[scratch] has 257 entries; at most 256");
    refuses("[params]\n" + entries("P", "1", 300), "[params] has 300 entries");
    refuses("[defines]\n" + entries("D", "1", 300), "[defines] has 300 entries");
    refuses("[params]\nP = [" + repeated("1", ",", 1025) + "]", "this list has 1025 elements; at most 1024");
    refuses(repeated("[[launch]]", "\n", 1025), "this list has 1025 elements");
    refuses("[params]\n" + std::string(257, 'P') + " = 1", "has 257 letters; at most 256");
    refuses("title = '" + std::string(5000, 'x') + "'", "title has 5000 bytes; at most 4096");
    refuses("flops = '" + std::string(5000, '1') + "'", "at most 4096");
    refuses("flops = " + std::string(5000, '1'), "invalid TOML");
    refuses("flops = '" + std::string(4000, '1') + "'", "1111… does not fit into 64 bits");
}

TEST_CASE("a text of one line has no control characters") {
    for (const char* toml : {"title = \"a\\u001B[31m\"", "problem = \"a\\n\"", "source = \"\"\"a\nb\"\"\"",
                             "[params]\nT = \"a\\tb\"", "[build]\noptions = \"\\u007F\""})
        CHECK(error_of(std::string("/*+++\n") + toml + "\n+++*/").find("must be one line") !=
              std::string::npos);
    CHECK(error_of("/*+++\n[require]\n\"a\\nb\" = 1\n+++*/")
              .find("k.cl:3:1: a name in [require] has a line break or another control character") == 0);
}

TEST_CASE("a kernel has a hundred scratch buffers at most") {
    std::string scratch = "[scratch]\n";
    for (int i = 0; i < 100; ++i) scratch += "t" + std::to_string(i) + " = 'N'\n";
    CHECK(parse_front_matter("k.cl", scratch).scratch.size() == 100);
    CHECK(error_of("/*+++\n" + scratch + "more = 'N'\n+++*/")
              .find("101 buffers, but at most 100 are allowed") != std::string::npos);
}

TEST_CASE("front matter that is misplaced, open or cut short is refused with its line") {
    CHECK(error_of("// licence\n/*+++ +++*/").find("k.cl:2:1: the front matter must be the first comment") ==
          0);
    CHECK(error_of("\n\n /*+++\ntitle = 'x'\n").find("k.cl:3:2: the front matter is not closed") == 0);
    CHECK(error_of("/*+++\ntitle = 'a */ b'\n+++*/").find("k.cl:2:12: this */ ends the comment") == 0);
    CHECK(error_of("#define X \"//\"\n/*+++ title = 'x' +++*/") == "no error");
}

TEST_CASE("a text that is not closed is refused at a place that the file has") {
    CHECK(error_of("/*+++\ntitle = \"\"\"ab\n+++*/\nx").starts_with("k.cl:2:14: "));
}

TEST_CASE("front matter with faults planted at random is read or refused, never anything else") {
    std::mt19937 random(3);
    const auto pick = [&](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    const std::string junk = "[]{}=\"'\n\\,.#+-*/ 09azTILE\t\x01\xff\xc3";
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = kFull;
        for (std::size_t n = pick(4) + 1; n > 0; --n) {
            const std::size_t at = 5 + pick(text.size() - 5);
            switch (pick(3)) {
                case 0:
                    text[at] = junk[pick(junk.size())];
                    break;
                case 1:
                    text.insert(at, 1, junk[pick(junk.size())]);
                    break;
                default:
                    text.erase(at, pick(20));
                    break;
            }
        }
        const std::string error = error_of(text);
        if (error == "no error") continue;
        ++refused;
        CHECK(error.starts_with("k.cl:"));
    }
    CHECK(refused > 500);
}

}  // namespace
}  // namespace kwb
