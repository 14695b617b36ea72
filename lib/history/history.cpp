#include "history/history.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "history/run_store.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Ids from here on are those of runs in memory; a file never gets so far.
constexpr std::int64_t kFirstIdInMemory = std::int64_t{1} << 40;
constexpr std::uint64_t kMostBytesInMemory = 64ull << 20;

constexpr const char* kInMemory = "; runs of this session are kept in memory until kwb ends";

/// Which file a path leads to now; {0, 0}: none.
struct Identity {
    dev_t device = 0;
    ino_t number = 0;

    explicit Identity(const fs::path& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) == 0) *this = {info.st_dev, info.st_ino};
    }
    Identity(dev_t the_device, ino_t the_number) : device(the_device), number(the_number) {}
    friend bool operator==(const Identity&, const Identity&) = default;
};

}  // namespace

class History::Parts {
public:
    /// @param path  empty: only memory
    Parts(fs::path path, HistoryLimits limits) : path_(std::move(path)), limits_(limits) {
        if (!path_.empty()) open_file();
    }

    std::int64_t add(const PastRun& run) {
        expects(run.sources.empty() || run.sources.size() == run.results.size(),
                "History::add: sources and results differ in number");
        expects(!run.is_sweep() || run.results.size() % run.steps.size() == 0,
                "History::add: the steps of a sweep differ in their number of results");
        const auto id = in_file<std::int64_t>("the run cannot be kept", kInMemory, &kept_,
                                              [&](RunStore& store) { return store.add(run); });
        kept_ = id.has_value();
        return id ? *id : memory().add(run);
    }

    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter) {
        const auto from = [&](RunStore& store) { return store.list(limit, filter); };
        auto runs = in_file<std::vector<RunSummary>>("earlier runs cannot be listed", "", &listed_, from);
        listed_ = runs.has_value();
        std::vector<RunSummary> list = runs ? std::move(*runs) : std::vector<RunSummary>();
        if (memory_) {
            for (RunSummary& run : from(*memory_)) list.push_back(std::move(run));
            std::sort(list.begin(), list.end(), [](const RunSummary& a, const RunSummary& b) {
                return std::pair(a.when, a.id) > std::pair(b.when, b.id);
            });
            if (list.size() > limit) list.resize(limit);
        }
        return list;
    }

    std::optional<PastRun> load(std::int64_t id) {
        const auto from = [&](RunStore& store) -> std::optional<PastRun> {
            try {
                return store.load(id);
            } catch (const ProtocolError& error) {
                notices_.push_back("run " + std::to_string(id) + " of " + path_.string() +
                                   " cannot be read (" + error.what() + "); run it again");
                return std::nullopt;
            }
        };
        if (id >= kFirstIdInMemory) return memory_ ? from(*memory_) : std::nullopt;
        const bool always = true;
        return in_file<std::optional<PastRun>>("the run cannot be read", "", &always, from)
            .value_or(std::nullopt);
    }

    bool remove(std::int64_t id) {
        const auto from = [&](RunStore& store) { return store.remove(id); };
        if (id >= kFirstIdInMemory) return memory_ && from(*memory_);
        const bool always = true;
        return in_file<bool>("the run cannot be removed", "", &always, from).value_or(false);
    }

    bool is_kept() const { return file_ && kept_; }

    std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

    void give_notice(std::string notice) { notices_.push_back(std::move(notice)); }

private:
    /// Let the file's store do something; nothing if it cannot. Damage that shows is put aside on the way.
    /// @param tell  false: of this trouble the person knows
    template <class Result, class Action>
    std::optional<Result> in_file(const char* failure, const char* consequence, const bool* tell,
                                  const Action& action) {
        // Removed or put aside by somebody else: what is written into it would be lost.
        if (file_ && Identity(path_) != identity_) open_file();
        for (int attempt = 0; file_ && attempt < 2; ++attempt) try {
                return action(*file_);
            } catch (const SqliteError& error) {
                if (error.is_damage() && attempt == 0) {
                    replace_damaged(error.what());
                    continue;
                }
                if (*tell)
                    notices_.push_back(std::string(failure) + " (" + path_.string() + ": " + error.what() +
                                       ")" + consequence);
                return std::nullopt;
            }
        return std::nullopt;
    }

    void open_file() {
        try {
            if (!try_to_open()) try_to_open();
        } catch (const std::runtime_error& error) {
            // SqliteError, NewerFile, BadInput
            file_.reset();
            notices_.push_back("the history of runs, " + path_.string() +
                               ", cannot be used: " + error.what() + kInMemory);
        }
        kept_ = file_ != nullptr;
        // SQLite finds out about the folder, in which it makes its journal, only when it writes.
        const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
        if (file_ &&
            (file_->is_read_only() || ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) != 0)) {
            kept_ = false;
            notices_.push_back("the history of runs, " + path_.string() + ", cannot be written" + kInMemory);
        }
    }

    /// @return  false: a damaged file was put aside, so try again
    bool try_to_open() {
        file_.reset();
        make_private_folders(path_.parent_path());
        identity_ = Identity(path_);
        std::string damage;
        try {
            file_ = std::make_unique<RunStore>(path_, limits_);
            if (identity_ == Identity(0, 0)) identity_ = Identity(path_);
            return true;
        } catch (const SqliteError& error) {
            if (!error.is_damage()) throw;
            damage = error.what();
        } catch (const ForeignFile& error) {
            damage = error.what();
        }
        put_aside(damage);
        return false;
    }

    void replace_damaged(const std::string& damage) {
        file_.reset();
        try {
            put_aside(damage);
        } catch (const BadInput& error) {
            notices_.push_back("the history of runs is damaged: " + std::string(error.what()) + kInMemory);
            kept_ = false;
            return;
        }
        open_file();
    }

    /// Of several programs that find the damage at once, one puts the file aside and the others see that it
    /// is not theirs any more.
    void put_aside(const std::string& damage) {
        const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
        const Fd lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (lock) ::flock(lock.get(), LOCK_EX);
        if (Identity(path_) != identity_) return;
        const fs::path aside = move_damaged_aside(path_);
        // A journal belongs to the file beside which it was written.
        for (const char* suffix : {"-journal", "-wal", "-shm"}) {
            std::error_code ignored;
            fs::rename(path_.string() + suffix, aside.string() + suffix, ignored);
        }
        notices_.push_back("the history of runs, " + path_.string() + ", could not be read (" + damage +
                           "); it was put aside as " + aside.string() + ", and a new one begun");
    }

    RunStore& memory() {
        if (!memory_)
            memory_ = std::make_unique<RunStore>(
                fs::path(), HistoryLimits{limits_.runs, std::min(limits_.bytes, kMostBytesInMemory)},
                kFirstIdInMemory);
        return *memory_;
    }

    const fs::path path_;
    const HistoryLimits limits_;
    Identity identity_{0, 0};           ///< of the file that is open
    std::unique_ptr<RunStore> file_;    ///< none: it cannot be used
    std::unique_ptr<RunStore> memory_;  ///< made when needed
    bool kept_ = false;                 ///< the last run went into the file, or the next one should
    bool listed_ = true;                ///< the last list was whole
    std::vector<std::string> notices_;
};

History::History(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

History History::open(const fs::path& path, HistoryLimits limits) {
    expects(!path.empty() && limits.runs > 0, "History::open: no path, or no run to be kept");
    return History(std::make_unique<Parts>(path, limits));
}

History History::open_default() {
    try {
        return open(data_folder() / "history.sqlite");
    } catch (const EnvironmentError& error) {
        History history = in_memory();
        history.parts_->give_notice(error.what() + std::string(kInMemory));
        return history;
    }
}

History History::in_memory(HistoryLimits limits) {
    return History(std::make_unique<Parts>(fs::path(), limits));
}

std::int64_t History::add(const PastRun& run) {
    return parts_->add(run);
}

std::vector<RunSummary> History::list(std::size_t limit, const HistoryFilter& filter) {
    return parts_->list(limit, filter);
}

std::optional<PastRun> History::load(std::int64_t id) {
    return parts_->load(id);
}

bool History::remove(std::int64_t id) {
    return parts_->remove(id);
}

bool History::is_kept() const {
    return parts_->is_kept();
}

std::vector<std::string> History::take_notices() {
    return parts_->take_notices();
}

}  // namespace kwb
