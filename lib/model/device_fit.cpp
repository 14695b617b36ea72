// SPDX-License-Identifier: Apache-2.0
#include "model/device_fit.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb {
namespace {

/// Limits that GPUs of the common vendors support at least, and that many do not exceed.
constexpr std::uint64_t kTypicalGpuWorkGroup = 1024;
constexpr std::uint64_t kTypicalGpuLocalBytes = 48u << 10;

double as_number(std::uint64_t count) {
    return static_cast<double>(count);
}

/// Larger than any work-group in one dimension; bounds the search in dividing_work_group().
constexpr std::uint64_t kMostDivisor = 1u << 16;

}  // namespace

std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b) {
    return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

std::uint64_t multiply_bytes(std::uint64_t a, std::uint64_t b) {
    return __builtin_mul_overflow(a, b, &a) ? UINT64_MAX : a;
}

std::optional<Finding> find_memory_fault(std::span<const BufferNeed> buffers, const DeviceInfo& device) {
    const std::uint64_t most = device.max_alloc_bytes > 0 ? device.max_alloc_bytes : UINT64_MAX;
    std::uint64_t total = 0;
    for (const BufferNeed& buffer : buffers) {
        const std::uint64_t payload = buffer.payload_bytes;
        const std::uint64_t whole = add_bytes(payload, buffer.around_bytes);
        const bool guarded = payload <= most && payload != UINT64_MAX;
        if (whole > most || whole == UINT64_MAX)
            return Finding{.code = FindingCode::BufferTooLarge,
                           .subject = buffer.name,
                           .numbers = {{"needed_bytes", as_number(guarded ? whole : payload)},
                                       {"most_bytes", as_number(most)},
                                       {"guarded", guarded ? 1.0 : 0.0}},
                           .texts = {{"device", device.name}},
                           .remedy = Remedy{RemedyKind::Size}};
        total = add_bytes(total, whole);
    }
    if (device.global_mem_bytes > 0 && total > device.global_mem_bytes)
        return Finding{.code = FindingCode::BuffersTooLarge,
                       .numbers = {{"needed_bytes", as_number(total)},
                                   {"most_bytes", as_number(device.global_mem_bytes)}},
                       .texts = {{"device", device.name}},
                       .remedy = Remedy{RemedyKind::Size}};
    return std::nullopt;
}

std::uint64_t reference_bytes(const ProblemInstance& instance) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : instance.buffers) {
        // Inputs: those of the checks, those of a verified run, and what was read back of it. Outputs: what
        // was read back, kept and compared, and the expected values with their bounds of a check and of a
        // run.
        const std::uint64_t as_input = 3 * buffer.type.bytes();
        const std::uint64_t as_output =
            4 * buffer.type.bytes() + 2 * buffer.type.width * (sizeof(double) + sizeof(float));
        if (buffer.access != Access::Write)
            bytes = add_bytes(bytes, multiply_bytes(buffer.elements(), as_input));
        if (buffer.access != Access::Read)
            bytes = add_bytes(bytes, multiply_bytes(buffer.elements(), as_output));
    }
    return bytes;
}

std::optional<Finding> find_checking_fault(std::uint64_t needed_bytes, std::uint64_t free_bytes) {
    if (free_bytes == 0 || needed_bytes <= free_bytes) return std::nullopt;
    return Finding{
        .code = FindingCode::CheckingTooLarge,
        .numbers = {{"needed_bytes", as_number(needed_bytes)}, {"free_bytes", as_number(free_bytes)}},
        .remedy = Remedy{RemedyKind::Size}};
}

std::optional<Finding> find_local_memory_fault(const std::string& kernel, std::uint64_t declared,
                                               std::uint64_t asked, const DeviceInfo& device) {
    const std::uint64_t limit = device.local_mem_bytes;
    if (limit == 0 || add_bytes(declared, asked) <= limit) return std::nullopt;
    return Finding{.code = FindingCode::LocalMemoryTooLarge,
                   .subject = kernel,
                   .numbers = {{"declared_bytes", as_number(declared)},
                               {"asked_bytes", as_number(asked)},
                               {"most_bytes", as_number(limit)}},
                   .texts = {{"device", device.name}},
                   .remedy = Remedy{RemedyKind::WorkGroup}};
}

std::vector<Finding> warn_of_typical_gpus(const std::string& kernel, const std::vector<std::uint64_t>& local,
                                          std::uint64_t local_bytes) {
    std::vector<Finding> warnings;
    if (count_items(local) > kTypicalGpuWorkGroup) {
        const std::vector<std::uint64_t> fit = shrink_work_group(local, kTypicalGpuWorkGroup, {});
        warnings.push_back({.code = FindingCode::LargeForGpus,
                            .subject = kernel,
                            .numbers = {{"items", as_number(count_items(local))},
                                        {"most", as_number(kTypicalGpuWorkGroup)},
                                        {"fit_items", as_number(count_items(fit))}},
                            .texts = {{"local", format_extents(local)}},
                            .remedy = Remedy{RemedyKind::WorkGroup, format_extents(fit)}});
    }
    if (local_bytes > kTypicalGpuLocalBytes)
        warnings.push_back({.code = FindingCode::LocalLargeForGpus,
                            .subject = kernel,
                            .numbers = {{"bytes", as_number(local_bytes)},
                                        {"most_bytes", as_number(kTypicalGpuLocalBytes)}}});
    return warnings;
}

std::string format_extents(const std::vector<std::uint64_t>& extents) {
    std::vector<std::string> texts;
    for (const std::uint64_t extent : extents) texts.push_back(std::to_string(extent));
    return join(texts, "x");
}

std::uint64_t count_items(const std::vector<std::uint64_t>& shape) {
    std::uint64_t items = 1;
    bool overflows = false;
    for (const std::uint64_t size : shape) {
        if (size == 0) return 0;
        overflows = __builtin_mul_overflow(items, size, &items) || overflows;
    }
    return overflows ? UINT64_MAX : items;
}

std::vector<std::uint64_t> shrink_work_group(std::vector<std::uint64_t> shape, std::uint64_t max_items,
                                             const std::vector<std::uint64_t>& max_sizes) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::uint64_t limit = d < max_sizes.size() && max_sizes[d] > 0 ? max_sizes[d] : UINT64_MAX;
        shape[d] = std::max<std::uint64_t>(1, std::min({shape[d], limit, max_items}));
    }
    // On a tie, halve the later dimension: work-items adjacent along x make coalesced accesses.
    while (count_items(shape) > std::max<std::uint64_t>(1, max_items))
        *std::max_element(shape.rbegin(), shape.rend()) /= 2;
    return shape;
}

std::string describe_fit(const std::vector<std::uint64_t>& shape, std::uint64_t max_items,
                         const std::vector<std::uint64_t>& max_sizes) {
    const std::vector<std::uint64_t> fit = shrink_work_group(shape, max_items, max_sizes);
    return format_extents(fit) + " (" + counted(count_items(fit), "work-item") + ") would fit";
}

std::vector<std::uint64_t> dividing_work_group(const std::vector<std::uint64_t>& global,
                                               std::vector<std::uint64_t> shape) {
    for (std::size_t d = 0; d < shape.size() && d < global.size(); ++d) {
        shape[d] = std::min({shape[d], global[d], kMostDivisor});
        while (global[d] % shape[d] != 0) --shape[d];
    }
    return shape;
}

std::string advise_on_division(const std::vector<std::uint64_t>& global,
                               const std::vector<std::uint64_t>& shape, std::size_t dimension,
                               bool may_change) {
    const std::vector<std::uint64_t> divides = dividing_work_group(global, shape);
    const std::uint64_t rounded = global[dimension] - global[dimension] % shape[dimension] + shape[dimension];
    const std::string other = may_change && count_items(divides) > 1
                                  ? "Choose one that divides, e.g. " + format_extents(divides) + ", or "
                                  : "";
    return other + (other.empty() ? "Let" : "let") +
           " the file round the global size up with round_up(…, local." + "xyz"[dimension] + "), to " +
           std::to_string(rounded) + ", and guard the edge in the kernel";
}

}  // namespace kwb
