// SPDX-License-Identifier: Apache-2.0
// The right to change the files of a folder.
#pragma once

#include <filesystem>

#include "base/fd.hpp"

namespace kwb {

/// Held by one process at a time, while the object exists. Also works in a folder that cannot be written.
class FolderLock {
public:
    /// Waits up to two seconds for other processes. On a file system without locks (flock), does nothing.
    /// @param folder  empty: the current one
    /// @throws BadInput  the folder cannot be opened, or another process holds the lock
    explicit FolderLock(const std::filesystem::path& folder);

private:
    Fd folder_;
};

}  // namespace kwb
