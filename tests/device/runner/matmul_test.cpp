// Whole paths: both ways of multiplying matrices, from source to numbers.
#include <doctest/doctest.h>

#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr const char* kNaive = R"(
kernel void naive(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
})";

constexpr const char* kTiled = R"(
kernel void tiled(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    local float a[TILE][TILE];
    local float b[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ly][lx] = row < M && k0 + lx < K ? A[row * K + k0 + lx] : 0;
        b[ly][lx] = k0 + ly < K && col < N ? B[(k0 + ly) * N + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) C[row * N + col] = sum;
})";

constexpr int kM = 33, kN = 20, kK = 17;

std::vector<float> small_integers(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 7 + i / 5) % 9) - 4;
    return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(kM * kN, 0.0f);
    for (std::size_t row = 0; row < kM; ++row)
        for (std::size_t col = 0; col < kN; ++col)
            for (std::size_t k = 0; k < kK; ++k) c[row * kN + col] += a[row * kK + k] * b[k * kN + col];
    return c;
}

}  // namespace

TEST_CASE("a naive and a barrier kernel multiply matrices of an awkward shape") {
    const auto a = small_integers(kM * kK);
    const auto b = small_integers(kK * kN);
    struct {
        const char* source;
        const char* name;
    } kernels[] = {{kNaive, "naive"}, {kTiled, "tiled"}};
    for (const auto& kernel : kernels) {
        CAPTURE(kernel.name);
        RunnerProcess runner;
        REQUIRE(runner.build(kernel.source, {}, "-DTILE=8").accepted);
        CHECK(runner.stages == std::vector<std::string>{"compile"});
        runner.fill_buffers({bytes_of(a), bytes_of(b), bytes_of(std::vector<float>(kM * kN, -1.0f))});
        auto request = one_launch(
            kernel.name, {24, 40}, {8, 8},
            {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, value(kM), value(kN), value(kK)});
        const ExecutedReply reply = runner.execute(request);
        CHECK(runner.stages == std::vector<std::string>{"first launch", "launch"});
        CHECK(runner.payload<float>(2) == product(a, b));
        CHECK(runner.payload<float>(0) == a);
        CHECK(reply.samples_ms.size() == 1);
        CHECK(reply.samples_ms[0] > 0);
        CHECK(reply.first_wall_ms >= reply.samples_ms[0]);
        CHECK(reply.launch_ms == reply.samples_ms);
    }
}
