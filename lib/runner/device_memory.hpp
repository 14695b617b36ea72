// SPDX-License-Identifier: Apache-2.0
// The numbered buffers that the judge has requested, and transfers between them and the arena.
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

    /// Allocates the buffers that `request` lists, keeps those that already exist, releases all others.
    /// With unreadable pages every buffer is watched (fault_report.hpp).
    /// @throws ClError  a duplicate number, out of memory, or a device that cannot use unreadable pages;
    ///         released buffers stay released
    void allocate(const BuffersRequest& request);

    /// @throws ClError  no such buffer
    DeviceBuffer& at(std::uint32_t id) const;

    /// Copies whole allocations and waits. @return  wall-clock time in ms
    /// @throws ClError  no such buffer, no arena, or a range beyond its end
    double upload(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const;
    /// Copies payloads and waits. @throws ClError  as above
    void upload_payloads(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const;
    double download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const;

    /// Enqueues fills and copies of payloads.
    /// @throws ClError  no such buffer, or two buffers of different size
    void change(const std::vector<BufferOperation>& operations);

    /// Moves the small buffers, see DeviceBuffer::move().
    void move_small() const;

    /// Clears the record of the last work-item.
    void clear_trace();

private:
    struct Entry {
        std::unique_ptr<DeviceBuffer> buffer;
        std::unique_ptr<WatchedBuffer> watch;  ///< only with unreadable pages; destroyed before the buffer
    };

    Entry make_entry(const BuffersRequest::Buffer& asked);

    cl::Context context_;
    cl::Device device_;
    cl::CommandQueue queue_;
    std::map<std::uint32_t, Entry> buffers_;
    bool has_unreadable_pages_ = false;  ///< true for all buffers or for none
    bool works_in_place_ = false;        ///< require_works_in_place() has succeeded
    std::unique_ptr<TracePage> trace_;
};

}  // namespace kwb
