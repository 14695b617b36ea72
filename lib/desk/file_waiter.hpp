// Wakes the desk's thread when watched files change.
#pragma once

#include <functional>
#include <thread>

#include "base/fd.hpp"

namespace kwb {

/// A thread that does nothing but wait on a FileWatch's descriptor: it says so once, and again only after
/// resume(), so that a desk that is slow to look is not called a thousand times.
class FileWaiter {
public:
    /// @param fd    FileWatch::fd(); -1: it calls four times a second instead
    /// @param wake  called on this object's thread
    FileWaiter(int fd, std::function<void()> wake);
    ~FileWaiter();
    FileWaiter(const FileWaiter&) = delete;
    FileWaiter& operator=(const FileWaiter&) = delete;

    /// The changes have been taken.
    void resume();

private:
    void wait(int fd);

    Fd resumed_;  ///< eventfd
    Fd ending_;   ///< eventfd
    std::function<void()> wake_;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace kwb
