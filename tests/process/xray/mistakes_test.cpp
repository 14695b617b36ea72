// SPDX-License-Identifier: Apache-2.0
// Mistakes in the forms in which they are made, next to code that looks like them and is right.
#include <set>

#include "expect.hpp"

namespace kwb::test {
namespace {

/// Each line with the comment `// found` must be the place of a finding with this code, and no other line.
void expect_lines(const XrayJob& job, FindingCode code) {
    const XrayAnswer answer = observe(KWB_XRAY_PROGRAM, job);
    REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
    std::set<std::size_t> expected, found;
    const std::vector<std::string> lines = split_lines(job.source);
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].find("// found") != std::string::npos) expected.insert(i + 1);
    for (const Finding& finding : answer.report->undefined) {
        CAPTURE(finding.place);
        CHECK(to_string(finding.code) == to_string(code));
        found.insert(std::stoul(finding.place.substr(finding.place.find(':') + 1)));
    }
    for (const std::size_t line : expected) CHECK_MESSAGE(found.contains(line), lines[line - 1]);
    for (const std::size_t line : found) CHECK_MESSAGE(expected.contains(line), lines[line - 1]);
}

/// A kernel of 64 work-items in two groups that may use x, n, its global id i and its local id l.
XrayJob job_around(const std::string& body) {
    XrayJob job = job_of(
        "int odd(int i) { return i % 2; }\n"
        "void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
        "__kernel void k(__global int* x, int n) {\n"
        "    const int i = get_global_id(0), l = get_local_id(0);\n" +
        body + "\n}\n");
    std::vector<std::int32_t> values(64, 0);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 1;
    job.ints("x", values).value(40);
    return job;
}

TEST_CASE("a barrier that only some work-items of a group reach, however they miss it, is divergent") {
    for (const char* body : {
             "int m = l % 3; while (m++ < 3) barrier(CLK_LOCAL_MEM_FENCE);",
             "for (int e = l; e < 70; e += 32) barrier(CLK_LOCAL_MEM_FENCE);",
             "int rounds = 1 + l / 16; do { barrier(CLK_LOCAL_MEM_FENCE); } while (--rounds > 0);",
             "switch (x[i]) { case 1: barrier(CLK_LOCAL_MEM_FENCE); }",
             "odd(l) ? barrier(CLK_LOCAL_MEM_FENCE) : (void)0;",
             "if (odd(l)) wait();",
             "if (i >= n) return; wait();",
             "for (int k = 0; k < 3; ++k) { wait(); if (l > k) break; }",
             "for (int k = 0; k < 3; ++k) { if (l == k) continue; wait(); }",
             "if (i >= n) goto end; wait(); end:;",
         })
        expect_codes(job_around(body), {"divergent_barrier"});
}

TEST_CASE("a barrier that all work-items of a group reach or miss together is not divergent") {
    expect_codes(job_around(R"(
    for (int e = l; e < 64; e += 32) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) wait();
    if (i / 32 < n && i - l >= 0) wait();
    switch (n) { case 40: wait(); }
    for (int s = 16; s > 0; s /= 2) {
        if (l < s) x[i] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i >= n) goto loaded;
    x[i] = 1;
loaded:
    wait();
    if (get_group_id(0) > 0) return;
    wait();
    if (l > 3) return;
    x[i] = 1;)"),
                 {});
}

TEST_CASE(
    "what others store and read with no barrier between is found, in the steps of a tree and in place") {
    XrayJob job = job_of(R"(
__kernel void k(__global float* x, int n) {
    __local float w[64], u[32], v[4][8];
    __local int first;
    const int l = get_local_id(0);
    w[l] = w[l + 32] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1)
        if (l < s) w[l] += w[l + s];  // found
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) first = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 31) first = n + 1;
    x[get_global_id(0)] += first;  // found
    u[l] = l;
    v[l / 8][l % 8] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float left = u[31 - l];
    u[l] = left;  // found
    v[l / 8][l % 8] += v[l / 8][0];  // found
})");
    job.buffer("x", kFloat, 64).value(3);
    const XrayAnswer answer = observe(KWB_XRAY_PROGRAM, job);
    REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
    std::set<std::string> subjects;
    for (const Finding& finding : answer.report->undefined) {
        CHECK(finding.code == FindingCode::DataRace);
        subjects.insert(finding.subject.substr(0, finding.subject.find('[')));
    }
    CHECK(subjects == std::set<std::string>{"w", "first", "u", "v"});
}

TEST_CASE("a work-group of one work-item needs no barriers") {
    XrayJob job = job_of(R"(
__kernel void k(__global float* x) {
    __local float t[2];
    t[0] = x[get_global_id(0)];
    t[1] = t[0] + 1;
    x[get_global_id(0)] = t[1];
})");
    job.local = {1};
    job.buffer("x", kFloat, 64);
    expect_codes(job, {});
}

TEST_CASE("a guard with || where && was meant lets work-items outside") {
    XrayJob job = job_of(R"(
__kernel void k(__global float* C, int M, int N) {
    const int row = get_global_id(1), col = get_global_id(0);
    if (row < M || col < N) C[row * N + col] = 1;
})");
    job.global = {8, 8};
    job.local = {4, 4};
    job.buffer("C", kFloat, 42, false).value(6);
    job.value(7);
    CHECK(expect_codes(job, {"outside_buffer"}).find(FindingCode::OutsideBuffer).subject == "C");
}

TEST_CASE(
    "indices that leave an array or one of its dimensions are found, those that a condition keeps inside "
    "not") {
    XrayJob job = job_of(R"(
#define N 32
__kernel void k(__global const float* x, __global float* out, const int n) {
    const int l = get_local_id(0), g = get_global_id(0);
    __local float s[N], t[8][N];
    float own[16], grid[4][4];
    s[l] = x[g];
    for (int i = 0; i < 8; ++i) t[i][l] = x[g];
    for (int i = 0; i < 16; ++i) own[i] = x[i];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) grid[i][j] = x[i * 4 + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k <= N; ++k) sum += s[k];  // found
    for (int k = 0; k < N; ++k) sum += t[1][k + 1];  // found
    for (int k = 0; k < N; ++k) sum += t[1][k - 1];  // found
    for (int k = N; k >= 0; --k) sum += t[2][k];  // found
    for (int k = 8; k > 0; --k) sum += t[k][l];  // found
    for (int k = 0; k < 16; k += 4) sum += own[k + 4];  // found
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) sum += grid[i][j];  // found
    own[-1] = 0;  // found
    if (l == 0) s[N] = 0;  // found
    for (int k = 0; k <= N; ++k) sum += k < N ? s[k] : 0;
    for (int k = 1; k <= N; ++k) sum += s[k - 1] + t[3][N - k];
    for (int k = 0; k <= N; ++k) {
        if (k == N) break;
        sum += s[k] + s[(k + 1) % N] + s[(k + 9) & (N - 1)];
    }
    for (int k = 0; k < 16; k += 4) sum += own[k + 3] + ((float*)grid)[k + 3];
    if (n > 100) s[N + 1] = own[17] = 0;
    __local float* const end = s + N;
    out[g] = sum + end[-1] + sizeof(own[16]);
})");
    job.buffer("x", kFloat, 64).buffer("out", kFloat, 64, false).value(3);
    expect_lines(job, FindingCode::OutsideArray);
}

TEST_CASE(
    "memory that nobody has set is found where it is first read: given to a kernel, counted in, added to") {
    XrayJob job = job_of(R"(
__kernel void k(__global float* x, __local float* given) {
    __local uint h[16];
    const int l = get_local_id(0), g = get_global_id(0);
    float v[4];
    x[g] = given[l];  // found
    atomic_inc(&h[l % 16]);  // found
    for (int i = 0; i < 4; ++i)
        v[i] += 1;  // found
    x[g] += v[0] + v[3];
})");
    job.buffer("x", kFloat, 64);
    job.local_memory(32 * 4);
    expect_lines(job, FindingCode::UnsetRead);
    job.source = R"(
__kernel void k(__global float* x, __local float* given) {
    float sum;
    int c;
    for (int i = 0; i < 4; ++i) {
        sum += x[i];  // found
        c++;  // found
    }
    given[get_local_id(0)] = sum + c;
})";
    expect_lines(job, FindingCode::UnsetVariable);
}

TEST_CASE("sums that are set under conditions, by helpers or by components are set") {
    XrayJob job = job_of(R"(
void clear(float* v, int n) { for (int i = 0; i < n; ++i) v[i] = 0; }
__kernel void k(__global const float* x, __global float* out, int n) {
    float a, b, c[4], d;
    float4 e;
    int count;
    clear(c, 4);
    e.xyzw = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (i == 0) a = x[i]; else a += x[i];
        c[i % 4] += x[i];
        e.x += x[i];
    }
    if (n > 3) b = 1; else b = 2;
    d = b = b + a;
    for (count = 0; count < 4; count++) d += c[count];
    out[get_global_id(0)] = d + e.x;
})");
    job.buffer("x", kFloat, 8).buffer("out", kFloat, 64, false).value(8);
    expect_codes(job, {});
}

TEST_CASE("recursion through another function is found") {
    XrayJob job = job_of(
        "int even(int n);\n"
        "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
        "int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
        "__kernel void k(__global int* out) { out[get_global_id(0)] = odd(7); }\n");
    job.buffer("out", kInt, 64, false);
    expect_codes(job, {"recursion"});
}

TEST_CASE(
    "loops with barriers that all work-items leave together are right: rounds, jobs, pipelines, sorts") {
    XrayJob job = job_of("");
    std::vector<std::int32_t> values;
    for (int i = 0; i < 64; ++i) values.push_back(i * 37 % 64);
    job.ints("x", values).ints("next", {0});
    const auto expect_nothing = [&](const std::string& body) {
        job.source =
            "__kernel void k(__global int* x, __global int* next) {\n"
            "const int lid = get_local_id(0), g = get_global_id(0);\n__local int s[32];\n" +
            body + "}\n";
        expect_codes(job, {});
    };
    expect_nothing(R"(  // until nothing changes
    __local int changed;
    s[lid] = x[g];
    int again;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0) changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int best = s[lid];
        if (lid > 0) best = max(best, s[lid - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (best != s[lid]) {
            s[lid] = best;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        again = changed;
    } while (again);
    x[g] = s[lid];
)");
    expect_nothing(R"(  // work handed out to groups
    __local int job;
    for (;;) {
        if (lid == 0) job = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int mine = job;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine >= 2) break;
        x[mine * 32 + lid] *= 2;
    }
)");
    expect_nothing(R"(  // a pipeline that loads its first tile in the loop
    int sum = 0;
    for (int i = 0; i <= 64; i += 32) {
        if (i > 0)
            for (int k = 0; k < 32; ++k) sum += s[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 64) s[lid] = i + lid;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[g] = sum;
)");
    expect_nothing(R"(  // a bitonic sort
    s[lid] = x[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 32; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            const int other = lid ^ j;
            if (other > lid) {
                const int a = s[lid], b = s[other];
                if ((a > b) == ((lid & k) == 0)) {
                    s[lid] = b;
                    s[other] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    x[g] = s[lid];
)");
    expect_nothing(R"(  // vectors in memory of another type, and a strip for each work-item
    __local int strips[32][8];
    __local int4* const v = (__local int4*)s;
    if (lid < 8) v[lid] = vload4(lid, x);
    for (int i = 0; i < 8; ++i) strips[lid][i] = x[g];
    for (int i = 1; i < 8; ++i) strips[lid][i] += strips[lid][i - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    next[0] = 0;
    if (lid == 0 && g == 0) next[0] = 0;
    strips[lid][0] = s[lid] + s[31 - lid];
)");
}

TEST_CASE("barriers that work-items reach are told by their places, others are not") {
    XrayJob job = job_of(
        "__kernel void k(__global int* out) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (out[0] > 100) barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "}\n");
    job.buffer("out", kInt, 64);
    const XrayReport report = *observe(KWB_XRAY_PROGRAM, job).report;
    REQUIRE(report.barriers.size() == 2);
    CHECK(report.barriers[0].line == 2);
    CHECK(report.barriers[1].line == 5);
}

}  // namespace
}  // namespace kwb::test
