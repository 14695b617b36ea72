// SPDX-License-Identifier: Apache-2.0
// Kinds of faults, each as small as possible, next to right code that looks like them. (The kinds are those
// of GPUVerify's tests: A. Betts et al., "GPUVerify: a verifier for GPU kernels", OOPSLA 2012; the kernels
// are not.)
#include <map>
#include <set>

#include "expect.hpp"

namespace kwb::test {
namespace {

struct Kind {
    const char* name;
    const char* body;
    std::set<std::string> codes = {};  ///< of the findings; empty: the kernel is right
};

/// 64 work-items in two groups. x holds small numbers, y and f are outputs that begin with 0, s is scratch
/// memory that nobody has set; n is 40.
constexpr const char* kHead =
    "(__global int* x, __global int* y, __global float* f, __global int* s, int n) { const int i = "
    "get_global_id(0), l = get_local_id(0), g = get_group_id(0); __local int t[64]; ";
constexpr const char* kHelpers =
    "typedef struct { int a; uchar4 c; float2 v; } item_t; int sum(__local int* p, int m) { int r = 0; for "
    "(int k = 0; k < m; ++k) r += p[k]; return r; } "
    "void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); } int odd(int k) { return k & 1; }\n";

/// Observes all of them in one program, a line and a launch for each. A vector's launch begins with what the
/// one before has stored.
void expect_kinds(const std::vector<Kind>& kinds) {
    XrayJob job = job_of(kHelpers);
    std::vector<std::int32_t> small;
    for (int i = 0; i < 64; ++i) small.push_back(i * 5 % 8);
    job.ints("x", small).ints("y", std::vector<std::int32_t>(64, 0));
    job.ints("f", std::vector<std::int32_t>(64, 0)).buffer("s", kInt, 64, false).value(40);
    job.buffers[2].type = kFloat;
    for (const Kind& kind : kinds) {
        job.source += std::string("__kernel void ") + kind.name + kHead + kind.body + " }\n";
        if (&kind == &kinds.front()) {
            job.kernel = kind.name;
            continue;
        }
        Launch launch{.kernel = kind.name, .global = job.global, .local = job.local};
        launch.arguments = job.arguments;
        job.more_launches.push_back(launch);
    }
    const XrayAnswer answer = observe(KWB_XRAY_PROGRAM, job);
    REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
    CHECK(answer.report->launches.size() == kinds.size());
    for (const Finding& remark : answer.report->remarks) CHECK(to_string(remark.code) == "");
    std::map<std::size_t, std::set<std::string>> found;
    for (const Finding& finding : answer.report->undefined)
        found[std::stoul(finding.place.substr(finding.place.find(':') + 1))].insert(
            std::string(to_string(finding.code)));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::vector<std::string> expected(kinds[i].codes.begin(), kinds[i].codes.end());
        const std::vector<std::string> seen(found[i + 2].begin(), found[i + 2].end());
        const std::string name = kinds[i].name;
        CAPTURE(name);
        CHECK(join(seen, ", ") == join(expected, ", "));
    }
}

#define LOCAL_FENCE "barrier(CLK_LOCAL_MEM_FENCE); "
#define GLOBAL_FENCE "barrier(CLK_GLOBAL_MEM_FENCE); "

TEST_CASE("kinds: races in __local memory") {
    const std::set<std::string> race{"data_race"};
    expect_kinds({
        {"neighbour", "t[l] = i; t[l + 32] = i; y[i] = t[(l + 1) % 32];", {"data_race", "unset_read"}},
        {"next_round", "for (int r = 0; r < 2; ++r) { t[l] = r + i; " LOCAL_FENCE " y[i] += t[31 - l]; }",
         race},
        {"one_element", "t[0] = i;", race},
        {"two_writers", "if (l == 0) t[5] = 1; if (l == 1) t[5] = 2;", race},
        {"half_the_index", "t[l / 2] = i;", race},
        {"stride_too_short", "t[l] = 1; t[l + 1] = 2;", race},
        {"wrapped_index", "t[l % 16] = i;", race},
        {"histogram", "if (l < 8) t[l] = 0; " LOCAL_FENCE " t[x[i] & 7]++;", race},
        {"histogram_in_words", "if (l < 8) t[l] = 0; " LOCAL_FENCE " t[x[i] & 7] = t[x[i] & 7] + 1;", race},
        {"tree",
         "t[l] = i; t[l + 32] = i; " LOCAL_FENCE
         " for (int k = 32; k > 0; k /= 2) if (l < k) t[l] += t[l + k];",
         race},
        {"tree_last_steps",
         "t[l] = i; t[l + 32] = i; " LOCAL_FENCE
         " for (int k = 32; k > 8; k /= 2) { if (l < k) t[l] += t[l + k]; " LOCAL_FENCE
         "} if (l < 8) for (int k = 8; k > 0; k /= 2) t[l] += t[l + k];",
         race},
        {"barrier_of_the_other_memory", "t[l] = i; " GLOBAL_FENCE " y[i] = t[31 - l];", race},
        {"barrier_of_nothing", "t[l] = i; barrier(0); y[i] = t[31 - l];", race},
        {"fence_for_barrier",
         "t[l] = i; mem_fence(CLK_LOCAL_MEM_FENCE); t[31 - l] += 1;",
         {"data_race", "unset_read"}},
        {"through_a_pointer", "__local int* p = t + 1; t[l] = i; p[l] = 1;", race},
        {"one_of_two_arrays", "__local int* p = odd(l) ? t : t + 32; *p = l;", race},
        {"switched", "switch (l) { case 3: t[7] = 1; break; case 4: t[7] = 2; break; }", race},
        {"in_a_nested_loop", "for (int a = 0; a < 2; ++a) for (int b = 0; b < 2; ++b) t[l + a * 2 + b] = i;",
         race},
        {"barrier_that_is_skipped",
         "t[l] = i; if (n > 100) " LOCAL_FENCE " t[31 - l] += 1;",
         {"data_race", "unset_read"}},
        {"in_place_reverse", "t[l] = i; " LOCAL_FENCE " t[l] = t[31 - l];", race},
        {"prefix_in_place",
         "t[l] = i; " LOCAL_FENCE
         " for (int k = 1; k < 32; k *= 2) { if (l >= k) t[l] += t[l - k]; " LOCAL_FENCE "}",
         race},
        {"last_one_tells", "if (l == 31) t[0] = n; y[i] = t[0];", {"data_race", "unset_read"}},
        {"vectors_overlap", "vstore4((int4)(i), 0, t + l);", race},
        {"bytes_of_a_word", "((__local uchar*)t)[l / 2] = (uchar)i;", race},
        {"vector_and_number", "__local int4* v = (__local int4*)t; if (l < 8) v[l] = (int4)(i); t[l] = l;",
         race},
        {"member", "__local item_t p[4]; p[l & 3].a = i;", race},
        {"component", "__local int4 v[2]; v[0].y = l;", race},
        {"atomic_and_plain_read",
         "if (l == 0) t[0] = 0; " LOCAL_FENCE " atomic_inc(&t[0]); if (l == 9) y[i] = t[0];", race},
        {"atomic_and_plain_write",
         "if (l == 0) t[0] = 0; " LOCAL_FENCE " atomic_inc(&t[0]); if (l == 9) t[0] = 5;", race},
        {"exchange_and_plain_write",
         "if (l == 0) t[0] = 0; " LOCAL_FENCE " atomic_cmpxchg(&t[0], 0, 7 + i); if (l == 9) t[0] = 5;",
         race},
        {"failed_exchange_and_plain_write",
         "if (l == 0) t[0] = 3; " LOCAL_FENCE " if (l < 31) atomic_cmpxchg(&t[0], 5, 7); else t[0] = 9;",
         race},
        {"fence_of_the_other_memory_hands_over",
         "if (l < 2) t[l] = 0; " LOCAL_FENCE " if (l == 0) { t[1] = 7; mem_fence(CLK_GLOBAL_MEM_FENCE); "
         "atomic_xchg(&t[0], 1); } else if (atomic_add(&t[0], 0)) "
         "y[i] = t[1];",
         race},
    });
}

TEST_CASE("kinds: races in global memory, and between groups") {
    const std::set<std::string> race{"data_race"};
    expect_kinds({
        {"counter", "y[y[63]++] = i;", race},
        {"one_sum", "if (l == 0) y[0] += x[g];", race},
        {"all_sum", "y[0] += x[i];", race},
        {"stencil_in_place", "x[i] = x[(i + 1) % 64] + 1;", race},
        {"barrier_between_groups", "if (g == 0) y[l] = i + 1; " GLOBAL_FENCE " if (g == 1) x[i] = y[l];",
         race},
        {"local_fence", "y[i] = i + 1; " LOCAL_FENCE " x[i] = y[i ^ 1];", race},
        {"transpose_in_place", "int a = x[i]; x[(i % 8) * 8 + i / 8] = a + 1;", race},
        {"missing_dimension", "y[l] = i;", race},
        {"stride_of_groups", "y[g * 16 + l] = i;", race},
        {"histogram_in_words", "y[x[i] & 7] = y[x[i] & 7] + 1;", race},
        {"plain_beside_atomic", "atomic_add(&y[0], 1); y[0] = 7;", race},
        {"shorts", "((__global short*)y)[i / 2] = (short)i;", race},
        {"vectors_of_three", "if (i < 60) vstore3((float3)(i), 0, f + i);", race},
    });
}

TEST_CASE("kinds: asynchronous copies") {
    const std::set<std::string> race{"data_race"};
    expect_kinds({
        {"read_before_the_wait",
         "event_t e = async_work_group_copy(t, x, 32, 0); y[i] = t[l]; wait_group_events(1, &e);", race},
        {"waits_for_one_of_two",
         "event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0); e[1] = async_work_group_copy(t + 32, x, "
         "32, 0); "
         "wait_group_events(1, e); y[i] = t[l] + t[l + 32];",
         race},
        {"waits_for_the_other",
         "event_t a = async_work_group_copy(t, x, 32, 0); event_t b = async_work_group_copy(t + 32, x, 32, "
         "0); "
         "wait_group_events(1, &b); y[i] = t[l]; wait_group_events(1, &a);",
         race},
        {"never_waits", "async_work_group_copy(t, x, 32, 0);", {"unfinished_copy"}},
        {"writes_the_source",
         "event_t e = async_work_group_copy(t, x + g * 32, 32, 0); x[i] = 100 + i; wait_group_events(1, &e);",
         race},
        {"writes_the_target",
         "event_t e = async_work_group_copy(t, x, 32, 0); t[l] = 100 + i; wait_group_events(1, &e);", race},
        {"copies_overlap",
         "event_t e = async_work_group_copy(t, x, 32, 0); e = async_work_group_copy(t + 16, x, 32, e); "
         "wait_group_events(1, &e); y[i] = t[l];",
         race},
        {"no_barrier_before",
         "t[l] = 50 + i; event_t e = async_work_group_copy(y + g * 32, t, 32, 0); wait_group_events(1, &e);",
         race},
        {"some_work_items",
         "if (l < 16) { event_t e = async_work_group_copy(t, x, 32, 0); wait_group_events(1, &e); }",
         {"divergent_barrier"}},
        {"other_arguments",
         "event_t e = async_work_group_copy(t + l, x, 8, 0); wait_group_events(1, &e);",
         {"unequal_arguments"}},
        {"other_length",
         "event_t e = async_work_group_copy(t, x, 8 + odd(l), 0); wait_group_events(1, &e);",
         {"unequal_arguments"}},
        {"divergent_loop",
         "for (int k = 0; k < 1 + odd(l); ++k) { event_t e = async_work_group_copy(t, x, 8, 0); "
         "wait_group_events(1, &e); }",
         {"divergent_barrier"}},
        {"no_event", "event_t e[1]; wait_group_events(1, e);", {"unknown_event"}},
        {"too_many_events",
         "event_t e[4]; e[0] = async_work_group_copy(t, x, 8, 0); wait_group_events(2, e);",
         {"unknown_event"}},
        {"other_events",
         "event_t e[2]; e[0] = async_work_group_copy(t, x, 8, 0); e[1] = async_work_group_copy(t + 8, x, 8, "
         "0); "
         "wait_group_events(1, e + odd(l)); wait_group_events(2, e);",
         {"unequal_arguments"}},
    });
}

TEST_CASE("kinds: barriers that not all work-items reach") {
    const std::set<std::string> divergent{"divergent_barrier"};
    expect_kinds({
        {"condition", "if (l < 16) " LOCAL_FENCE, divergent},
        {"both_branches", "if (l < 16) " LOCAL_FENCE " else " LOCAL_FENCE, divergent},
        {"early_return", "if (i >= n) return; " LOCAL_FENCE, divergent},
        {"loop_by_id", "for (int k = 0; k < l; ++k) " LOCAL_FENCE, divergent},
        {"strided_loop", "for (int k = l; k < 40; k += 32) " LOCAL_FENCE, divergent},
        {"while_by_data", "int k = x[i]; while (k++ < 4) " LOCAL_FENCE, divergent},
        {"break_by_id", "for (int k = 0; k < 4; ++k) { if (k == l) break; " LOCAL_FENCE "}", divergent},
        {"continue_by_id", "for (int k = 0; k < 4; ++k) { if (k == l) continue; " LOCAL_FENCE "}", divergent},
        {"switch_by_id", "switch (l & 1) { case 0: " LOCAL_FENCE " }", divergent},
        {"short_circuit", "l > 3 && (barrier(CLK_LOCAL_MEM_FENCE), 1);", divergent},
        {"shared_bound", "if (l == 0) t[0] = 1; " LOCAL_FENCE " if (t[0] + odd(l) > 1) " LOCAL_FENCE,
         divergent},
    });
}

TEST_CASE("kinds: memory that nobody has set, accesses outside, and what no type holds") {
    expect_kinds({
        {"local_array", "y[i] = t[l];", {"unset_read"}},
        {"private_array", "int p[4]; p[0] = 1; y[i] = p[l & 3];", {"unset_read"}},
        {"private_vectors", "uchar4 p[4]; p[0].x = 1; y[i] = p[1].y;", {"unset_read"}},
        {"scratch", "y[i] = s[i];", {"unset_read"}},
        {"other_half", "if (l < 16) t[l] = i; " LOCAL_FENCE " y[i] = t[l];", {"unset_read"}},
        {"sum_without_start",
         "int p[2]; for (int k = 0; k < 3; ++k) p[0] += x[k]; y[i] = p[0];",
         {"unset_read"}},
        {"counted_from_nothing", "atomic_inc(&t[0]);", {"unset_read"}},
        {"local_end", "t[l + 33] = 1;", {"outside_array"}},
        {"private_end", "int p[4]; for (int k = 0; k <= 4; ++k) p[k] = i; y[i] = p[0];", {"outside_array"}},
        {"inner_dimension",
         "int p[4][4]; for (int k = 0; k < 5; ++k) p[1][k] = i; y[i] = p[1][0];",
         {"outside_array"}},
        {"buffer_end", "y[i + 1] = i;", {"outside_buffer"}},
        {"buffer_start", "y[i] = x[i - 1];", {"outside_buffer"}},
        {"vector_end", "if (l == 0) y[i] = vload4(0, x + i + 30).w;", {"outside_buffer"}},
        {"null_pointer", "__global int* p = 0; if (i == 3) *p = 1;", {"null_access"}},
        {"odd_address", "*(__global int2*)(y + 1 + 2 * i % 32) = (int2)(1);", {"misaligned"}},
        {"by_zero", "y[i] = n / (i - 5);", {"division_by_zero"}},
        {"remainder_by_zero", "y[i] = n % x[i];", {"division_by_zero"}},
        {"product_too_large", "y[i] = n * 60000000;", {"signed_overflow"}},
    });
}

TEST_CASE("kinds: right code in __local memory") {
    expect_kinds({
        {"tile", "t[l] = x[i]; " LOCAL_FENCE " y[i] = t[31 - l];"},
        {"rounds",
         "for (int r = 0; r < 3; ++r) { t[l] = i + r; " LOCAL_FENCE " y[i] += t[31 - l]; " LOCAL_FENCE "}"},
        {"two_tiles", "for (int r = 0; r < 3; ++r) { t[32 * (r & 1) + l] = i; " LOCAL_FENCE
                      " y[i] += t[32 * (r & 1) + 31 - l]; }"},
        {"tree", "t[l] = x[i]; for (int k = 16; k > 0; k /= 2) { " LOCAL_FENCE
                 " if (l < k) t[l] += t[l + k]; } if (l == 0) y[g] = t[0];"},
        {"textbook_tree",
         "t[l] = x[i]; " LOCAL_FENCE
         " for (int k = 1; k < 32; k *= 2) { if (l % (2 * k) == 0) t[l] += t[l + k]; " LOCAL_FENCE "}"},
        {"prefix_two_buffers",
         "int a = 0, b = 32; t[l] = x[i]; for (int k = 1; k < 32; k *= 2) { " LOCAL_FENCE
         " t[b + l] = t[a + l] + (l >= k ? t[a + l - k] : 0); int c = a; a = b; b = c; }"},
        {"prefix_held", "t[l] = x[i]; " LOCAL_FENCE
                        " for (int k = 1; k < 32; k *= 2) { int v = l >= k ? t[l - k] : 0; " LOCAL_FENCE
                        " t[l] += v; " LOCAL_FENCE "}"},
        {"histogram", "if (l < 8) t[l] = 0; " LOCAL_FENCE " atomic_inc(&t[x[i] & 7]); " LOCAL_FENCE
                      " if (l < 8) y[g * 8 + l] = t[l];"},
        {"own_element_first", "t[l] = i; t[l] += 1; y[i] = t[l];"},
        {"same_value", "t[5] = n; " LOCAL_FENCE " y[i] = t[5];"},
        {"both_fences", "t[l] = i; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); y[i] = t[31 - l];"},
        {"barrier_in_a_function", "t[l] = i; meet(); y[i] = t[31 - l];"},
        {"read_before_the_loop", "t[l] = i; " LOCAL_FENCE " int a = t[31 - l]; " LOCAL_FENCE " t[l] = a;"},
        {"one_writes_many_read", "if (l == 0) t[0] = n; " LOCAL_FENCE " y[i] = t[0] + sum(t, 1);"},
        {"swap_pairs",
         "t[l] = x[i]; " LOCAL_FENCE
         " if (!odd(l)) { int a = t[l]; t[l] = t[l + 1]; t[l + 1] = a; } " LOCAL_FENCE " y[i] = t[l];"},
        {"bytes_of_their_own",
         "((__local uchar*)t)[l] = (uchar)i; " LOCAL_FENCE " y[i] = ((__local uchar*)t)[31 - l];"},
        {"components_of_their_own",
         "__local int4 v[8]; int k = l & 3; __local int* p = (__local int*)&v[l >> 2]; p[k] = i; " LOCAL_FENCE
         " y[i] = v[l >> 2].y;"},
        {"members_of_their_own",
         "__local item_t p[32]; p[l].a = i; p[l].c = (uchar4)(1); p[l].v.x = 1; p[l].v.y = 2; " LOCAL_FENCE
         " y[i] = p[31 - l].a + p[31 - l].c.x + (int)p[31 - l].v.y;"},
        {"condition_of_the_group", "if (g == 0) { t[l] = i; " LOCAL_FENCE " y[i] = t[31 - l]; }"},
        {"condition_of_an_argument", "t[l] = i; if (n == 40) " LOCAL_FENCE " y[i] = t[31 - l];"},
        {"shared_loop_bound",
         "if (l == 0) t[0] = n; " LOCAL_FENCE " for (int k = 0; k < t[0]; k += 20) meet();"},
        {"hand_over", "if (l < 2) t[l] = 0; " LOCAL_FENCE
                      " if (l == 0) { t[1] = 7; mem_fence(CLK_LOCAL_MEM_FENCE); atomic_xchg(&t[0], 1); } "
                      "else if (atomic_add(&t[0], 0)) y[i] = t[1];"},
        {"until_nothing_changes",
         "t[l] = x[i]; t[l + 32] = 1; int go; do { " LOCAL_FENCE " if (l == 0) t[32] = 0; " LOCAL_FENCE
         " int b = l > 0 ? max(t[l], t[l - 1]) : t[l]; " LOCAL_FENCE
         " if (b != t[l]) { t[l] = b; t[32] = 1; } " LOCAL_FENCE " go = t[32]; } while (go);"},
        {"sub_group_parts", "t[l] = i; sub_group_barrier(CLK_LOCAL_MEM_FENCE); y[i] = t[31 - l];"},
        {"group_functions",
         "y[i] = work_group_reduce_add(x[i]) + work_group_scan_inclusive_add(i) + work_group_broadcast(l, "
         "3);"},
        {"queue",
         "if (l == 0) t[0] = 0; " LOCAL_FENCE " if (odd(i)) t[1 + atomic_inc(&t[0])] = i; " LOCAL_FENCE
         " if (l < t[0]) y[i] = t[1 + l];"},
    });
}

TEST_CASE("kinds: right code in global and private memory, and with vectors") {
    expect_kinds({
        {"copy", "y[i] = x[i];"},
        {"guard", "if (i < n) y[i] = x[i];"},
        {"strided_loop", "for (int k = i; k < 64; k += get_global_size(0)) y[k] = x[k];"},
        {"atomic_sum", "atomic_add(&y[0], x[i]);"},
        {"groups_of_their_own", "y[g * 32 + 31 - l] = i;"},
        {"gather", "y[i] = x[(i + 1) % 64] + x[(i + 63) % 64];"},
        {"barrier_and_global", "y[i] = i; " GLOBAL_FENCE " f[i] = (float)y[i ^ 1];"},
        {"float_sum",
         "uint o, w; do { o = as_uint(f[0]); w = as_uint(as_float(o) + 1.0f); } while "
         "(atomic_cmpxchg((volatile __global "
         "uint*)f, o, w) != o);"},
        {"last_group_finishes",
         "__local int last; if (l == 0) { y[32 + g] = x[g] + 1; write_mem_fence(CLK_GLOBAL_MEM_FENCE); last "
         "= atomic_inc(&y[60]) == 1; } " LOCAL_FENCE
         " if (last && l == 0) { read_mem_fence(CLK_GLOBAL_MEM_FENCE); y[40] = y[32] + y[33]; }"},
        {"private_array", "int p[4]; for (int k = 0; k < 4; ++k) p[k] = x[k]; y[i] = p[l & 3];"},
        {"private_vectors",
         "uchar4 c[4]; c[0].s0 = (uchar)i; c[0].s1 = 1; c[1].xy = (uchar2)(1, 2); y[i] = c[0].s0 + c[1].y;"},
        {"private_pairs",
         "short2 c[4]; c[l & 3].y = (short)i; char2 d[2]; d[1].x = 1; y[i] = c[l & 3].y + d[1].x;"},
        {"private_halves",
         "int8 a[2]; a[1].lo = (int4)(1); a[1].hi.x = 2; float16 b[1]; b[0].s0f = (float2)(1); y[i] = "
         "a[1].s2 + (int)b[0].sf;"},
        {"private_threes",
         "float3 v[2]; v[1].z = 1; int3 w[2]; w[0].xz = (int2)(1, 2); y[i] = (int)v[1].z + w[0].z;"},
        {"private_doubles",
         "long2 a[2]; a[0].y = i; double4 b[2]; b[1].w = 1; y[i] = (int)(a[0].y + b[1].w);"},
        {"private_members", "item_t p[2]; p[1].c.z = 3; p[1].v.y = 2; y[i] = p[1].c.z + (int)p[1].v.y;"},
        {"private_pointer", "uchar4 c[4]; uchar4* p = c + 1; p->w = 1; p[1].x = 2; y[i] = c[1].w + c[2].x;"},
        {"one_private_vector", "uchar4 c; c.x = 1; uchar4* p = &c; p->y = 2; y[i] = c.x + c.y;"},
        {"local_vectors", "__local uchar4 c[32]; c[l].s0 = (uchar)i; c[l].w = 1; y[i] = c[l].s0 + c[l].w;"},
        {"local_members",
         "__local item_t p[32]; p[l].c.y = 1; p[l].v.x = 2; y[i] = p[l].c.y + (int)p[l].v.x;"},
        {"local_pointer",
         "__local ushort2 c[64]; __local ushort2* p = c + l; p->y = 7; p[32].x = 1; y[i] = c[l].y + c[l + "
         "32].x;"},
        {"scratch_bytes",
         "((__global uchar4*)s)[i].x = 1; ((__global uchar4*)s)[i].zw = (uchar2)(2); y[i] = ((__global "
         "uchar4*)s)[i].z;"},
        {"scratch", "s[i] = i; y[i] = s[i];"},
        {"vload", "y[i] = vload4(i / 4, x).x + vload3(i / 4, x).y; vstore2((float2)(1), 0, f + (i & ~1));"},
        {"guarded_division", "y[i] = x[i] != 0 ? n / x[i] : 0;"},
        {"wide_product", "y[i] = (int)(((long)n * 60000000) >> 20) + (int)(4000000000u + n);"},
        {"inside_by_condition", "for (int k = 0; k <= 64; ++k) if (k < 64 && k == i) y[k] = 1;"},
        {"pointer_to_the_end",
         "__local int* end = t + 64; for (__local int* p = t + l * 2; p < t + l * 2 + 2; ++p) *p = 1; y[i] = "
         "end - t;"},
        {"loop_instead_of_recursion", "int r = 0; for (int k = l; k > 0; --k) r += k; y[i] = r;"},
    });
}

/// One work-group of 64 work-items; x and y begin with zeros.
XrayAnswer observe_turns(const std::string& body, std::optional<std::uint64_t> order_seed = std::nullopt) {
    XrayJob job = job_of(
        "__kernel void k(volatile __global int* x, __global int* y) { const int l = get_local_id(0);\n" +
        body + "\n}\n");
    job.global = job.local = {64};
    job.ints("x", std::vector<std::int32_t>(4, 0)).ints("y", std::vector<std::int32_t>(64, 0));
    job.xray.order_seed = order_seed;
    return observe(KWB_XRAY_PROGRAM, job);
}

TEST_CASE("kinds: loops that wait for another work-item to go on") {
    for (const char* body : {
             "while (atomic_cmpxchg(x, 0, 1));\n y[l] += l; atomic_xchg(x, 0);",
             "while (atomic_xchg(x, 1));\n y[l] = l; atomic_xchg(x, 0);",
             "int mine = atomic_inc(x);\n while (atomic_add(x + 1, 0) != mine); y[l] = mine; atomic_inc(x + "
             "1);",
             "while (atomic_cmpxchg(x, l, l + 1) != l);\n y[l] = l;",
             "while (atomic_or(x, 1));\n y[l] = l; atomic_and(x, 0);",
             "int done = 0;\n while (!done) if (atomic_cmpxchg(x, 0, 1) == 0) { y[l] = l; atomic_xchg(x, 0); "
             "done = 1; }",
         }) {
        const std::string kernel = body;
        CAPTURE(kernel);
        const XrayAnswer answer = observe_turns(body);
        REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
        for (const Finding& remark : answer.report->remarks) CHECK(to_string(remark.code) == "");
        const Finding finding = answer.find(FindingCode::WaitsForOthers);
        CHECK(join(answer.codes(), ", ") == "waits_for_others");
        CHECK(finding.subject.starts_with("x["));
        CHECK(finding.number("endless") == 0);
        CHECK(answer.report->launches.at(0).observed_groups == 1);  // it goes on, and ends
    }
    const XrayAnswer endless = observe_turns("if (l == 0) while (atomic_add(x, 0) == 0);\n y[l] = l;");
    CHECK(endless.find(FindingCode::WaitsForOthers).number("endless") == 1);
}

TEST_CASE("kinds: loops that try again, and need nobody") {
    for (const char* body : {
             "int o; do { o = x[0]; } while (atomic_cmpxchg(x, o, o + l) != o);",
             "int o = x[0], seen; while ((seen = atomic_cmpxchg(x, o, max(o, l))) != o) o = seen;",
             "for (int t = 0; t < 1000; ++t) if (atomic_cmpxchg(x, 5, 1) == 5) break;",
             "for (int t = 0; t < 300; ++t) atomic_max(x, t & 3);",
             "for (int t = 0; t < 500; ++t) y[l] += atomic_add(x, 0);",
         }) {
        const std::string kernel = body;
        CAPTURE(kernel);
        for (const std::optional<std::uint64_t> seed :
             {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1)})
            CHECK(join(observe_turns(body, seed).codes(), ", ") == "");
    }
}

TEST_CASE("kinds: right asynchronous copies") {
    expect_kinds({
        {"one",
         "event_t e = async_work_group_copy(t, x + g * 32, 32, 0); wait_group_events(1, &e); y[i] = t[31 - "
         "l];"},
        {"one_event_for_two",
         "event_t e = async_work_group_copy(t, x, 32, 0); e = async_work_group_copy(t + 32, x, 32, e); "
         "wait_group_events(1, &e); "
         "y[i] = t[l] + t[l + 32];"},
        {"two_events",
         "event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0); e[1] = async_work_group_copy(t + 32, x, "
         "32, 0); "
         "wait_group_events(2, e); y[i] = t[l] + t[l + 32];"},
        {"one_after_the_other",
         "event_t a = async_work_group_copy(t, x, 32, 0); event_t b = async_work_group_copy(t + 32, x, 32, "
         "0); "
         "wait_group_events(1, &a); y[i] = t[l]; wait_group_events(1, &b); y[i] += t[l + 32];"},
        {"back", "t[l] = i; " LOCAL_FENCE
                 " event_t e = async_work_group_copy(y + g * 32, t, 32, 0); wait_group_events(1, &e);"},
        {"strided",
         "event_t e = async_work_group_strided_copy(t, x + g, 16, 2, 0); wait_group_events(1, &e); if (l < "
         "16) y[i] = t[l];"},
        {"rounds",
         "event_t e = async_work_group_copy(t, x, 32, 0); for (int r = 0; r < 2; ++r) { wait_group_events(1, "
         "&e); int v = t[31 - "
         "l]; " LOCAL_FENCE " if (r == 0) e = async_work_group_copy(t, x + 32, 32, 0); y[i] += v; }"},
        {"two_tiles",
         "event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0); for (int r = 0; r < 2; ++r) { if (r == 0) "
         "e[1] = "
         "async_work_group_copy(t + 32, x + 32, 32, 0); wait_group_events(1, e + r); y[i] += t[32 * r + l]; "
         "}"},
        {"both_read_the_source",
         "event_t e = async_work_group_copy(t, x, 32, 0); y[i] = x[i]; wait_group_events(1, &e); y[i] += "
         "t[l];"},
    });
}

}  // namespace
}  // namespace kwb::test
