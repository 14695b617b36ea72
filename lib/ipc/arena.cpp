// SPDX-License-Identifier: Apache-2.0
#include "ipc/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"

namespace kwb {

Arena Arena::create() {
    Arena arena;
    arena.fd_ = Fd(::memfd_create("kwb-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!arena.fd_) throw_errno("memfd_create");
    // Without F_SEAL_SEAL a borrower could seal it against growing or writing.
    if (::fcntl(arena.fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        throw_errno("fcntl(F_ADD_SEALS)");
    return arena;
}

Arena Arena::adopt(Fd fd) {
    Arena arena;
    arena.fd_ = std::move(fd);
    return arena;
}

void Arena::Unmap::operator()(std::byte* data) const {
    ::munmap(data, bytes);
}

void Arena::map(std::size_t bytes) {
    data_.reset();
    void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    if (data == MAP_FAILED) throw_errno("mmap");
    data_ = {static_cast<std::byte*>(data), Unmap{bytes}};
}

void Arena::grow(std::size_t bytes) {
    if (bytes <= mapped_bytes()) return;
    struct stat info {};
    if (::fstat(fd_.get(), &info) != 0) throw_errno("fstat");
    // Never shrink it; the seal would make that fail.
    if (static_cast<std::size_t>(info.st_size) < bytes &&
        ::ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0)
        throw_errno("ftruncate");
    map(bytes);
}

void Arena::require(std::size_t bytes) {
    if (bytes <= mapped_bytes()) return;
    struct stat info {};
    if (::fstat(fd_.get(), &info) != 0) throw_errno("fstat");
    if (static_cast<std::size_t>(info.st_size) < bytes)
        throw ProtocolError("bulk data exceeds the shared memory");
    map(bytes);
}

std::span<std::byte> Arena::range(std::size_t offset, std::size_t bytes) {
    expects(offset <= mapped_bytes() && bytes <= mapped_bytes() - offset, "Arena::range: out of range");
    return {data_.get() + offset, bytes};
}

}  // namespace kwb
