// Correct tiled kernels, and loops with barriers that look similar but are not tiled.
#include <doctest/doctest.h>

#include "expect_hints.hpp"

using namespace kwb;

namespace {

const CorrectKernel kTiles[] = {
    {"transpose with a padded tile", R"(
#define T 32
#define ROWS 8
__kernel void transpose(__global const float* in, __global float* out, int w, int h) {
    __local float tile[T][T + 1];
    int x = get_group_id(0) * T + get_local_id(0);
    int y = get_group_id(1) * T + get_local_id(1);
    for (int j = 0; j < T; j += ROWS)
        if (x < w && y + j < h) tile[get_local_id(1) + j][get_local_id(0)] = in[(y + j) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + get_local_id(0);
    y = get_group_id(0) * T + get_local_id(1);
    for (int j = 0; j < T; j += ROWS)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[get_local_id(0)][get_local_id(1) + j];
})"},
    {"register-blocked product", R"(
#define TS 64
#define TSK 16
#define WPT 4
#define RTS (TS / WPT)
#define LPT ((TSK * WPT * WPT) / TS)
__kernel void gemm(const int M, const int N, const int K, const __global float* A, const __global float* B,
                   __global float* C) {
    const int tidm = get_local_id(0), tidn = get_local_id(1);
    const int offsetM = TS * get_group_id(0), offsetN = TS * get_group_id(1);
    __local float Asub[TSK][TS];
    __local float Bsub[TS][TSK + 2];
    float Areg, Breg[WPT], acc[WPT][WPT];
    for (int wm = 0; wm < WPT; wm++)
        for (int wn = 0; wn < WPT; wn++) acc[wm][wn] = 0.0f;
    const int numTiles = K / TSK;
    int t = 0;
    do {
        for (int la = 0; la < LPT; la++) {
            int tid = tidn * RTS + tidm;
            int id = la * RTS * RTS + tid;
            int row = id % TS;
            int col = id / TS;
            int tiled = TSK * t + col;
            Asub[col][row] = A[tiled * M + offsetM + row];
            Bsub[row][col] = B[tiled * N + offsetN + row];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TSK; k++) {
            for (int wn = 0; wn < WPT; wn++) Breg[wn] = Bsub[tidn + wn * RTS][k];
            for (int wm = 0; wm < WPT; wm++) {
                Areg = Asub[k][tidm + wm * RTS];
                for (int wn = 0; wn < WPT; wn++) acc[wm][wn] += Areg * Breg[wn];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        t++;
    } while (t < numTiles);
    for (int wm = 0; wm < WPT; wm++)
        for (int wn = 0; wn < WPT; wn++)
            C[(offsetN + tidn + wn * RTS) * M + offsetM + tidm + wm * RTS] = acc[wm][wn];
})"},
    {"product with two tiles in turn and one barrier a step", R"(
#define T 16
__kernel void gemm(__global const float* A, __global const float* B, __global float* C, int M, int N, int K) {
    __local float a[2][T][T], b[2][T][T];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int col = get_group_id(0) * T + lx, row = get_group_id(1) * T + ly;
    float sum = 0;
    int now = 0;
    a[0][ly][lx] = A[row * K + lx];
    b[0][ly][lx] = B[ly * N + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k0 = 0; k0 < K; k0 += T) {
        if (k0 + T < K) {
            a[1 - now][ly][lx] = A[row * K + k0 + T + lx];
            b[1 - now][ly][lx] = B[(k0 + T + ly) * N + col];
        }
        for (int k = 0; k < T; ++k) sum = mad(a[now][ly][k], b[now][k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    if (row < M && col < N) C[row * N + col] = sum;
})"},
    {"product with one-dimensional tiles and a barrier from the second step on", R"(
#define T 16
__kernel void gemm(__global const float* A, __global const float* B, __global float* C, int N) {
    __local float a[T * T], b[T * T];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int col = get_global_id(0), row = get_global_id(1);
    float4 sum = (float4)(0.0f);
    for (int t = 0; t < N / T; ++t) {
        if (t > 0) barrier(CLK_LOCAL_MEM_FENCE);
        a[ly * T + lx] = A[row * N + t * T + lx];
        b[ly * T + lx] = B[(t * T + ly) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) sum.x += a[ly * T + k] * b[k * T + lx];
    }
    C[row * N + col] = sum.x;
})"},
    {"stencil with a halo", R"(
#define WG 64
__kernel void blur(__global const float* in, __global float* out, const int n) {
    __local float t[WG + 2];
    const int lid = get_local_id(0), gid = get_global_id(0);
    t[lid + 1] = gid < n ? in[gid] : 0.0f;
    if (lid == 0) t[0] = gid > 0 ? in[gid - 1] : 0.0f;
    if (lid == WG - 1) t[WG + 1] = gid + 1 < n ? in[gid + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gid < n) out[gid] = (t[lid] + t[lid + 1] + t[lid + 2]) / 3;
})"},
    {"convolution with loops over the halo", R"(
#define TILE 16
#define R 3
__kernel void convolve(__global const float* in, __global float* out, __constant float* f, int w, int h) {
    __local float t[TILE + 2 * R][TILE + 2 * R];
    const int x0 = get_group_id(0) * TILE - R, y0 = get_group_id(1) * TILE - R;
    for (int y = get_local_id(1); y < TILE + 2 * R; y += TILE)
        for (int x = get_local_id(0); x < TILE + 2 * R; x += TILE)
            t[y][x] = in[clamp(y0 + y, 0, h - 1) * w + clamp(x0 + x, 0, w - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int dy = 0; dy <= 2 * R; ++dy)
        for (int dx = 0; dx <= 2 * R; ++dx)
            sum += t[get_local_id(1) + dy][get_local_id(0) + dx] * f[dy * (2 * R + 1) + dx];
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) out[y * w + x] = sum;
})"},
    {"separable convolution with a fixed number of steps", R"(
#define STEPS 8
#define HALO 1
#define BX 16
#define BY 4
__kernel void rows(__global float* dst, __global const float* src, __constant float* c, int pitch) {
    __local float l[BY][(STEPS + 2 * HALO) * BX];
    const int base = (get_group_id(0) * STEPS - HALO) * BX + get_local_id(0);
    src += get_global_id(1) * pitch + base;
    for (int i = HALO; i < HALO + STEPS; i++) l[get_local_id(1)][get_local_id(0) + i * BX] = src[i * BX];
    for (int i = 0; i < HALO; i++)
        l[get_local_id(1)][get_local_id(0) + i * BX] = base + i * BX >= 0 ? src[i * BX] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = HALO; i < HALO + STEPS; i++) {
        float sum = 0;
        for (int j = -8; j <= 8; j++) sum += c[8 - j] * l[get_local_id(1)][get_local_id(0) + i * BX + j];
        dst[get_global_id(1) * pitch + base + i * BX] = sum;
    }
})"},
    {"each group works through a fixed number of rows", R"(
#define ROWS 8
#define WG 64
__kernel void flip(__global const float* in, __global float* out, int width) {
    __local float line[WG];
    const int lid = get_local_id(0);
    for (int r = 0; r < ROWS; ++r) {
        line[lid] = in[(get_group_id(0) * ROWS + r) * width + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[(get_group_id(0) * ROWS + r) * width + lid] = line[WG - 1 - lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
})"},
    {"bodies in tiles, the last one shorter", R"(
__kernel void forces(__global const float4* p, __global float4* f, int n, __local float4* tile) {
    const int i = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    const float4 me = i < n ? p[i] : sum;
    for (int t = 0; t < n; t += size) {
        tile[lid] = t + lid < n ? p[t + lid] : (float4)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int last = min(size, n - t);
        for (int j = 0; j < last; ++j) sum += tile[j] - me;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) f[i] = sum;
})"},
};

}  // namespace

TEST_CASE("good kernels with tiles get no hints") {
    expect_silence(kTiles);
}
TEST_CASE("loops of few rounds with barriers that walk over something else than tiles get no hints") {
    // interleaved and planar colour channels
    expect_hints(R"(
__kernel void blur(__global const float* in, __global float* out, int w, int h) {
    __local float t[18];
    const int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
    for (int c = 0; c < 3; ++c) {
        t[l + 1] = in[(y * w + x) * 3 + c];
        if (l == 0) t[0] = t[17] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[(y * w + x) * 3 + c] = t[l] + t[l + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
__kernel void grey(__global const float* in, __global float* out, int w, int h) {
    __local float t[18];
    const int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
    float sum = 0;
    for (int c = 0; c < 3; ++c) {
        t[l + 1] = in[c * w * h + y * w + x];
        if (l == 0) t[0] = t[17] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[l] + t[l + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * w + x] = sum;
}
)");
    // a group's share, processed in two parts
    expect_hints(R"(
__kernel void halves(__global const float* in, __global float* out, int n) {
    __local float t[256];
    const int l = get_local_id(0);
    const int first = get_group_id(0) * 512;
    float sum = 0;
    for (int half_ = 0; half_ < 2; ++half_) {
        t[l] = in[first + half_ * 256 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[255 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
__kernel void strides(__global const float* in, __global float* out, int n) {
    __local float t[256];
    const int l = get_local_id(0);
    float sum = 0;
    for (int i = 0; i < 1024; i += 256) {
        t[l] = in[get_global_id(0) + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[255 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
)");
}
