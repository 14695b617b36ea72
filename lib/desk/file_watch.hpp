// SPDX-License-Identifier: Apache-2.0
// Detects changes of files on disk, regardless of how they are saved.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace kwb {

/// Polls each file with stat() four times a second, on its own thread. Detects files that are written in
/// place, replaced by a rename, deleted and created again, reached through symbolic links, or changed by
/// another machine on a network drive; also files that do not exist yet.
///
/// Each save is reported as one change: once the file has been unchanged for 40 ms, or 200 ms after the
/// change was first seen. A missing or empty file gets those 200 ms to reappear. If a program keeps writing,
/// the file is reported again. Not detected: a second save within a tick of the kernel's clock (4 ms) that
/// writes the file in place and keeps its length.
///
/// Call all functions from one thread; take_changes() never waits for a file system.
class FileWatch {
public:
    /// @param wake  called on the watcher's thread when take_changes() has new changes
    explicit FileWatch(std::function<void()> wake);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watch exactly these files from now on. Files that were already watched keep their state, including
    /// changes not taken yet. Call this before reading the files, so that no change is missed in between.
    /// @param files  absolute, or relative to the working directory; they need not exist
    void watch(const std::vector<std::filesystem::path>& files);

    /// @return  files that changed since the last call, with the paths and in the order given to watch()
    std::vector<std::filesystem::path> take_changes();

private:
    using Clock = std::chrono::steady_clock;

    /// File metadata that changes when the content changes.
    struct Fingerprint {
        dev_t device = 0;
        ino_t number = 0;
        off_t bytes = 0;
        time_t written_s = 0;
        long written_ns = 0;

        friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
    };

    struct Watched {
        std::filesystem::path path;        ///< as given by the caller
        std::optional<Fingerprint> known;  ///< when last reported, or when first watched
        std::optional<Fingerprint> seen;   ///< at the last poll
        std::optional<Clock::time_point> changing_since;
        bool has_changed = false;  ///< and take_changes() has not returned it yet

        /// @return  true if a change is complete
        bool look(const std::optional<Fingerprint>& present, Clock::time_point now);
    };

    /// @return  empty if there is no such file
    static std::optional<Fingerprint> find_fingerprint(const std::filesystem::path& path);
    void run();

    std::function<void()> wake_;
    std::mutex mutex_;  ///< protects the members below; not held while polling files or calling wake_
    std::condition_variable ending_;
    std::vector<Watched> files_;
    bool is_ending_ = false;
    std::thread thread_;  ///< last, because it uses all members above
};

}  // namespace kwb
