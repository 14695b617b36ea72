// Which of some files changed on disk, however they are saved.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace kwb {

/// A thread that looks at each file (stat) four times a second. It sees files that are written in place,
/// replaced by a rename, deleted and made again, reached over symbolic links, or changed by another machine
/// on a network drive; and files that do not exist yet.
///
/// A save is one change: it is reported once the file has stayed the same for 40 ms, or 200 ms after the
/// change was seen. A file that is missing or empty is given those 200 ms to come back. A program that goes
/// on writing is reported again. Not seen: a second save within a tick of the kernel's clock (4 ms) that
/// writes the file in place and keeps its length.
///
/// All functions are called from one thread; take_changes() never waits for a file system.
class FileWatch {
public:
    /// @param wake  called on the watch's own thread when take_changes() has something new
    explicit FileWatch(std::function<void()> wake);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Watch exactly these files from now on. Those that were watched before keep what is known of them: a
    /// change that was not taken yet stays one. Watch first, then read: nothing is missed in between.
    /// @param files  absolute, or relative to the current folder; they need not exist
    void watch(const std::vector<std::filesystem::path>& files);

    /// @return  files that changed since the last call, as they were named to watch(), in that order
    std::vector<std::filesystem::path> take_changes();

private:
    class Looker;
    std::unique_ptr<Looker> looker_;
};

}  // namespace kwb
