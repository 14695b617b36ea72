// Memory that judge and runner share for bulk data.
#pragma once

#include <cstddef>
#include <span>

#include "base/fd.hpp"

namespace kwb {

/// A memfd mapped into this process. The judge owns and grows it; the runner inherits the descriptor.
/// It is sealed against shrinking, so that a runner cannot take pages away from under the judge, and against
/// further seals, so that a runner cannot stop the judge from growing it.
/// What lies in it is untrusted: copy it out before judging it.
class Arena {
public:
    /// An empty arena. @throws std::system_error
    static Arena create();
    /// The arena behind an inherited descriptor.
    static Arena adopt(Fd fd);

    Arena() = default;
    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&& other) noexcept;
    ~Arena();

    int fd() const { return fd_.get(); }

    /// Make at least `bytes` usable (owner). Existing content stays; addresses may change.
    /// @throws std::system_error  no memory
    void grow(std::size_t bytes);

    /// Map what the owner has grown to, at least `bytes` (borrower).
    /// @throws ProtocolError  the file is smaller
    void require(std::size_t bytes);

    /// @throws ContractError  out of range
    std::span<std::byte> range(std::size_t offset, std::size_t bytes);

private:
    void map(std::size_t bytes);
    void unmap();

    Fd fd_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace kwb
