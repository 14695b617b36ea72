// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/user_folders.hpp"
#include "store/run_store.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostBytesInMemory = 64ull << 20;

constexpr const char* kInMemory = ". Runs of this session are kept in memory until kwb ends";

}  // namespace

History::History(fs::path folder, HistoryLimits limits) : path_(std::move(folder)), limits_(limits) {
    if (path_.empty()) return;
    const std::string name = "the history of runs, " + path_.string() + ", ";
    try {
        make_private_folders(path_);
        folder_ = std::make_unique<RunStore>(path_, limits_);
        folder_->list(0, {});
        kept_ = ::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) == 0;
        if (!kept_) notices_.push_back(name + "cannot be written" + kInMemory);
    } catch (const BadInput& error) {
        folder_.reset();
        notices_.push_back(name + "cannot be used: " + error.what() + kInMemory);
    }
}

History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

History History::open(const fs::path& folder, HistoryLimits limits) {
    expects(!folder.empty() && limits.runs > 0, "History::open: no folder, or no run to be kept");
    return {folder, limits};
}

History History::in_memory(HistoryLimits limits) {
    return {fs::path(), limits};
}

/// Run `action` on the folder's store; empty if that fails.
/// @param tell  false if the user already has a notice about this problem
template <class Result, class Action>
std::optional<Result> History::in_folder(const char* failure, bool tell, const Action& action) {
    if (!folder_) return std::nullopt;
    try {
        return action(*folder_);
    } catch (const BadInput& error) {
        if (tell) notices_.push_back(std::string(failure) + ": " + error.what());
        return std::nullopt;
    }
}

std::int64_t History::add(const PastRun& run) {
    expects(run.sources.empty() || run.sources.size() == run.results.size(),
            "History::add: sources and results differ in number");
    expects(!run.is_sweep() || run.results.size() % run.steps.size() == 0,
            "History::add: the steps of a sweep differ in their number of results");
    const bool tell = kept_;
    const auto id = in_folder<std::int64_t>("the run cannot be saved", tell,
                                            [&](RunStore& store) { return store.add(run); });
    kept_ = id.has_value();
    if (!kept_ && tell) notices_.back() += kInMemory;
    return id ? *id : memory().add(run);
}

std::vector<RunSummary> History::list(std::size_t limit, const HistoryFilter& filter) {
    const auto from = [&](RunStore& store) { return store.list(limit, filter); };
    auto list = in_folder<std::vector<RunSummary>>("earlier runs cannot be listed", listed_, from);
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
    const auto from = [&](RunStore& store) { return store.load(id); };
    if (id >= kFirstIdInMemory) return memory_ ? from(*memory_) : std::nullopt;
    return in_folder<std::optional<PastRun>>("the run cannot be read", true, from).value_or(std::nullopt);
}

bool History::remove(std::int64_t id) {
    const auto from = [&](RunStore& store) { return store.remove(id); };
    if (id >= kFirstIdInMemory) return memory_ && from(*memory_);
    return in_folder<bool>("the run cannot be removed", true, from).value_or(false);
}

bool History::is_kept() const {
    return folder_ && kept_;
}

std::vector<std::string> History::take_notices() {
    if (std::string foreign = folder_ ? folder_->take_notice() : ""; !foreign.empty())
        notices_.push_back(std::move(foreign));
    return std::exchange(notices_, {});
}

RunStore& History::memory() {
    if (!memory_)
        memory_ = std::make_unique<RunStore>(
            fs::path(), HistoryLimits{limits_.runs, std::min(limits_.bytes, kMostBytesInMemory)},
            kFirstIdInMemory);
    return *memory_;
}

}  // namespace kwb
