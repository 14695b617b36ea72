#include "judge/processes/temporary_folders.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_folder(const fs::path& path) {
    throw EnvironmentError("the folder " + path.string() + " cannot be created: " + std::strerror(errno) +
                           "; set KWB_CACHE_DIR to a folder of your own with free space");
}

fs::path lock_of(const fs::path& folder) {
    return folder.string() + ".lock";
}

/// True if this process now holds the lock and its file still exists.
bool take_lock(const Fd& fd) {
    struct stat info {};
    return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(fd.get(), &info) == 0 &&
           info.st_nlink > 0;
}

/// Removes the folders that no judge uses. The lock file is removed last: a folder without one is an orphan.
void sweep(const fs::path& run) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(run, error)) {
        const bool is_lock = entry.path().extension() == ".lock";
        const fs::path folder = is_lock ? fs::path(entry.path()).replace_extension() : entry.path();
        const Fd lock(::open(lock_of(folder).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
        if (lock ? !take_lock(lock) : errno != ENOENT) continue;
        if (remove_tree(folder) && lock) ::unlink(lock_of(folder).c_str());
    }
}

std::string random_name() {
    constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device entropy;
    std::string name;
    for (int i = 0; i < 12; ++i) name += kDigits[entropy() % 36];
    return name;
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// Sets the permissions needed to read and to move a folder. Never follows a link, which may point anywhere.
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

/// Flattens the tree level by level: moves nested folders up, so that nothing is more than one level deep
/// when it is removed.
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

JudgeFolder::JudgeFolder(const fs::path& cache) {
    const fs::path run = cache / "run";
    if (::mkdir(run.c_str(), 0700) != 0 && errno != EEXIST) refuse_folder(run);
    sweep(run);
    do {
        path_ = run / random_name();
        lock_ = Fd(::open(lock_of(path_).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!lock_ && errno != EEXIST) refuse_folder(lock_of(path_));
    } while (!take_lock(lock_));  // another judge may have removed the file in the meantime
    if (::mkdir(path_.c_str(), 0700) != 0) refuse_folder(path_);
}

JudgeFolder::~JudgeFolder() {
    if (remove_tree(path_)) ::unlink(lock_of(path_).c_str());
}

fs::path JudgeFolder::make_folder() {
    const fs::path path = path_ / std::to_string(made_++);
    if (::mkdir(path.c_str(), 0700) != 0) refuse_folder(path);
    return path;
}

RunnerFolder::~RunnerFolder() {
    remove_tree(path_);
}

bool remove_tree(const std::filesystem::path& folder) noexcept {
    try {
        return flatten_and_remove(folder);
    } catch (const std::bad_alloc&) {  // the next judge tries again
        return false;
    }
}

}  // namespace kwb
