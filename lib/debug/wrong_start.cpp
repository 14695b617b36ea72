// SPDX-License-Identifier: Apache-2.0
#include "debug/wrong_start.hpp"

#include <algorithm>

#include "debug/moves.hpp"
#include "debug/needed_elements.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

/// The event that has stored the wrong element last.
std::optional<std::uint32_t> last_store(const WrongRun& run, const ElementPlace& place) {
    const auto& buffers = run.report.buffers;
    const auto buffer = std::ranges::find(buffers, run.wrong.buffer, &XrayBuffer::name);
    const auto number = static_cast<std::size_t>(buffer - buffers.begin());
    const Recording& recording = run.player.recording();
    if (number >= recording.regions.size()) return std::nullopt;
    const RecordedRegion& region = recording.regions[number];
    const std::uint64_t bytes = std::max<std::uint64_t>(recording.types[region.type].bytes, 1);
    return run.player.last_store(static_cast<std::uint32_t>(recording.events.size()),
                                 region.address + place.element * bytes + place.offset, 1);
}

/// The first step of the work-item whose global id is the element's index, if it is in the group.
Moment moment_beside(const Recording& recording, const std::vector<std::uint64_t>& index) {
    if (index.size() != recording.local.size()) return {};
    std::vector<std::uint64_t> lane;
    for (std::size_t d = 0; d < index.size(); ++d) {
        const std::uint64_t id = index[index.size() - 1 - d];
        if (id / recording.local[d] != recording.group[d]) return {};
        lane.push_back(id % recording.local[d]);
    }
    return {item_at(recording, lane), 0};
}

}  // namespace

WrongStart find_wrong_start(const WrongRun& run) {
    const BufferSpec* const buffer = run.instance.find_buffer(run.wrong.buffer);
    if (buffer == nullptr) return {};
    const ElementPlace place = place_of(run.wrong, *buffer);
    WrongStart start;
    start.text = wrong_text(run.wrong, place, run.report, run.player.recording().launch, run.size) + "\n";
    const bool is_part = run.turn && run.player.recording().goes_on;
    if (is_part) run.turn({});
    start.store = last_store(run, place);
    if (!start.store) {
        if (is_part) run.turn({0});
        start.moment = moment_beside(run.player.recording(), place.index);
        return start;
    }
    Moves moves(run.player);
    moves.turn_with(run.turn);
    start.store = moves.turn_to_store(*start.store);
    moves.go_to_store(*start.store);
    start.moment = moves.moment();
    if (!run.is_shipped || place.offset != 0) return start;
    std::vector<std::string> buffers;
    for (const XrayBuffer& one : run.report.buffers) buffers.push_back(one.name);
    const std::string reads =
        reads_text(run.player, *start.store, place.name, run.instance,
                   needed_elements(run.instance, run.wrong.buffer, place.index), buffers, run.sources);
    if (!reads.empty()) start.text += reads + "\n";
    return start;
}

Moment moment_of_undefined(const Player& player, const UndefinedPlace& place) {
    const Recording& recording = player.recording();
    const std::uint32_t item = item_at(recording, place.item);
    const auto is_there = [&](const RecordedEvent& event) {
        const XrayPlace& there = recording.sites[event.site].place;
        return event.item == item && event.kind != RecordedKind::Barrier && there.line == place.place.line &&
               there.file == place.place.file;
    };
    auto found = std::ranges::find_if(recording.events, [&](const RecordedEvent& event) {
        return is_there(event) && event.bytes > 0 &&
               place_text(recording, event.address) == place.finding.subject;
    });
    if (found == recording.events.end()) found = std::ranges::find_if(recording.events, is_there);
    if (found == recording.events.end()) return {item, 0};
    return player.moment_of(static_cast<std::uint32_t>(found - recording.events.begin()));
}

}  // namespace kwb::debug
