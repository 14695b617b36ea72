// SPDX-License-Identifier: Apache-2.0
// Memory shared by the judge and a runner, for bulk data.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/fd.hpp"

namespace kwb {

/// A memfd mapped into this process. The judge owns and grows it; the runner inherits the descriptor. It is
/// sealed against shrinking, so that a runner cannot remove pages that the judge uses, and against further
/// seals, so that a runner cannot prevent the judge from growing it. Its content is untrusted: copy it before
/// checking it.
class Arena {
public:
    /// Creates an empty arena. @throws std::system_error
    static Arena create();
    /// Takes over the arena of an inherited descriptor.
    static Arena adopt(Fd fd);

    int fd() const { return fd_.get(); }

    /// For the owner: makes at least `bytes` usable. Existing content is kept; addresses may change.
    /// @throws std::system_error  out of memory
    void grow(std::size_t bytes);

    /// For the borrower: maps at least `bytes` of what the owner has allocated.
    /// @throws ProtocolError  the file is smaller
    void require(std::size_t bytes);

    /// @throws ContractError  out of range
    std::span<std::byte> range(std::size_t offset, std::size_t bytes);

private:
    struct Unmap {
        std::size_t bytes;
        void operator()(std::byte* data) const;
    };

    void map(std::size_t bytes);
    std::size_t mapped_bytes() const { return data_ ? data_.get_deleter().bytes : 0; }

    Fd fd_;
    std::unique_ptr<std::byte, Unmap> data_;
};

}  // namespace kwb
