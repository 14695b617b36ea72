#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/fd.hpp"

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

/// The folder must take new files, and the name must not be a folder itself.
void check_target(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (fs::is_directory(path)) refuse(path, "write", EISDIR);
    if (::access(folder.c_str(), F_OK) != 0) refuse(path, "write (its folder)", errno);
    if (fs::is_regular_file(path) && ::access(path.c_str(), W_OK) != 0) refuse(path, "write", errno);
    const bool replaces = !fs::exists(path) || fs::is_regular_file(path);
    if (replaces && ::access(folder.c_str(), W_OK) != 0) refuse(path, "write into its folder", errno);
}

}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t limit_bytes) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) refuse(path, "read", errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) refuse(path, "read", EISDIR);
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
                           " bytes; is it the file you meant?");
    }
}

void write_file(const fs::path& path, std::string_view content) {
    check_target(path);
    // A device or a pipe (/dev/null, /dev/full) cannot be replaced: write into it.
    if (fs::exists(path) && !fs::is_regular_file(path)) {
        const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!fd) refuse(path, "write", errno);
        write_all(fd, content, path);
        return;
    }
    std::string temporary = path.string() + ".XXXXXX";
    const Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!fd) refuse(path, "write", errno);
    try {
        write_all(fd, content, path);
        if (::fchmod(fd.get(), 0644) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
            refuse(path, "write", errno);
    } catch (const BadInput&) {
        ::unlink(temporary.c_str());
        throw;
    }
}

void require_writable(const fs::path& path) {
    check_target(path);
}

}  // namespace kwb
