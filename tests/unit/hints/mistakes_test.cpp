// Every kind of hint in its common forms, and malformed or huge sources, which must neither crash nor take
// long.
#include <doctest/doctest.h>

#include "expect_hints.hpp"

using namespace kwb;

TEST_CASE("a barrier inside a branch or loop that depends on the ids is pointed at") {
    expect_hints(SourceText{.text = R"(
__kernel void k(__global int* x, int n) {
    int i = get_global_id(0), v = x[i], m = 0;
    if (i < n) barrier(CLK_LOCAL_MEM_FENCE);  // hint: `if` of line 4
    if (v > 0) {
        x[i] = 1;
    } else {
        work_group_barrier(CLK_LOCAL_MEM_FENCE);  // hint: `if` of line 5
    }
    if (i & 1) m = 1;
    while (m < n) {
        barrier(CLK_LOCAL_MEM_FENCE);  // hint: number of rounds
        ++m;
    }
    for (int k = get_local_id(0); k < n; k += get_local_size(0)) {
        barrier(CLK_LOCAL_MEM_FENCE);  // hint: number of rounds
    }
    switch (x[i]) {
        case 1: barrier(CLK_LOCAL_MEM_FENCE);  // hint: `switch`
    }
    i % 2 ? barrier(CLK_LOCAL_MEM_FENCE) : (void)0;  // hint: barrier
    int slot = atomic_inc(x);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);  // hint: number of rounds
    } while (--slot > 0);
})",
                            .options = "-cl-std=CL2.0"});
}

TEST_CASE("a barrier in a loop inside a branch that only some enter is blamed on the branch") {
    expect_hints(R"(
void wait(int n) {
    for (int i = 0; i < n; ++i) barrier(CLK_LOCAL_MEM_FENCE);
}
__kernel void k(__global float* x, const int M, const int N, const int K) {
    const int col = get_global_id(0), row = get_global_id(1);
    if (col < N && row < M) {
        for (int k = 0; k < K; ++k) {
            barrier(CLK_LOCAL_MEM_FENCE);  // hint: inside the `if` of line 7
        }
        for (int k = 0; k < 4; ++k) wait(K);  // hint: inside the `if` of line 7
        int k = 0;
        while (k++ < K) barrier(CLK_LOCAL_MEM_FENCE);  // hint: inside the `if` of line 7
    }
    for (int k = 0; k < K; ++k) {
        if (col < N && row < M) {
            x[k] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);  // hint: inside the `if` of line 16
        }
    }
})");
}

TEST_CASE("an id divided by a row's length, or its remainder, differs between the work-items of a group") {
    expect_hints(R"(
__kernel void k(__global float* x, const int M, const int N) {
    const int y = get_global_id(0) / N;
    const int z = get_global_id(0) % N;
    const int shift = N / 2;
    if (y < M) barrier(CLK_LOCAL_MEM_FENCE);  // hint: `if` of line 6
    if (z < M) barrier(CLK_LOCAL_MEM_FENCE);  // hint: `if` of line 7
    for (int i = 0; i < get_global_id(0) / (N + 1); ++i) barrier(CLK_LOCAL_MEM_FENCE);  // hint: rounds
    if (get_global_id(0) >> shift) barrier(CLK_LOCAL_MEM_FENCE);  // hint: `if` of line 9
    const int group = get_global_id(0) / get_local_size(0);
    const int size = get_local_size(0);
    if (group < M) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) / size < M) barrier(CLK_LOCAL_MEM_FENCE);
    if (y >= M) return;  // hint: barrier in line 15
    barrier(CLK_LOCAL_MEM_FENCE);
})");
}

TEST_CASE("a barrier in a helper counts where the helper is called") {
    expect_hints(R"(
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
int odd(int i) { return i % 2; }
void wait(void) { SYNC(); }
void wait_if(int c) {
    if (c) SYNC();  // hint: `if` of line 6
}
__kernel void k(__global int* x, int n) {
    wait();
    wait_if(n);
    if (odd(get_local_id(0)))
        wait();  // hint: The call of wait
    wait_if(odd(get_global_id(0)));
    if (odd(n)) wait();
})");
}

TEST_CASE("a return, break or continue that only some take before a barrier is pointed at") {
    expect_hints(R"(
__kernel void k(__global int* x, int n) {
    for (int i = 0; i < n; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x[get_global_id(0)] > i) break;  // hint: `break`
    }
    for (int i = 0; i < n; ++i) {
        if (get_local_id(0) == i) continue;  // hint: `continue`
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) < n) {
        x[0] = 1;
    } else {
        return;  // hint: barrier in line 16
    }
    barrier(CLK_LOCAL_MEM_FENCE);
})");
}

TEST_CASE("a goto over a barrier that only some take is pointed at, any other goto ends quietly") {
    expect_hints(R"(
__kernel void product(__global const float* A, __global float* C, int M) {
    __local float a[64];
    const int l = get_local_id(0), i = get_global_id(0);
    if (M < 1) goto end;
    if (i >= M) goto end;  // hint: `goto`
    a[l] = A[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    C[i] = a[63 - l];
end:;
}
__kernel void met_behind(__global const float* A, __global float* C, int M) {
    __local float a[64];
    const int l = get_local_id(0), i = get_global_id(0);
    a[l] = 0;
    if (i >= M) goto loaded;
    a[l] = A[i];
loaded:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < M) C[i] = a[63 - l];
}
__kernel void back(__global float* C) {
    int n = 0;
again:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n++ < 3) goto again;
    C[get_global_id(0)] = n;
}
__kernel void nowhere(__global float* C) {
    if (get_local_id(0) > 3) goto
}
)");
}

TEST_CASE("recursion is pointed at, direct and through others") {
    expect_hints(R"(
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }  // hint: calls itself
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }  // hint: leads back to even
__kernel void k(__global int* x) { x[0] = fact(4) + odd(3); })");
}

TEST_CASE("functions that no launch reaches are not pointed at") {
    const SourceText source{R"(
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
int once_more(int n) { return fact(n); }
__kernel void used(__global int* x) { x[0] = once_more(4); }
__kernel void unused(__global int* x) { __local int t[4]; x[0] = t[get_local_id(0)]; })",
                            {},
                            {},
                            {}};
    const auto lines = [&](const std::vector<std::string>& launched) {
        std::vector<std::uint32_t> found;
        for (const Hint& hint : find_hints(source, {}, launched)) found.push_back(hint.line);
        return found;
    };
    CHECK(lines({}) == std::vector<std::uint32_t>{2, 5});
    CHECK(lines({"used"}) == std::vector<std::uint32_t>{2});
    CHECK(lines({"unused"}) == std::vector<std::uint32_t>{5});
    CHECK(lines({"used", "unused"}) == std::vector<std::uint32_t>{2, 5});
    CHECK(lines({"of_a_macro"}).empty());
}

TEST_CASE("a local array that is read before anything was stored is pointed at") {
    expect_hints(R"(
__kernel void k(__global float* x, __local float* given) {
    __local float t[64];
    __local uint h[16];
    int lid = get_local_id(0);
    x[lid] = t[lid];  // hint: `t` is read here
    atomic_inc(&h[lid % 16]);  // hint: `h` is read here
    x[lid] += given[lid];  // hint: `given` is read here
    t[lid] = 1;
})");
}

TEST_CASE("sums that were never set are pointed at, once each") {
    expect_hints(R"(
__kernel void k(__global float* x, int n) {
    float s, t, v[4];
    int c;
    for (int i = 0; i < n; ++i) {
        s += x[i];  // hint: `s`
        t = fma(x[i], x[i], t);  // hint: `t`
        v[i % 4] += 1;  // hint: `v`
        c++;  // hint: `c`
    }
    x[get_global_id(0)] = s + t + v[0] + c;
})");
}

TEST_CASE("local memory that others store and read with no barrier between is pointed at") {
    expect_hints(R"(
__kernel void k(__global float* x, int n) {
    __local float t[64], u[64], v[16][16], w[64];
    __local int first;
    int lid = get_local_id(0), ly = get_local_id(1);
    t[lid] = x[lid];
    x[lid] = t[lid] + t[lid + 1];  // hint: `t` is read
    if (lid == 0) first = n;
    x[lid] += first;  // hint: `first` is read
    barrier(CLK_LOCAL_MEM_FENCE);
    v[ly][lid] = x[lid];
    x[lid] = v[lid][ly];  // hint: `v` is read
    w[lid] = x[lid];
    for (int s = 32; s > 0; s >>= 1) {
        if (lid < s) w[lid] += w[lid + s];  // hint: `w` is read
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    u[lid] = x[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    float left = u[63 - lid];
    u[lid] = left;  // hint: `u` is overwritten
})");
}

TEST_CASE("a missing second barrier in a loop is pointed at, and a missing one in a tree") {
    expect_hints(R"(
#define T 16
__kernel void tiled(__global const float* A, __global float* C, int K) {
    __local float a[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        a[ly][lx] = A[ly * K + k0 + lx];  // hint: end of the loop
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) sum += a[ly][k];
    }
    C[ly * T + lx] = sum;
}
__kernel void tree(__global float* x) {
    __local float s[256];
    const int lid = get_local_id(0);
    s[lid] = x[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 128; w > 0; w /= 2) {
        if (lid < w) s[lid] += s[lid + w];  // hint: `s` is read, end of the loop
    }
    if (lid == 0) x[get_group_id(0)] = s[0];
})");
}

TEST_CASE("a group of one work-item needs no barriers") {
    expect_hints(R"(
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void k(__global float* x) {
    __local float t[64];
    int lid = get_local_id(0);
    t[lid] = x[lid];
    x[lid] = t[lid + 1];
})");
}

TEST_CASE("a store behind a guard with || is pointed at") {
    expect_hints(R"(
__kernel void k(__global float* C, int M, int N) {
    int row = get_global_id(1), col = get_global_id(0);
    if (row < M || col < N) {  // hint: && instead of ||
        C[row * N + col] = 1;
    }
})");
}

TEST_CASE("a loop over tiles that ends at a constant is pointed at, from two rounds on") {
    const std::string text = R"(
#define T 16
#define TILES 4
__kernel void product(__global const float* A, __global const float* B, __global float* C, int M, int N, int K) {
    __local float a[T][T], b[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1), j = get_global_id(0), i = get_global_id(1);
    float sum = 0;
    LOOP {  // hint: constant
        a[ly][lx] = START + lx < K && i < M ? A[i * ROW + START + lx] : 0;
        b[ly][lx] = START + ly < K && j < N ? B[(START + ly) * N + j] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < M && j < N) C[i * N + j] = sum;
}
)";
    const auto with = [&](const std::string& loop, const std::string& start, const std::string& row = "K") {
        std::string changed = text;
        for (const auto& [from, to] :
             {std::pair<std::string, std::string>{"LOOP", loop}, {"START", start}, {"ROW", row}})
            for (std::size_t at; (at = changed.find(from)) != std::string::npos;)
                changed.replace(at, from.size(), to);
        return changed;
    };
    expect_hints(with("for (int t = 0; t < 4; ++t)", "t * T"));
    expect_hints(with("for (int t = 0; t < 4; ++t)", "t * T", "64"));
    expect_hints(with("for (int t = 0; t < 2; ++t)", "(t << 4)"));
    expect_hints(with("for (int t = 0; t < 64 / T; ++t)", "T * t"));
    expect_hints(with("for (int t = 0; t < TILES; ++t)", "t * (int)get_local_size(0)"));
    expect_hints(with("for (int k0 = 0; k0 < 64; k0 += 16)", "k0"));
    expect_hints(with("for (int k0 = 0; k0 < 64; k0 += T)", "k0"));
    std::string one_round = with("for (int k0 = 0; k0 < 16; k0 += T)", "k0");
    one_round.replace(one_round.find("// hint: constant"), 17, "");
    expect_hints(one_round);
}

TEST_CASE("sources that cannot be analysed give no hints and no errors") {
    for (const char open : {'(', '{', '[', '\\', '"', '\'', '#', '?', '/'})
        CHECK(find_hints({std::string(1 << 20, open), {}, {}, {}}).empty());
    for (const auto& [left, right] : {std::pair{"(", ")"}, {"{", "}"}, {"[", "]"}}) {
        std::string nest = "__kernel void k(__global int* x) { x[0] = ";
        for (int i = 0; i < 60'000; ++i) nest += left;
        for (int i = 0; i < 60'000; ++i) nest += right;
        CHECK(find_hints({nest + "; }", {}, {}, {}}).empty());
    }
    std::string chain = "__kernel void k(__global int* x) { x[0] = 1", elses = "__kernel void k(int n) { ";
    for (int i = 0; i < 60'000; ++i) chain += "+1";
    for (int i = 0; i < 20'000; ++i) elses += "if (n) n = 1; else ";
    CHECK(find_hints({chain + "; }", {}, {}, {}}).empty());
    CHECK(find_hints({elses + "; }", {}, {}, {}}).empty());
    CHECK(find_hints({"__kernel void k( {", {}, {}, {}}).empty());
    CHECK(find_hints({"", {}, {}, {}}).empty());
}

TEST_CASE(
    "a long chain of products in an index, and thousands of gotos, cost neither the stack nor minutes") {
    for (const std::string op : {"*", "+"}) {
        std::string text =
            "__kernel void f(__global float* A, int n) { __local float t[64]; int l = get_local_id(0);\n"
            "for (int k = 0; k < 64; k += 16) { int a0 = k + n;\n";
        for (int i = 1; i < 20'000; ++i)
            text += "int a" + std::to_string(i) + "=a" + std::to_string(i - 1) + op + "2;";
        text += "t[l] = A[a19999 + k * n]; barrier(1); n += t[63 - l]; barrier(1); } A[l] = n; }";
        find_hints(SourceText{text, {}, {}, {}});
    }
    std::string gotos = "__kernel void f(__global float* A) {\n";
    for (int i = 0; i < 60'000; ++i) gotos += "goto end;\n";
    CHECK(find_hints(SourceText{gotos + "end:; }", {}, {}, {}}).empty());
}

TEST_CASE("a source beyond a mebibyte is passed over, however little it says") {
    const std::string kernel = "__kernel void k(__global int* x) {\nif (get_local_id(0)) barrier(1);\n}\n";
    CHECK(find_hints({kernel + std::string((1u << 20) - kernel.size(), ' '), {}, {}, {}}).size() == 1);
    CHECK(find_hints({kernel + std::string((1u << 20) - kernel.size() + 1, ' '), {}, {}, {}}).empty());
}

TEST_CASE("no more than twenty hints, in order of lines") {
    std::string text = "__kernel void k(__global int* x) {\n";
    for (int i = 0; i < 40; ++i) text += "if (get_local_id(0)) barrier(1);\n";
    const std::vector<Hint> hints = find_hints({text + "}", {}, {}, {}});
    REQUIRE(hints.size() == 20);
    for (std::size_t i = 0; i < hints.size(); ++i) CHECK(hints[i].line == i + 2);
}
