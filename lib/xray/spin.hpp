// SPDX-License-Identifier: Apache-2.0
// Detects a work-item that waits in a loop for another one's store.
#pragma once

#include <cstdint>
#include <cstring>

namespace kwb::xray {

/// A work-item's last reads, if they repeat one access with the same value each time.
class Spin {
public:
    /// Called before a read or an atomic operation. @return  how often it has been repeated
    std::uint64_t repeat(std::uint32_t site, std::uintptr_t address, std::uint64_t bytes, bool is_atomic) {
        const std::uint64_t value = value_at(address, bytes);
        times_ = site == site_ && address == address_ && value == value_ ? times_ + 1 : 0;
        site_ = site;
        address_ = address;
        bytes_ = bytes;
        value_ = value;
        is_atomic_ = is_atomic;
        return times_;
    }
    void end() { address_ = 0; }

    /// True if another value has been stored since, by this atomic operation or by another work-item.
    bool has_changed() const { return address_ != 0 && value_at(address_, bytes_) != value_; }

    std::uint64_t times() const { return times_; }
    std::uint32_t site() const { return site_; }
    std::uintptr_t address() const { return address_; }
    bool is_atomic() const { return is_atomic_; }

private:
    /// The first 8 bytes, which are compared.
    static std::uint64_t value_at(std::uintptr_t address, std::uint64_t bytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(address), bytes < 8 ? bytes : 8);
        return value;
    }

    std::uint32_t site_ = 0;
    std::uintptr_t address_ = 0;  ///< 0: none
    std::uint64_t bytes_ = 0;
    std::uint64_t value_ = 0;
    std::uint64_t times_ = 0;
    bool is_atomic_ = false;
};

}  // namespace kwb::xray
