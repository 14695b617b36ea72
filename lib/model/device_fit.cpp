#include "model/device_fit.hpp"

#include <cmath>

#include "base/text.hpp"
#include "model/work_group.hpp"

namespace kwb {
namespace {

/// What GPUs of the usual vendors offer at least, and often at most.
constexpr std::uint64_t kTypicalGpuWorkGroup = 1024;
constexpr std::uint64_t kTypicalGpuLocalBytes = 48u << 10;

/// No size is named: what fits one buffer need not fit with the others, nor the memory that checking takes.
constexpr const char* kSmallerSize = "choose a smaller size";

/// The edge of the largest square that so many elements can fill.
std::uint64_t square_edge(std::uint64_t elements) {
    return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(elements)));
}

}  // namespace

std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b) {
    return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

std::uint64_t multiply_bytes(std::uint64_t a, std::uint64_t b) {
    return __builtin_mul_overflow(a, b, &a) ? UINT64_MAX : a;
}

std::optional<std::string> find_memory_fault(std::span<const BufferNeed> buffers, const DeviceInfo& device) {
    const std::uint64_t most = device.max_alloc_bytes > 0 ? device.max_alloc_bytes : UINT64_MAX;
    std::uint64_t total = 0;
    for (const BufferNeed& buffer : buffers) {
        const std::uint64_t payload = buffer.payload_bytes;
        const std::uint64_t whole = add_bytes(payload, buffer.around_bytes);
        if (whole > most || whole == UINT64_MAX)
            return "buffer " + buffer.name + " needs " +
                   (payload == UINT64_MAX ? "more than 2^64 bytes"
                    : payload > most      ? format_bytes(payload)
                                          : format_bytes(whole) + " with its guard zones") +
                   ", but " + device.name + " allows at most " + format_bytes(most) + " in one buffer; " +
                   kSmallerSize;
        total = add_bytes(total, whole);
    }
    if (device.global_mem_bytes > 0 && total > device.global_mem_bytes)
        return "all buffers together need " + format_bytes(total) + ", but " + device.name + " has " +
               format_bytes(device.global_mem_bytes) + " of memory; " + kSmallerSize;
    return std::nullopt;
}

std::uint64_t reference_bytes(const ProblemInstance& instance) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : instance.buffers) {
        const std::uint64_t type = buffer.type.bytes();
        const std::uint64_t numbers = buffer.type.width * sizeof(double);
        const std::uint64_t each =
            type +
            (buffer.access == Access::Read ? type + numbers : numbers + buffer.type.width * sizeof(float));
        bytes = add_bytes(bytes, multiply_bytes(buffer.elements(), each));
    }
    return bytes;
}

std::optional<std::string> find_checking_fault(std::uint64_t needed_bytes, std::uint64_t free_bytes) {
    if (free_bytes == 0 || needed_bytes <= free_bytes) return std::nullopt;
    return "checking the result needs " +
           (needed_bytes == UINT64_MAX ? "more than 2^64 bytes" : format_bytes(needed_bytes)) +
           " of this machine's memory, but " + format_bytes(free_bytes) + " are free; " + kSmallerSize;
}

std::optional<std::string> find_local_memory_fault(const std::string& kernel, std::uint64_t declared,
                                                   std::uint64_t asked, const DeviceInfo& device) {
    const std::uint64_t limit = device.local_mem_bytes;
    const std::uint64_t bytes = add_bytes(declared, asked);
    if (limit == 0 || bytes <= limit) return std::nullopt;
    const std::string parts = declared > 0 && asked > 0
                                  ? " (" + format_bytes(declared) + " declared in the source and " +
                                        format_bytes(asked) + " as arguments)"
                                  : "";
    const std::string edge = std::to_string(square_edge(limit / 8));
    return kernel + ": a work-group needs " + format_bytes(bytes) + " of local memory" + parts + ", but " +
           device.name + " has " + format_bytes(limit) + "; use smaller tiles: two of " + edge + "x" + edge +
           " floats would fit";
}

std::vector<std::string> warn_of_typical_gpus(const std::string& kernel,
                                              const std::vector<std::uint64_t>& local,
                                              std::uint64_t local_bytes) {
    std::vector<std::string> warnings;
    if (count_items(local) > kTypicalGpuWorkGroup) {
        std::vector<std::string> extents;
        for (const std::uint64_t extent : local) extents.push_back(std::to_string(extent));
        warnings.push_back(kernel + ": a work-group of " + join(extents, "x") + " has " +
                           std::to_string(count_items(local)) + " work-items, but most GPUs take at most " +
                           std::to_string(kTypicalGpuWorkGroup) + "; " +
                           describe_fit(local, kTypicalGpuWorkGroup, {}) + " there");
    }
    if (local_bytes > kTypicalGpuLocalBytes)
        warnings.push_back(kernel + ": a work-group uses " + format_bytes(local_bytes) +
                           " of local memory, but many GPUs have only " +
                           format_bytes(kTypicalGpuLocalBytes));
    return warnings;
}

}  // namespace kwb
