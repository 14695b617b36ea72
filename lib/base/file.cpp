// SPDX-License-Identifier: Apache-2.0
#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace kwb {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, std::string_view doing, int error) {
    throw BadInput(path.string() + ": cannot " + std::string(doing) + ": " + std::strerror(error));
}

void write_all(const Fd& fd, std::string_view content, const fs::path& path) {
    while (!content.empty()) {
        const ssize_t n = ::write(fd.get(), content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) refuse(path, "write", errno);
        content.remove_prefix(static_cast<std::size_t>(n));
    }
}

struct Target {
    fs::path path;         ///< symbolic links resolved, so that renaming does not replace the link itself
    bool replaces = true;  ///< false: a device or a pipe (/dev/null), which is written to directly
    mode_t mode = 0644;    ///< permissions of the existing file, kept for the new one
};

/// Resolve the path and check permissions. Replacing a regular file also needs a writable folder, for the
/// temporary file.
/// @throws BadInput  a folder, or not writable
Target check_target(const fs::path& path) {
    Target target{path};
    std::error_code no_link;
    if (const fs::path real = fs::canonical(path, no_link); !no_link) target.path = real;

    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (!exists && (errno != ENOENT || path.empty())) refuse(path, "write", errno);
    if (exists) {
        if (S_ISDIR(info.st_mode)) refuse(path, "write", EISDIR);
        if (::access(path.c_str(), W_OK) != 0) refuse(path, "write", errno);
        target.replaces = S_ISREG(info.st_mode);
        target.mode = info.st_mode & 07777;
    }
    if (target.replaces) {
        const fs::path folder = target.path.has_parent_path() ? target.path.parent_path() : fs::path(".");
        if (::access(folder.c_str(), W_OK) != 0) refuse(path, "write into its folder", errno);
    }
    return target;
}

}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t limit_bytes) {
    const std::string& name = path.native();
    if (std::ranges::any_of(name, is_control))
        throw BadInput(printable_line(name) +
                       ": the name contains a line break or another control character. Rename it");
    // Without O_NONBLOCK, opening a FIFO blocks until a writer opens it.
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) refuse(path, "read", errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) refuse(path, "read", errno);
    if (S_ISDIR(info.st_mode)) refuse(path, "read", EISDIR);
    if (!S_ISREG(info.st_mode))
        throw BadInput(path.string() +
                       ": cannot read a pipe or a device. Save its text in a regular file first");
    std::string content;
    char block[65536];
    for (;;) {
        const ssize_t n = ::read(fd.get(), block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) refuse(path, "read", errno);
        if (n == 0) return content;
        content.append(block, static_cast<std::size_t>(n));
        if (content.size() > limit_bytes)
            throw BadInput(path.string() + ": larger than " + std::to_string(limit_bytes) +
                           " bytes. Check that it is the file you meant");
    }
}

void write_file(const fs::path& path, std::string_view content, WriteOptions options) {
    const Target target = check_target(path);
    if (!target.replaces) {
        const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!fd) refuse(path, "write", errno);
        write_all(fd, content, path);
        return;
    }
    std::string temporary = (target.path.parent_path() / ".kwb-XXXXXX").string();
    const Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!fd) refuse(path, "write", errno);
    try {
        write_all(fd, content, path);
        // fsync must precede the rename; otherwise the new name may reach the disk before the content.
        if (::fchmod(fd.get(), target.mode) != 0 || (options.sync && ::fsync(fd.get()) != 0) ||
            std::rename(temporary.c_str(), target.path.c_str()) != 0)
            refuse(path, "write", errno);
    } catch (const BadInput&) {
        ::unlink(temporary.c_str());
        throw;
    }
}

void require_writable(const fs::path& path) {
    check_target(path);
}

namespace {

constexpr int kMostCopies = 99;

/// Create an empty file (O_EXCL), so that no other process takes the name.
fs::path reserve_name(const fs::path& path) {
    for (int number = 1;; ++number) {
        const fs::path name = path.string() + ".damaged-" + std::to_string(number);
        if (Fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600))) return name;
        if (errno == EEXIST && number == kMostCopies) return name;
        if (errno != EEXIST) throw BadInput(path.string() + ": cannot be set aside: " + std::strerror(errno));
    }
}

/// Remove the reserved file if it is still empty.
void give_back_name(const fs::path& name) {
    std::error_code error;
    if (fs::file_size(name, error) == 0 && !error) fs::remove(name, error);
}

}  // namespace

fs::path copy_damaged_aside(const fs::path& path) {
    const std::string content = read_file(path);
    const fs::path copy = reserve_name(path);
    try {
        write_file(copy, content);
    } catch (const BadInput&) {
        give_back_name(copy);
        throw;
    }
    return copy;
}

}  // namespace kwb
