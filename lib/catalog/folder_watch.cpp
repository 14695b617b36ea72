#include "catalog/folder_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kWatchedEvents = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                         IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// Source: inotify_init(2), inotify_add_watch(2), ERRORS.
std::string explain(int error, const char* limit) {
    std::string text = std::strerror(error);
    if (error == EMFILE || error == ENOSPC)
        text = "the system has no watch left; close programs that watch files, or raise fs.inotify." +
               std::string(limit);
    return text;
}

FolderEvent to_event(const inotify_event& event) {
    if (event.mask & (IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) return {};
    FolderEvent::Kind kind = FolderEvent::Kind::Entry;
    if (event.mask & IN_MODIFY) kind = FolderEvent::Kind::Written;
    if (event.mask & IN_CLOSE_WRITE) kind = FolderEvent::Kind::Closed;
    return {kind, event.wd, event.len > 0 ? event.name : ""};
}

}  // namespace

std::map<fs::path, int> FolderWatch::watch(const std::set<fs::path>& folders) {
    refusals_.clear();
    if (!inotify_ && !folders.empty()) {
        inotify_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
        const std::string cause = inotify_ ? "" : explain(errno, "max_user_instances");
        if (!inotify_)
            for (const fs::path& folder : folders) refusals_[folder] = cause;
    }
    std::map<fs::path, int> numbers;
    if (!inotify_) return numbers;
    std::set<int> wanted;
    for (const fs::path& folder : folders) {
        // Asked for again even if it is watched: the path may lead to another folder by now.
        const int number = ::inotify_add_watch(inotify_.get(), folder.c_str(), kWatchedEvents);
        if (number >= 0)
            wanted.insert(numbers[folder] = number);
        else
            refusals_[folder] = explain(errno, "max_user_watches");
    }
    for (const int number : watched_)
        if (!wanted.contains(number)) ::inotify_rm_watch(inotify_.get(), number);
    watched_ = std::move(wanted);
    return numbers;
}

std::vector<FolderEvent> FolderWatch::take_events() {
    std::vector<FolderEvent> events;
    alignas(inotify_event) char block[16384];
    while (inotify_) {
        const ssize_t size = ::read(inotify_.get(), block, sizeof block);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        for (ssize_t at = 0; at < size;) {
            const auto& event = *reinterpret_cast<const inotify_event*>(block + at);
            at += static_cast<ssize_t>(sizeof event + event.len);
            // The farewell to a folder that nobody watches any more.
            if ((event.mask & IN_IGNORED) && !watched_.contains(event.wd)) continue;
            events.push_back(to_event(event));
        }
    }
    return events;
}

}  // namespace kwb
