#include "runner/device_memory.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "ocl/device_buffer.hpp"
#include "ocl/errors.hpp"
#include "ocl/paged_buffer.hpp"
#include "runner/stopwatch.hpp"

namespace kwb {
namespace {

constexpr const char* kOurFault = "this is a mistake of the workbench: please report it";

std::span<std::byte> place_of(const Transfer& transfer, const DeviceBuffer& buffer, Arena& arena) {
    return arena.range(transfer.offset, buffer.whole_bytes());
}

}  // namespace

DeviceMemory::DeviceMemory(cl::Context context, cl::Device device, cl::CommandQueue queue)
    : context_(std::move(context)), device_(std::move(device)), queue_(std::move(queue)) {}

void DeviceMemory::allocate(const BuffersRequest& request) {
    std::set<std::uint32_t> wanted;
    for (const auto& wish : request.buffers)
        if (!wanted.insert(wish.id).second)
            throw ClError::refusal("two buffers of number " + std::to_string(wish.id) + " were asked for",
                                   kOurFault);
    // Release before allocating: the old and the new buffers may not fit together.
    if (request.unreadable_pages != has_unreadable_pages_) buffers_.clear();
    has_unreadable_pages_ = request.unreadable_pages;
    std::erase_if(buffers_, [&](const auto& entry) {
        const DeviceBuffer& buffer = *entry.second.buffer;
        const BuffersRequest::Buffer shape{entry.first, buffer.front_bytes(), buffer.payload_bytes(),
                                           buffer.back_bytes()};
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
    for (const auto& wish : request.buffers)
        if (!buffers_.contains(wish.id)) buffers_.emplace(wish.id, make_entry(wish));
}

DeviceMemory::Entry DeviceMemory::make_entry(const BuffersRequest::Buffer& wish) {
    if (!has_unreadable_pages_)
        return {
            std::make_unique<GuardedBuffer>(context_, device_, wish.front_bytes, wish.bytes, wish.back_bytes),
            nullptr};
    auto buffer = std::make_unique<PagedBuffer>(context_, device_, wish.front_bytes, wish.bytes,
                                                wish.back_bytes, kUnreadableBytes);
    const FencedPages& pages = buffer->pages();
    const auto data = reinterpret_cast<std::uint64_t>(pages.data());
    auto watch =
        std::make_unique<WatchedBuffer>(wish.id, data - pages.fence_bytes(),
                                        data + pages.bytes() + pages.fence_bytes(), data + wish.front_bytes);
    return {std::move(buffer), std::move(watch)};
}

void DeviceMemory::clear_trace() {
    if (trace_) trace_->clear();
}

DeviceBuffer& DeviceMemory::buffer(std::uint32_t id) const {
    const auto found = buffers_.find(id);
    if (found == buffers_.end())
        throw ClError::refusal("there is no buffer of number " + std::to_string(id), kOurFault);
    return *found->second.buffer;
}

const DeviceBuffer& DeviceMemory::at(std::uint32_t id) const {
    return buffer(id);
}

namespace {

/// Maps the part of the arena that the transfers need.
Arena& reach(const DeviceMemory& memory, const std::vector<Transfer>& transfers,
             std::optional<Arena>& arena) {
    std::uint64_t end = 0;
    for (const Transfer& transfer : transfers)
        end = std::max(end, transfer.offset + memory.at(transfer.buffer).whole_bytes());
    if (!arena) throw ClError::refusal("this runner was started without shared memory", kOurFault);
    try {
        arena->require(end);
    } catch (const ProtocolError& error) {
        throw ClError::refusal(error.what(), kOurFault);
    }
    return *arena;
}

}  // namespace

double DeviceMemory::upload(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) {
    if (transfers.empty()) return 0;
    Arena& mapped = reach(*this, transfers, arena);
    const Stopwatch watch;
    for (const Transfer& transfer : transfers) {
        DeviceBuffer& target = buffer(transfer.buffer);
        target.write(queue_, place_of(transfer, target, mapped));
    }
    queue_.finish();
    return watch.ms();
}

double DeviceMemory::download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const {
    if (transfers.empty()) return 0;
    Arena& mapped = reach(*this, transfers, arena);
    const Stopwatch watch;
    for (const Transfer& transfer : transfers) {
        const DeviceBuffer& source = at(transfer.buffer);
        source.read(queue_, place_of(transfer, source, mapped));
    }
    queue_.finish();
    return watch.ms();
}

void DeviceMemory::vary(const std::vector<Variation>& variations, std::optional<std::size_t> number) {
    for (const auto& [id, offset, values] : variations)
        buffer(id).poke(queue_, offset, values[number ? 1 + *number % (values.size() - 1) : 0]);
}

void DeviceMemory::change(const std::vector<BufferOperation>& operations) {
    for (const BufferOperation& operation : operations) {
        DeviceBuffer& target = buffer(operation.buffer);
        if (!operation.copy_from) {
            target.fill(queue_, operation.pattern);
            continue;
        }
        const DeviceBuffer& source = at(*operation.copy_from);
        if (&source == &target || source.payload_bytes() != target.payload_bytes())
            throw ClError::refusal("a buffer can only be copied to another of the same size", kOurFault);
        target.copy(queue_, source);
    }
}

}  // namespace kwb
