#include "base/damaged_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr int kMostCopies = 99;

/// Make the file, so that nobody else takes the name.
fs::path reserve_name(const fs::path& path) {
    for (int number = 1;; ++number) {
        const fs::path name = path.string() + ".damaged-" + std::to_string(number);
        if (Fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600))) return name;
        if (errno == EEXIST && number == kMostCopies) return name;
        if (errno != EEXIST) throw BadInput(path.string() + ": cannot be put aside: " + std::strerror(errno));
    }
}

/// Nothing was put there after all.
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

fs::path move_damaged_aside(const fs::path& path) {
    const fs::path name = reserve_name(path);
    if (std::rename(path.c_str(), name.c_str()) != 0) {
        const int error = errno;
        give_back_name(name);
        throw BadInput(path.string() + ": cannot be put aside: " + std::strerror(error));
    }
    return name;
}

}  // namespace kwb
