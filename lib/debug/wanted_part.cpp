// SPDX-License-Identifier: Apache-2.0
#include "debug/wanted_part.hpp"

#include <algorithm>

namespace kwb::debug {
namespace {

constexpr double kMostTurnMs = 30'000;

}  // namespace

XrayOptions options_for_part(XrayOptions what, const WantedPart& wanted) {
    what.aim = XrayAim::Record;
    what.record_from = wanted.event;
    what.record_item = wanted.item;
    if (wanted.event > 0) what.most_ms = std::max(what.most_ms, kMostTurnMs);
    return what;
}

bool is_wanted_part(const Recording* part, const WantedPart& wanted) {
    return part != nullptr && (wanted.item || wanted.event == WantedPart::kLast ||
                               (wanted.event >= part->begin && wanted.event < part->end()));
}

}  // namespace kwb::debug
