// SPDX-License-Identifier: Apache-2.0
#include "experiment/captured_arrays.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/npy.hpp"
#include "capture/recording.hpp"

namespace kwb {
namespace fs = std::filesystem;

std::string array_header(const ElementType& type, const std::vector<std::uint64_t>& shape) {
    const NpyType npy = npy_type(type);
    std::string extents;
    for (const std::uint64_t extent : shape) extents += fmt::format("{}, ", extent);
    if (type.width > 1) extents += fmt::format("{}, ", type.width);
    std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   npy.item_bytes == 1 ? '|' : '<', npy.kind, npy.item_bytes, extents);
    constexpr std::size_t kPrefix = 10;  // magic, version, length
    expects(text.size() + kPrefix < capture::kArrayHeaderBytes, "the header of an array of few extents fits");
    text.resize(capture::kArrayHeaderBytes - kPrefix - 1, ' ');
    text.push_back('\n');
    std::string header = "\x93NUMPY";
    header +=
        std::string{'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return header + text;
}

void write_raw_array(const fs::path& file, const std::string& bytes) {
    write_file(file, std::string(capture::kArrayHeaderBytes, '\0') + bytes);
}

void finish_array(const fs::path& from, const fs::path& to, const std::string& header) {
    const Fd file(::open(from.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (::pwrite(file.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
        throw BadInput(to.string() + " cannot be written: " + std::strerror(errno));
    fs::rename(from, to);
}

bool is_unchanged(const fs::path& before, const fs::path& after) {
    const Fd a(::open(before.c_str(), O_RDONLY | O_CLOEXEC)), b(::open(after.c_str(), O_RDONLY | O_CLOEXEC));
    std::vector<char> first(1u << 20), second(1u << 20);
    for (;;) {
        const ssize_t read = ::read(a.get(), first.data(), first.size());
        const ssize_t same = ::read(b.get(), second.data(), second.size());
        if (read != same || read < 0) return false;
        if (read == 0) return true;
        if (std::memcmp(first.data(), second.data(), static_cast<std::size_t>(read)) != 0) return false;
    }
}

}  // namespace kwb
