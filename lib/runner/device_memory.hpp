// The buffers that a judge has asked for, by number, and their traffic with the arena.
#pragma once

#include <map>
#include <optional>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/buffer.hpp"

namespace kwb {

class DeviceMemory {
public:
    DeviceMemory(cl::Context context, cl::Device device, cl::CommandQueue queue);

    /// Make what `request` names, keep what is there already, release the rest.
    /// @throws ClError  two of one number, or no room; what was released stays released
    void allocate(const BuffersRequest& request);

    /// @throws ClError  no such buffer
    const GuardedBuffer& at(std::uint32_t id) const;

    /// Copy whole allocations and wait. @return  wall clock in ms
    /// @throws ClError  no such buffer, no arena, or a place beyond its end
    double upload(const std::vector<Transfer>& transfers, std::optional<Arena>& arena);
    double download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const;

    /// Fill and copy payloads, and wait.
    /// @throws ClError  no such buffer, or two of different size
    void change(const std::vector<BufferOperation>& operations);

private:
    cl::Context context_;
    cl::Device device_;
    cl::CommandQueue queue_;
    std::map<std::uint32_t, GuardedBuffer> buffers_;
};

}  // namespace kwb
