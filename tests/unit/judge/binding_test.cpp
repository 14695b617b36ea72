// SPDX-License-Identifier: Apache-2.0
#include "judge/build/binding.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "base/half.hpp"
#include "judge/build/source_hints.hpp"
#include "sample.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using Space = AddressSpace;

/// A launch of function "k" for matmul of 2 x 3 x 4, to be modified.
struct Case {
    Case() {
        plan.file = "k.cl";
        LaunchPlan launch;
        launch.kernel = "k";
        launch.global = {16, 16};
        launch.local = {{4, 4}};
        plan.launches.push_back(launch);
    }
    Case& with(const std::string& name, const std::string& type, Space space) {
        function.arguments.push_back({name, type, space, false});
        return *this;
    }
    Answer<std::vector<Launch>> bind() {
        function.name = "k";
        layout = make_layout(instance, {&plan}, small_device());
        return bind_launches(plan, 0, {function}, instance, layout);
    }
    std::vector<Launch> bound() {
        auto answer = bind();
        if (const auto* failure = std::get_if<Failure>(&answer)) FAIL(failure->reason);
        return std::get<std::vector<Launch>>(answer);
    }
    std::string refusal(Verdict verdict = Verdict::LaunchError) {
        const auto answer = bind();
        const auto* failure = std::get_if<Failure>(&answer);
        REQUIRE(failure != nullptr);
        CHECK(failure->verdict == verdict);
        return failure->reason;
    }
    LaunchPlan& launch() { return plan.launches.front(); }

    KernelPlan plan;
    FunctionInfo function;
    ProblemInstance instance = matmul(2, 3, 4);
    Layout layout;
};

template <class T>
std::optional<T> value_as(const ScalarValue& value, Scalar scalar) {
    const auto bytes = scalar_bytes_of(value, scalar);
    if (!bytes) return std::nullopt;
    REQUIRE(bytes->size() == sizeof(T));
    T out;
    std::memcpy(&out, bytes->data(), sizeof out);
    return out;
}

template <class T>
void check_range(Scalar scalar) {
    using Limits = std::numeric_limits<T>;
    CAPTURE(to_string(ElementType{scalar, 1}));
    CHECK(value_as<T>(std::int64_t{0}, scalar) == T{0});
    CHECK(value_as<T>(std::int64_t{100}, scalar) == T{100});
    CHECK(value_as<T>(static_cast<std::int64_t>(Limits::max()), scalar) == Limits::max());
    CHECK(value_as<T>(static_cast<std::int64_t>(Limits::min()), scalar) == Limits::min());
    CHECK(!value_as<T>(static_cast<std::int64_t>(Limits::max()) + 1, scalar));
    CHECK(!value_as<T>(static_cast<std::int64_t>(Limits::min()) - 1, scalar));
    CHECK(!value_as<T>(1.0, scalar));
    CHECK(!value_as<T>(1.5, scalar));
}

}  // namespace

TEST_CASE("numbers become the bytes of each integer type, and what does not fit is refused") {
    check_range<std::int8_t>(Scalar::Int8);
    check_range<std::uint8_t>(Scalar::UInt8);
    check_range<std::int16_t>(Scalar::Int16);
    check_range<std::uint16_t>(Scalar::UInt16);
    check_range<std::int32_t>(Scalar::Int32);
    check_range<std::uint32_t>(Scalar::UInt32);
}

TEST_CASE("64-bit types hold every number that there is, but unsigned ones no negative") {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    CHECK(value_as<std::int64_t>(kMost, Scalar::Int64) == kMost);
    CHECK(value_as<std::int64_t>(kLeast, Scalar::Int64) == kLeast);
    CHECK(value_as<std::uint64_t>(kMost, Scalar::UInt64) == static_cast<std::uint64_t>(kMost));
    for (const Scalar scalar : {Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64}) {
        CHECK(!scalar_bytes_of(std::int64_t{-1}, scalar));
        CHECK(!scalar_bytes_of(kLeast, scalar));
    }
}

TEST_CASE("floating-point types take whole numbers and fractions") {
    CHECK(value_as<float>(std::int64_t{-3}, Scalar::Float32) == -3.0f);
    CHECK(value_as<float>(0.1, Scalar::Float32) == 0.1f);
    CHECK(value_as<double>(0.1, Scalar::Float64) == 0.1);
    CHECK(value_as<double>(std::int64_t{1} << 40, Scalar::Float64) == 0x1p40);
    CHECK(static_cast<double>(*value_as<Half>(1.5, Scalar::Float16)) == 1.5);
    CHECK(static_cast<double>(*value_as<Half>(std::int64_t{2}, Scalar::Float16)) == 2.0);
}

TEST_CASE("arguments are matched by name in the function's own order, any subset of them") {
    Case c;
    c.with("N", "int", Space::Private).with("C", "float*", Space::Global).with("A", "float*", Space::Global);
    const auto bound = c.bound();
    REQUIRE(bound.size() == 1);
    const auto& arguments = bound[0].arguments;
    REQUIRE(arguments.size() == 3);
    CHECK(std::get<ValueArgument>(arguments[0]).bytes == std::vector<std::uint8_t>{3, 0, 0, 0});
    CHECK(std::get<BufferArgument>(arguments[1]).buffer == c.layout.find("C", 0)->id);
    CHECK(std::get<BufferArgument>(arguments[2]).buffer == c.layout.find("A", 0)->id);
    CHECK(bound[0].global == std::vector<std::uint64_t>{16, 16});
    CHECK(bound[0].local == std::vector<std::uint64_t>{4, 4});
    CHECK(!bound[0].swap);
}

TEST_CASE("sizes are given as the type that the kernel declares") {
    for (const auto& [type, bytes] : {std::pair{"uint", 4u},
                                      {"long", 8u},
                                      {"unsigned long", 8u},
                                      {"short", 2u},
                                      {"float", 4u},
                                      {"double", 8u},
                                      {"uchar", 1u}}) {
        const auto& shown_type = type;
        CAPTURE(shown_type);
        Case c;
        c.with("K", type, Space::Private);
        CHECK(std::get<ValueArgument>(c.bound()[0].arguments[0]).bytes.size() == bytes);
    }
}

TEST_CASE("a size that the declared type cannot hold is refused") {
    Case c;
    c.instance = matmul(2, 300, 4);
    c.with("N", "uchar", Space::Private);
    CHECK(mentions(c.refusal(), {"argument 'N' of k", "uchar", "wider type"}));
}

TEST_CASE("a binding replaces the name: a buffer, a number, a negative number") {
    Case c;
    c.with("src", "float*", Space::Global)
        .with("n", "int", Space::Private)
        .with("f", "float", Space::Private);
    c.launch().args = {
        {"src", BufferName{"B"}}, {"n", ScalarValue(std::int64_t{-7})}, {"f", ScalarValue(0.5)}};
    const auto arguments = c.bound()[0].arguments;
    CHECK(std::get<BufferArgument>(arguments[0]).buffer == c.layout.find("B", 0)->id);
    CHECK(std::get<ValueArgument>(arguments[1]).bytes == std::vector<std::uint8_t>{0xF9, 0xFF, 0xFF, 0xFF});
    CHECK(std::get<ValueArgument>(arguments[2]).bytes == std::vector<std::uint8_t>{0, 0, 0, 0x3F});
}

TEST_CASE("a binding beats the problem's own meaning of a name") {
    Case c;
    c.with("A", "float*", Space::Global).with("M", "int", Space::Private);
    c.launch().args = {{"A", BufferName{"B"}}, {"M", ScalarValue(std::int64_t{9})}};
    const auto arguments = c.bound()[0].arguments;
    CHECK(std::get<BufferArgument>(arguments[0]).buffer == c.layout.find("B", 0)->id);
    CHECK(std::get<ValueArgument>(arguments[1]).bytes[0] == 9);
}

TEST_CASE("a negative number for an unsigned argument is refused") {
    Case c;
    c.with("n", "uint", Space::Private);
    c.launch().args = {{"n", ScalarValue(std::int64_t{-1})}};
    CHECK(mentions(c.refusal(), {"argument 'n' of k", "uint", "cannot hold"}));
}

TEST_CASE("a fraction for an integer argument is refused") {
    Case c;
    c.with("n", "int", Space::Private);
    c.launch().args = {{"n", ScalarValue(2.5)}};
    CHECK(mentions(c.refusal(), {"argument 'n' of k", "int", "cannot hold"}));
}

TEST_CASE("scratch buffers are arguments by their name, of their own contestant") {
    Case c;
    c.plan.scratch.push_back({"T", {{Scalar::Float32, 1}, 12}});
    c.with("T", "float*", Space::Global);
    const auto bound = c.bound();
    CHECK(std::get<BufferArgument>(bound[0].arguments[0]).buffer == c.layout.find("T", 0)->id);
    const auto of_another = bind_launches(c.plan, 1, {c.function}, c.instance, c.layout);
    CHECK(std::holds_alternative<Failure>(of_another));
}

TEST_CASE("pointers to vectors of the same scalar are fine, to another type they are not") {
    for (const char* type : {"float4*", "float16*", "float*"}) {
        Case c;
        c.with("A", type, Space::Global);
        CHECK(c.bound()[0].arguments.size() == 1);
    }
    for (const char* type : {"int*", "double*", "uint4*", "half*"}) {
        CAPTURE(type);
        Case c;
        c.with("A", type, Space::Global);
        CHECK(mentions(c.refusal(), {"argument 'A' of k", "float", "misread"}));
    }
    Case structure;
    structure.with("A", "struct cell*", Space::Global);  // structures are not checked
    CHECK(structure.bound()[0].arguments.size() == 1);
}

TEST_CASE("__local pointers get their size in elements of their type") {
    for (const auto& [type, bytes] : {std::pair{"float*", 400u},
                                      {"float4*", 1600u},
                                      {"char*", 100u},
                                      {"float3*", 1600u},
                                      {"struct cell*", 100u}}) {
        const auto& shown_type = type;
        CAPTURE(shown_type);
        Case c;
        c.with("tile", type, Space::Local);
        c.launch().local_mem = {{"tile", 100}};
        CHECK(std::get<LocalArgument>(c.bound()[0].arguments[0]).bytes == bytes);
    }
}

TEST_CASE("a __local pointer without a size tells how to give it") {
    Case c;
    c.with("tile", "float*", Space::Local);
    CHECK(mentions(c.refusal(Verdict::Constraint), {"argument 'tile' of k", "local_mem = {tile ="}));
}

TEST_CASE("a __local pointer of no elements is refused, and one of very many is not wrapped to few bytes") {
    Case c;
    c.with("tile", "float*", Space::Local);
    c.launch().local_mem = {{"tile", 0}};
    CHECK(mentions(c.refusal(Verdict::Constraint), {"argument 'tile' of k", "0 elements", "at least 1"}));
    c.launch().local_mem = {{"tile", std::uint64_t{1} << 62}};
    CHECK(std::get<LocalArgument>(c.bound()[0].arguments[0]).bytes == UINT64_MAX);
}

TEST_CASE("a buffer of rows and columns is bound as an image, a sampler_t to a sampler") {
    Case c;
    c.with("A", "image2d_t", Space::Image);
    c.with("s", "sampler_t", Space::Other);
    const auto arguments = c.bound()[0].arguments;
    const auto& image = std::get<ImageArgument>(arguments[0]);
    CHECK(image.shape.pixel == ElementType{Scalar::Float32, 1});
    CHECK(image.is_written);
    CHECK(to_string(std::get<SamplerArgument>(arguments[1]).sampler) == "nearest_edge");
    c.launch().args = {{"s", Sampler{SamplerFilter::Linear, SamplerAddressing::Mirror, true}}};
    CHECK(to_string(std::get<SamplerArgument>(c.bound()[0].arguments[1]).sampler) ==
          "linear_mirror_normalized");
    c.launch().args = {{"s", ScalarValue{std::int64_t{1}}}};
    CHECK(mentions(c.refusal(), {"argument 's' of k", "sampler_t", "nearest_edge"}));
    Case number;
    number.with("M", "int", Space::Private);
    number.launch().args = {{"M", Sampler{}}};
    CHECK(mentions(number.refusal(), {"argument 'M' of k is given a sampler, but it is not a sampler_t"}));
}

TEST_CASE("other images are refused, a pointer whose address space is hidden is not") {
    Case image;
    image.with("A", "image3d_t", Space::Image);
    CHECK(mentions(image.refusal(Verdict::Constraint), {"argument 'A' of k", "image3d_t", "image2d_t"}));
    Case hidden;
    hidden.with("A", "float*", Space::Other);
    CHECK(hidden.bound().size() == 1);
}

TEST_CASE("an argument that nobody knows names those there are and the nearest") {
    Case c;
    c.plan.scratch.push_back({"T", {{Scalar::Float32, 1}, 12}});
    c.with("Bb", "float*", Space::Global);
    CHECK(mentions(c.refusal(Verdict::Constraint),
                   {"argument 'Bb' of k", "matmul", "A, B, C", "T", "Did you mean B", "args = {Bb"}));
}

TEST_CASE("buffer and number are not taken for each other") {
    Case value;
    value.with("A", "float", Space::Private);
    CHECK(mentions(value.refusal(), {"argument 'A' of k", "plain float", "__global float*"}));
    Case pointer;
    pointer.with("M", "int*", Space::Global);
    CHECK(mentions(pointer.refusal(), {"argument 'M' of k", "pointer", "number"}));
}

TEST_CASE("a number for a vector or a structure is refused") {
    for (const char* type : {"struct size", "event_t"}) {
        CAPTURE(type);
        Case c;
        c.with("M", type, Space::Private);
        CHECK(mentions(c.refusal(), {"argument 'M' of k", type, "does not accept a number"}));
    }
    Case vector;
    vector.with("M", "int4", Space::Private);
    CHECK(mentions(vector.refusal(), {"argument 'M' of k", "int4", "4 components", "1 number"}));
}

TEST_CASE("a binding to a buffer that is not there names those there are") {
    Case c;
    c.with("src", "float*", Space::Global);
    c.launch().args = {{"src", BufferName{"Q"}}};
    CHECK(mentions(c.refusal(), {"argument 'src' of k", "'Q'", "A, B and C"}));
}

TEST_CASE("a binding of an argument that the function lacks names those it has") {
    Case c;
    c.with("A", "float*", Space::Global);
    c.launch().args = {{"Aa", BufferName{"A"}}};
    CHECK(mentions(c.refusal(), {"binds 'Aa'", "k has no such argument", "Did you mean A?"}));
    Case local;
    local.with("A", "float*", Space::Global);
    local.launch().local_mem = {{"tile", 4}};
    CHECK(mentions(local.refusal(), {"binds 'tile'"}));
}

TEST_CASE("a missing kernel function names those there are") {
    Case c;
    c.launch().kernel = "kk";
    CHECK(mentions(c.refusal(), {"k.cl", "no kernel function 'kk'", "the file has k", "Did you mean k?"}));
    const auto none = bind_launches(c.plan, 0, {}, c.instance, c.layout);
    CHECK(mentions(std::get<Failure>(none).reason, {"the built program has none at all"}));
}

TEST_CASE("swapped buffers are found and must be of one size") {
    Case c;
    c.plan.scratch.push_back({"T", {{Scalar::Float32, 1}, 6}});
    c.plan.scratch.push_back({"U", {{Scalar::Float32, 1}, 7}});
    c.with("C", "float*", Space::Global);
    c.launch().swap = {"C", "T"};  // C is 2 x 3
    c.launch().repeat = 5;
    const auto bound = c.bound();
    REQUIRE(bound[0].swap);
    CHECK(bound[0].swap->first == c.layout.find("C", 0)->id);
    CHECK(bound[0].swap->second == c.layout.find("T", 0)->id);
    CHECK(bound[0].repeat == 5);
    c.launch().swap = {"C", "U"};
    CHECK(mentions(c.refusal(), {"'C'", "'U'", "differ in size"}));
    c.launch().swap = {"C", "X"};
    CHECK(mentions(c.refusal(), {"'X'", "not both are buffers"}));
}

TEST_CASE("each launch is bound by itself") {
    Case c;
    c.with("C", "float*", Space::Global).with("n", "int", Space::Private);
    c.launch().args = {{"n", ScalarValue(std::int64_t{1})}};
    LaunchPlan second = c.launch();
    second.args = {{"n", ScalarValue(std::int64_t{2})}, {"C", BufferName{"A"}}};
    second.local.reset();
    c.plan.launches.push_back(second);
    const auto bound = c.bound();
    REQUIRE(bound.size() == 2);
    CHECK(std::get<ValueArgument>(bound[0].arguments[1]).bytes[0] == 1);
    CHECK(std::get<ValueArgument>(bound[1].arguments[1]).bytes[0] == 2);
    CHECK(std::get<BufferArgument>(bound[1].arguments[0]).buffer == c.layout.find("A", 0)->id);
    CHECK(bound[1].local.empty());
}

TEST_CASE("init gives each buffer its value in its own type") {
    Case c;
    c.plan.scratch.push_back({"H", {{Scalar::UInt8, 1}, 4}});
    c.plan.init = {{"C", {false, 0}}, {"H", {false, 7}}};
    c.bind();
    auto answer = bind_init(c.plan, 0, c.layout);
    const auto& operations = std::get<std::vector<BufferOperation>>(answer);
    REQUIRE(operations.size() == 2);
    CHECK(operations[0].buffer == c.layout.find("C", 0)->id);
    CHECK(operations[0].pattern == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK(operations[1].pattern == std::vector<std::uint8_t>{7});
}

TEST_CASE("init to the input copies the kept first content") {
    Case c;
    c.instance.buffers.push_back({"X", {Scalar::Float32, 1}, Access::ReadWrite, {6}});
    c.plan.init = {{"X", {true, 0}}};
    c.bind();
    auto answer = bind_init(c.plan, 0, c.layout);
    const auto& operations = std::get<std::vector<BufferOperation>>(answer);
    REQUIRE(operations.size() == 1);
    CHECK(operations[0].copy_from == c.layout.find_pristine("X")->id);
}

TEST_CASE("init that cannot be done tells why") {
    const auto refusal = [](const std::string& buffer, InitSpec rule) {
        Case c;
        c.plan.scratch.push_back({"H", {{Scalar::UInt8, 1}, 4}});
        c.plan.init = {{buffer, rule}};
        c.bind();
        return std::get<Failure>(bind_init(c.plan, 0, c.layout)).reason;
    };
    CHECK(mentions(refusal("Q", {false, 0}), {"'Q'", "neither a buffer"}));
    CHECK(mentions(refusal("C", {true, 0}), {"'C'", "not an in-out buffer"}));
    CHECK(mentions(refusal("H", {false, -1}), {"'H'", "uchar", "cannot hold"}));
    CHECK(mentions(refusal("H", {false, 0.5}), {"'H'", "cannot hold"}));
    CHECK(mentions(refusal("H", {false, 1e300}), {"'H'", "cannot hold"}));
}

TEST_CASE("an argument is told by its name in other letters, or spelled as usual, if nothing binds it") {
    Case c;
    c.with("c", "float*", Space::Global)
        .with("d_a", "float*", Space::Global)
        .with("n", "uint", Space::Private);
    const auto bound = c.bound();
    const auto& arguments = bound[0].arguments;
    CHECK(std::get<BufferArgument>(arguments[0]).buffer == c.layout.find("C", 0)->id);
    CHECK(std::get<BufferArgument>(arguments[1]).buffer == c.layout.find("A", 0)->id);
    CHECK(std::get<ValueArgument>(arguments[2]).bytes == std::vector<std::uint8_t>{3, 0, 0, 0});
    Case two;
    two.with("d_a", "float*", Space::Global).with("matA", "float*", Space::Global);
    CHECK(mentions(two.refusal(Verdict::Constraint), {"'d_a' of k", "A, B, C"}));
}

TEST_CASE("a vector takes a list of numbers, as many as it has components") {
    Case c;
    c.with("v", "float2", Space::Private);
    c.launch().args = {{"v", VectorValue{std::int64_t{1}, 2.5}}};
    const auto bytes = std::get<ValueArgument>(c.bound()[0].arguments[0]).bytes;
    REQUIRE(bytes.size() == 8);
    float values[2];
    std::memcpy(values, bytes.data(), 8);
    CHECK(values[0] == 1.0f);
    CHECK(values[1] == 2.5f);
    c.launch().args = {{"v", ScalarValue(std::int64_t{1})}};
    CHECK(mentions(c.refusal(), {"'v' of k", "float2", "2 components", "1 number", "[1, 2]"}));
    Case three;
    three.with("v", "int3", Space::Private);
    three.launch().args = {{"v", VectorValue{std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}}};
    CHECK(std::get<ValueArgument>(three.bound()[0].arguments[0]).bytes.size() == 16);
    three.launch().args = {{"v", VectorValue{std::int64_t{1}, std::int64_t{2}, 0.5}}};
    CHECK(mentions(three.refusal(), {"int3", "cannot hold"}));
}

TEST_CASE("a type that the source names itself is that type") {
    Case c;
    c.plan.includes = {{"types.h", "typedef unsigned int index_t;\n"}};
    c.plan.source_text = "#include \"types.h\"\ntypedef index_type; typedef  long  wide_index_t ;\n";
    c.with("M", "index_t", Space::Private).with("N", "wide_index_t", Space::Private);
    const auto bound = c.bound();
    const auto& arguments = bound[0].arguments;
    CHECK(std::get<ValueArgument>(arguments[0]).bytes.size() == 4);
    CHECK(std::get<ValueArgument>(arguments[1]).bytes.size() == 8);
    Case unknown;
    unknown.with("M", "other_t", Space::Private);
    CHECK(mentions(unknown.refusal(), {"other_t", "does not accept a number"}));
}

TEST_CASE("a type's name is read as the compiler reads it: through chains, conditions and comments") {
    const auto bytes_of_m = [](const std::string& source) {
        Case c;
        c.plan.source_text = source;
        c.plan.build_options = "-DNARROW";
        c.with("M", "index_t", Space::Private);
        return std::get<ValueArgument>(c.bound()[0].arguments[0]).bytes.size();
    };
    CHECK(bytes_of_m("typedef unsigned int u32;\ntypedef u32 index_t;\n") == 4);
    CHECK(bytes_of_m("#ifndef NARROW\ntypedef ulong index_t;\n#else\ntypedef uint index_t;\n#endif\n") == 4);
    CHECK(bytes_of_m("// typedef int index_t;\n/* typedef int index_t; */ typedef const long index_t;\n") ==
          8);
    CHECK(bytes_of_m("#define WIDE ulong\ntypedef WIDE index_t;\n") == 8);
}

TEST_CASE("what a pointer of a type that the source names itself points to is known, too") {
    Case c;
    c.plan.source_text = "typedef float real;\ntypedef double wide;\n";
    c.with("A", "real*", Space::Global).with("tile", "real*", Space::Local);
    c.launch().local_mem = {{"tile", 3}};
    CHECK(std::get<LocalArgument>(c.bound()[0].arguments[1]).bytes == 12);
    Case misread;
    misread.plan.source_text = c.plan.source_text;
    misread.with("A", "wide*", Space::Global);
    CHECK(mentions(misread.refusal(), {"points to double", "A holds float"}));
}

TEST_CASE("an argument is bound by the name that the source has, whatever a driver calls it") {
    Case c;
    c.plan.source_text =
        "__kernel void k(__global float* A, __global float* distance, int length, int M) { A[0] = length; "
        "}\n";
    c.launch().args = {{"length", ScalarValue(std::int64_t{7})}, {"distance", BufferName{"C"}}};
    for (const char* prefix : {"_cl_", "__builtin_", "arg7_"}) {
        BuiltReply built;
        Case driver;
        driver.with("A", "float*", Space::Global)
            .with(prefix + std::string("distance"), "float*", Space::Global);
        driver.with(prefix + std::string("length"), "int", Space::Private).with("M", "int", Space::Private);
        built.functions = {driver.function};
        built.functions.front().name = "k";
        add_untold(built, c.plan);
        c.function = built.functions.front();
        CHECK(c.function.arguments[1].name == "distance");
        CHECK(c.function.arguments[2].name == "length");
        CHECK(std::get<ValueArgument>(c.bound()[0].arguments[2]).bytes ==
              std::vector<std::uint8_t>{7, 0, 0, 0});
    }
}

TEST_CASE("what only one argument can be is bound, and said") {
    Case c;
    c.with("A", "float*", Space::Global)
        .with("q", "float*", Space::Global)
        .with("C", "float*", Space::Global);
    c.with("M", "int", Space::Private).with("N", "int", Space::Private).with("depth", "uint", Space::Private);
    c.function.name = "k";
    c.layout = make_layout(c.instance, {&c.plan}, small_device());
    std::vector<Finding> remarks;
    const auto answer = bind_launches(c.plan, 0, {c.function}, c.instance, c.layout, &remarks);
    REQUIRE(std::get_if<Failure>(&answer) == nullptr);
    REQUIRE(remarks.size() == 1);
    CHECK(remarks.front().code == FindingCode::BoundByElimination);
    CHECK(remarks.front().text("bindings") == "q = B and depth = K");
}

TEST_CASE("a structure is given its numbers, each at its place") {
    Case c;
    c.plan.source_text =
        "typedef struct { char c; float2 v; struct In { short s[2]; } in; } P;\n__kernel void k(P p) {}\n";
    c.with("p", "P", Space::Private);
    const std::string told = c.refusal(Verdict::Constraint);
    CHECK(mentions(told, {"argument 'p' of k is of type P, a structure. List its numbers"}));
    CHECK_FALSE(mentions(told, {"ename"}));
    const auto whole = [](std::int64_t value) { return ScalarValue(value); };
    c.launch().args = {{"p", VectorValue{whole(7), ScalarValue(0.5), whole(2), whole(-1), whole(3)}}};
    CHECK(std::get<ValueArgument>(c.bound()[0].arguments[0]).bytes ==
          std::vector<std::uint8_t>{7, 0, 0, 0,    0,    0,    0, 0, 0, 0, 0, 0x3f,
                                    0, 0, 0, 0x40, 0xff, 0xff, 3, 0, 0, 0, 0, 0});
    c.launch().args = {{"p", VectorValue{whole(7), whole(1)}}};
    CHECK(mentions(c.refusal(), {"a structure of 5 numbers, but it is given 2 numbers"}));
    c.launch().args = {{"p", VectorValue{whole(300), whole(1), whole(1), whole(1), whole(1)}}};
    CHECK(mentions(c.refusal(), {"its number 1 is char, which cannot hold the value"}));
}

TEST_CASE("a structure of anything but numbers can be given nothing, and is not told to be renamed") {
    for (const char* members : {"union { int i; float f; } u;", "__global float* x;", "Q q[2];"}) {
        Case c;
        c.plan.source_text = "typedef struct { int x; } Q;\ntypedef struct { " + std::string(members) +
                             " } P;\n__kernel void k(P p) {}\n";
        c.with("p", "P", Space::Private);
        CHECK(mentions(c.refusal(Verdict::Constraint),
                       {"argument 'p' of k is of type P, which does not accept a number"}));
    }
}

TEST_CASE("a null pointer is no buffer, and nothing for a number") {
    Case c;
    c.with("bias", "float*", Space::Global).launch().args = {{"bias", VectorValue{}}};
    CHECK(std::get<ValueArgument>(c.bound()[0].arguments[0]).bytes.empty());
    Case number;
    number.with("n", "int", Space::Private).launch().args = {{"n", VectorValue{}}};
    CHECK(mentions(number.refusal(), {"argument 'n' of k", "0 numbers"}));
}
