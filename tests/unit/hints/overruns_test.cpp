// Indices that certainly exceed a local or private array, and those that do not or may not.
#include <doctest/doctest.h>

#include "expect_hints.hpp"

using namespace kwb;

namespace {

/// A tiled matrix product whose inner loop is `loop`; the comment in it is the expected hint.
SourceText tiled(const std::string& loop, const std::string& tile = "16") {
    SourceText source{R"(
#ifndef TILE
#define TILE 16
#endif
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx;
    const int row = get_group_id(1) * TILE + ly;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ly][lx] = (row < M && k0 + lx < K) ? A[row * K + k0 + lx] : 0.0f;
        b[ly][lx] = (k0 + ly < K && col < N) ? B[(k0 + ly) * N + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
)" + loop + R"(
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) C[row * N + col] = sum;
})",
                      {},
                      {},
                      {}};
    if (!tile.empty()) source.macros.push_back({"TILE", tile});
    return source;
}

/// A kernel with an array of each kind around `body`.
std::string with_arrays(const std::string& body) {
    return R"(
#define N 16
__kernel void k(__global float* x, const int n) {
    const int lid = get_local_id(0);
    __local float s[N];
    float own[N], grid[4][4];
    s[lid] = x[lid];
    for (int i = 0; i < N; ++i) own[i] = x[i];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) grid[i][j] = x[i * 4 + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    int c;
)" + body + R"(
    x[lid] = sum;
})";
}

}  // namespace

TEST_CASE("a loop over a tile that goes one round too far is pointed at, with the size as it is called") {
    for (const char* tile : {"", "8", "16", "32"}) {
        CAPTURE(tile);
        for (const char* loop : {
                 "for (int k = 0; k <= TILE; ++k) sum += a[ly][k] * b[k][lx];  // hint: k < TILE",
                 "for (int k = 0; k < TILE + 1; ++k) sum += a[ly][k] * b[k][lx];  // hint: k < TILE",
                 "for (int k = 0; TILE >= k; k++) sum += a[ly][k] * b[k][lx];  // hint: k < TILE",
                 "for (int k = 0; k != TILE + 1; k += 1) sum += a[ly][k] * b[k][lx];  // hint: k < TILE",
                 "for (int k = TILE; k >= 0; --k) sum += a[ly][k] * b[k][lx];  // hint: start at",
                 "for (int k = 0; k < TILE; ++k) sum += a[ly][k + 1] * b[k][lx];  // hint: within 0 to",
                 "for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k - 1][lx];  // hint: gets to -1",
                 "for (int k = 0; k < TILE; k += 4) sum += a[ly][k] + b[k + 4][lx];  // hint: gets to",
                 "for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][TILE];  // hint: the index is",
             })
            expect_hints(tiled(loop, tile));
        for (const char* loop : {
                 "for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][lx];",
                 "for (int k = 0; k <= TILE - 1; ++k) sum += a[ly][k] * b[k][lx];",
                 "for (int k = 1; k <= TILE; ++k) sum += a[ly][k - 1] * b[k - 1][lx];",
                 "for (int k = TILE - 1; k >= 0; --k) sum += a[ly][k] * b[k][lx];",
                 "for (int k = TILE; k > 0; --k) sum += a[ly][k - 1] * b[k - 1][lx];",
                 "for (int k = 0; k < TILE; k += 4) sum += a[ly][k + 3] * b[k + 3][lx];",
                 "for (int k = 0; k <= TILE && k0 + k < K; ++k) sum += a[ly][k] * b[k][lx];",
                 "for (int k = 0; k <= TILE; ++k) { if (k == TILE) break; sum += a[ly][k] * b[k][lx]; }",
                 "for (int k = 0; k <= TILE; ++k) { if (k < TILE) sum += a[ly][k] * b[k][lx]; }",
                 "for (int k = 0; k <= TILE; ++k) sum += k < TILE ? a[ly][k] * b[k][lx] : 0.0f;",
                 "for (int k = 0; k <= TILE; ++k) { int in = k < TILE; if (in) sum += a[ly][k] * b[k][lx]; }",
                 "for (int k = 0; k <= TILE; ++k) sum += a[ly][k % TILE] * b[k & (TILE - 1)][lx];",
                 "for (int k = 0; k <= TILE; ++k) { sum += a[ly][lx]; ++k; }",
             })
            expect_hints(tiled(loop, tile));
    }
}

TEST_CASE("indices that surely leave an array are pointed at") {
    expect_hints(with_arrays(R"(
    sum += s[16];                                          // hint: `s` has N = 16 elements
    if (lid == 0) s[N] = 0;                                // hint: the index is 16
    own[-1] = 0;                                           // hint: the index is -1
    for (uint i = 0; i <= 16u; i = i + 1) sum += own[i];   // hint: let the loop end at i < N
    for (c = 0; c < 17; ++c) sum += own[c];                // hint: `c` gets to 16
    for (size_t i = 0; i < N; ++i) sum += own[(int)i + 1]; // hint: the index gets to 16
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) sum += own[i * 4 + j]; // hint: gets to 16
    for (int i = 0; i < 4; ++i) {
        const int next = i + 1;
        if (lid < n) sum += grid[next][0];                 // hint: in this dimension
    }
    for (int i = 0; i < n; ++i)
        for (int j = 4; j > 0; --j) sum += grid[j][3];     // hint: let `j` start at 3
    for (int i = 0; i < n; ++i)
        if (x[i] > 0) break;
    do {
        sum += s[N + 1];                                   // hint: the index is 17
    } while (0);
)"));
}

TEST_CASE("indices that stay inside, or that a condition may keep inside, get no hint") {
    expect_hints(with_arrays(R"(
    for (int i = 0; i < 16; ++i) sum += grid[0][i];
    for (int i = 0; i < 16; ++i) sum += own[15 - i];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum += own[i * 4 + j];
    for (int i = 0; i <= 16; ++i)
        for (int j = i; j < 16; ++j) sum += own[i];
    for (int i = 16; i < 16; ++i) sum += own[i];
    for (int i = 16; i < N; i *= 2) sum += own[16];
    for (int i = 16; i != 3; i += 2) sum += own[i & 15];
    for (int i = 0; i <= 16; ++i) sum += own[(uchar)(i * 16) / 16];
    for (int i = 0; i <= 16; ++i) {
        if (i == 16) continue;
        sum += own[i];
    }
    for (int i = 0; i <= 16; ++i) {
        switch (n) { case 1: sum += own[i]; }
    }
    for (int i = 0; i <= 16; ++i) {
        int j = i;
        if (j > 15) j = 0;
        sum += own[j];
    }
    c = 3;
    const int was = c;
    for (c = 0; c <= 16; ++c) sum += own[was];
    for (c = 0; c <= 16; ++c) {
        sum += own[lid];
        for (c = 0; c < 16; ++c) sum += own[c];
    }
    if (N > 16) sum += s[16];
    if (N > 16 && lid == 0) sum += s[16];
    if (lid >= 16) s[16] = 0;
    if (get_local_size(0) > 16) s[16] = 0;
    if (x[0] > 0) s[16] = 0;
    for (int i = 16; i < N; ++i) s[16] += 1;
    int w = 16;
    while (w > 16) { s[16] = 0; w /= 2; }
    sum += N > 16 ? s[16] : s[0];
    __local float* end = &s[16];
    float* row = grid[4];
    sum += sizeof(s[16]) + end[0] + row[-1];
    if (lid >= n * 3) return;
    __local float later[8];
    if (get_local_size(0) == 8) return;
    later[8] = 0;
)"));
}

TEST_CASE("arrays whose size the text does not tell get no hint") {
    expect_hints(R"(
typedef float row[4];
typedef struct { float of[4]; } Box;
__constant float kWeights[] = {1, 2, 3};
float take(__local float* p, float q[4]) {
    float sum = 0;
    for (int i = 0; i < 100; ++i) sum += p[i] + q[i];
    return sum;
}
__kernel void k(__global float* x, __local float* given, const int n) {
    row rows[2] = {{0}};
    Box box;
    float4 v[2] = {0, 0};
    float open[] = {1, 2};
    float unknown[HOW_MANY] = {0};
    float (*p)[4] = rows;
    for (int i = 0; i < 4; ++i) box.of[i] = rows[1][i] + v[1].x + open[i] + unknown[i] + p[i][0];
    x[0] = given[1000] + kWeights[3] + box.of[7];
})");
}

TEST_CASE("numbers too large for the analysis give no hints and no errors") {
    expect_hints(R"(
__kernel void k(__global float* x) {
    float a[4] = {0};
    for (int i = 0; i < 9223372036854775807; ++i) a[i] = 0;
    for (long i = -9223372036854775807; i < 4; i += 4611686018427387904) a[i] = 0;
    for (long i = 0; i < 2147483648; ++i) a[i * 9223372036854775807 * 4] = 0;
    for (long i = 0; i < 4; i -= -2147483648) a[(i * 1048576) * 1048576 - 9223372036854775807] = 0;
    x[0] = a[18446744073709551615u] + a[0];
})");
}
