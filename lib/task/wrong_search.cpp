// SPDX-License-Identifier: Apache-2.0
#include "task/wrong_search.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

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

std::vector<RunRequest> requests_to_find_wrong(const OpenedExperiment& experiment, const Problem& problem,
                                               const Sizes& sizes, const DeviceInfo& device) {
    std::vector<RunRequest> runs;
    for (const Sizes& size : halved_sizes(sizes)) {
        try {
            runs.push_back(make_request(experiment, problem, size, device));
        } catch (const BadInput&) {  // no size of the problem or of the kernel
        }
    }
    for (RunRequest& run : make_awkward_requests(experiment, problem, device).requests)
        runs.push_back(std::move(run));
    return runs;
}

WrongSearch::WrongSearch(std::vector<RunRequest> runs, XrayOptions options)
    : runs_(std::move(runs)), options_(std::move(options)) {
    options_.aim = XrayAim::Record;
    std::erase_if(runs_, [](const RunRequest& run) {
        return !run.contestants.front().kernel || run.contestants.front().kernel->refusal;
    });
}

std::optional<XrayRequest> WrongSearch::next() const {
    if (has_found_ || obstacle_ || now_ >= runs_.size()) return std::nullopt;
    const RunRequest& run = runs_[now_];
    XrayRequest request = make_xray_request(run, *run.contestants.front().kernel, options_);
    request.find_wrong = true;
    return request;
}

void WrongSearch::take(const Snapshot& answer) {
    ++now_;
    has_found_ = answer.wrong.has_value();
    if (!has_found_ && answer.xray && !answer.xray->remarks.empty()) obstacle_ = answer.xray->remarks.front();
}

std::string WrongSearch::explain_none() const {
    const std::string why =
        obstacle_ ? "At size " + to_string(run().sizes) + ": " + sentence_of(*obstacle_) + ". " : "";
    const std::size_t right = now_ - (obstacle_ ? 1 : 0);
    if (right == 0) return why + "No size could be tried";
    return why + "As X-ray runs the kernel, all elements are right at " + counted(right, "size");
}

}  // namespace kwb
