// SPDX-License-Identifier: Apache-2.0
#include "store/folder_lock.hpp"

#include <sys/file.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "base/error.hpp"

namespace kwb {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    using Clock = std::chrono::steady_clock;
    const std::string name = folder.empty() ? "." : folder.string();
    folder_ = Fd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_) throw BadInput(name + ": cannot open: " + std::strerror(errno));
    for (const auto end = Clock::now() + std::chrono::seconds(2); ::flock(folder_.get(), LOCK_EX | LOCK_NB);
         std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        if (Clock::now() > end) throw BadInput(name + ": another program is writing there. Try again later");
    }
}

}  // namespace kwb
