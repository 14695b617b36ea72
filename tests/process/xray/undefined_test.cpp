// SPDX-License-Identifier: Apache-2.0
// What the language does not promise, found by observation.
#include "expect.hpp"

namespace kwb::test {
namespace {

TEST_CASE("a barrier that is missing before a read is a race, with both places and work-items") {
    XrayJob job = job_of(
        "__kernel void k(__global float* out) {\n"
        "    __local float t[32];\n"
        "    const int i = get_local_id(0);\n"
        "    t[i] = i;\n"
        "    out[get_global_id(0)] = t[31 - i];\n"
        "}\n");
    job.buffer("out", kFloat, 64, false);
    const XrayAnswer answer = expect_codes(job, {"data_race", "unset_read"});
    const Finding race = answer.find(FindingCode::DataRace);
    CHECK(race.text("space") == "local");
    CHECK(race.subject.starts_with("t["));
    CHECK((race.place + race.text("first_place")).find("kernel.cl:4:") != std::string::npos);
    CHECK((race.place + race.text("first_place")).find("kernel.cl:5:") != std::string::npos);
    CHECK(race.text("item") != race.text("first_item"));
    CHECK(race.number("between_groups") == 0);
}

TEST_CASE("a barrier that is missing before the next round of a loop is a race") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* out) {\n"
        "    __local float t[32];\n"
        "    const int i = get_local_id(0);\n"
        "    float sum = 0;\n"
        "    for (int round = 0; round < 2; ++round) {\n"
        "        t[i] = a[get_group_id(0) * 32 + i] + round;\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        sum += t[31 - i];\n"
        "    }\n"
        "    out[get_global_id(0)] = sum;\n"
        "}\n");
    job.buffer("a", kFloat, 64).buffer("out", kFloat, 64, false);
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.number("interval") == 1);
}

TEST_CASE("a barrier with the fence of the other memory does not order accesses") {
    XrayJob job = job_of(
        "__kernel void k(__global int* s, __global int* out) {\n"
        "    const int i = get_global_id(0);\n"
        "    s[i] = i + 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[i] = s[i ^ 1];\n"
        "}\n");
    job.buffer("s", kInt, 64, false).buffer("out", kInt, 64, false);
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.text("space") == "global");
    CHECK(race.text("fence") == "global");
    job.source.replace(job.source.find("CLK_LOCAL"), 9, "CLK_GLOBAL");
    expect_codes(job, {});
    job.source.replace(job.source.find("    barrier"), 0, "    s[i ^ 1] = 7;\n");
    CHECK(expect_codes(job, {"data_race"}).find(FindingCode::DataRace).text("fence").empty());
}

TEST_CASE("a barrier of a sub-group orders its own work-items only, in the memory of its fence") {
    const std::string begin =
        "__kernel void k(__global int* out) {\n"
        "    __local int t[32];\n"
        "    const int i = get_local_id(0);\n"
        "    for (int round = 0; round < 2; ++round) {\n"
        "        t[i] = i + round;\n";
    const std::string end = "    }\n}\n";
    const auto with = [&](const std::string& fence, const std::string& other) {
        XrayJob job = job_of(begin + "        sub_group_barrier(" + fence + ");\n" +
                             "        out[get_global_id(0)] = t[" + other + "];\n" +
                             "        sub_group_barrier(" + fence + ");\n" + end);
        job.buffer("out", kInt, 64, false);
        job.xray.sub_group = 8;
        return job;
    };
    expect_codes(with("CLK_LOCAL_MEM_FENCE", "i ^ 7"), {});
    expect_codes(with("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE", "i ^ 7"), {});
    expect_codes(with("CLK_GLOBAL_MEM_FENCE", "i ^ 7"), {"data_race"});
    expect_codes(with("CLK_LOCAL_MEM_FENCE", "i ^ 8"), {"data_race"});
}

TEST_CASE("++ on a shared counter is a race; an atomic operation is none") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    __local int n;\n"
        "    if (get_local_id(0) == 0) n = 0;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    n++;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = n;\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    expect_codes(job, {"data_race"});
    job.source.replace(job.source.find("n++"), 3, "atomic_inc(&n)");
    expect_codes(job, {});
}

TEST_CASE("an atomic operation or a store after it does not hide what a work-item did before") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    __local int n;\n"
        "    if (get_local_id(0) == 0) n = 0;\n"
        "    atomic_inc(&n);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = n;\n"
        "}\n");
    job.buffer("out", kInt, 64);
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.place.starts_with("kernel.cl:4:"));
    CHECK(race.text("first_place").starts_with("kernel.cl:3:"));
    job.source =
        "__kernel void k(__global int* out) {\n"
        "    __local int n;\n"
        "    if (get_local_id(0) == 0) n = 5;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) out[get_group_id(0)] = n;\n"
        "    n = 0;\n"
        "}\n";
    expect_codes(job, {"data_race"});
    job.source.replace(job.source.find("n = 0"), 5, "n = 5");  // nothing changes
    expect_codes(job, {});
}

TEST_CASE("groups that write one element race with each other") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out) {\n"
        "    if (get_local_id(0) == 0) out[0] += a[get_group_id(0)];\n"
        "}\n");
    job.ints("a", {3, 5}).buffer("out", kInt, 1);
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.number("between_groups") == 1);
    CHECK(race.text("group") != race.text("first_group"));
}

TEST_CASE("a race within a group and one between groups are both told, and what kind of mistake they show") {
    XrayJob job = job_of("");
    job.ints("x", std::vector<std::int32_t>(64, 1)).ints("y", std::vector<std::int32_t>(64, 0));
    const auto races_of = [&](const std::string& body) {
        job.source = "__kernel void k(__global int* x, __global int* y) { const int i = get_global_id(0);\n" +
                     body + "}\n";
        std::vector<Finding> races = expect_codes(job, {"data_race"}).report->undefined;
        std::ranges::stable_sort(races, {},
                                 [](const Finding& race) { return race.number("between_groups"); });
        return races;
    };
    std::vector<Finding> races = races_of("y[i % 8] = i;");
    REQUIRE(races.size() == 2);
    CHECK(races[0].number("between_groups") == 0);
    CHECK(races[1].number("between_groups") == 1);
    CHECK(races[0].number("update") == 0);
    for (const char* update : {"y[x[i]]++;", "y[x[i]] = y[x[i]] + 1;", "y[x[i]] += i;"})
        for (const Finding& race : races_of(update)) CHECK(race.number("update") == 1);
    for (const Finding& race : races_of("y[i] = y[(i + 1) % 64] + i;")) CHECK(race.number("update") == 0);
}

TEST_CASE("two work-items that store to one element are told by the dimension in which alone they differ") {
    XrayJob job = job_of("__kernel void k(__global int* y) { y[get_global_id(0)] = get_global_id(1); }\n");
    job.global = job.local = {8, 4};
    job.buffer("y", kInt, 8);
    const Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    REQUIRE(find_named(race.numbers, "one_dimension") != nullptr);
    CHECK(race.number("one_dimension") == 1);
}

TEST_CASE(
    "a race is told with the barrier that stands between, and with the sub-group that it needs in lock "
    "step") {
    XrayJob job = job_of(
        "__kernel void k(__global int* y) {\n"
        "    __local int t[64];\n"
        "    const int l = get_local_id(0);\n"
        "    for (int r = 0; r < 2; ++r) {\n"
        "        t[l] = r + l;\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        y[l] += t[l ^ 1];\n"
        "    }\n"
        "}\n");
    job.global = job.local = {64};
    job.ints("y", std::vector<std::int32_t>(64, 0));
    Finding race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.text("barrier").starts_with("kernel.cl:6:"));
    CHECK(race.number("sub_group") == 32);
    job.source.replace(job.source.find("l ^ 1"), 5, "63 - l");
    race = expect_codes(job, {"data_race"}).find(FindingCode::DataRace);
    CHECK(race.number("sub_group") == 0);
}

TEST_CASE("memory that nobody ever stores to is told apart from memory that is stored to too late") {
    XrayJob job = job_of(
        "__kernel void k(__global int* y) {\n"
        "    __local int t[64];\n"
        "    y[get_global_id(0)] = t[get_local_id(0)];\n"
        "}\n");
    job.ints("y", std::vector<std::int32_t>(64, 0));
    CHECK(expect_codes(job, {"unset_read"}).find(FindingCode::UnsetRead).number("never") == 1);
    job.source.insert(job.source.find("}"), "    t[get_local_id(0)] = 1;\n");
    CHECK(expect_codes(job, {"unset_read"}).find(FindingCode::UnsetRead).number("never") == 0);
}

TEST_CASE("a plain read of what others change by atomic operations is a race") {
    XrayJob job = job_of(
        "__kernel void k(__global int* n, __global int* out) {\n"
        "    atomic_inc(n);\n"
        "    if (get_global_id(0) == 31) *out = *n;\n"
        "}\n");
    job.buffer("n", kInt, 1).buffer("out", kInt, 1, false);
    expect_codes(job, {"data_race"});
}

TEST_CASE("a barrier that only some work-items reach is told with one that waits and one that does not") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    if (get_local_id(0) < 16)\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    const Finding finding = expect_codes(job, {"divergent_barrier"}).find(FindingCode::DivergentBarrier);
    CHECK(finding.place.starts_with("kernel.cl:3:"));
    CHECK(finding.number("waiting") == 16);
    CHECK(finding.number("items") == 32);
    CHECK(finding.text("other_place").empty());
}

TEST_CASE("different barriers in the two branches of a condition are told with both places") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    if (get_local_id(0) < 16)\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    else\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    const Finding finding = expect_codes(job, {"divergent_barrier"}).find(FindingCode::DivergentBarrier);
    CHECK(finding.text("other_place").starts_with("kernel.cl:5:"));
}

TEST_CASE("local, private, scratch and output memory that nobody has set is told with its element") {
    XrayJob job = job_of("");
    job.buffer("out", kFloat, 64, false);
    const auto subject_of = [&](const std::string& body) {
        job.source = "__kernel void k(__global float* out) { const int i = get_local_id(0);\n" + body + "}\n";
        return expect_codes(job, {"unset_read"}).find(FindingCode::UnsetRead).subject;
    };
    CHECK(subject_of("__local float t[32]; out[get_global_id(0)] = t[i];") == "t[0]");
    CHECK(subject_of("__local float x; out[get_global_id(0)] = x;") == "x");
    CHECK(subject_of("float acc[4]; acc[0] += i; out[get_global_id(0)] = acc[0];") == "acc");
    CHECK(subject_of("int n[8]; out[get_global_id(0)] = n[i & 7];") == "n");
    CHECK(subject_of("out[get_global_id(0)] += 1;") == "out[0]");
}

TEST_CASE("a variable that is used before it has a value is told, as the compiler sees it") {
    XrayJob job = job_of(
        "__kernel void k(__global const float* a, __global float* out) {\n"
        "    float sum;\n"
        "    for (int i = 0; i < 4; ++i) sum += a[i];\n"
        "    out[get_global_id(0)] = sum;\n"
        "}\n");
    job.buffer("a", kFloat, 4).buffer("out", kFloat, 64, false);
    const Finding finding = expect_codes(job, {"unset_variable"}).find(FindingCode::UnsetVariable);
    CHECK(finding.subject == "sum");
    CHECK(finding.place.starts_with("kernel.cl:3:"));
}

TEST_CASE("a __local argument of structures has elements of their size") {
    XrayJob job = job_of(
        "typedef struct { float x; int n; } item_t;\n"
        "__kernel void k(__global float* out, __local item_t* t) {\n"
        "    const int l = get_local_id(0);\n"
        "    t[l + 1].n = l;\n"
        "    t[l].x = l;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = t[31 - l].x;\n"
        "}\n");
    job.buffer("out", kFloat, 64, false).local_memory(33 * 8);
    expect_codes(job, {});
    job.arguments.back() = LocalArgument{32 * 8};
    const Finding finding = expect_codes(job, {"outside_buffer"}).find(FindingCode::OutsideBuffer);
    CHECK(finding.number("element") == 32);
    CHECK(finding.number("elements") == 32);
}

TEST_CASE("accesses outside of buffers are told with the element, wherever they are") {
    XrayJob job = job_of(
        "__kernel void k(__global const int* a, __global int* out, int n) {\n"
        "    const int i = get_global_id(0);\n"
        "    if (i <= n) out[i] = a[i];\n"
        "}\n");
    job.buffer("a", kInt, 50).buffer("out", kInt, 64, false).value(50);
    const Finding finding = expect_codes(job, {"outside_buffer"}).find(FindingCode::OutsideBuffer);
    CHECK(finding.subject == "a");
    CHECK(finding.number("element") == 50);
    CHECK(finding.number("elements") == 50);
    CHECK(finding.text("item") == "50");

    job.source =
        "__kernel void k(__global const int* a, __global int* out, int n) {\n"
        "    out[get_global_id(0)] = a[(long)get_global_id(0) * 1000000000];\n}\n";
    CHECK(expect_codes(job, {"outside_buffer"}).find(FindingCode::OutsideBuffer).subject == "a");
    job.source =
        "__kernel void k(__global const int* a, __global int* out, int n) {\n"
        "    out[get_global_id(0)] = a[(int)get_global_id(0) - 1];\n}\n";
    CHECK(expect_codes(job, {"outside_buffer"}).find(FindingCode::OutsideBuffer).number("element") == -1);
}

TEST_CASE(
    "accesses outside of local and private arrays are told with index and type, by index or by pointer") {
    XrayJob job = job_of(
        "__kernel void k(__global float* out) {\n"
        "    __local float few[16];\n"
        "    few[get_local_id(0)] = 1;\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n");
    job.buffer("out", kFloat, 64, false);
    Finding finding = expect_codes(job, {"outside_array"}).find(FindingCode::OutsideArray);
    CHECK(finding.subject == "few");
    CHECK(finding.text("index") == "16");
    CHECK(finding.place.starts_with("kernel.cl:3:"));
    job.source =
        "void set(__local float* t, int i) { t[i] = 1; }\n"
        "__kernel void k(__global float* out) {\n"
        "    __local float few[16];\n"
        "    set(few, get_local_id(0));\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n";
    CHECK(expect_codes(job, {"outside_array"}).find(FindingCode::OutsideArray).subject == "few");
    job.source =
        "__kernel void k(__global float* out) {\n"
        "    float acc[4];\n"
        "    for (int i = 0; i <= 4; ++i) acc[i] = 0;\n"
        "    out[get_global_id(0)] = acc[0];\n"
        "}\n";
    CHECK(expect_codes(job, {"outside_array"}).find(FindingCode::OutsideArray).subject == "acc");
}

TEST_CASE("an access outside tells which integers had the same value each time") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out, __global const int* a, int n) {\n"
        "    const int i = get_global_id(0);\n"
        "    int sum = 0;\n"
        "    for (int k = 0; k <= n; ++k) sum += a[k * 64 + i];\n"
        "    for (int k = 0; k < 2; ++k) sum += a[128 + k];\n"
        "    out[i] = sum;\n"
        "}\n");
    job.buffer("out", kInt, 64, false).buffer("a", kInt, 128, true).value(2);
    const XrayAnswer answer = expect_codes(job, {"outside_buffer"});
    REQUIRE(answer.report->undefined.size() == 2);
    const auto value_of = [&](std::size_t finding, const char* variable) {
        return find_named(answer.report->undefined[finding].numbers, "variable " + std::string(variable));
    };
    REQUIRE(value_of(0, "k") != nullptr);
    CHECK(*value_of(0, "k") == 2);
    REQUIRE(value_of(0, "n") != nullptr);
    CHECK(*value_of(0, "n") == 2);
    CHECK(value_of(0, "i") == nullptr);
    CHECK(value_of(1, "k") == nullptr);  // it is another variable, and outside in each turn
    CHECK(value_of(1, "n") != nullptr);
}

TEST_CASE("an access outside of an array names the array that the source declares, and the right index") {
    const auto expect = [](const std::string& body, const std::string& subject, const std::string& index,
                           const std::string& type) {
        XrayJob job = job_of(
            "typedef struct { float few[4]; int n; } S;\n"
            "#define AT(i) t[i]\n"
            "__kernel void k(__global float* out) {\n"
            "    const int l = get_local_id(0);\n"
            "    __local float sums[2][32]; __local int t[8]; float own[3][4] = {{0}}; int few[4] = {9, 9, "
            "9, 9};\n"
            "    S s = {{0}, 0};\n"
            "    sums[0][l] = sums[1][l] = 0; own[l % 3][l % 4] = 0; if (l < 8) t[l] = 0;\n"
            "    barrier(CLK_LOCAL_MEM_FENCE);\n" +
            body +
            "\n    out[get_global_id(0)] = own[l % 3][0] + s.few[0] + few[0] + t[0] + sums[0][l];\n}\n");
        job.buffer("out", kFloat, 64, false);
        CAPTURE(body);
        const Finding finding = expect_codes(job, {"outside_array"}).find(FindingCode::OutsideArray);
        CHECK(finding.subject == subject);
        CHECK(finding.text("index") == index);
        CHECK(finding.text("type") == type);
    };
    expect("if (l == 0) sums[1][l + 32] = 1;", "sums[…]", "32", "float[2][32]");
    expect("if (l == 0) sums[l + 2][0] = 1;", "sums", "2", "float[2][32]");
    expect("if (l == 0) own[2][l + 4] = 1;", "own[…]", "4", "float[3][4]");
    expect("if (l == 9) atomic_inc(&t[l]);", "t", "9", "int[8]");
    expect("if (l == 9) atomic_add(&t[l - few[0] + 8], few[1]);", "t", "8", "int[8]");
    expect("if (l == 9) s.n = t[few[l] & 7];", "few", "9", "int[4]");
    expect("if (l == 9) s.few[l] = 1;", "s.few", "9", "float[4]");
    expect("if (l == 9) AT(l) = 1;", "", "9", "int[8]");
    expect("if (l == 0) { __local float* p = &sums[0][0]; p[2 * 32 + 3] = 1; }", "sums", "[2][3]",
           "float[2][32]");
}

TEST_CASE("misaligned vectors, division by zero, overflow and null pointers are told") {
    XrayJob job = job_of("");
    job.buffer("a", kInt, 64).value(70'000);
    const auto expect = [&](const std::string& body, const std::string& code) {
        job.source =
            "__kernel void k(__global int* a, int n) { const int i = get_global_id(0);\n" + body + "}\n";
        expect_codes(job, {code});
    };
    expect("if (i == 0) *(__global int4*)(a + 1) = (int4)(1);", "misaligned");
    expect("a[i] = n / (i - 3);", "division_by_zero");
    expect("a[i] = n * n > 0;", "signed_overflow");
    expect("__global int* p = 0; if (i == 5) p[0] = 1;", "null_access");
    expect("__global int* p = (__global int*)0x600000000000; if (i == 5) p[0] = 1;", "null_access");
}

TEST_CASE("what functions store through a pointer is told: outside of a buffer, and where others store") {
    XrayJob job = job_of("");
    job.buffer("a", kFloat, 64).buffer("out", kFloat, 64, false);
    const auto expect = [&](const std::string& body, const std::string& code) {
        job.source =
            "__kernel void k(__global const float* a, __global float* out) {\n"
            "    const int i = get_global_id(0), l = get_local_id(0);\n"
            "    int unset;\n    __local float t[34];\n" +
            body + "}\n";
        expect_codes(job, {code});
    };
    expect("float s = modf(a[i], out + i + 1); if (i == 0) out[0] = s;", "outside_buffer");
    expect("float s = sincos((float)i, t); out[i] = s;", "data_race");
    expect("vstore2((float2)(a[i], i), 0, t + l); barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[l];", "data_race");
    expect("if (i < 62) vstore3((float3)(i), 0, out + i);", "data_race");
}

TEST_CASE("recursion is told, whether it ends or not") {
    XrayJob job = job_of(
        "int sum(int n) {\n"
        "    if (n < 1) return 0;\n"
        "    return n + sum(n - 1);\n"
        "}\n"
        "__kernel void k(__global int* out) { out[get_global_id(0)] = sum(5) + sum(2); }\n");
    job.buffer("out", kInt, 64, false);
    const Finding finding = expect_codes(job, {"recursion"}).find(FindingCode::Recursion);
    CHECK(finding.subject == "sum");
    CHECK(finding.place.starts_with("kernel.cl:3:"));
    job.source.replace(job.source.find("n < 1"), 5, "n > 9");
    expect_codes(job, {"recursion"});
}

TEST_CASE("a work-item that does not come back is stopped, and its line named") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    volatile int on = 1;\n"
        "    while (on) {}\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    job.xray.most_events = 100'000;
    const XrayAnswer answer = expect_codes(job, {});
    REQUIRE(answer.report->remarks.size() == 1);
    CHECK(answer.report->remarks.front().code == FindingCode::XrayEndless);
    CHECK(answer.report->remarks.front().place.starts_with("kernel.cl:3:"));
}

TEST_CASE("a vector of integers that is divided by zero is told with its line, and ends the observation") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    const int4 d = (int4)(1, 2, out[0], 3);\n"
        "    out[get_global_id(0)] =\n"
        "        (d / (d - d.xxxx)).w;\n"
        "}\n");
    job.buffer("out", kInt, 64);
    const XrayAnswer answer = expect_codes(job, {"division_by_zero"});
    CHECK(answer.find(FindingCode::DivisionByZero).place.starts_with("kernel.cl:4:"));
    CHECK(answer.report->remarks.size() == 1);
    job.source.replace(job.source.find("(1, 2"), 5, "(1 << 31, 2");
    job.source.replace(job.source.find("(d - d.xxxx)"), 12, "(int4)(-1, 1, 1, 1)");
    expect_codes(job, {});  // not by zero
}

TEST_CASE("variables of long vectors are observed like others") {
    XrayJob job = job_of("");
    job.buffer("out", kFloat, 64, false);
    const auto expect = [&](const std::string& body, const std::vector<std::string>& codes) {
        job.source =
            "__kernel void k(__global float* out) {\n"
            "    const int i = get_global_id(0), l = get_local_id(0);\n" +
            body + "}\n";
        expect_codes(job, codes);
    };
    expect("__local float16 t[32]; out[i] = t[l].s3;", {"unset_read"});
    expect("__local float16 t[32]; t[l] = (float16)(l); out[i] = t[l ^ 1].s3;", {"data_race", "unset_read"});
    expect("__local float16 t[32]; t[l + 1] = (float16)(l); out[i] = 1;", {"outside_array"});
    expect("__local int t[32] __attribute__((aligned(64))); t[l] = l; out[i] = t[l];", {});
    expect("float8 a[2]; a[0] = (float8)(l); out[i] = a[1].s3;", {"unset_read"});
    expect("float16 a[2]; float b[3]; a[0] = (float16)(l); b[l % 3] = l; out[i] = a[0].s3 + b[l % 3];", {});
    expect("float16 a; float b[3]; a = (float16)(l); out[i] = a.s3 + b[l % 3];", {"unset_read"});
}

TEST_CASE("a kernel that crashes under observation leaves what was found before") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    __local int t[32];\n"
        "    out[get_global_id(0)] = t[0];\n"
        "    __asm__ volatile(\"ud2\");\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    const XrayAnswer answer = expect_codes(job, {"unset_read"});
    REQUIRE(answer.report->remarks.size() == 1);
    CHECK(answer.report->remarks.front().code == FindingCode::XrayCrashed);
    CHECK(answer.report->remarks.front().text("signal") == "SIGILL");
}

TEST_CASE("a work-item that needs too much private memory is told") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    int big[400000];\n"
        "    big[get_global_id(0)] = 1;\n"
        "    out[get_global_id(0)] = big[get_global_id(0)];\n"
        "}\n");
    job.buffer("out", kInt, 64, false);
    const XrayAnswer answer = expect_codes(job, {});
    REQUIRE(!answer.report->remarks.empty());
    CHECK(answer.report->remarks.front().code == FindingCode::XrayNotObserved);
}

TEST_CASE("what is not observed is said: images, and source that does not compile") {
    XrayJob job = job_of("__kernel void k(__read_only image2d_t in, __global float* out) { out[0] = 1; }\n");
    job.buffer("in", kFloat, 4).buffer("out", kFloat, 4, false);
    CHECK(observe(KWB_XRAY_PROGRAM, job).failure.find("images") != std::string::npos);
    job.source = "__kernel void k(__global float* in, __global float* out) { out[0] = nothing; }\n";
    const std::string failure = observe(KWB_XRAY_PROGRAM, job).failure;
    CHECK(failure.find("X-ray: kernel.cl:1:") != std::string::npos);
    CHECK(failure.find("nothing") != std::string::npos);
}

}  // namespace
}  // namespace kwb::test
