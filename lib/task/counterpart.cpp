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

Counterpart::Counterpart(const KernelPlan& plan, Recorded ours, RunRequest run, XrayOptions options)
    : ours_(std::move(ours)), run_(std::move(run)), options_(std::move(options)) {
    const KernelPlan& theirs = *run_.contestants.front().kernel;
    if (theirs.refusal) throw BadInput(fmt::format("{}: {}", theirs.name, sentence_of(*theirs.refusal)));
    const Recording& recording = ours_.player->recording();
    if (recording.begin > 0)
        throw BadInput("only the first part of a record that is too long can be compared");
    options_.aim = XrayAim::Record;
    if (has_same_launches(plan, theirs)) {
        options_.trace_launch = recording.launch;
        options_.trace_group = recording.group;
    } else {
        options_.trace_launch = static_cast<std::uint32_t>(theirs.launches.size() - 1);
        options_.trace_group = {0};
        element_ = first_element(recording, ours_.buffers);
    }
}

std::optional<XrayRequest> Counterpart::next() const {
    if (recording_ != nullptr) return std::nullopt;
    XrayOptions options = options_;
    if (element_) {
        options.aim = XrayAim::Run;
        options.trace_group.reset();
        options.stored = element_;
    }
    return make_xray_request(run_, *run_.contestants.front().kernel, options);
}

void Counterpart::take(const Snapshot& answer) {
    if (const auto element = std::exchange(element_, std::nullopt)) {
        if (!answer.xray || !answer.xray->stores || !answer.xray->stores->last)
            throw BadInput(
                fmt::format("{} has stored nothing to {}[{}] in the time that X-ray has: choose a "
                            "smaller size",
                            run_.contestants.front().kernel->name, element->buffer, element->element));
        options_.trace_launch = answer.xray->stores->last->launch;
        options_.trace_group = answer.xray->stores->last->group;
        return;
    }
    recording_ = answer.recording;
    if (recording_ == nullptr)
        throw BadInput(fmt::format("{} was not recorded: {}", run_.contestants.front().kernel->name,
                                   answer.xray && !answer.xray->remarks.empty()
                                       ? sentence_of(answer.xray->remarks.front())
                                       : "the work-group did not run"));
    for (const XrayBuffer& buffer : answer.xray->buffers) buffers_.push_back(buffer.name);
}

debug::Comparison Counterpart::compare() const {
    const debug::Player theirs(recording_);
    return debug::compare({*ours_.player, ours_.buffers}, {theirs, buffers_},
                          run_.contestants.front().kernel->name);
}

}  // namespace kwb
