// SPDX-License-Identifier: Apache-2.0
#include "debug/wrong_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "debug/moves.hpp"
#include "debug/values.hpp"
#include "model/xray_words.hpp"

namespace kwb::debug {
namespace {

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

WrongStart find_wrong_start(const Player& player, const XrayReport& report, const WrongElement& wrong) {
    const Recording& recording = player.recording();
    const auto buffer = std::ranges::find(report.buffers, wrong.buffer, &XrayBuffer::name);
    const auto number = static_cast<std::size_t>(buffer - report.buffers.begin());
    if (buffer == report.buffers.end() || number >= recording.regions.size()) return {};
    const std::uint64_t bytes = std::max<std::uint64_t>(buffer->element_bytes, 1);
    const std::uint64_t address =
        recording.regions[number].address + linear_index(wrong.index, buffer->extents) * bytes;
    const auto end = static_cast<std::uint32_t>(recording.events.size());
    const auto store = player.last_store(end, address, bytes);
    if (!store) return {moment_beside(recording, wrong.index)};
    Moves moves(player);
    moves.go_to_store(*store);
    return {moves.moment(), store};
}

std::string wrong_sentence(const WrongElement& wrong, const XrayReport& report, const Recording* recording,
                           const std::string& size) {
    std::string element = wrong.buffer;
    for (const std::uint64_t index : wrong.index) element += fmt::format("[{}]", index);
    const std::string what =
        fmt::format("{} is wrong at size {}: expected {}", element, size, wrong.expected);
    if (!report.stores || report.stores->times == 0)
        return what + fmt::format(", but none of the launch's {} work-items stores it",
                                  recording != nullptr
                                      ? fmt::format("{}", fmt::join(recording->global, " × "))
                                      : std::string());
    const std::string got = fmt::format("{}, got {}", what, wrong.got);
    if (report.stores->times == 1) return got;
    return got + fmt::format("; it is stored {} times, of which this is the last", report.stores->times);
}

}  // namespace kwb::debug
