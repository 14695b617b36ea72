#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "expect_hints.hpp"

using namespace kwb;

// Published tutorial kernels in OpenCL C, including their mistakes.

TEST_CASE(
    "Numba's tiled product for CUDA: a guard with `and`, a return before barriers, a loop over the groups") {
    expect_hints(R"(
#define TPB 16
__kernel void fast_matmul(__global const float* A, __global const float* B, __global float* C,
                          int M, int N, int K) {
    __local float sA[TPB][TPB];
    __local float sB[TPB][TPB];

    int x = get_global_id(0);
    int y = get_global_id(1);

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int bpg = get_num_groups(0);

    if (x >= M && y >= N) {  // hint: || instead of &&
        return;  // hint: miss the barrier in line 27
    }

    float tmp = 0.0f;
    for (int i = 0; i < bpg; i++) {  // hint: get_num_groups
        // Preload data into local memory
        sA[tx][ty] = A[x * K + ty + i * TPB];
        sB[tx][ty] = B[(tx + i * TPB) * N + y];

        // Wait until all work-items finish preloading

        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < TPB; j++) {
            tmp += sA[tx][j] * sB[j][ty];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[x * N + y] = tmp;
})");
}

TEST_CASE("Numba's tiled product for ROC: a return before barriers, and a loop up to a constant grid size") {
    expect_hints(R"(
#define blocksize 16
#define gridsize 16
__kernel void matmulfast(__global const float* A, __global const float* B, __global float* C,
                         int M, int N, int K) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    __local float sA[blocksize][blocksize];
    __local float sB[blocksize][blocksize];

    if (x >= M || y >= N)
        return;  // hint: miss the barrier in line 22

    float tmp = 0;

    for (int i = 0; i < gridsize; i++) {  // hint: a constant (16)
        // preload
        sA[tx][ty] = A[x * K + ty + i * blocksize];
        sB[tx][ty] = B[(tx + i * blocksize) * N + y];
        barrier(1);
        for (int j = 0; j < blocksize; j++)
            tmp += sA[tx][j] * sB[j][ty];
        barrier(1);
    }
    C[x * N + y] = tmp;
})");
}

TEST_CASE("Numba's naive product has no such mistakes") {
    expect_hints(R"(
__kernel void matmul(__global const float* A, __global const float* B, __global float* C, int M, int N, int K) {
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i >= M || j >= N)
        return;
    float tmp = 0;
    for (int k = 0; k < K; k++) tmp += A[i * K + k] * B[k * N + j];
    C[i * N + j] = tmp;
})");
}

TEST_CASE("the scraped HSA page lost its barriers") {
    expect_hints(R"(
#define blocksize 20
#define gridsize 20
__kernel void matmulfast(__global const float* A, __global const float* B, __global float* C,
                         int M, int N, int K) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    __local float sA[blocksize][blocksize];
    __local float sB[blocksize][blocksize];
    if (x >= M || y >= N) return;
    float tmp = 0;
    for (int i = 0; i < gridsize; i++) {  // hint: a constant (20)
        sA[tx][ty] = A[x * K + ty + i * blocksize];  // hint: still be reading
        sB[tx][ty] = B[(tx + i * blocksize) * N + y];
        for (int j = 0; j < blocksize; j++)
            tmp += sA[tx][j] * sB[j][ty];  // hint: no barrier between
    }
    C[x * N + y] = tmp;
})");
}

TEST_CASE("Kernel Tuner's naive product has only a constant width and no tiles: nothing to say") {
    expect_hints(R"(
#define WIDTH 4096
#define block_size_x 16
#define block_size_y 16
__kernel void matmul_kernel(__global float* C, __global float* A, __global float* B) {
    int x = get_group_id(0) * block_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y + get_local_id(1);
    float sum = 0.0;

    for (int k = 0; k < WIDTH; k++) {
        sum += A[y * WIDTH + k] * B[(y + i) * WIDTH + x];
    }

    C[y * WIDTH + x] = sum;
})");
}

TEST_CASE("Kernel Tuner's tiled product runs to a constant width") {
    expect_hints(R"(
#define WIDTH 4096
#define block_size 16
__kernel void matmul_kernel(__global float* C, __global float* A, __global float* B) {
    __local float sA[block_size][block_size];
    __local float sB[block_size][block_size];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size + tx;
    int y = get_group_id(1) * block_size + ty;
    float sum = 0.0;
    int k, kb;

    for (k = 0; k < WIDTH; k += block_size) {  // hint: a constant (4096)
        barrier(CLK_LOCAL_MEM_FENCE);
        sA[ty][tx] = A[y * WIDTH + k + tx];
        sB[ty][tx] = B[(k + ty) * WIDTH + x];
        barrier(CLK_LOCAL_MEM_FENCE);

        for (kb = 0; kb < block_size; kb++) {
            sum += sA[ty][kb] * sB[kb][tx];
        }
    }
    C[y * WIDTH + x] = sum;
})");
}

TEST_CASE("Kernel Tuner's product with more work an item never zeroes its sums") {
    SourceText source;
    source.text = R"(
#ifndef WIDTH
#define WIDTH 4096
#endif
__kernel void matmul_kernel(__global float* C, __global float* A, __global float* B) {
    __local float sA[block_size_y * tile_size_y][block_size_x];
    __local float sB[block_size_y * tile_size_y][block_size_x * tile_size_x];

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size_x * tile_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y * tile_size_y + get_local_id(1);
    int k, kb;
    float sum[tile_size_y][tile_size_x];

    for (k = 0; k < WIDTH; k += block_size_x) {  // hint: a constant (4096)
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int i = 0; i < tile_size_y; i++) {
            sA[ty + block_size_y * i][tx] = A[y * WIDTH + block_size_y * i * WIDTH + k + tx];

            #pragma unroll
            for (int j = 0; j < tile_size_x; j++) {
                sB[ty + block_size_y * i][tx + j * block_size_x] =
                    B[(k + ty + block_size_y * i) * WIDTH + x + j * block_size_x];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        #pragma unroll
        for (kb = 0; kb < block_size_x; kb++) {
            #pragma unroll
            for (int i = 0; i < tile_size_y; i++) {
                #pragma unroll
                for (int j = 0; j < tile_size_x; j++) {
                    sum[i][j] += sA[ty + block_size_y * i][kb] * sB[kb][tx + j * block_size_x];  // hint: before it was given
                }
            }
        }
    }

    for (int i = 0; i < tile_size_y; i++) {
        for (int j = 0; j < tile_size_x; j++) {
            C[y * WIDTH + x + block_size_y * i * WIDTH + j * block_size_x] = sum[i][j];
        }
    }
})";
    source.macros = {
        {"block_size_x", "16"}, {"block_size_y", "8"}, {"tile_size_x", "4"}, {"tile_size_y", "2"}};
    expect_hints(source);
    // With the width given as a size of the run, the loop is no longer a fixed one; the other hints stay.
    source.macros.push_back({"WIDTH", "512"});
    source.text.replace(source.text.find("// hint: a constant"), 19, "//");
    expect_hints(source, {512, 512, 512});
}

// No false positives for the shipped kernels.

/// Shipped as an example of a wrong kernel, so a hint may be justified.
static bool is_wrong_on_purpose(const std::string& source) {
    return source.find("[expect]") != std::string::npos;
}

TEST_CASE("the shipped kernels get no hints at any value of their parameters") {
    int kernels = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(KWB_KERNELS)) {
        if (entry.path().extension() != ".cl") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        if (is_wrong_on_purpose(text.str())) continue;
        for (const char* value : {"", "1", "4", "8", "16", "32"}) {
            SourceText source{text.str()};
            // set every parameter, whatever its name
            if (*value != '\0')
                for (const char* name : {"TILE", "WPT", "WIDTH", "CHAINS", "TS"})
                    if (source.text.find(name) != std::string::npos) source.macros.push_back({name, value});
            if (*value != '\0' && source.macros.empty()) continue;
            CAPTURE(entry.path().string());
            expect_hints(source, {512, 512, 512});
        }
        ++kernels;
    }
    CHECK(kernels >= 2);
}
