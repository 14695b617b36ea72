// SPDX-License-Identifier: Apache-2.0
#include "task/wrong_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// Of a size at which undefined behaviour is looked for: a few groups.
constexpr std::uint64_t kEventsOfSize = 2'000'000;
constexpr double kMostSizeMs = 1000;
/// For the search for undefined behaviour.
constexpr double kMostUndefinedMs = 5000;

/// All extents halved again and again, the smallest first; none below kLeastExtent.
std::vector<Sizes> halved_sizes(const Sizes& sizes) {
    constexpr std::int64_t kLeastExtent = 8;
    std::vector<Sizes> all{sizes};
    while (true) {
        Sizes half = all.front();
        std::int64_t most = 0;
        for (Named<std::int64_t>& extent : half) {
            extent.value = std::max<std::int64_t>(extent.value / 2, 1);
            most = std::max(most, extent.value);
        }
        if (most < kLeastExtent || half == all.front()) return all;
        all.insert(all.begin(), std::move(half));
    }
}

}  // namespace

WrongSearch::WrongSearch(const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                         const DeviceInfo& device, XrayOptions options, bool tries_all)
    : options_(std::move(options)), tries_all_(tries_all) {
    for (const Sizes& size : halved_sizes(sizes)) {
        try {
            runs_[0].push_back(make_request(experiment, problem, size, device));
        } catch (const BadInput&) {  // no size of the problem or of the kernel
        }
    }
    runs_[1] = make_awkward_requests(experiment, problem, device).requests;
    for (std::vector<RunRequest>& list : runs_) {
        std::erase_if(list, [](const RunRequest& run) {
            return !run.contestants.front().kernel || run.contestants.front().kernel->refusal;
        });
        std::ranges::reverse(list);  // the next one at the end
    }
}

std::optional<XrayRequest> WrongSearch::next() {
    watch_ = {};
    if (has_found_) return std::nullopt;
    while (list_ < runs_.size() && runs_[list_].empty()) ++list_;
    XrayOptions what = options_;
    what.aim = XrayAim::Record;
    what.trace_launch = 0;
    what.trace_group = {0};
    if (list_ < runs_.size()) {
        run_ = runs_[list_].back();
    } else if (undefined_) {
        what.trace_launch = undefined_->launch;
        what.trace_group = undefined_->group;
    } else {
        if (right_.empty() || undefined_ms_ > kMostUndefinedMs) return std::nullopt;
        run_ = right_.front();
        what = options_;
        what.most_events = kEventsOfSize;
        what.keep_sites = true;
    }
    XrayRequest request = make_xray_request(run_, *run_.contestants.front().kernel, what);
    request.find_wrong = list_ < runs_.size();
    return request;
}

void WrongSearch::take(const Snapshot& answer) {
    if (list_ >= runs_.size()) {
        undefined_ms_ += watch_.ms();
        if (undefined_) {
            has_found_ = answer.recording != nullptr;
            if (!has_found_) undefined_ms_ = kMostUndefinedMs + 1;
            return;
        }
        right_.erase(right_.begin());
        if (answer.xray) undefined_ = debug::first_undefined(*answer.xray, obstacle_.has_value());
        return;
    }
    RunRequest run = std::move(runs_[list_].back());
    runs_[list_].pop_back();
    has_found_ = answer.wrong.has_value();
    if (has_found_) return;
    if (answer.xray && !answer.xray->remarks.empty()) {     // it was not run to its end
        if (right_sizes_ > 0) return runs_[list_].clear();  // nor will it be at a larger size
        obstacle_ = answer.xray->remarks.front();
        for (std::vector<RunRequest>& list : runs_) list.clear();
        list_ = runs_.size();
    } else {
        ++right_sizes_;
        if (!tries_all_ && watch_.ms() > kMostSizeMs) runs_[list_].clear();
    }
    right_.push_back(std::move(run));
}

std::string WrongSearch::explain_none() const {
    if (obstacle_) return fmt::format("At size {}: {}", to_string(run_.sizes), sentence_of(*obstacle_));
    if (right_sizes_ == 0) return "No size could be tried";
    return fmt::format("As X-ray runs the kernel, all elements are right at {}",
                       counted(right_sizes_, "size"));
}

std::string WrongSearch::explain() const {
    if (!undefined_) return explain_none();
    const std::string sentence = sentence_of(undefined_->finding);
    const std::string size = to_string(run_.sizes);
    if (obstacle_) return fmt::format("At size {}: {}", size, sentence);
    return fmt::format("{}, but OpenCL C does not promise that. At size {}:\n{}", explain_none(), size,
                       sentence);
}

}  // namespace kwb
