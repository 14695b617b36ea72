// Launches that run one after the other, timed by the device's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ocl/device_buffer.hpp"
#include "ocl/program.hpp"

namespace kwb {

struct LocalBytes {
    std::uint64_t bytes = 0;
};
/// A buffer, the bytes of a scalar, or local memory.
using LaunchArgument = std::variant<const DeviceBuffer*, std::vector<std::uint8_t>, LocalBytes>;

struct Launch {
    KernelFunction function;
    std::vector<std::uint64_t> global;      ///< 1 to 3 dimensions, each at least 1
    std::vector<std::uint64_t> local;       ///< as many, or empty: the driver chooses
    std::vector<LaunchArgument> arguments;  ///< all, in order
    std::uint64_t repeat = 1;               ///< at least 1
    /// After each repeat the two change places in the arguments of this and all later launches of the run.
    std::optional<std::pair<const DeviceBuffer*, const DeviceBuffer*>> swap;
};

/// Callbacks that tell whether the driver is still compiling or the kernel is running.
struct CompileWatch {
    std::function<bool(const Launch&)> may_compile;  ///< this launch is new to the driver
    std::function<void()> compiling;                 ///< called before such a launch
    /// Called just before the kernel starts, by a thread of the driver (PoCL compiles in the thread that runs
    /// the kernel); not called by drivers that do not report it.
    std::function<void()> running;
};

/// Prepared launches that can run many times. Buffers must outlive it.
class LaunchSequence {
public:
    /// Most kernels that one run may enqueue: each keeps an event until the run is over.
    static constexpr std::uint64_t kMostEnqueued = 100'000;

    /// @throws ClError  a launch that cannot run: dimensions, arguments, local memory; says which
    LaunchSequence(const cl::Program& program, const cl::CommandQueue& queue, std::vector<Launch> launches);
    LaunchSequence(const LaunchSequence&) = delete;
    LaunchSequence& operator=(const LaunchSequence&) = delete;

    /// Enqueue everything, wait for the last, read the clock.
    /// @return  first START to last END, in ms
    /// @throws ClError
    /// @param watch  launches that may compile run one by one, so that it is known which one does
    double run(const CompileWatch* watch = nullptr);

    /// Per launch of the last run(): START to END in ms, summed over its repeats.
    const std::vector<double>& launch_ms() const { return launch_ms_; }

private:
    /// A buffer argument as asked for, and as it is set now.
    struct BufferSlot {
        cl_uint index;
        const DeviceBuffer* asked;
        const DeviceBuffer* set;
    };
    /// Which buffer currently replaces another after swaps.
    struct Place {
        const DeviceBuffer* asked;
        const DeviceBuffer* now;
    };
    struct Prepared {
        Launch launch;
        cl::Kernel kernel;
        std::vector<std::size_t> global;
        std::vector<std::size_t> local;
        std::vector<BufferSlot> buffers;
    };

    void prepare(Prepared& prepared, const cl::Program& program);
    void set_buffers(Prepared& prepared);
    Place* find_place(const DeviceBuffer* asked);
    void enqueue(Prepared& prepared, const CompileWatch* watch);
    cl::Event enqueue_once(const Prepared& prepared, const cl::Event* after);
    cl::Event run_watched(const Prepared& prepared, const CompileWatch& watch);
    double read_clock();

    cl::CommandQueue queue_;
    cl::Device device_;
    std::vector<Prepared> launches_;
    std::vector<cl::Event> events_;  ///< of the current run, in order
    std::vector<Place> places_;      ///< of the buffers that any launch swaps
    std::vector<double> launch_ms_;
};

}  // namespace kwb
