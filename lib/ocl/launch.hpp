// SPDX-License-Identifier: Apache-2.0
// Launches that run one after the other and are timed by the device's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "model/launch.hpp"
#include "ocl/device_buffer.hpp"

namespace kwb {

/// Callbacks that report whether the driver is still compiling or the kernel is running.
struct CompileWatch {
    /// True if the driver may compile for this launch, because it is new.
    std::function<bool(const Launch&)> may_compile;
    std::function<void()> compiling;  ///< called before such a launch
    /// Called just before the kernel starts, in a thread of the driver (PoCL compiles in the thread that runs
    /// the kernel). Drivers that do not report this call it late or never.
    std::function<void()> running;
};

/// Launches that can run repeatedly. The buffers and the launches must outlive it.
class LaunchSequence {
public:
    using FindBuffer = std::function<const DeviceBuffer&(std::uint32_t)>;

    /// Maximum number of kernels that one run may enqueue: each has an event that lives until the run is
    /// over.
    static constexpr std::uint64_t kMostEnqueued = 100'000;

    /// @param functions  of the program
    /// @throws ClError  a launch is invalid: its function, dimensions, arguments or local memory; names which
    LaunchSequence(const cl::Program& program, const std::vector<FunctionInfo>& functions,
                   const cl::CommandQueue& queue, const std::vector<Launch>& launches,
                   const FindBuffer& find_buffer);
    LaunchSequence(const LaunchSequence&) = delete;
    LaunchSequence& operator=(const LaunchSequence&) = delete;

    /// Enqueues everything, waits for the last launch, reads the clock.
    /// @return  first START to last END, in ms
    /// @throws ClError
    /// @param watch  launches that may compile run one at a time, so that the compiling one is known
    double run(const CompileWatch* watch = nullptr);

    /// Copy the content of buffers to the images of them, before a run; does not wait.
    void load_images();
    /// Copy it back from those that a kernel may have written, and wait.
    void store_images();

    /// For each launch of the last run(): START to END in ms, summed over its repeats.
    const std::vector<double>& launch_ms() const { return launch_ms_; }

private:
    /// A buffer argument: the number given in the launch, and the buffer that is set now.
    struct BufferSlot {
        cl_uint index;
        std::uint32_t id;
        const DeviceBuffer* set;
    };
    struct Image {
        const DeviceBuffer* content;
        cl::Image2D image;
        bool is_written;
    };
    struct Step {
        const Launch& launch;
        cl::Kernel kernel;  ///< one for each launch, so that most arguments are set only once
        std::vector<BufferSlot> buffers;
        std::vector<cl::Sampler> samplers;
    };

    void set_arguments(Step& step, const FunctionInfo& function, const FindBuffer& find_buffer);
    int set_image(const cl::Kernel& kernel, cl_uint index, const ImageArgument& argument,
                  const FindBuffer& find_buffer);
    void refuse_mixed_use() const;
    void set_swapped(Step& step);
    void enqueue(Step& step, const CompileWatch* watch);
    cl::Event enqueue_once(const Step& step, const cl::Event* after);
    cl::Event run_watched(const Step& step, const CompileWatch& watch);
    double read_clock();

    cl::CommandQueue queue_;
    std::vector<Step> steps_;
    std::map<std::uint32_t, Image> images_;  ///< by the numbers of their buffers
    std::vector<cl::Event> events_;          ///< of the current run, in order
    /// The buffers that any launch swaps, by number: at the start of a run, and now.
    std::map<std::uint32_t, const DeviceBuffer*> unswapped_;
    std::map<std::uint32_t, const DeviceBuffer*> swapped_;
    std::vector<double> launch_ms_;
};

}  // namespace kwb
