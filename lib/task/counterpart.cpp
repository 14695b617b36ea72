// SPDX-License-Identifier: Apache-2.0
#include "task/counterpart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// Of both records, which are compared before a person has waited too long.
constexpr int kMostParts = 50;

bool has_same_launches(const KernelPlan& ours, const KernelPlan& theirs) {
    return std::ranges::equal(ours.launches, theirs.launches, [](const LaunchPlan& a, const LaunchPlan& b) {
        return a.global == b.global && a.local == b.local && a.repeat == b.repeat;
    });
}

/// That the group stores first; nullopt: it stores to no buffer of the problem.
std::optional<XrayElement> first_element(const Recording& recording,
                                         const std::vector<std::string>& buffers) {
    for (const RecordedEvent& event : recording.events) {
        if (!event.stores()) continue;
        for (std::size_t i = 0; i < std::min(buffers.size(), recording.regions.size()); ++i) {
            const RecordedRegion& region = recording.regions[i];
            if (region.is_variable || region.space != AddressSpace::Global) continue;
            if (event.address - region.address >= region.bytes) continue;
            std::uint64_t elements = 1;
            for (const std::uint64_t extent : region.extents) elements *= std::max<std::uint64_t>(extent, 1);
            const std::uint64_t bytes = std::max<std::uint64_t>(region.bytes / elements, 1);
            return XrayElement{buffers[i], (event.address - region.address) / bytes};
        }
    }
    return std::nullopt;
}

}  // namespace

Counterpart::Counterpart(Recorded ours, RunRequest run, XrayOptions options)
    : ours_(std::move(ours)), run_(std::move(run)) {
    const KernelPlan& theirs = plan_of(Side::Theirs);
    if (theirs.refusal) throw BadInput(fmt::format("{}: {}", theirs.name, sentence_of(*theirs.refusal)));
    const Recording& recording = ours_.player->recording();
    options.trace_launch = recording.launch;
    options.trace_group = recording.group;
    options_ = {options, options};
    if (recording.begin > 0)
        request_ = PartRequest{Side::Ours, {0}};
    else
        ask_for_theirs();
}

void Counterpart::ask_for_theirs() {
    request_ = PartRequest{Side::Theirs, {0}};
    if (has_same_launches(plan_of(Side::Ours), plan_of(Side::Theirs))) return;
    XrayOptions& options = options_[index(Side::Theirs)];
    options.trace_launch = static_cast<std::uint32_t>(plan_of(Side::Theirs).launches.size() - 1);
    options.trace_group = {0};
    element_ = first_element(ours().recording(), ours_.buffers);
}

std::optional<XrayRequest> Counterpart::next() const {
    if (!request_ || answer_ != nullptr) return std::nullopt;
    const Side side = request_->side;
    XrayOptions options = debug::options_for_part(options_[index(side)], request_->part);
    if (element_) {
        options.aim = XrayAim::Run;
        options.trace_group.reset();
        options.stored = element_;
    }
    return make_xray_request(side == Side::Ours ? ours_.run : run_, plan_of(side), options);
}

void Counterpart::take(const Snapshot& answer) {
    if (element_) return take_their_group(answer);
    answer_ = answer.recording;
    if (answer_ == nullptr && !comparer_)
        throw BadInput(fmt::format("{} was not recorded: {}", plan_of(request_->side).name,
                                   answer.xray && !answer.xray->remarks.empty()
                                       ? sentence_of(answer.xray->remarks.front())
                                       : "the work-group did not run"));
    if (!comparer_ && request_->side == Side::Theirs)
        for (const XrayBuffer& buffer : answer.xray->buffers) buffers_.push_back(buffer.name);
    if (!comparer_ || debug::is_wanted_part(answer_.get(), request_->part)) return;
    // X-ray did not come further in its time.
    answer_ = nullptr;
    request_.reset();
}

void Counterpart::take_their_group(const Snapshot& answer) {
    const XrayElement element = *std::exchange(element_, std::nullopt);
    if (!answer.xray || !answer.xray->stores || !answer.xray->stores->last)
        throw BadInput(
            fmt::format("{} has stored nothing to {}[{}] in the time that X-ray has: choose a "
                        "smaller size",
                        plan_of(Side::Theirs).name, element.buffer, element.element));
    XrayOptions& options = options_[index(Side::Theirs)];
    options.trace_launch = answer.xray->stores->last->launch;
    options.trace_group = answer.xray->stores->last->group;
}

bool Counterpart::compare() {
    if (answer_ == nullptr) return false;
    const Side side = std::exchange(request_, std::nullopt)->side;
    const auto part = std::make_shared<debug::Player>(std::exchange(answer_, nullptr));
    if (side == Side::Ours) part_ = part;
    if (has_difference_) return false;
    if (!comparer_ && side == Side::Ours) {
        ask_for_theirs();
        return true;
    }
    if (!comparer_) {
        comparer_.emplace(debug::RecordedSide{ours(), ours_.buffers}, debug::RecordedSide{*part, buffers_},
                          plan_of(Side::Theirs).name);
        ends_[index(Side::Ours)] = ours().recording().end();
    } else {
        comparer_->add(side, {*part, side == Side::Ours ? ours_.buffers : buffers_});
    }
    ends_[index(side)] = part->recording().end();
    if (!comparer_->differences().empty()) {
        has_difference_ = true;
        const debug::WantedPart wanted{comparer_->differences().front().event};
        if (debug::is_wanted_part(&ours().recording(), wanted)) return false;
        request_ = PartRequest{Side::Ours, wanted};
    } else if (const auto next = comparer_->next(); next && ++parts_ < kMostParts) {
        request_ = PartRequest{*next, {ends_[index(*next)]}};
    }
    return request_.has_value();
}

}  // namespace kwb
