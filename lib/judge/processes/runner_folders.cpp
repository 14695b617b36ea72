// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/runner_folders.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
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
                           ". Set KWB_CACHE_DIR to one of your folders with free space");
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

/// File timestamps are those of the last clock tick, at most 10 ms old (CONFIG_HZ = 100).
constexpr auto kTick = std::chrono::milliseconds(10);

/// Files older than this are no longer being written: a build ends at its timeout, 30 s by default.
constexpr auto kLongestCompilation = std::chrono::hours(1);

[[noreturn]] void refuse_cache(const fs::path& path) {
    throw EnvironmentError("the compiler's cache " + path.string() + " cannot be created: " +
                           std::strerror(errno) + ". Set KWB_CACHE_DIR to one of your folders");
}

std::optional<CompilerCache::Time> date_of(const fs::path& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return std::nullopt;
    const timespec& time = info.st_mtim;
    return CompilerCache::Time(std::chrono::duration_cast<CompilerCache::Time::duration>(
        std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)));
}

void remove_any(const fs::path& path) {
    if (!remove_tree(path)) ::unlink(path.c_str());
}

/// Files that a compiler was writing when it was killed; no other files have such names.
bool is_temporary(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("tempfile") || name.starts_with("pocl_cache");
}

void remove_temporary_files(const fs::path& cache) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(cache, error))
        if (is_temporary(entry.path())) remove_any(entry.path());
}

/// Versions without trust domains used the parent folder as their cache, without a lock. Files that such a
/// judge may still be writing are kept.
void remove_orphans(const fs::path& around) {
    const CompilerCache::Time stale = CompilerCache::Time::clock::now() - kLongestCompilation;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(around, error))
        if (is_temporary(entry.path()) && date_of(entry.path()).value_or(stale) < stale)
            remove_any(entry.path());
}

}  // namespace

void make_private_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) refuse_folder(path);
}

JudgeFolder::JudgeFolder(const fs::path& cache) {
    const fs::path run = cache / "run";
    make_private_folder(run);
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

CompilerCache::CompilerCache(fs::path folder, Life life) : path_(std::move(folder)), life_(life) {
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST) refuse_cache(path_);
    if (life_ == Life::Kept) take_lock();
}

void CompilerCache::take_lock() {
    const std::string lock = path_.string() + ".lock";
    lock_ = Fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock_) refuse_cache(lock);
    remove_orphans(path_.parent_path());
    sweep();
}

std::unique_ptr<CompilerCache> CompilerCache::adopt(const fs::path& used, fs::path folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(used, error))
        if (entry.path().filename() != kHome) remove_any(entry.path());
    fs::create_directories(folder.parent_path(), error);
    std::unique_ptr<CompilerCache> cache(new CompilerCache);
    cache->path_ = std::move(folder);
    cache->take_lock();  // first, so that no other judge removes what is being compiled
    // Never over another judge's folder, even an empty one: a runner may be confined to it.
    if (::renameat2(AT_FDCWD, used.c_str(), AT_FDCWD, cache->path_.c_str(), RENAME_NOREPLACE) != 0)
        return nullptr;
    fs::create_directory_symlink(cache->path_, used, error);
    return error ? nullptr : std::move(cache);
}

CompilerCache::~CompilerCache() {
    if (life_ == Life::Fleeting)
        remove_tree(path_);
    else
        sweep();
}

void CompilerCache::sweep() {
    if (life_ == Life::Fleeting) return remove_temporary_files(path_);
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) remove_temporary_files(path_);
    // A failed attempt to upgrade has also released the shared lock.
    while (::flock(lock_.get(), LOCK_SH) != 0 && errno == EINTR) {
    }
}

bool CompilerCache::forget_programs_of(const CompilerCache& other) {
    bool found = false;
    std::error_code error;
    for (const auto& group : fs::directory_iterator(other.path_, error)) {
        std::error_code inner;
        for (const auto& program : fs::directory_iterator(group.path(), inner)) {
            const fs::path here = path_ / group.path().filename();
            const fs::path same = here / program.path().filename();
            if (fs::is_symlink(here, inner) || !fs::is_directory(same, inner)) continue;
            found = true;
            remove_tree(same);
        }
    }
    return found;
}

bool CompilerCache::may_have_given(Time from, Time to) const {
    std::error_code error;
    for (const auto& group : fs::directory_iterator(path_, error)) {
        std::error_code inner;
        if (group.is_symlink(inner)) continue;  // made by a kernel; it may point anywhere
        for (const auto& program : fs::directory_iterator(group.path(), inner)) {
            const auto used = date_of(program.path() / "last_accessed");
            if (!used || *used < from - kTick || *used > to + kTick) continue;
            const auto made = date_of(program.path() / "program.bc");
            if (made && *made < from - kTick) return true;
        }
    }
    return false;
}

}  // namespace kwb
