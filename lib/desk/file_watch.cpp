// SPDX-License-Identifier: Apache-2.0
#include "desk/file_watch.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace kwb {
namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookEvery(250);
constexpr milliseconds kQuiet(40);     ///< a save is complete when the file has been unchanged for this long
constexpr milliseconds kLongest(200);  ///< from the first detection of a change to its report

}  // namespace

std::optional<FileWatch::Fingerprint> FileWatch::find_fingerprint(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return Fingerprint{info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

bool FileWatch::Watched::look(const std::optional<Fingerprint>& present, Clock::time_point now) {
    if (!changing_since && present == known) return false;
    const bool is_first = !changing_since;
    if (is_first) changing_since = now;
    const bool is_quiet = !is_first && present == seen;
    const bool is_whole = present && present->bytes > 0;
    seen = present;
    if (!(is_quiet && is_whole) && now < *changing_since + kLongest) return false;
    changing_since.reset();
    if (std::exchange(known, present) == present) return false;  // deleted and restored
    return has_changed = true;
}

FileWatch::FileWatch(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

FileWatch::~FileWatch() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    ending_.notify_one();
    thread_.join();
}

void FileWatch::watch(const std::vector<fs::path>& files) {
    std::vector<Watched> next;
    const std::lock_guard lock(mutex_);
    for (const fs::path& path : files) {
        if (std::ranges::find(next, path, &Watched::path) != next.end()) continue;
        if (const auto known = std::ranges::find(files_, path, &Watched::path); known != files_.end()) {
            next.push_back(std::move(*known));
        } else {
            const auto present = find_fingerprint(path);
            next.push_back({path, present, present, {}, false});
        }
    }
    files_ = std::move(next);
}

std::vector<fs::path> FileWatch::take_changes() {
    std::vector<fs::path> changes;
    const std::lock_guard lock(mutex_);
    for (Watched& file : files_)
        if (std::exchange(file.has_changed, false)) changes.push_back(file.path);
    return changes;
}

void FileWatch::run() {
    std::unique_lock lock(mutex_);
    while (!is_ending_) {
        std::vector<fs::path> paths;
        for (const Watched& file : files_) paths.push_back(file.path);
        lock.unlock();
        std::vector<std::optional<Fingerprint>> present;
        for (const fs::path& path : paths) present.push_back(find_fingerprint(path));
        lock.lock();

        bool is_news = false;
        bool is_changing = false;
        const Clock::time_point now = Clock::now();
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const auto file = std::ranges::find(files_, paths[i], &Watched::path);
            if (file == files_.end()) continue;  // no longer watched
            is_news |= file->look(present[i], now);
            is_changing |= file->changing_since.has_value();
        }
        if (is_news) {
            lock.unlock();
            wake_();
            lock.lock();
        }
        ending_.wait_for(lock, is_changing ? kQuiet : kLookEvery, [&] { return is_ending_; });
    }
}

}  // namespace kwb
