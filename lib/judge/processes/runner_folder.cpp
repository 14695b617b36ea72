#include "judge/processes/runner_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>

#include "base/error.hpp"
#include "judge/processes/remove_tree.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_folder(const fs::path& path) {
    throw EnvironmentError("the folder " + path.string() + " cannot be made: " + std::strerror(errno) +
                           "; set KWB_CACHE_DIR to a folder of your own with free space");
}

fs::path lock_of(const fs::path& folder) {
    return folder.string() + ".lock";
}

/// True if the lock is ours now, and its file is still the one of this name.
bool take_lock(const Fd& fd) {
    struct stat info {};
    return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(fd.get(), &info) == 0 &&
           info.st_nlink > 0;
}

/// The lock's file goes last: a folder without one is an orphan in any case.
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

}  // namespace

JudgeFolder::JudgeFolder(const fs::path& cache) {
    const fs::path run = cache / "run";
    if (::mkdir(run.c_str(), 0700) != 0 && errno != EEXIST) refuse_folder(run);
    sweep(run);
    do {
        path_ = run / random_name();
        lock_ = Fd(::open(lock_of(path_).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!lock_ && errno != EEXIST) refuse_folder(lock_of(path_));
    } while (!take_lock(lock_));  // another judge's sweep may have been quicker
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

}  // namespace kwb
