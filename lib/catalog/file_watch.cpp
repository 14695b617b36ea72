#include "catalog/file_watch.hpp"

#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/fd.hpp"
#include "catalog/folder_watch.hpp"
#include "catalog/path_entries.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kQuiet(40);       ///< after the last write of a save
constexpr milliseconds kLongest(200);    ///< from the first write to the report
constexpr milliseconds kPollEvery(250);  ///< where inotify is not to be had

/// Tells one content of a file from another, but for two writes of the same length within a tick of the
/// kernel's clock.
struct Fingerprint {
    bool exists = false;
    dev_t device = 0;
    ino_t number = 0;
    off_t bytes = 0;
    std::int64_t written_s = 0;
    std::int64_t written_ns = 0;

    explicit Fingerprint(const fs::path& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0) return;
        exists = true;
        device = info.st_dev;
        number = info.st_ino;
        bytes = info.st_size;
        written_s = info.st_mtim.tv_sec;
        written_ns = info.st_mtim.tv_nsec;
    }
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Writes that may belong to one save.
struct Burst {
    Clock::time_point first;
    Clock::time_point last;
    bool certain = false;  ///< something was written, whatever the fingerprint says
};

struct Watched {
    fs::path named;  ///< as the caller says it
    fs::path absolute;
    Fingerprint known;                                 ///< when it was last reported
    std::vector<std::pair<int, std::string>> entries;  ///< folder number, name
    bool polled = false;
    std::optional<Burst> burst;

    bool is_unfinished(Clock::time_point now) const {
        const Fingerprint present(absolute);
        return (!present.exists || present.bytes == 0) && now < burst->first + kLongest;
    }
};

void note(Watched& file, Clock::time_point now, bool certain) {
    if (!file.burst) file.burst = Burst{now, now, false};
    file.burst->last = now;
    file.burst->certain |= certain;
}

}  // namespace

class FileWatch::Parts {
public:
    Parts() {
        epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
        timer_ = Fd(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
        if (!timer_ || !add_to_epoll(timer_.get())) epoll_.reset();
    }

    void watch(const std::vector<fs::path>& files) {
        std::vector<Watched> old = std::exchange(files_, {});
        for (const fs::path& file : files) {
            const auto named = [&](const Watched& other) { return other.named == file; };
            if (std::any_of(files_.begin(), files_.end(), named)) continue;
            if (const auto known = std::find_if(old.begin(), old.end(), named); known != old.end())
                files_.push_back(std::move(*known));
            else
                files_.push_back({file, fs::absolute(file), Fingerprint(file), {}, false, {}});
        }
        follow_paths(Clock::now());
        arm_timer(Clock::now());
    }

    int fd() const { return epoll_.get(); }

    std::vector<fs::path> take_changes() {
        std::uint64_t expirations = 0;
        if (timer_) [[maybe_unused]]
            const ssize_t ignored = ::read(timer_.get(), &expirations, sizeof expirations);
        const Clock::time_point now = Clock::now();
        if (take_events(now) || (is_polling() && now >= next_poll_)) follow_paths(now);
        std::vector<fs::path> changes;
        for (Watched& file : files_)
            if (is_due(file, now) && settle(file)) changes.push_back(file.named);
        arm_timer(now);
        return changes;
    }

    std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

private:
    bool add_to_epoll(int fd) {
        epoll_event event{};
        event.events = EPOLLIN;
        return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0 || errno == EEXIST;
    }

    bool is_polling() const {
        return std::any_of(files_.begin(), files_.end(), [](const Watched& file) { return file.polled; });
    }

    /// @return  true if a path may lead elsewhere now
    bool take_events(Clock::time_point now) {
        bool moved = false;
        for (const FolderEvent& event : folders_.take_events()) {
            if (event.kind == FolderEvent::Kind::Lost) {
                moved = true;
                continue;
            }
            const std::pair entry(event.folder, event.name);
            for (Watched& file : files_) {
                if (std::find(file.entries.begin(), file.entries.end(), entry) == file.entries.end())
                    continue;
                note(file, now, event.kind != FolderEvent::Kind::Closed);
                moved |= event.kind == FolderEvent::Kind::Entry;
            }
        }
        return moved;
    }

    /// Find the folders on which the files depend now, watch them, and see what changed unseen.
    void follow_paths(Clock::time_point now) {
        std::vector<std::vector<PathEntry>> ways;
        std::set<fs::path> wanted;
        for (const Watched& file : files_) {
            ways.push_back(entries_of(file.absolute));
            for (const PathEntry& entry : ways.back()) wanted.insert(entry.folder);
        }
        const auto numbers = folders_.watch(wanted);
        if (folders_.fd() >= 0 && epoll_) add_to_epoll(folders_.fd());
        for (std::size_t i = 0; i < files_.size(); ++i) {
            Watched& file = files_[i];
            file.entries.clear();
            file.polled = false;
            for (const PathEntry& entry : ways[i])
                if (const auto number = numbers.find(entry.folder); number != numbers.end())
                    file.entries.emplace_back(number->second, entry.name);
                else
                    file.polled = true;
            if (!file.burst && Fingerprint(file.absolute) != file.known) note(file, now, false);
        }
        tell_refusals();
        next_poll_ = now + kPollEvery;
    }

    /// Once for each folder, until it can be watched again.
    void tell_refusals() {
        std::set<fs::path> told;
        for (const auto& [folder, cause] : folders_.refusals()) {
            if (!told_.contains(folder))
                notices_.push_back("the folder " + folder.string() + " cannot be watched (" + cause +
                                   "); its files are looked at four times a second instead");
            told.insert(folder);
        }
        told_ = std::move(told);
    }

    static Clock::time_point due(const Watched& file) {
        return std::min(file.burst->last + kQuiet, file.burst->first + kLongest);
    }

    static bool is_due(const Watched& file, Clock::time_point now) {
        return file.burst && now >= due(file) && !file.is_unfinished(now);
    }

    /// @return  true if the burst that is over changed the file
    static bool settle(Watched& file) {
        const Burst burst = *std::exchange(file.burst, std::nullopt);
        const Fingerprint before = std::exchange(file.known, Fingerprint(file.absolute));
        return file.known != before || (burst.certain && file.known.exists);
    }

    void arm_timer(Clock::time_point now) {
        std::optional<Clock::time_point> next;
        const auto at = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
        if (is_polling()) at(next_poll_);
        for (const Watched& file : files_)
            // What is due already waits for its file to come back.
            if (file.burst) at(due(file) > now ? due(file) : file.burst->first + kLongest);
        itimerspec setting{};
        if (next) {
            using std::chrono::nanoseconds;
            const auto wait = std::max<nanoseconds>(*next - now, nanoseconds(1));
            setting.it_value.tv_sec = wait / std::chrono::seconds(1);
            setting.it_value.tv_nsec = (wait % std::chrono::seconds(1)).count();
        }
        if (timer_) ::timerfd_settime(timer_.get(), 0, &setting, nullptr);
    }

    Fd epoll_;  ///< holds the other two descriptors: one for the caller, whatever there is to wait for
    Fd timer_;
    FolderWatch folders_;
    std::vector<Watched> files_;
    Clock::time_point next_poll_;
    std::set<fs::path> told_;  ///< folders that cannot be watched, of which the person knows
    std::vector<std::string> notices_;
};

FileWatch::FileWatch() : parts_(std::make_unique<Parts>()) {}
FileWatch::FileWatch(FileWatch&&) noexcept = default;
FileWatch& FileWatch::operator=(FileWatch&&) noexcept = default;
FileWatch::~FileWatch() = default;

void FileWatch::watch(const std::vector<fs::path>& files) {
    parts_->watch(files);
}

int FileWatch::fd() const {
    return parts_->fd();
}

std::vector<fs::path> FileWatch::take_changes() {
    return parts_->take_changes();
}

std::vector<std::string> FileWatch::take_notices() {
    return parts_->take_notices();
}

std::vector<fs::path> files_of(const KernelFile& kernel) {
    const fs::path file = kernel.spec.file;
    std::vector<fs::path> files = {file, file.string() + ".toml"};
    for (const auto& [name, text] : kernel.includes) files.push_back(file.parent_path() / name);
    if (const auto& own = kernel.own_problem) {
        files.push_back(own->file());
        for (fs::path& neighbour : own->neighbours()) files.push_back(std::move(neighbour));
    }
    return files;
}

}  // namespace kwb
