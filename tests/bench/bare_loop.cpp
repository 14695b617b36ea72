// SPDX-License-Identifier: Apache-2.0
// bare_loop: time one kernel of a square matrix product with plain OpenCL, one turn per request.
//   bare_loop FILE FUNCTION N EDGE [BUILD-OPTION …]
// Messages on stdin and stdout: {"type": "turn"} is answered with {"type": "turn", "samples_ms": […], "runs":
// number of all launches, "wall_ms": duration of the turn}. Exits at end-of-file.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <CL/opencl.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "ipc/channel.hpp"
#include "model/turn.hpp"

namespace {

std::string read_text(const char* path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw std::runtime_error(std::string("cannot read ") + path);
    return text.str();
}

class BareLoop {
public:
    BareLoop(const std::string& source, const char* function, int n, std::size_t edge,
             const std::string& options)
        : context_(device_),
          queue_(context_, device_, cl::QueueProperties::Profiling),
          global_((static_cast<std::size_t>(n) + edge - 1) / edge * edge),
          edge_(edge) {
        cl::Program program(context_, source);
        program.build(options.c_str());
        kernel_ = cl::Kernel(program, function);
        // No denormals, which CPUs process many times slower.
        std::mt19937 random(1);
        std::uniform_real_distribution<float> uniform(-1, 1);
        const std::size_t elements = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
        for (cl_uint i = 0; i < 3; ++i) {
            std::vector<float> values(elements);
            for (float& value : values) value = uniform(random);
            buffers_[i] = cl::Buffer(context_, CL_MEM_READ_WRITE, elements * sizeof(float));
            queue_.enqueueWriteBuffer(buffers_[i], CL_TRUE, 0, elements * sizeof(float), values.data());
            kernel_.setArg(i, buffers_[i]);
            kernel_.setArg(3 + i, n);
        }
    }

    kwb::Json take_turn() {
        unsigned runs = 0;
        const auto start = kwb::Clock::now();
        const auto run = [&] {
            ++runs;
            return run_once_ms();
        };
        const kwb::TurnRule rule;
        std::vector<double> samples_ms(kwb::count_recorded(rule, kwb::warm_up(rule, run)));
        for (double& sample_ms : samples_ms) sample_ms = run();
        const std::chrono::duration<double, std::milli> wall = kwb::Clock::now() - start;
        return {{"type", "turn"}, {"samples_ms", samples_ms}, {"runs", runs}, {"wall_ms", wall.count()}};
    }

private:
    double run_once_ms() {
        cl::Event event;
        queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, {global_, global_}, {edge_, edge_}, nullptr,
                                    &event);
        event.wait();
        return static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                   event.getProfilingInfo<CL_PROFILING_COMMAND_START>()) *
               1e-6;
    }

    cl::Device device_ = cl::Device::getDefault();
    cl::Context context_;
    cl::CommandQueue queue_;
    cl::Kernel kernel_;
    cl::Buffer buffers_[3];
    std::size_t global_;
    std::size_t edge_;
};

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 5) {
        std::fputs("usage: bare_loop FILE FUNCTION N EDGE [BUILD-OPTION ...]\n", stderr);
        return 2;
    }
    ::signal(SIGPIPE, SIG_IGN);
    std::string options = "-cl-kernel-arg-info";  // the workbench builds with this option
    for (int i = 5; i < argc; ++i) options += std::string(" ") + argv[i];
    BareLoop loop(read_text(argv[1]), argv[2], std::stoi(argv[3]),
                  static_cast<std::size_t>(std::stoul(argv[4])), options);
    kwb::Channel channel{kwb::Fd(STDIN_FILENO), kwb::Fd(STDOUT_FILENO)};
    while (!channel.closed()) {
        while (channel.take()) channel.send(loop.take_turn());
        pollfd ready{channel.read_fd(), POLLIN, 0};
        ::poll(&ready, 1, -1);
        channel.read_available();
    }
    return 0;
} catch (const cl::Error& error) {
    std::fprintf(stderr, "bare_loop: %s gave %d\n", error.what(), error.err());
    return 3;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bare_loop: %s\n", error.what());
    return 3;
}
