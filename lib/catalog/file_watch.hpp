// Which of some files changed on disk, however they are saved.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"

namespace kwb {

/// Watches files by their folders with inotify (Linux), so that a file written in place, replaced by a
/// rename, deleted and made again, or reached over symbolic links is seen alike. A change is reported 40 ms
/// after its last write, at most 200 ms after its first one; a file that is missing or empty is given until
/// then to come back. A program that goes on writing is reported again.
///
/// Where inotify is not to be had (no such folder, no watches left) the file is looked at every 250 ms, with
/// a notice; once its folder is there, inotify takes over. Not seen: the renaming of a folder above the
/// file's own, and changes that another machine makes on a network drive.
///
/// Not for use by several threads at once. Never blocks.
class FileWatch {
public:
    FileWatch();
    FileWatch(FileWatch&&) noexcept;
    FileWatch& operator=(FileWatch&&) noexcept;
    ~FileWatch();

    /// Watch exactly these files from now on. Those that were watched before keep what is known of them: a
    /// change that was not taken yet stays one. Watch first, then read: nothing is missed in between.
    /// @param files  absolute, or from the present folder; they need not exist
    void watch(const std::vector<std::filesystem::path>& files);

    /// For poll(): readable when take_changes() has something to do, which may be only to wait for the end of
    /// a save. Stays the same as long as this object lives. -1 if the process has no descriptor left: then
    /// take_changes() works, when called from time to time.
    int fd() const;

    /// @return  files that changed since the last call, as they were named to watch(), in that order; one
    /// save
    ///          is one change
    std::vector<std::filesystem::path> take_changes();

    /// Sentences for the person that came up since the last call, oldest first.
    std::vector<std::string> take_notices();

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

/// The files that a kernel consists of: its own, its side-car (there or not), and the neighbours that it
/// includes.
std::vector<std::filesystem::path> files_of(const KernelFile& kernel);

}  // namespace kwb
