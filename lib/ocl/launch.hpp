// Launches that run one after the other and are timed by the device's clock.
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
    std::vector<std::uint64_t> local;       ///< as many dimensions, or empty: the driver chooses
    std::vector<LaunchArgument> arguments;  ///< all of them, in order
    std::uint64_t repeat = 1;               ///< at least 1
    /// After each repeat the two buffers are swapped in the arguments of this and all later launches of the
    /// run.
    std::optional<std::pair<const DeviceBuffer*, const DeviceBuffer*>> swap;
};

/// Callbacks that report whether the driver is still compiling or the kernel is running.
struct CompileWatch {
    /// True if the driver may compile for this launch, because it is new.
    std::function<bool(const Launch&)> may_compile;
    std::function<void()> compiling;  ///< called before such a launch
    /// Called just before the kernel starts, in a thread of the driver (PoCL compiles in the thread that runs
    /// the kernel). Drivers that do not report this call it late or never.
    std::function<void()> running;
};

/// Prepared launches that can run repeatedly. The buffers must outlive it.
class LaunchSequence {
public:
    /// Maximum number of kernels that one run may enqueue: each has an event that lives until the run is
    /// over.
    static constexpr std::uint64_t kMostEnqueued = 100'000;

    /// @throws ClError  a launch is invalid: dimensions, arguments or local memory; says which
    LaunchSequence(const cl::Program& program, const cl::CommandQueue& queue, std::vector<Launch> launches);
    LaunchSequence(const LaunchSequence&) = delete;
    LaunchSequence& operator=(const LaunchSequence&) = delete;

    /// Enqueues everything, waits for the last launch, reads the clock.
    /// @return  first START to last END, in ms
    /// @throws ClError
    /// @param watch  launches that may compile run one at a time, so that the compiling one is known
    double run(const CompileWatch* watch = nullptr);

    /// For each launch of the last run(): START to END in ms, summed over its repeats.
    const std::vector<double>& launch_ms() const { return launch_ms_; }

private:
    /// A buffer argument as given in the launch, and as it is set now.
    struct BufferSlot {
        cl_uint index;
        const DeviceBuffer* asked;
        const DeviceBuffer* set;
    };
    /// The buffer that currently replaces another one after swaps.
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
