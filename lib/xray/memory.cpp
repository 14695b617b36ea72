// SPDX-License-Identifier: Apache-2.0
#include "xray/memory.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace kwb::xray {

LazyBytes::LazyBytes(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    void* const place =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(place);
}

LazyBytes::LazyBytes(LazyBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

LazyBytes& LazyBytes::operator=(LazyBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

LazyBytes::~LazyBytes() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

void LazyBytes::clear() {
    if (data_ != nullptr) ::madvise(data_, bytes_, MADV_DONTNEED);
}

std::uint32_t Memory::add_buffer(Region region) {
    LazyBytes& block = blocks_.emplace_back(region.bytes + 2 * kMarginBytes);
    region.begin = reinterpret_cast<std::uintptr_t>(block.data()) + kMarginBytes;
    region.margin_before = region.margin_after = kMarginBytes;
    return add_variable(std::move(region));
}

std::uint32_t Memory::add_variable(Region region) {
    regions_.push_back(std::move(region));
    return static_cast<std::uint32_t>(regions_.size() - 1);
}

std::uint32_t Memory::find(std::uintptr_t address) const {
    for (std::uint32_t i = 0; i < regions_.size(); ++i)
        if (regions_[i].holds(address)) return i;
    return kNone;
}

std::uint32_t Memory::find_near(std::uintptr_t address) const {
    for (std::uint32_t i = 0; i < regions_.size(); ++i) {
        const Region& region = regions_[i];
        const std::uintptr_t begin = region.begin - region.margin_before;
        if (address - begin < region.margin_before + region.bytes + region.margin_after) return i;
    }
    return kNone;
}

std::string element_name(const Region& region, std::uint64_t byte_offset) {
    std::uint64_t element = byte_offset / region.element_bytes;
    if (region.extents.empty()) return region.name;
    std::string indices;
    for (std::size_t d = region.extents.size(); d-- > 0;) {
        const std::uint64_t extent = region.extents[d];
        const std::uint64_t index = d == 0 || extent == 0 ? element : element % extent;
        if (extent > 0) element /= extent;
        indices = "[" + std::to_string(index) + "]" + indices;
    }
    return region.name + indices;
}

}  // namespace kwb::xray
