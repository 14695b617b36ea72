#include "runner/device_memory.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "ocl/errors.hpp"
#include "runner/stopwatch.hpp"

namespace kwb {
namespace {

constexpr const char* kOurFault = "this is a mistake of the workbench: please report it";

std::span<std::byte> place_of(const Transfer& transfer, const GuardedBuffer& buffer, Arena& arena) {
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
    // Release before making: both together may not fit.
    std::erase_if(buffers_, [&](const auto& entry) {
        const auto& [id, buffer] = entry;
        return std::ranges::none_of(request.buffers, [&](const auto& other) {
            return other == BuffersRequest::Buffer{id, buffer.front_bytes(), buffer.payload_bytes(),
                                                   buffer.back_bytes()};
        });
    });
    for (const auto& wish : request.buffers)
        if (!buffers_.contains(wish.id))
            buffers_.emplace(wish.id,
                             GuardedBuffer(context_, device_, wish.front_bytes, wish.bytes, wish.back_bytes));
}

const GuardedBuffer& DeviceMemory::at(std::uint32_t id) const {
    const auto found = buffers_.find(id);
    if (found == buffers_.end())
        throw ClError::refusal("there is no buffer of number " + std::to_string(id), kOurFault);
    return found->second;
}

namespace {

/// Map the arena as far as all transfers reach.
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
        GuardedBuffer& buffer = buffers_.at(transfer.buffer);
        buffer.write(queue_, place_of(transfer, buffer, mapped));
    }
    queue_.finish();
    return watch.ms();
}

double DeviceMemory::download(const std::vector<Transfer>& transfers, std::optional<Arena>& arena) const {
    if (transfers.empty()) return 0;
    Arena& mapped = reach(*this, transfers, arena);
    const Stopwatch watch;
    for (const Transfer& transfer : transfers) {
        const GuardedBuffer& buffer = at(transfer.buffer);
        buffer.read(queue_, place_of(transfer, buffer, mapped));
    }
    queue_.finish();
    return watch.ms();
}

void DeviceMemory::change(const std::vector<BufferOperation>& operations) {
    if (operations.empty()) return;
    for (const BufferOperation& operation : operations) {
        at(operation.buffer);
        GuardedBuffer& buffer = buffers_.at(operation.buffer);
        if (!operation.copy_from) {
            buffer.fill(queue_, operation.pattern);
            continue;
        }
        const GuardedBuffer& source = at(*operation.copy_from);
        if (&source == &buffer || source.payload_bytes() != buffer.payload_bytes())
            throw ClError::refusal("a buffer can only be copied to another of the same size", kOurFault);
        buffer.copy(queue_, source);
    }
    queue_.finish();
}

}  // namespace kwb
