#include "judge/processes/remove_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/fd.hpp"

namespace kwb {
namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// A folder can be read and moved only with these permissions. Never through a link, which may lead anywhere.
void allow_all(int parent, const char* name) {
    const Fd folder(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder) ::chmod(("/proc/self/fd/" + std::to_string(folder.get())).c_str(), 0700);
}

std::vector<std::string> names_in(int parent, const char* name) {
    allow_all(parent, name);
    std::vector<std::string> names;
    const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return names;
    const std::unique_ptr<DIR, CloseFolder> folder(::fdopendir(fd));
    if (!folder) return ::close(fd), names;
    while (const dirent* entry = ::readdir(folder.get()))
        if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
            names.emplace_back(entry->d_name);
    return names;
}

/// Level by level: what lies in a folder's folders is moved up, so that nothing is ever two levels deep when
/// it is removed.
bool flatten_and_remove(const std::filesystem::path& path) {
    const std::vector<std::string> first = names_in(AT_FDCWD, path.c_str());
    const Fd top(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!top) return ::access(path.c_str(), F_OK) != 0;
    std::vector<std::string> folders;
    for (const std::string& name : first)
        if (::unlinkat(top.get(), name.c_str(), 0) != 0) folders.push_back(name);
    std::uint64_t moved = 0;
    while (!folders.empty()) {
        const std::string folder = std::move(folders.back());
        folders.pop_back();
        const std::vector<std::string> names = names_in(top.get(), folder.c_str());
        const Fd inside(::openat(top.get(), folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        for (const std::string& name : names) {
            if (::unlinkat(inside.get(), name.c_str(), 0) == 0) continue;
            allow_all(inside.get(), name.c_str());
            std::string place;
            do place = ".moved" + std::to_string(moved++);
            while (::faccessat(top.get(), place.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
            if (::renameat(inside.get(), name.c_str(), top.get(), place.c_str()) == 0)
                folders.push_back(std::move(place));
        }
        ::unlinkat(top.get(), folder.c_str(), AT_REMOVEDIR);
    }
    return ::rmdir(path.c_str()) == 0 || ::access(path.c_str(), F_OK) != 0;
}

}  // namespace

bool remove_tree(const std::filesystem::path& folder) noexcept {
    try {
        return flatten_and_remove(folder);
    } catch (const std::bad_alloc&) {  // whoever sweeps next tries again
        return false;
    }
}

}  // namespace kwb
