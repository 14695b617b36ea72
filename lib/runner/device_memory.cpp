// SPDX-License-Identifier: Apache-2.0
#include "runner/device_memory.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "ipc/channel.hpp"
#include "ocl/device_buffer.hpp"
#include "ocl/errors.hpp"

namespace kwb {
DeviceMemory::DeviceMemory(cl::Context context, cl::Device device, cl::CommandQueue queue)
    : context_(std::move(context)), device_(std::move(device)), queue_(std::move(queue)) {}

void DeviceMemory::allocate(const BuffersRequest& request) {
    std::set<std::uint32_t> wanted;
    for (const auto& asked : request.buffers)
        if (!wanted.insert(asked.id).second)
            throw ClError::mistake("two buffers have the number " + std::to_string(asked.id));
    // Release before allocating: the old and the new buffers may not fit together.
    if (request.unreadable_pages != has_unreadable_pages_) buffers_.clear();
    has_unreadable_pages_ = request.unreadable_pages;
    std::erase_if(buffers_, [&](const auto& entry) {
        const DeviceBuffer& buffer = *entry.second.buffer;
        const std::uint64_t own_bytes = buffer.pages() ? buffer.pages()->own_bytes() : buffer.whole_bytes();
        const BuffersRequest::Buffer shape{entry.first, buffer.front_bytes(), buffer.payload_bytes(),
                                           buffer.back_bytes(),
                                           own_bytes < buffer.whole_bytes() ? own_bytes : 0};
        return std::ranges::find(request.buffers, shape) == request.buffers.end();
    });
    if (!request.trace)
        trace_.reset();
    else if (!trace_)
        trace_ = std::make_unique<TracePage>();
    if (has_unreadable_pages_ && !works_in_place_) {
        require_works_in_place(context_, queue_);
        works_in_place_ = true;
    }
    for (const auto& asked : request.buffers)
        if (!buffers_.contains(asked.id)) buffers_.emplace(asked.id, make_entry(asked));
}

DeviceMemory::Entry DeviceMemory::make_entry(const BuffersRequest::Buffer& asked) {
    if (!has_unreadable_pages_)
        return {std::make_unique<DeviceBuffer>(context_, device_, asked.front_bytes, asked.bytes,
                                               asked.back_bytes),
                nullptr};
    auto buffer = std::make_unique<DeviceBuffer>(context_, device_, asked.front_bytes, asked.bytes,
                                                 asked.back_bytes, kUnreadableBytes, asked.repeated_bytes);
    const std::span<std::byte> all = buffer->pages()->all();
    const auto begin = reinterpret_cast<std::uint64_t>(all.data());
    const auto payload = reinterpret_cast<std::uint64_t>(buffer->pages()->data()) + asked.front_bytes;
    auto watch = std::make_unique<WatchedBuffer>(asked.id, begin, begin + all.size(), payload);
    return {std::move(buffer), std::move(watch)};
}

void DeviceMemory::move_small() const {
    for (const auto& [id, entry] : buffers_) entry.buffer->move(queue_);
}

void DeviceMemory::clear_trace() {
    if (trace_) trace_->clear();
}

DeviceBuffer& DeviceMemory::at(std::uint32_t id) const {
    const auto found = buffers_.find(id);
    if (found == buffers_.end()) throw ClError::mistake("no buffer has the number " + std::to_string(id));
    return *found->second.buffer;
}

namespace {

/// @param bytes_of  the number of bytes of an allocation to copy
/// @param move      copies between the allocation and its place in the arena
template <class BytesOf, class Move>
double transfer_all(const DeviceMemory& memory, const cl::CommandQueue& queue,
                    const std::vector<Transfer>& transfers, std::optional<Arena>& arena, BytesOf&& bytes_of,
                    Move&& move) {
    if (transfers.empty()) return 0;
    std::uint64_t end = 0;
    for (const Transfer& transfer : transfers)
        end = std::max(end, transfer.offset + bytes_of(memory.at(transfer.buffer)));
    if (!arena) throw ClError::mistake("this runner was started without shared memory");
    try {
        arena->require(end);
    } catch (const ProtocolError& error) {
        throw ClError::mistake(error.what());
    }
    const Stopwatch watch;
    for (const Transfer& transfer : transfers) {
        DeviceBuffer& buffer = memory.at(transfer.buffer);
        move(buffer, arena->range(transfer.offset, bytes_of(buffer)));
    }
    queue.finish();
    return watch.ms();
}

constexpr auto kWhole = [](const DeviceBuffer& buffer) { return buffer.whole_bytes(); };
constexpr auto kPayload = [](const DeviceBuffer& buffer) { return buffer.payload_bytes(); };

}  // namespace

double DeviceMemory::upload(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const {
    return transfer_all(*this, queue_, transfers, arena, kWhole,
                        [&](DeviceBuffer& buffer, auto place) { buffer.write(queue_, place); });
}

void DeviceMemory::upload_payloads(const std::vector<Transfer>& transfers,
                                   std::optional<Arena>& arena) const {
    transfer_all(*this, queue_, transfers, arena, kPayload,
                 [&](DeviceBuffer& buffer, auto place) { buffer.write_payload(queue_, place); });
}

double DeviceMemory::download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const {
    return transfer_all(*this, queue_, transfers, arena, kWhole,
                        [&](const DeviceBuffer& buffer, auto place) { buffer.read(queue_, place); });
}

void DeviceMemory::change(const std::vector<BufferOperation>& operations) {
    for (const BufferOperation& operation : operations) {
        DeviceBuffer& target = at(operation.buffer);
        if (!operation.copy_from) {
            target.fill(queue_, operation.pattern);
            continue;
        }
        const DeviceBuffer& source = at(*operation.copy_from);
        if (&source == &target || source.payload_bytes() != target.payload_bytes())
            throw ClError::mistake("a buffer can only be copied to another of the same size");
        target.copy(queue_, source);
    }
}

}  // namespace kwb
