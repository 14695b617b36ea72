// The buffers that a judge has asked for, by number, and their traffic with the arena.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"
#include "ocl/device_buffer.hpp"
#include "runner/fault_report.hpp"

namespace kwb {

class DeviceMemory {
public:
    DeviceMemory(cl::Context context, cl::Device device, cl::CommandQueue queue);

    /// Make what `request` names, keep what is there already, release the rest.
    /// With unreadable pages every buffer is watched (fault_report.hpp).
    /// @throws ClError  two of one number, no room, or a device for which there are no unreadable pages; what
    /// was released stays released
    void allocate(const BuffersRequest& request);

    /// @throws ClError  no such buffer
    const DeviceBuffer& at(std::uint32_t id) const;

    /// Copy whole allocations and wait. @return  wall clock in ms
    /// @throws ClError  no such buffer, no arena, or a place beyond its end
    double upload(const std::vector<Transfer>& transfers, std::optional<Arena>& arena);
    double download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const;

    /// Fill and copy payloads, in order with what the queue holds.
    /// @throws ClError  no such buffer, or two of different size
    void change(const std::vector<BufferOperation>& operations);

    /// Give each variation's place its foreign value of that number (from the first again after the last), or
    /// its own if there is no number, in order with what the queue holds; `variations` live until that is
    /// done.
    /// @throws ClError  no such buffer, or a place beyond its payload
    void vary(const std::vector<Variation>& variations, std::optional<std::size_t> number);

    /// No work-item has been at work yet.
    void clear_trace();

private:
    struct Entry {
        std::unique_ptr<DeviceBuffer> buffer;
        std::unique_ptr<WatchedBuffer> watch;  ///< between unreadable pages; ends before the buffer
    };

    Entry make_entry(const BuffersRequest::Buffer& wish);
    DeviceBuffer& buffer(std::uint32_t id) const;

    cl::Context context_;
    cl::Device device_;
    cl::CommandQueue queue_;
    std::map<std::uint32_t, Entry> buffers_;
    bool has_unreadable_pages_ = false;  ///< all of them, or none
    bool works_in_place_ = false;        ///< has been tried
    std::unique_ptr<TracePage> trace_;
};

}  // namespace kwb
