// SPDX-License-Identifier: Apache-2.0
#include "debug/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "debug/origins.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kMostShownValues = 8;

/// Variables and `__local` arrays by function; those of the kernel have none.
std::set<std::string> names_in(const Recording& recording) {
    std::set<std::string> names;
    for (const RecordedFunction& function : recording.functions)
        for (const FrameVariable& variable : function.variables)
            if (!variable.is_parameter)
                names.insert((function.name == recording.kernel ? "" : function.name) + " " + variable.name);
    for (const RecordedRegion& region : recording.regions)
        if (region.is_variable) names.insert(" " + region.name);
    return names;
}

bool has_same_launch(const Recording& ours, const Recording& theirs) {
    return ours.launch == theirs.launch && ours.global == theirs.global && ours.local == theirs.local &&
           ours.group == theirs.group;
}

/// Two thirds of the variables have names that the other recording has, too.
bool has_same_variables(const Recording& ours, const Recording& theirs) {
    const std::set<std::string> here = names_in(ours), there = names_in(theirs);
    const auto common =
        std::ranges::count_if(here, [&](const std::string& name) { return there.contains(name); });
    return 3 * static_cast<std::size_t>(common) >= 2 * std::max(here.size(), there.size());
}

/// What stays known of a part: its places, types and regions.
std::shared_ptr<const Player> without_events(const Recording& part) {
    auto rest = std::make_shared<Recording>();
    rest->local = part.local;
    rest->types = part.types;
    rest->sites = part.sites;
    rest->regions = part.regions;
    return std::make_shared<const Player>(std::move(rest));
}

/// "sum differs from matmul/tiled in work-item (0, 0): line 53 stores -33, there line 53 stores -21."
std::string difference_text(const Difference& one, const Comparison& comparison, const Recording& ours) {
    const std::string who =
        one.item == kGroupCopy ? "" : fmt::format(" in work-item {}", item_text(ours, one.item));
    const std::string what = fmt::format("{} differs from {}{}: ", one.name, comparison.with, who);
    if (one.here.empty())
        return what + fmt::format("there line {} stores {}, here nothing does.", one.there_line, one.there);
    if (one.there.empty())
        return what + fmt::format("line {} stores {}, there nothing does.", one.here_line, one.here);
    return what + fmt::format("line {} stores {}, there line {} stores {}.", one.here_line, one.here,
                              one.there_line, one.there);
}

}  // namespace

Comparer::Comparer(const RecordedSide& ours, const RecordedSide& theirs, std::string with)
    : buffers_{ours.buffers, theirs.buffers} {
    const Recording& here = ours.player.recording();
    const Recording& there = theirs.player.recording();
    is_same_launch_ = has_same_launch(here, there);
    found_.with = std::move(with);
    found_.has_variables = is_same_launch_ && has_same_variables(here, there);
    for (std::uint32_t item = 0; item < ours.player.items(); ++item)
        first_steps_.push_back(ours.player.steps(item) > 0 ? ours.player.number_at({item, 0}) : 0);
    add(Side::Ours, ours);
    add(Side::Theirs, theirs);
}

std::optional<Comparer::Side> Comparer::next() const {
    if (!found_.differences.empty() || (is_over_[0] && is_over_[1])) return std::nullopt;
    if (is_over_[0] || is_over_[1]) return is_over_[0] ? Side::Theirs : Side::Ours;
    // The one that is behind.
    return waits_[0] <= waits_[1] ? Side::Ours : Side::Theirs;
}

void Comparer::add(Side side, const RecordedSide& part) {
    const std::size_t number = index(side);
    const bool is_first = parts_[number] == nullptr;
    if (!is_first) forget_same();
    parts_[number] = without_events(part.player.recording());
    is_over_[number] = !part.player.recording().goes_on;
    for (auto& [key, stores] : stores_by_place(part, found_.has_variables)) {
        Place& place = places_[key];
        if (side == Side::Ours || place.shown.empty()) place.shown = stores.shown;
        place.is_stored[number] = true;
        if (place.is_decided) continue;
        if (!found_.has_variables) {
            place.waiting[number].assign(1, waiting_of(side, part, stores.parts.back()));
            continue;
        }
        for (const StoredPart& store : stores.parts)
            if (!add_store(key, place, side, waiting_of(side, part, store))) break;
    }
    if (parts_[1] == nullptr) return;
    if (found_.has_variables)
        find_lacking();
    else if (is_over_[0] && is_over_[1])
        compare_last();
    std::ranges::stable_sort(found_.differences, {}, &Difference::event);
}

Comparison Comparer::take() {
    found_.is_part = !is_over_[0] || !is_over_[1];
    return std::move(found_);
}

Comparer::Waiting Comparer::waiting_of(Side side, const RecordedSide& part, const StoredPart& store) const {
    const Player& player = part.player;
    const RecordedEvent& event = player.recording().events[store.event];
    Waiting waiting{.number = player.number(store.event),
                    .site = event.site,
                    .item = event.item,
                    .type = store.type,
                    .bytes = std::string(bytes_of(player, store)),
                    .part = parts_[index(side)]};
    if (side == Side::Ours) waiting.moment = player.moment_at(store.event);
    return waiting;
}

bool Comparer::add_store(const StoredPlace& key, Place& place, Side side, Waiting store) {
    std::vector<Waiting>& others = place.waiting[index(other_of(side))];
    if (others.empty()) {
        place.waiting[index(side)].push_back(std::move(store));
        ++waits_[index(side)];
        return true;
    }
    const Waiting& other = others[place.passed];
    if (!can_compare(place, side, store, other)) return false;
    if (!are_same(side, store, other)) {
        side == Side::Ours ? differ(key, place, &store, &other) : differ(key, place, &other, &store);
        return false;
    }
    note_same(place, side, store, other);
    --waits_[index(other_of(side))];
    if (++place.passed == others.size()) {
        others.clear();
        place.passed = 0;
    }
    return true;
}

bool Comparer::can_compare(Place& place, Side side, const Waiting& store, const Waiting& other) {
    if (place.is_compared) return true;
    place.is_compared = have_same_type(side_of(side, store), {store.type, store.bytes},
                                       side_of(other_of(side), other), {other.type, other.bytes});
    place.is_decided = !place.is_compared;
    if (place.is_compared) ++found_.compared;
    return place.is_compared;
}

bool Comparer::are_same(Side side, const Waiting& store, const Waiting& other) const {
    return are_same_values(side_of(side, store), {store.type, store.bytes}, side_of(other_of(side), other),
                           {other.type, other.bytes});
}

void Comparer::note_same(Place& place, Side side, const Waiting& store, const Waiting& other) {
    const Waiting& here = side == Side::Ours ? store : other;
    const Waiting& there = side == Side::Ours ? other : store;
    same_.push_back({here.item, there.number, here.number, here.moment});
    place.last_same.emplace(here.moment, here.number);
}

void Comparer::find_lacking() {
    if (!is_over_[0] && !is_over_[1]) return;
    std::ranges::sort(same_, std::less<>());
    for (auto& [key, place] : places_) {
        if (place.is_decided) continue;
        // A variable that only one of them has is no difference in what they compute.
        if (!(place.is_stored[0] && place.is_stored[1]) && !key.is_element()) continue;
        for (const Side side : {Side::Ours, Side::Theirs}) {
            const std::vector<Waiting>& waiting = place.waiting[index(side)];
            if (waiting.empty() || !is_over_[index(other_of(side))]) continue;
            const Waiting& first = waiting[place.passed];
            side == Side::Ours ? differ(key, place, &first, nullptr) : differ(key, place, nullptr, &first);
            break;
        }
    }
}

void Comparer::compare_last() {
    for (auto& [key, place] : places_) {
        const std::vector<Waiting>&here = place.waiting[0], &there = place.waiting[1];
        if (here.empty() || there.empty()) {
            if (is_same_launch_)
                differ(key, place, here.empty() ? nullptr : here.data(),
                       there.empty() ? nullptr : there.data());
        } else if (can_compare(place, Side::Ours, here.front(), there.front()) &&
                   !are_same(Side::Ours, here.front(), there.front())) {
            differ(key, place, here.data(), there.data());
        }
    }
}

void Comparer::differ(const StoredPlace& key, Place& place, const Waiting* here, const Waiting* there) {
    place.is_decided = true;
    Difference& one = found_.differences.emplace_back();
    const auto describe = [&](Side side, const Waiting* store, std::string& value, std::string& line) {
        if (store == nullptr) return;
        const Recording& recording = store->part->recording();
        one.name = place.shown.empty() ? name_of_element(side_of(side, *store), key, store->bytes.size())
                                       : place.shown;
        one.item = store->item;
        value = value_text(recording, store->type, {store->bytes}, kMostShownValues);
        line = line_text(recording.sites[store->site].place);
    };
    describe(Side::Theirs, there, one.there, one.there_line);
    describe(Side::Ours, here, one.here, one.here_line);
    if (here == nullptr) return put_after_same(one, place, *there);
    one.event = here->number;
    one.moment = here->moment;
}

void Comparer::put_after_same(Difference& difference, const Place& place, const Waiting& there) {
    const auto after = std::ranges::lower_bound(same_, Same{there.item, there.number, 0, {}}, std::less<>());
    if (after != same_.begin() && std::prev(after)->item == there.item) {
        difference.event = std::prev(after)->here;
        difference.moment = std::prev(after)->moment;
    } else if (place.last_same) {
        std::tie(difference.moment, difference.event) = *place.last_same;
    } else if (there.item < first_steps_.size()) {
        difference.event = first_steps_[there.item];
        difference.moment = {there.item, 0};
    }
}

void Comparer::forget_same() {
    std::ranges::sort(same_, std::less<>());
    std::vector<Same> last;
    for (std::size_t i = 0; i < same_.size(); ++i)
        if (i + 1 == same_.size() || same_[i + 1].item != same_[i].item) last.push_back(same_[i]);
    same_ = std::move(last);
}

const Difference* next_difference(const Comparison& comparison, const Player& ours, Moment moment,
                                  Whose whose) {
    const auto next = std::ranges::find_if(comparison.differences, [&](const Difference& one) {
        return one.event > ours.number_at(moment) && one.moment != moment &&
               (whose == Whose::Group || one.moment.item == moment.item);
    });
    return next == comparison.differences.end() ? nullptr : &*next;
}

std::string differences_text(const Comparison& comparison, Moment moment, const Recording& ours) {
    constexpr std::size_t kMostLines = 4;
    std::vector<std::string> lines;
    for (const Difference& one : comparison.differences)
        if (one.moment == moment && lines.size() < kMostLines)
            lines.push_back(difference_text(one, comparison, ours));
    return join(lines, "\n");
}

std::string no_difference_text(const Comparison& comparison) {
    if (comparison.is_part && !comparison.has_variables)
        return fmt::format(
            "The work-groups do too much to compare what this one and that of {} store last: choose a "
            "smaller "
            "size.",
            comparison.with);
    if (comparison.compared == 0)
        return fmt::format("There is nothing that both this work-group and that of {} store.",
                           comparison.with);
    const std::string what = comparison.has_variables
                                 ? fmt::format("{} variables and elements", comparison.compared)
                                 : counted(comparison.compared, "element");
    return fmt::format("No difference from {}: {}both store the same to {}.", comparison.with,
                       comparison.is_part ? "as far as they are recorded, " : "", what);
}

}  // namespace kwb::debug
