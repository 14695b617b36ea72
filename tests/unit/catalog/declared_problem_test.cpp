// SPDX-License-Identifier: Apache-2.0
#include "catalog/declared_problem.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/npy.hpp"
#include "base/png.hpp"
#include "catalog/kernel_file.hpp"
#include "support/temp_folder.hpp"

namespace kwb {
namespace {

using test::TempFolder;

/// A kernel file with this declaration; [problem] is on line 2.
std::string kernel_with(const std::string& problem) {
    return "/*+++\n[problem]\n" + problem +
           "\n[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n+++*/\n__kernel void f() {}\n";
}

const std::string kGood =
    "sizes = {N = 12, M = {usual = 3, awkward = [1, 5]}}\nreference = \"simple.cl\"\n"
    "buffers.x = {type = \"float4\", shape = [\"N\", \"M + 1\"]}\n"
    "buffers.y = {shape = \"N\", output = true, tolerance = {ulp = 4}}\n"
    "buffers.z = {type = \"int\", shape = [2], fill = \"ramp\", output = true}\n"
    "scalars.a = 2.5\nscalars.k = {type = \"long\", value = \"N * M\"}";

const std::string kSimple =
    "/*+++\n[launch]\nkernel = \"s\"\nglobal = [\"N\"]\n+++*/\n__kernel void s() {}\n";

std::shared_ptr<const DeclaredProblem> problem_of(const TempFolder& folder, const std::string& problem) {
    return read_kernel_file(folder.write("mine.cl", kernel_with(problem)), "mine.cl").own_problem;
}

/// The error message from parsing and evaluating a declaration, without the folder's name; "" if there is
/// none.
std::string complaint(const TempFolder& folder, const std::string& problem) {
    try {
        const auto own = problem_of(folder, problem);
        own->evaluate(own->default_sizes(), DeviceInfo{});
        return "";
    } catch (const BadInput& error) {
        std::string text = error.what();
        for (std::size_t at = 0; (at = text.find(folder.path().string() + "/")) != std::string::npos;)
            text.erase(at, folder.path().string().size() + 1);
        return text;
    }
}

/// A declaration with one part replaced.
std::string altered(std::string problem, const std::string& from, const std::string& to) {
    const std::size_t at = problem.find(from);
    REQUIRE(at != std::string::npos);
    return problem.replace(at, from.size(), to);
}

/// Expected values of y from a file, those of z from the reference, and no random inputs.
std::string with_file() {
    return altered(altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = 1"), "shape = \"N\", output",
                   "shape = \"N\", expected = \"y.npy\", output");
}

#define CHECK_COMPLAINS(problem, part)                       \
    do {                                                     \
        const std::string said = complaint(folder, problem); \
        INFO("wanted: ", (part), "\nsaid: ", said);          \
        CHECK(said.find(part) != std::string::npos);         \
    } while (false)

TEST_CASE("a tolerance may be an integer that no double represents") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const auto own = problem_of(folder, altered(kGood, "{ulp = 4}", "{absolute = 9007199254740993}"));
    CHECK(own->evaluate(own->default_sizes(), DeviceInfo{})->outputs[0].value.tolerance.absolute == 0x1p53);
}

TEST_CASE("a declared problem has its sizes, buffers, numbers and cost") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const auto own = problem_of(folder, kGood + "\nflops = \"2 * N\"");
    CHECK(own->name() == "mine");
    CHECK(own->size_names() == std::vector<std::string>{"N", "M"});
    CHECK(own->default_sizes() == Sizes{{"N", 12}, {"M", 3}});
    CHECK(own->square(7) == Sizes{{"N", 7}, {"M", 3}});
    CHECK(parse_sizes(*own, "7x2") == Sizes{{"N", 7}, {"M", 2}});

    const auto declared = own->evaluate({{"N", 5}, {"M", 2}}, DeviceInfo{});
    const ProblemInstance& instance = declared->instance;
    REQUIRE(instance.buffers.size() == 3);
    CHECK(instance.buffers[0].shape == std::vector<std::uint64_t>{5, 3});
    CHECK(instance.buffers[0].access == Access::Read);
    CHECK(instance.buffers[1].access == Access::Write);
    CHECK(instance.buffers[2].access == Access::ReadWrite);
    CHECK(std::get<double>(instance.find_scalar("a")->value) == 2.5);
    CHECK(std::get<std::int64_t>(instance.find_scalar("k")->value) == 10);
    CHECK(std::get<std::int64_t>(instance.find_scalar("N")->value) == 5);
    CHECK(instance.cost.flops == 10);
    CHECK(instance.cost.bytes == 5 * 3 * 16 + 5 * 4 + 2 * 2 * 4);
    CHECK(names_of(declared->inputs) == std::vector<std::string>{"x", "z"});
    CHECK(names_of(declared->outputs) == std::vector<std::string>{"y", "z"});
    CHECK(declared->outputs[0].value.tolerance.ulp == 4);
    CHECK(declared->outputs[1].value.tolerance.is_exact());
    REQUIRE(declared->reference);
    CHECK(declared->reference->launches.at(0).global == std::vector<std::uint64_t>{5});
}

TEST_CASE("a declared problem with one size has the same awkward sizes as a shipped one") {
    ProblemSpec spec;
    spec.sizes = {{"N", {1000, {}}}};
    for (const std::int64_t tile : {1, 16, 256})
        CHECK(list_awkward_sizes(spec, tile) == get_problem("vector_add").awkward_sizes(tile));
}

TEST_CASE("awkward sizes are 1, primes and tile edges, and a size's own values") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const auto all = problem_of(folder, kGood)->awkward_sizes(16);
    const auto has = [&](const Sizes& sizes) {
        return std::find(all.begin(), all.end(), sizes) != all.end();
    };
    CHECK(has({{"N", 1}, {"M", 3}}));
    CHECK(has({{"N", 17}, {"M", 3}}));
    CHECK(has({{"N", 97}, {"M", 3}}));
    CHECK(has({{"N", 61}, {"M", 5}}));
    const auto narrow = problem_of(folder, altered(kGood, "\"M + 1\"", "\"N - 30\""))->awkward_sizes(16);
    for (const Sizes& sizes : narrow) CHECK(sizes.front().value > 30);
    CHECK(problem_of(folder, with_file())->awkward_sizes(16) == std::vector<Sizes>{{{"N", 12}, {"M", 3}}});
}

TEST_CASE("another kernel names the file that declares the problem, and both solve the same one") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    folder.write("mine.cl", kernel_with(kGood));
    const std::string rest = "[launch]\nkernel = \"g\"\nglobal = [\"N\"]\n+++*/\n__kernel void g() {}\n";
    const auto other =
        read_kernel_file(folder.write("other.cl", "/*+++\nproblem = \"mine.cl\"\n" + rest), "other.cl");
    CHECK(other.spec.problem == "mine");
    const auto mine = read_kernel_file(folder / "mine.cl", "mine.cl");
    CHECK(is_same_problem(*mine.own_problem, *other.own_problem));
    folder.write("alone.toml", "[problem]\n" + kGood);
    const auto third =
        read_kernel_file(folder.write("third.cl", "/*+++\nproblem = \"alone.toml\"\n" + rest), "third.cl");
    CHECK(third.spec.problem == "alone");
    CHECK_FALSE(is_same_problem(*mine.own_problem, *third.own_problem));
    CHECK_THROWS_WITH_AS(
        read_kernel_file(folder.write("fourth.cl", "/*+++\nproblem = \"simple.cl\"\n" + rest), "fourth.cl"),
        doctest::Contains("fourth.cl:2:1: "), BadInput);
    CHECK_THROWS_WITH_AS(
        read_kernel_file(folder.write("fourth.cl", "/*+++\nproblem = \"gone.cl\"\n" + rest), "fourth.cl"),
        doctest::Contains("gone.cl: cannot read"), BadInput);
}

TEST_CASE("a bad declaration is refused with its place and what to write") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    CHECK(complaint(folder, kGood) == "");
    CHECK_COMPLAINS("", "mine.cl:2:1: [problem] has no sizes. Add e.g. sizes = {N = 1000}");
    CHECK_COMPLAINS("sizes = {N = 1}", "mine.cl:2:1: [problem] has no buffers");
    CHECK_COMPLAINS(kGood + "\nnmae = \"x\"", "mine.cl:10:1: [problem] has no key `nmae`");
    CHECK_COMPLAINS(kGood + "\nname = \"matmul\"", "`matmul` is already a built-in problem");
    CHECK_COMPLAINS(altered(kGood, "N = 12", "N = 0"), "mine.cl:3:14: size N must be a whole number from 1");
    CHECK_COMPLAINS(altered(kGood, "usual = 3, ", ""), "size M lacks its usual value");
    CHECK_COMPLAINS(altered(kGood, "float4", "floaty"), "mine.cl:5:21: `floaty` is not an element type");
    CHECK_COMPLAINS(altered(kGood, "float4", "float3"), "vectors of three occupy the space of four");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"", "\"M +\""), "mine.cl:5:");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"", "\"Q + 1\""), "mine.cl:5:46: ");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"", "\"M - 3\""), "this extent of x is 0 at N=12 M=3");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"", "\"2 ** 62\""), "larger than any memory");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "\"rampp\""),
                    "`rampp` is not a way to fill a buffer. Use uniform, normal, integers, ramp and zeros");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "\"uniform\""),
                    "holds int, which cannot be filled with uniform numbers");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "{integers = [5, 1]}"), "the range [5, 1] is empty");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "{integers = [0, 3000000000]}"),
                    "int cannot hold 0 … 3000000000");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "{integers = [0]}"),
                    "integers takes two numbers: the smallest and the largest");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "1.5"), "1.5 is not a whole number");
    CHECK_COMPLAINS(altered(kGood, "{ulp = 4}", "1e-5"), "must be \"exact\", or name its kind");
    CHECK_COMPLAINS(altered(kGood, "{ulp = 4}", "{ulp = -4}"), "ulp must be a number of at least 0");
    CHECK_COMPLAINS(altered(kGood, "{ulp = 4}", "{upl = 4}"), "Did you mean ulp?");
    CHECK_COMPLAINS(altered(kGood, "shape = \"N\", output = true", "shape = \"N\""),
                    "mine.cl:6:9: buffer y has a tolerance, but is not an output. Add output = true");
    CHECK_COMPLAINS(altered(kGood, "buffers.z", "buffers.N"), "`N` is declared twice in [problem]");
    CHECK_COMPLAINS(altered(kGood, "type = \"long\", value = \"N * M\"", "type = \"long\", value = 1.5"),
                    "k is 3/2, which long cannot hold");
    CHECK_COMPLAINS(
        "sizes = {N = 1}\nbuffers.x = {shape = \"N\", output = true, expected = \"x.npy\"}\n"
        "buffers.y = {shape = \"N\", output = true}",
        "y has no expected values, unlike other outputs");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "{ramp = [0, 1], seed = 1}"), "a ramp has no random numbers");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "{uniform = [0, 1], seed = -1}"),
                    "must be a whole number of at least 0");
    CHECK_COMPLAINS("sizes = {N = 1}\nbuffers.x = {shape = \"N\"}", "no buffer of [problem] is an output");
    std::string sizes, awkward = "1";
    for (int i = 0; i < 17; ++i) sizes += "sizes.n" + std::to_string(i) + " = 1\n";
    for (int i = 0; i < 64; ++i) awkward += ", 1";
    CHECK_COMPLAINS(sizes, "mine.cl:19:7: a problem has at most 16 sizes");
    CHECK_COMPLAINS(altered(kGood, "[1, 5]", "[" + awkward + "]"), "has 65 values; at most 64 are checked");
    CHECK_COMPLAINS(altered(kGood, "\"simple.cl\"", "\"a\\nb.cl\""), "problem.reference must be one line");
    CHECK_COMPLAINS(altered(kGood, "\"ramp\"", "\"a\\u001Bb.npy\""), "must be one line");
}

TEST_CASE("a declaration that says nothing, or what no argument can be, is refused where it is read") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const auto read = [&](const std::string& problem) {
        try {
            problem_of(folder, problem);
            return std::string("it was read");
        } catch (const BadInput& error) {
            return std::string(error.what());
        }
    };
    const auto refused = [&](const std::string& problem, const std::string& part) {
        const std::string said = read(problem);
        INFO("wanted: ", part, "\nsaid: ", said);
        CHECK(said.find(part) != std::string::npos);
    };
    refused(altered(kGood, "{ulp = 4}", "{}"), "mine.cl:6:54: the tolerance of buffer y is empty");
    refused(altered(kGood, "[1, 5]", "[]"), "size M.awkward is empty");
    refused(altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = {uniform = [1, 1]}"),
            "the range [1, 1] is empty, because its end is excluded");
    refused(altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = {uniform = [2, -1]}"),
            "the range [2, -1] is empty. Give the smaller number first");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = {uniform = [\"M\", 3]}"),
                    "the range [3, 3] is empty");
    CHECK(read(altered(kGood, "\"ramp\"", "{integers = [1, 1]}")) == "it was read");
    refused(altered(kGood, "N = 12", "int = 12"),
            "`int` cannot be the name of a size, because OpenCL C reserves it. Call it e.g. `my_int`");
    refused(altered(kGood, "buffers.z", "buffers.kernel"), "`kernel` cannot be the name of a buffer");
    refused(altered(kGood, "scalars.a", "scalars.float4"), "`float4` cannot be the name of a number");
    refused(altered(kGood, "type = \"long\", value = \"N * M\"", "type = \"char\", value = 1000"),
            "k is 1000, but char holds -128 … 127. Give another number, or another type");
    CHECK_COMPLAINS(altered(kGood, "type = \"long\", value", "type = \"uchar\", value = \"N - M * 5\"}\n#"),
                    "k is -3, but uchar holds 0 … 255");
    refused(altered(kGood, "scalars.a = 2.5", "scalars.a = 3000000000"), "a is 3000000000, but int holds");
    refused(altered(kGood, "type = \"long\", value = \"N * M\"", "type = \"half\", value = 1e6"),
            "k is 1000000, but half holds no more than 65504");
    refused(altered(kGood, "type = \"long\", value = \"N * M\"", "type = \"ulong\", value = -1"),
            "k is -1, but ulong holds no negative numbers");
}

TEST_CASE("a fill that its type cannot hold is refused, a ramp at its last element") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const auto filled = [](const std::string& type, const std::string& fill) {
        return altered(
            altered(kGood, "type = \"int\", shape = [2]", "type = \"" + type + "\", shape = \"N\""),
            "\"ramp\"", fill);
    };
    CHECK_COMPLAINS(filled("half", "100000"), "mine.cl:7:");
    CHECK_COMPLAINS(
        filled("half", "100000"),
        "buffer z: half cannot hold 100000, only -65504 … 65504. Give other numbers, or another type");
    CHECK_COMPLAINS(filled("half", "-65505"), "half cannot hold -65505");
    CHECK_COMPLAINS(filled("half", "{uniform = [0, 65505]}"), "half cannot hold 0 … 65505");
    CHECK_COMPLAINS(filled("half", "{integers = [-70000, 0]}"), "half cannot hold -70000 … 0");
    CHECK_COMPLAINS(filled("half", "{normal = [0, 10000]}"), "half cannot hold normal numbers, which may be");
    CHECK_COMPLAINS(filled("half", "{ramp = [0, 6000]}"), "half cannot hold a ramp of 0 … 66000 (at N=12");
    CHECK_COMPLAINS(filled("uchar", "{ramp = [250, 1]}"), "uchar cannot hold a ramp of 250 … 261 (at N=12");
    CHECK_COMPLAINS(filled("uchar", "{ramp = [5, -1]}"), "uchar cannot hold a ramp of -6 … 5");
    CHECK_COMPLAINS(filled("uchar4", "{ramp = [210, 1]}"), "a ramp of 210 … 257");
    CHECK_COMPLAINS(filled("char", "128"), "char cannot hold 128, only -128 … 127");
    for (const auto& [type, fill] : NamedList<std::string>{{"half", "65504"},
                                                           {"half", "{ramp = [0, 5954]}"},
                                                           {"half", "{normal = [0, 7000]}"},
                                                           {"uchar", "{ramp = [244, 1]}"},
                                                           {"uchar4", "{ramp = [208, 1]}"},
                                                           {"char", "-128"},
                                                           {"float", "1e18"}}) {
        const auto& shown_type = type;
        CAPTURE(shown_type);
        const auto& shown_fill = fill;
        CAPTURE(shown_fill);
        CHECK(complaint(folder, filled(type, fill)) == "");
    }
}

TEST_CASE("awkward sizes exclude those at which a ramp exceeds its type") {
    const TempFolder folder;
    const auto problem = problem_of(
        folder, altered(altered(kGood, "type = \"int\", shape = [2]", "type = \"char\", shape = \"N\""),
                        "\"ramp\"", "{ramp = [90, 1]}"));
    const auto sizes = problem->awkward_sizes(16);
    CHECK(sizes.size() > 1);
    for (const Sizes& each : sizes) CHECK(each.front().value <= 38);
}

TEST_CASE("an invalid fill is rejected with a list of the valid ones") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    for (const char* fill : {"[1, 2]", "true"})
        CHECK_COMPLAINS(
            altered(kGood, "\"ramp\"", fill),
            "buffer z.fill must be a number, one of uniform, normal, integers, ramp and zeros or the "
            "name of a .npy file or a picture in quotes, or with its numbers, e.g. {uniform = [0, 1]}");
    CHECK_COMPLAINS(
        altered(kGood, "\"ramp\"", "nan"),
        "buffer z.fill must be a number or an expression in quotes, not infinity or not-a-number");
}

TEST_CASE("expected values have a single source, and those in a file need fixed inputs") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    folder.write("y.npy", make_npy({'f', 4}, {12}, std::string(12 * 4, '\0')));
    CHECK(complaint(folder, with_file()) == "");  // z's values come from the reference
    CHECK_COMPLAINS(
        altered(with_file(), "fill = \"ramp\"", "fill = 0, expected = \"z.npy\""),
        "mine.cl:6:39: both this file and the problem's reference define the expected values of y");
    const std::string without =
        altered(altered(with_file(), "reference = \"simple.cl\"\n", ""), "buffers.z", "#");
    CHECK(complaint(folder, without) == "");
    for (const char* fill : {"fill = \"uniform\"", "fill = \"normal\"", "fill = {uniform = [0, \"N\"]}", ""})
        CHECK_COMPLAINS(altered(without, ", fill = 1", fill[0] != 0 ? ", " + std::string(fill) : ""),
                        "the expected values of y are in a file, but x is filled with different random "
                        "numbers for each --seed. Fill x "
                        "from a .npy file, with a ramp or with a number, or give it a seed, as in {uniform = "
                        "[0, 1], seed = 1}, "
                        "or a reference instead");
}

TEST_CASE("a name that an expression does not know is answered with those that there are") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"", "\"Q + 1\""),
                    "mine.cl:5:46: unknown name `Q`. Known names: N and M.");
    CHECK_COMPLAINS(altered(kGood, "reference", "flops = \"W\"\nreference"),
                    "mine.cl:4:10: unknown name `W`. Known names: N and M.");
}

TEST_CASE("a reference that cannot be used is refused where it is named") {
    const TempFolder folder;
    CHECK_COMPLAINS(kGood, "mine.cl:4:14: the reference cannot be used: simple.cl: cannot read");
    folder.write("simple.cl", "__kernel void s() {}\n");
    CHECK_COMPLAINS(kGood, "mine.cl:4:14: simple.cl does not declare its launch. Add a front matter");
    folder.write("simple.cl", "/*+++\n[launch]\nkernel = \"s\"\n+++*/\n__kernel void s() {}\n");
    CHECK_COMPLAINS(kGood, "mine.cl:4:14: simple.cl has a [launch] that lacks its global size. Add it, or");
    folder.write("simple.cl", "/*+++\nlaunch = 5\n+++*/\n");
    CHECK_COMPLAINS(kGood, "simple.cl:2:");
    CHECK_COMPLAINS(altered(kGood, "\"simple.cl\"", "\"values.npy\""),
                    "must name a .cl file next to this one");
    CHECK_COMPLAINS(altered(kGood, "\"simple.cl\"", "\"../simple.cl\""), "is outside this file's folder");
    folder.write("simple.cl", "__kernel void s() {}\n");
    CHECK(complaint(folder, altered(kGood, "\"simple.cl\"",
                                    "{file = \"simple.cl\", launch = {kernel = \"s\", global = [\"M\"]}}")) ==
          "");
    CHECK(complaint(folder,
                    altered(kGood, "\"simple.cl\"", "{launch = {kernel = \"f\", global = [\"M\"]}}")) == "");
}

TEST_CASE("an array is read as the buffer lies in memory, and refused where it does not fit") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const std::string with = altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = \"in/x.npy\"");
    CHECK_COMPLAINS(with, "mine.cl:5:63: in/x.npy: cannot read: No such file");
    std::string data(12 * 4 * 4 * 4, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7);
    folder.write("in/x.npy", make_npy({'f', 4}, {12, 4, 4}, data));
    const auto own = problem_of(folder, with);
    const auto declared = own->evaluate(own->default_sizes(), DeviceInfo{});
    REQUIRE(declared->inputs[0].value.content);
    CHECK(*declared->inputs[0].value.content == data);
    CHECK(join_contents(*declared) == data);

    folder.write("in/x.npy", make_npy({'f', 4}, {12, 16}, data));
    CHECK_COMPLAINS(
        with,
        "in/x.npy is 12 x 16, but x is 12 x 4 x 4 at N=12 M=3 (the components of float4 are the last axis)");
    folder.write("in/x.npy", make_npy({'i', 4}, {12, 4, 4}, data));
    CHECK_COMPLAINS(with,
                    "in/x.npy holds int32 numbers, but x is of float4. Save array.astype(numpy.float32)");
    folder.write("in/x.npy", "no array");
    CHECK_COMPLAINS(with, "mine.cl:5:63: in/x.npy: not a .npy file");
    CHECK_COMPLAINS(altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = \"/etc/x.npy\""),
                    "is outside this file's folder");
}

TEST_CASE("a picture fills pixels of bytes, or of floats from 0 to 1, in grey or in colour") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const std::vector<std::uint8_t> colours = {255, 0, 0, 255, 255, 255, 255, 51};  // 1 row of red and white
    folder.write("p.png", encode_png(colours, 2, 1, 4));
    const auto with = [](const std::string& type, const std::string& shape) {
        return altered(kGood, R"({type = "float4", shape = ["N", "M + 1"]})",
                       "{type = \"" + type + "\", shape = " + shape + ", fill = \"p.png\"}");
    };
    const auto content = [&](const std::string& type, const std::string& shape = "[1, 2]") {
        const auto own = problem_of(folder, with(type, shape));
        const auto declared = own->evaluate(own->default_sizes(), DeviceInfo{});
        return *declared->inputs[0].value.content;
    };
    const std::string bytes(colours.begin(), colours.end());
    CHECK(content("uchar4") == bytes);
    CHECK(content("uchar", "[1, 2, 4]") == bytes);
    const std::string grey = content("uchar");
    REQUIRE(grey.size() == 2);
    CHECK(static_cast<unsigned char>(grey[0]) > 50);
    CHECK(static_cast<unsigned char>(grey[0]) < 150);
    const std::string floats = content("float4");
    REQUIRE(floats.size() == 8 * sizeof(float));
    for (std::size_t i = 0; i < colours.size(); ++i) {
        float value = 0;
        std::memcpy(&value, &floats[i * sizeof value], sizeof value);
        CHECK(value == doctest::Approx(colours[i] / 255.0));
    }

    CHECK_COMPLAINS(with("int", "[1, 2]"), "p.png is a picture");
    CHECK_COMPLAINS(with("int", "[1, 2]"), "x is 1 x 2 of int");
    CHECK_COMPLAINS(with("uchar4", "[2, 1]"), "p.png is 1 x 2 x 4, but x is 2 x 1 x 4");
    CHECK_COMPLAINS(with("uchar", "[2]"), "x is 2 of uchar");
    folder.write("p.png", "no picture");
    CHECK_COMPLAINS(with("uchar", "[1, 2]"), "p.png: not a PNG picture");
    folder.write("p.png", encode_png(colours, 2, 1, 4).substr(0, 60));
    CHECK_COMPLAINS(with("uchar", "[1, 2]"), "p.png: damaged PNG picture");
}

TEST_CASE("an edited declaration takes the arrays that were read before, until their file changes") {
    const TempFolder folder;
    folder.write("simple.cl", kSimple);
    const std::string text = altered(kGood, "\"M + 1\"]", "\"M + 1\"], fill = \"x.npy\"");
    const std::filesystem::path file = folder.write("mine.cl", kernel_with(text));
    const auto write_array = [&](char byte) {
        return folder.write("x.npy", make_npy({'f', 4}, {12, 4, 4}, std::string(12 * 4 * 4 * 4, byte)));
    };
    const std::filesystem::path array = write_array('a');
    EditedTexts edited(std::make_shared<ArrayFiles>());
    const auto evaluate = [&] {
        const auto own = read_kernel_file(file, "mine", edited).own_problem;
        return own->evaluate(own->default_sizes(), DeviceInfo{});
    };
    const auto first = evaluate();
    edited.put(file, kernel_with(text + "\nscalars.b = 1"));
    const auto second = evaluate();
    CHECK(second->inputs[0].value.content == first->inputs[0].value.content);
    CHECK(second->instance.find_scalar("b") != nullptr);

    std::filesystem::last_write_time(write_array('b'),
                                     std::filesystem::last_write_time(array) - std::chrono::seconds(1));
    CHECK(evaluate()->inputs[0].value.content->front() == 'b');
}

TEST_CASE("the file that declares a kernel's problem must be in the kernel's folder or below") {
    const TempFolder folder;
    const char* const kSecret = "aws = hunter2 x\n";
    folder.write("secret.toml", kSecret);
    folder.write("in/kernels/simple.cl", kSimple);
    folder.write("in/kernels/mine.cl", kernel_with(kGood));
    const std::string launch = "[launch]\nkernel = \"g\"\nglobal = [\"N\"]\n";
    const auto refusal = [&](const std::string& problem, bool by_side_car) -> std::string {
        const std::string toml = "problem = \"" + problem + "\"\n" + launch;
        const std::string body = "__kernel void g() {}\n";
        const auto path = folder.write("in/f.cl", by_side_car ? body : "/*+++\n" + toml + "+++*/\n" + body);
        std::filesystem::remove(folder / "in/f.cl.toml");
        if (by_side_car) folder.write("in/f.cl.toml", toml);
        try {
            read_kernel_file(path, "f.cl");
        } catch (const BadInput& error) {
            return error.what();
        }
        return "";
    };
    std::filesystem::create_symlink(folder / "secret.toml", folder / "in/link.toml");
    std::filesystem::copy(folder / "in/kernels/mine.cl", folder / "in/linked.cl");
    std::filesystem::create_symlink(folder / "secret.toml", folder / "in/linked.cl.toml");
    for (const bool by_side_car : {false, true}) {
        CAPTURE(by_side_car);
        for (const std::string& outside :
             {std::string("../secret.toml"), (folder / "secret.toml").string(),
              std::string("kernels/../../secret.toml"), std::string("link.toml"), std::string("linked.cl")}) {
            const std::string told = refusal(outside, by_side_car);
            CAPTURE(told);
            CHECK(told.find("\"" + outside + "\" is outside this file's folder, or a link that") !=
                  std::string::npos);
            CHECK(told.find(by_side_car ? "f.cl.toml:1:" : "f.cl:2:") != std::string::npos);
            CHECK(told.find("hunter2") == std::string::npos);
            CHECK(told.find("aws") == std::string::npos);
        }
        CHECK(refusal("kernels/mine.cl", by_side_car).empty());
    }
}

}  // namespace
}  // namespace kwb
