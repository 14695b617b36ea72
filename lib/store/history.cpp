// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "store/keyed_file.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostBytesInMemory = 64ull << 20;

bool contains(const std::string& text, const std::string& lower_part) {
    return to_lower(text).find(lower_part) != std::string::npos;
}

/// @param filter  in lower case
bool matches(const RunSummary& run, const HistoryFilter& filter) {
    return contains(run.device, filter.device) && contains(run.problem, filter.problem) &&
           (contains(run.device, filter.text) || contains(run.problem, filter.text) ||
            std::ranges::any_of(
                run.kernels, [&](const PastKernel& kernel) { return contains(kernel.kernel, filter.text); }));
}

}  // namespace

History History::open(const fs::path& folder, HistoryLimits limits) {
    expects(!folder.empty() && limits.runs > 0, "History::open: no folder, or no run to be kept");
    return {folder, limits};
}

History History::in_memory(HistoryLimits limits) {
    return {fs::path(), limits};
}

/// @param tell  false if the user already has a notice about this problem
/// @return  false if there is no folder, or `action` fails on it
template <class Action>
bool History::try_folder(const char* failure, bool tell, const Action& action) {
    if (folder_.empty()) return false;
    try {
        action();
        return true;
    } catch (const BadInput& error) {
        if (tell) notices_.push_back(std::string(failure) + ": " + error.what());
        return false;
    }
}

std::int64_t History::add(const PastRun& run) {
    expects(run.sources.empty() || run.sources.size() == run.results.size(),
            "History::add: sources and results differ in number");
    expects(!run.is_sweep() || run.results.size() % run.steps.size() == 0,
            "History::add: the steps of a sweep differ in their number of results");
    const bool tell = kept_;
    std::int64_t id = 0;
    kept_ = try_folder("the run cannot be saved", tell, [&] { id = add_to_folder(run); });
    if (kept_) return id;
    if (tell) notices_.back() += kInMemory;
    id = ++last_id_in_memory_;
    const std::string& text = texts_[id] = run_document(run);
    runs_[id] = {summary_of(run), text.size()};
    remove_oldest(id, std::min(limits_.bytes, kMostBytesInMemory));
    return id;
}

void History::replace(const PastRun& run) {
    const auto known = runs_.find(run.id);
    if (known == runs_.end()) return;
    const std::string text = run_document(run);
    const auto take = [&] { known->second = {summary_of(run), text.size()}; };
    if (is_in_memory(run.id)) {
        texts_[run.id] = text;
        return take();
    }
    try_folder("the run cannot be saved", true, [&] {
        const FolderLock lock(folder_);
        if (!fs::exists(file_of(run.id))) return;
        write_file(file_of(run.id), text, {.sync = true});
        take();
        index(lock, {run.id});
    });
}

std::vector<RunSummary> History::list(std::size_t limit, const HistoryFilter& filter) {
    listed_ = try_folder("earlier runs cannot be listed", listed_, [&] { refresh(nullptr); });
    const HistoryFilter lower{to_lower(filter.text), to_lower(filter.device), to_lower(filter.problem)};
    std::vector<decltype(runs_)::const_pointer> found;
    for (const auto& entry : runs_)
        if ((listed_ || is_in_memory(entry.first)) && matches(entry.second.summary, lower))
            found.push_back(&entry);
    std::ranges::sort(found, std::greater(),
                      [](const auto* entry) { return std::pair(entry->second.summary.when, entry->first); });
    std::vector<RunSummary> list;
    for (const auto* entry : found) {
        if (list.size() == limit) break;
        list.push_back(entry->second.summary);
        list.back().id = entry->first;
    }
    return list;
}

std::optional<PastRun> History::load(std::int64_t id) {
    std::optional<PastRun> run;
    if (!is_in_memory(id)) {
        try_folder("the run cannot be read", true, [&] { run = read(id); });
    } else if (const auto text = texts_.find(id); text != texts_.end()) {
        run = parse_run(text->second);
        run->id = id;
    }
    return run;
}

bool History::remove(std::int64_t id) {
    if (is_in_memory(id)) return erase(id);
    bool existed = false;
    try_folder("the run cannot be removed", true, [&] {
        const FolderLock lock(folder_);
        existed = erase(id);
    });
    return existed;
}

bool History::erase(std::int64_t id) {
    std::error_code error;
    const bool existed = is_in_memory(id) ? texts_.erase(id) > 0 : fs::remove(file_of(id), error);
    if (error) throw BadInput(file_of(id).string() + ": cannot remove: " + error.message());
    runs_.erase(id);
    return existed;
}

/// Of the runs in the folder or in memory, where `keep` is; that one stays.
void History::remove_oldest(std::int64_t keep, std::uint64_t most_bytes) {
    std::vector<std::tuple<std::chrono::system_clock::time_point, std::int64_t, std::uint64_t>> others;
    std::uint64_t bytes = runs_.at(keep).bytes;
    for (const auto& [id, run] : runs_) {
        if (is_in_memory(id) != is_in_memory(keep) || id == keep) continue;
        others.emplace_back(run.summary.when, id, run.bytes);
        bytes += run.bytes;
    }
    std::ranges::sort(others);
    std::size_t left = others.size() + 1;
    for (const auto& [when, id, its_bytes] : others) {
        if (left-- <= limits_.runs && bytes <= most_bytes) return;
        try {
            erase(id);
        } catch (const BadInput&) {  // it stays, and the next add() tries again
            return;
        }
        bytes -= its_bytes;
    }
}

bool History::is_kept() const {
    return kept_;
}

std::vector<std::string> History::take_notices() {
    if (!new_foreign_.empty()) {
        std::string notice = "Not a run, and left alone: " + new_foreign_.front();
        if (const std::size_t more = new_foreign_.size() - 1; more > 0)
            notice += ", and " + counted(more, "more file") + " like it";
        new_foreign_.clear();
        notices_.push_back(std::move(notice));
    }
    return std::exchange(notices_, {});
}

}  // namespace kwb
