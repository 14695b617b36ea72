#include "judge/processes/compiler_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "judge/processes/temporary_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// File timestamps are those of the last clock tick, at most 10 ms old (CONFIG_HZ = 100).
constexpr auto kTick = std::chrono::milliseconds(10);

/// Files older than this are no longer being written: a build ends at its timeout, 30 s by default.
constexpr auto kLongestCompilation = std::chrono::hours(1);

[[noreturn]] void refuse_cache(const fs::path& path) {
    throw EnvironmentError("the compiler's cache " + path.string() + " cannot be created: " +
                           std::strerror(errno) + "; set KWB_CACHE_DIR to a folder of your own");
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

CompilerCache::CompilerCache(fs::path folder, Life life) : path_(std::move(folder)), life_(life) {
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST) refuse_cache(path_);
    if (life_ == Life::Fleeting) return;
    const std::string lock = path_.string() + ".lock";
    lock_ = Fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock_) refuse_cache(lock);
    remove_orphans(path_.parent_path());
    sweep();
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
