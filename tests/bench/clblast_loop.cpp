// SPDX-License-Identifier: Apache-2.0
// clblast_loop: time CLBlast's single-precision product of square matrices on the first OpenCL device.
//   clblast_loop N RUNS
// Prints the median time of a run in ms, excluding the first run, which compiles.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <clblast_c.h>

#include <CL/opencl.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double median_ms(std::size_t n, int runs) {
    const cl::Device device = cl::Device::getDefault();
    const cl::Context context(device);
    cl::CommandQueue queue(context, device);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(n * n);
    for (float& value : values) value = uniform(random);
    const auto make_buffer = [&] {
        return cl::Buffer(queue, values.begin(), values.end(), /*readOnly=*/false);
    };
    const cl::Buffer a = make_buffer(), b = make_buffer(), c = make_buffer();

    std::vector<double> times_ms;
    for (int run = 0; run <= runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        cl_command_queue raw_queue = queue();
        const CLBlastStatusCode status =
            CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1.0f, a(), 0,
                         n, b(), 0, n, 0.0f, c(), 0, n, &raw_queue, nullptr);
        if (status != CLBlastSuccess)
            throw std::runtime_error("CLBlastSgemm: code " + std::to_string(status));
        queue.finish();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (run > 0) times_ms.push_back(took.count());
    }
    std::ranges::sort(times_ms);
    return times_ms[times_ms.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "clblast_loop N RUNS\n");
        return 2;
    }
    try {
        std::printf("%.6f\n", median_ms(std::strtoul(argv[1], nullptr, 10), std::max(1, std::atoi(argv[2]))));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "clblast_loop: %s\n", error.what());
        return 1;
    }
}
