// SPDX-License-Identifier: Apache-2.0
#include "runner/warm_up.hpp"

#include <string>

#include "base/secret.hpp"
#include "ocl/program.hpp"

namespace kwb {
namespace {

constexpr const char* kKernel = "kwb_warm_up";
constexpr std::size_t kTile = 8;  // every device has work-groups of 64
constexpr const char* kSource = R"(
#define TILE 8
__kernel void kwb_warm_up(__global const float* A, __global float* C, const int N) {
    __local float a[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    float sum = 0;
    for (int first = 0; first < N; first += TILE) {
        a[y][x] = get_global_id(1) < N && first + x < N ? A[get_global_id(1) * N + first + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * a[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) < N) C[get_global_id(1) * N + get_global_id(0)] = sum;
}
)";

}  // namespace

void warm_up(const cl::Context& context, const cl::Device& device, const cl::CommandQueue& queue) {
    const std::string text = kSource + ("// " + std::to_string(draw_secret()) + "\n");
    const BuildOutcome built = build_program(context, device, {"warm_up.cl", text, {}, ""});
    if (built.program() == nullptr) return;
    cl::Kernel kernel(built.program, kKernel);
    const std::size_t bytes = kTile * kTile * sizeof(float);
    const cl::Buffer from(context, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer to(context, CL_MEM_READ_WRITE, bytes);
    kernel.setArg(0, from);
    kernel.setArg(1, to);
    kernel.setArg(2, static_cast<cl_int>(kTile));
    const cl::NDRange group(kTile, kTile);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, group, group);
    queue.finish();
}

}  // namespace kwb
