// SPDX-License-Identifier: Apache-2.0
// The memory of an observed kernel as regions: buffers, local arrays and variables, constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/kernel_spec.hpp"
#include "model/recording.hpp"

namespace kwb::xray {

/// Zero-initialised memory that occupies physical pages only where it is used.
class LazyBytes {
public:
    LazyBytes() = default;
    /// @throws std::bad_alloc
    explicit LazyBytes(std::size_t bytes);
    LazyBytes(LazyBytes&& other) noexcept;
    LazyBytes& operator=(LazyBytes&& other) noexcept;
    ~LazyBytes();

    std::byte* data() const { return data_; }
    std::size_t size() const { return bytes_; }
    /// Makes all bytes zero again.
    void clear();

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// An array of trivial values in LazyBytes.
template <class T>
class LazyArray {
public:
    LazyArray() = default;
    explicit LazyArray(std::size_t items) : bytes_(items * sizeof(T)) {}
    T& operator[](std::size_t i) { return reinterpret_cast<T*>(bytes_.data())[i]; }
    const T& operator[](std::size_t i) const { return reinterpret_cast<const T*>(bytes_.data())[i]; }
    std::size_t size() const { return bytes_.size() / sizeof(T); }
    void clear() { bytes_.clear(); }

private:
    LazyBytes bytes_;
};

/// A buffer, or one variable of the program. Its granules are the smallest parts whose accesses are
/// distinguished: numbers of up to 4 bytes, halves of larger ones.
struct Region {
    std::string name;      ///< of a variable, or the buffer's
    std::string function;  ///< in which a variable is declared; empty: of the whole program, or a buffer
    std::string type;      ///< of an element
    std::uint32_t value_type =
        kUnknownType;  ///< in DebugInfo::types(); of a variable, or of a buffer's element
    AddressSpace space = AddressSpace::Global;
    std::uintptr_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t element_bytes = 4;
    std::uint64_t number_bytes = 4;  ///< the smallest number in an element: a vector's component
    std::uint64_t granule_bytes = 4;
    std::vector<std::uint64_t> extents;  ///< in elements, outermost first
    bool is_set = false;                 ///< fully initialised before the launches
    bool is_dynamic = false;             ///< a __local argument, whose size may differ between launches
    /// Unused bytes that belong to it; accesses there are harmless and count as out of its bounds.
    std::uint64_t margin_before = 0;
    std::uint64_t margin_after = 0;

    std::uint64_t elements() const { return bytes / element_bytes; }
    std::uint64_t granules() const { return (bytes + granule_bytes - 1) / granule_bytes; }
    bool holds(std::uintptr_t address) const { return address - begin < bytes; }
};

/// Places buffers far apart, so that an out-of-bounds access hits no other buffer and does not crash.
class Memory {
public:
    /// Room on each side of a buffer for out-of-bounds accesses.
    static constexpr std::uint64_t kMarginBytes = std::uint64_t{64} << 20;

    /// Adds a buffer between wide margins. @return  its number
    std::uint32_t add_buffer(Region region);
    /// Adds a variable at its address in the loaded program. @return  its number
    std::uint32_t add_variable(Region region);

    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// The region that contains `address`, or kNone.
    std::uint32_t find(std::uintptr_t address) const;
    /// The region to whose margin `address` belongs, or kNone.
    std::uint32_t find_near(std::uintptr_t address) const;

    std::vector<Region>& regions() { return regions_; }
    Region& operator[](std::uint32_t region) { return regions_[region]; }

private:
    std::vector<Region> regions_;
    std::vector<LazyBytes> blocks_;
};

/// "tile[3][4]", "A[289]", or just the name if the variable is no array.
std::string element_name(const Region& region, std::uint64_t byte_offset);

}  // namespace kwb::xray
