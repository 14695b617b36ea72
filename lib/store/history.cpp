// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <SQLiteCpp/Exception.h>
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
#include "store/run_store.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Ids of runs in memory start here, beyond the ids of any file.
constexpr std::int64_t kFirstIdInMemory = std::int64_t{1} << 40;
constexpr std::uint64_t kMostBytesInMemory = 64ull << 20;

constexpr const char* kInMemory = "; runs of this session are kept in memory until kwb ends";

}  // namespace

History::History(fs::path path, HistoryLimits limits) : path_(std::move(path)), limits_(limits) {
    if (!path_.empty()) open_file();
}

History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

History History::open(const fs::path& path, HistoryLimits limits) {
    expects(!path.empty() && limits.runs > 0, "History::open: no path, or no run to be kept");
    return {path, limits};
}

History History::in_memory(HistoryLimits limits) {
    return {fs::path(), limits};
}

std::int64_t History::add(const PastRun& run) {
    expects(run.sources.empty() || run.sources.size() == run.results.size(),
            "History::add: sources and results differ in number");
    expects(!run.is_sweep() || run.results.size() % run.steps.size() == 0,
            "History::add: the steps of a sweep differ in their number of results");
    const auto id = in_file<std::int64_t>("the run cannot be saved", kInMemory, kept_,
                                          [&](RunStore& store) { return store.add(run); });
    kept_ = id.has_value();
    return id ? *id : memory().add(run);
}

std::vector<RunSummary> History::list(std::size_t limit, const HistoryFilter& filter) {
    const auto from = [&](RunStore& store) { return store.list(limit, filter); };
    auto list = in_file<std::vector<RunSummary>>("earlier runs cannot be listed", "", listed_, from);
    listed_ = list.has_value();
    if (!list) list.emplace();
    if (memory_) {
        for (RunSummary& run : from(*memory_)) list->push_back(std::move(run));
        std::ranges::sort(*list, std::greater(),
                          [](const RunSummary& run) { return std::pair(run.when, run.id); });
        if (list->size() > limit) list->resize(limit);
    }
    return std::move(*list);
}

std::optional<PastRun> History::load(std::int64_t id) {
    const auto from = [&](RunStore& store) -> std::optional<PastRun> {
        try {
            return store.load(id);
        } catch (const ProtocolError& error) {
            notices_.push_back("run " + std::to_string(id) + " of " + path_.string() + " cannot be read (" +
                               error.what() + "); run it again");
            return std::nullopt;
        }
    };
    if (id >= kFirstIdInMemory) return memory_ ? from(*memory_) : std::nullopt;
    return in_file<std::optional<PastRun>>("the run cannot be read", "", true, from).value_or(std::nullopt);
}

bool History::remove(std::int64_t id) {
    const auto from = [&](RunStore& store) { return store.remove(id); };
    if (id >= kFirstIdInMemory) return memory_ && from(*memory_);
    return in_file<bool>("the run cannot be removed", "", true, from).value_or(false);
}

bool History::is_kept() const {
    return file_ && kept_;
}

std::vector<std::string> History::take_notices() {
    return std::exchange(notices_, {});
}

std::optional<History::FileId> History::find_file(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return FileId{info.st_dev, info.st_ino};
}

fs::path History::folder() const {
    return path_.has_parent_path() ? path_.parent_path() : fs::path(".");
}

/// Run `action` on the file's store; empty if that fails. A file that turns out to be damaged is renamed.
/// @param tell  false if the user already has a notice about this problem
template <class Result, class Action>
std::optional<Result> History::in_file(const char* failure, const char* consequence, bool tell,
                                       const Action& action) {
    // Another process may have removed or renamed the file. Anything written to it now would be lost.
    if (file_ && find_file(path_) != file_id_) open_file();
    for (int attempt = 0; file_ && attempt < 2; ++attempt) try {
            return action(*file_);
        } catch (const SQLite::Exception& error) {
            if (is_damage(error) && attempt == 0) {
                replace_damaged(error.what());
                continue;
            }
            if (tell)
                notices_.push_back(std::string(failure) + " (" + path_.string() + ": " + error.what() + ")" +
                                   consequence);
            return std::nullopt;
        }
    return std::nullopt;
}

void History::open_file() {
    try {
        if (!try_to_open()) try_to_open();
    } catch (const std::runtime_error& error) {
        // SQLite::Exception, EnvironmentError, BadInput
        file_.reset();
        notices_.push_back("the history of runs, " + path_.string() + ", cannot be used: " + error.what() +
                           kInMemory);
    }
    kept_ = file_ != nullptr;
    // SQLite creates its journal in the folder, and detects only then whether it has permission.
    if (file_ && (file_->is_read_only() || ::faccessat(AT_FDCWD, folder().c_str(), W_OK, AT_EACCESS) != 0)) {
        kept_ = false;
        notices_.push_back("the history of runs, " + path_.string() + ", cannot be written" + kInMemory);
    }
}

/// @return  false if a damaged file was renamed: try again
bool History::try_to_open() {
    file_.reset();
    make_private_folders(path_.parent_path());
    file_id_ = find_file(path_);
    std::string damage;
    try {
        file_ = std::make_unique<RunStore>(path_, limits_);
        if (!file_id_) file_id_ = find_file(path_);
        return true;
    } catch (const SQLite::Exception& error) {
        if (!is_damage(error)) throw;
        damage = error.what();
    } catch (const ForeignFile& error) {
        damage = error.what();
    }
    put_aside(damage);
    return false;
}

void History::replace_damaged(const std::string& damage) {
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

/// If several processes detect the damage at once, one renames the file; the others then find a different
/// file.
void History::put_aside(const std::string& damage) {
    const Fd lock(::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (lock) ::flock(lock.get(), LOCK_EX);
    if (find_file(path_) != file_id_) return;
    // Rename its journal, too. A journal that appears after the rename belongs to the next file.
    std::vector<std::string> journals;
    for (const char* suffix : {"-journal", "-wal", "-shm"})
        if (fs::exists(path_.string() + suffix)) journals.emplace_back(suffix);
    const fs::path aside = move_damaged_aside(path_);
    for (const std::string& suffix : journals) {
        std::error_code ignored;
        fs::rename(path_.string() + suffix, aside.string() + suffix, ignored);
    }
    notices_.push_back("the history of runs, " + path_.string() + ", could not be read (" + damage +
                       "); it was renamed to " + aside.string() + ", and a new one was created");
}

RunStore& History::memory() {
    if (!memory_)
        memory_ = std::make_unique<RunStore>(
            fs::path(), HistoryLimits{limits_.runs, std::min(limits_.bytes, kMostBytesInMemory)},
            kFirstIdInMemory);
    return *memory_;
}

}  // namespace kwb
