// SPDX-License-Identifier: Apache-2.0
// Lesson 15: the host side. Called as PROGRAM A B C KERNEL.cl, it reads two vectors of floats from the files A and
// B, adds them on an OpenCL device with the kernel `add` of KERNEL.cl, and writes the sums to the file C.

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

std::string read_text(const char* name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<float> read_floats(const char* name) {
    const std::string bytes = read_text(name);
    const float* const first = reinterpret_cast<const float*>(bytes.data());
    return {first, first + bytes.size() / sizeof(float)};
}

void write_floats(const char* name, const std::vector<float>& numbers) {
    std::ofstream file(name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(numbers.data()),
               static_cast<std::streamsize>(numbers.size() * sizeof(float)));
}

int main(int, char** names) try {
    const std::vector<float> a = read_floats(names[1]), b = read_floats(names[2]);
    const std::size_t n = a.size();
    std::vector<float> c(n);

    // Where: a device, a context for what belongs to it, and a queue for its commands, which records their times.
    const cl::Device device = cl::Device::getDefault();
    const cl::Context context(device);
    const cl::CommandQueue queue(context, device, ____);

    // What: the program, compiled here for this device.
    const cl::Program program(context, read_text(names[4]));
    program.build();
    cl::Kernel kernel(program, "add");

    // With what: buffers in the device's memory, with sizes in bytes.
    const std::size_t bytes = ____;
    const cl::Buffer of_a(context, CL_MEM_READ_ONLY, bytes), of_b(context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer of_c(context, CL_MEM_WRITE_ONLY, bytes);
    queue.enqueueWriteBuffer(of_a, CL_FALSE, 0, n * sizeof(float), a.data());
    queue.enqueueWriteBuffer(of_b, CL_FALSE, 0, n * sizeof(float), b.data());

    // The kernel's arguments: A, B, C and N.
    kernel.setArg(0, of_a);
    kernel.setArg(1, of_b);
    ____;
    kernel.setArg(3, static_cast<cl_int>(n));

    // Whole work-groups of 64 work-items, enough for n elements.
    const std::size_t global = ____;
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(global), cl::NDRange(64), nullptr, &event);

    // The queue runs its commands in order. This call waits until its command is done, because c is used next.
    queue.enqueueReadBuffer(of_c, ____, 0, n * sizeof(float), c.data());

    // How long the kernel took on the device, in nanoseconds.
    const cl_ulong begin = event.getProfilingInfo<____>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    std::printf("kernel_ns=%llu\n", static_cast<unsigned long long>(end - begin));

    write_floats(names[3], c);
    return 0;
} catch (const cl::BuildError& error) {
    // The compiler's messages about the kernel, for each device.
    for (const auto& log : error.getBuildLog()) ____;
    return 1;
} catch (const cl::Error& error) {
    std::cerr << error.what() << " (" << error.err() << ")\n";
    return 1;
}
