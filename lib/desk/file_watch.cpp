#include "desk/file_watch.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace kwb {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLookEvery(250);
constexpr milliseconds kQuiet(40);     ///< a save is complete when the file has been unchanged for this long
constexpr milliseconds kLongest(200);  ///< from the first detection of a change to its report

/// File metadata that changes when the content changes.
struct Fingerprint {
    dev_t device = 0;
    ino_t number = 0;
    off_t bytes = 0;
    time_t written_s = 0;
    long written_ns = 0;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// @return  empty if there is no such file
std::optional<Fingerprint> find_fingerprint(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return Fingerprint{info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

struct Watched {
    fs::path path;                     ///< as given by the caller
    std::optional<Fingerprint> known;  ///< when last reported, or when first watched
    std::optional<Fingerprint> seen;   ///< at the last poll
    std::optional<Clock::time_point> changing_since;
    bool has_changed = false;  ///< and take_changes() has not returned it yet

    /// @return  true if a change is complete
    bool look(const std::optional<Fingerprint>& present, Clock::time_point now) {
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
};

}  // namespace

class FileWatch::Looker {
public:
    explicit Looker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

    ~Looker() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        ending_.notify_one();
        thread_.join();
    }

    void watch(const std::vector<fs::path>& files) {
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

    std::vector<fs::path> take_changes() {
        std::vector<fs::path> changes;
        const std::lock_guard lock(mutex_);
        for (Watched& file : files_)
            if (std::exchange(file.has_changed, false)) changes.push_back(file.path);
        return changes;
    }

private:
    void run() {
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

    std::function<void()> wake_;
    std::mutex mutex_;  ///< protects the members below; not held while polling files or calling wake_
    std::condition_variable ending_;
    std::vector<Watched> files_;
    bool is_ending_ = false;
    std::thread thread_;  ///< last, because it uses all members above
};

FileWatch::FileWatch(std::function<void()> wake) : looker_(std::make_unique<Looker>(std::move(wake))) {}
FileWatch::~FileWatch() = default;

void FileWatch::watch(const std::vector<fs::path>& files) {
    looker_->watch(files);
}

std::vector<fs::path> FileWatch::take_changes() {
    return looker_->take_changes();
}

}  // namespace kwb
