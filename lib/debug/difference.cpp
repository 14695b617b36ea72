// SPDX-License-Identifier: Apache-2.0
#include "debug/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "debug/memory_names.hpp"
#include "debug/origins.hpp"
#include "debug/values.hpp"

namespace kwb::debug {
namespace {

/// What an event stores to one variable or element.
struct StoredPart {
    std::uint32_t event = 0;
    std::uint32_t offset = 0;  ///< in the event
    std::uint32_t bytes = 0;
    std::uint32_t type = kUnknownType;
};

/// A variable of a work-item, or with kGroupCopy an element of memory that the work-items share.
struct StoredPlace {
    std::string name;  ///< the same in both recordings
    std::uint32_t item = kGroupCopy;

    friend auto operator<=>(const StoredPlace&, const StoredPlace&) = default;
};
using StoresByPlace = std::map<StoredPlace, std::vector<StoredPart>>;

/// "float": a component of a vector, an element of an array.
std::uint32_t component_type(const Recording& recording, std::uint32_t type) {
    while (recording.types[type].kind == ValueKind::Vector || recording.types[type].kind == ValueKind::Array)
        type = recording.types[type].element;
    return type;
}

/// The name of the buffer in the problem; empty: it is none.
std::string buffer_name(const RecordedSide& side, const RecordedRegion& region) {
    const auto number = static_cast<std::size_t>(&region - side.player.recording().regions.data());
    return number < side.buffers.size() && !region.is_variable ? side.buffers[number] : "";
}

/// Sorts the stores of a recording by what they store to.
class StoreSorter {
public:
    StoreSorter(const RecordedSide& side, bool has_variables)
        : side_(side), recording_(side.player.recording()) {
        for (std::uint32_t i = 0; i < recording_.events.size(); ++i) {
            const RecordedEvent& event = recording_.events[i];
            if (!event.stores() || event.kind == RecordedKind::Unset || event.bytes == 0) continue;
            const RecordedRegion* const region = side.player.region_at(event.address);
            const std::string buffer = region == nullptr ? "" : buffer_name(side, *region);
            if (!buffer.empty() && region->space == AddressSpace::Global)
                add_elements(i, *region, buffer);
            else if (has_variables)
                add_variable(i, region != nullptr);
        }
    }
    StoresByPlace take() { return std::move(places_); }

private:
    struct Target {
        std::vector<StoredPart>* parts = nullptr;  ///< nullptr: the source has no name for it
        std::uint32_t type = kUnknownType;
    };

    /// In bytes, so that kernels that declare the buffer as float and as float4 can be compared.
    void add_elements(std::uint32_t number, const RecordedRegion& region, const std::string& buffer) {
        const RecordedEvent& event = recording_.events[number];
        const std::uint32_t type = component_type(recording_, region.type);
        const auto size =
            static_cast<std::uint32_t>(std::max<std::uint64_t>(recording_.types[type].bytes, 1));
        for (std::uint32_t at = 0; at + size <= event.bytes; at += size) {
            const auto [target, is_new] = targets_.try_emplace({0, event.address + at, kGroupCopy});
            if (is_new)
                target->second.parts =
                    &places_[{fmt::format("{} {}", buffer, event.address + at - region.address)}];
            target->second.parts->push_back({number, at, size, type});
        }
    }

    void add_variable(std::uint32_t number, bool is_shared) {
        const RecordedEvent& event = recording_.events[number];
        if (!is_shared && event.frame == kNoFrame) return;
        // What a place of the source stores to at an offset in the frame is always the same variable.
        const std::uint64_t base = is_shared ? 0 : recording_.frames[event.frame].base;
        const std::uint32_t item = is_shared ? kGroupCopy : event.item;
        const auto [target, is_new] =
            targets_.try_emplace({is_shared ? 0 : event.site, event.address - base, item});
        if (is_new) target->second = named_target(number, is_shared, item);
        if (target->second.parts != nullptr)
            target->second.parts->push_back({number, 0, event.bytes, target->second.type});
    }

    Target named_target(std::uint32_t number, bool is_shared, std::uint32_t item) {
        const RecordedEvent& event = recording_.events[number];
        const NamedMemory memory = name_memory(side_.player, event.address, event.bytes,
                                               side_.player.moment_of(number), event.frame);
        if (memory.name.empty() || memory.type == kUnknownType) return {};
        std::string function;  // that of the kernel may have another name in the other recording
        if (!is_shared) function = recording_.functions[recording_.frames[event.frame].function].name;
        if (function == recording_.kernel) function.clear();
        return {&places_[{function + " " + memory.name, item}], memory.type};
    }

    const RecordedSide& side_;
    const Recording& recording_;
    StoresByPlace places_;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, Target>
        targets_;  ///< by site, address and work-item
};

std::string_view bytes_of(const Player& player, const StoredPart& part) {
    return player.new_bytes(player.recording().events[part.event]).substr(part.offset, part.bytes);
}

/// Compares values of two recordings.
class Values {
public:
    Values(const RecordedSide& ours, const RecordedSide& theirs) : ours_(ours), theirs_(theirs) {}

    bool are_same(const StoredPart& here, const StoredPart& there) const {
        return are_same(here.type, bytes_of(ours_.player, here), there.type, bytes_of(theirs_.player, there));
    }
    bool are_same_type(const StoredPart& here, const StoredPart& there) const {
        return here.bytes == there.bytes && type_name(ours_.player.recording(), here.type) ==
                                                type_name(theirs_.player.recording(), there.type);
    }

private:
    bool are_same(std::uint32_t our_type, std::string_view here, std::uint32_t their_type,
                  std::string_view there) const {
        const Recording& ours = ours_.player.recording();
        const Recording& theirs = theirs_.player.recording();
        const ValueType& type = ours.types[our_type];
        const ValueType& other = theirs.types[their_type];
        if (type.kind != other.kind || here.size() != there.size()) return false;
        if (here == there && type.kind != ValueKind::Pointer) return true;
        if (type.kind == ValueKind::Struct) {
            if (type.members.size() != other.members.size()) return false;
            for (std::size_t i = 0; i < type.members.size(); ++i) {
                const auto part = [&](const Recording& recording, const ValueType::Member& member,
                                      std::string_view bytes) {
                    return bytes.substr(member.offset, recording.types[member.type].bytes);
                };
                if (!are_same(type.members[i].type, part(ours, type.members[i], here), other.members[i].type,
                              part(theirs, other.members[i], there)))
                    return false;
            }
            return true;
        }
        if (type.kind == ValueKind::Vector || type.kind == ValueKind::Array) {
            const std::uint64_t size = std::max<std::uint64_t>(ours.types[type.element].bytes, 1);
            for (std::uint64_t at = 0; at + size <= here.size(); at += size)
                if (!are_same(type.element, here.substr(at, size), other.element, there.substr(at, size)))
                    return false;
            return true;
        }
        const auto number = number_of(type, here), their_number = number_of(other, there);
        if (!number || !their_number) return false;
        if (type.kind == ValueKind::Pointer)
            return target_of(ours_, *number) == target_of(theirs_, *their_number);
        return number->is_floating() && differ_by_rounding(number->real, their_number->real, type.bytes);
    }

    /// Addresses differ between two runs. Empty: not in a buffer, and not in local memory.
    static std::string target_of(const RecordedSide& side, const Number& pointer) {
        const auto address = static_cast<std::uint64_t>(pointer.integer);
        const RecordedRegion* const region = side.player.region_at(address);
        if (region == nullptr) return address == 0 ? "NULL" : "";
        const std::string buffer = buffer_name(side, *region);
        return fmt::format("{} {}", buffer.empty() ? region->name : buffer, address - region->address);
    }

    /// Ten to a hundred times the rounding of a single operation.
    static bool differ_by_rounding(double here, double there, std::uint64_t bytes) {
        if (std::isnan(here) || std::isnan(there)) return std::isnan(here) && std::isnan(there);
        const double share = bytes >= 8 ? 1e-14 : bytes == 4 ? 1e-5 : 1e-2;
        return here == there || std::abs(here - there) <= share * std::max(std::abs(here), std::abs(there));
    }

    const RecordedSide& ours_;
    const RecordedSide& theirs_;
};

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

class Comparer {
public:
    Comparer(const RecordedSide& ours, const RecordedSide& theirs)
        : ours_(ours), theirs_(theirs), values_(ours, theirs) {}

    Comparison compare() {
        const Recording& here = ours_.player.recording();
        const Recording& there = theirs_.player.recording();
        const bool is_same_launch = has_same_launch(here, there);
        found_.is_part = here.goes_on || there.goes_on;
        found_.has_variables = is_same_launch && has_same_variables(here, there);
        const StoresByPlace our_stores = StoreSorter(ours_, found_.has_variables).take();
        const StoresByPlace their_stores = StoreSorter(theirs_, found_.has_variables).take();
        for (const auto& [place, parts] : our_stores) {
            const auto other = their_stores.find(place);
            if (other == their_stores.end()) {
                // A variable that only one of them has is no difference in what they compute.
                if (is_same_launch && is_element(place)) differ(&parts.front(), nullptr);
            } else if (values_.are_same_type(parts.front(), other->second.front())) {
                ++found_.compared;
                found_.has_variables ? compare_in_order(parts, other->second)
                                     : compare_last(parts, other->second);
            }
        }
        if (is_same_launch)
            for (const auto& [place, parts] : their_stores)
                if (is_element(place) && !our_stores.contains(place)) differ(nullptr, &parts.front());
        find_moments();
        std::ranges::stable_sort(found_.differences, {}, &Difference::event);
        return std::move(found_);
    }

private:
    static bool is_element(const StoredPlace& place) { return place.item == kGroupCopy; }

    void compare_in_order(const std::vector<StoredPart>& here, const std::vector<StoredPart>& there) {
        for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
            if (i >= here.size()) return differ(nullptr, &there[i]);
            if (i >= there.size()) return differ(&here[i], nullptr);
            if (!values_.are_same(here[i], there[i])) return differ(&here[i], &there[i]);
            same_.emplace_back(ours_.player.recording().events[here[i].event].item, there[i].event,
                               here[i].event);
        }
    }

    void compare_last(const std::vector<StoredPart>& here, const std::vector<StoredPart>& there) {
        if (!values_.are_same(here.back(), there.back())) differ(&here.back(), &there.back());
    }

    /// @param here, there  nullptr: it is stored only by the other one
    void differ(const StoredPart* here, const StoredPart* there) {
        // What a recording that is full does not have may have happened.
        if ((here == nullptr && ours_.player.recording().goes_on) ||
            (there == nullptr && theirs_.player.recording().goes_on))
            return;
        Difference& one = found_.differences.emplace_back();
        describe(one, theirs_, there, one.there, one.there_line);
        describe(one, ours_, here, one.here, one.here_line);
        if (here != nullptr)
            one.event = here->event;
        else
            lacking_.emplace_back(found_.differences.size() - 1, there->event);
    }

    static void describe(Difference& one, const RecordedSide& side, const StoredPart* part,
                         std::string& value, std::string& line) {
        if (part == nullptr) return;
        const Recording& recording = side.player.recording();
        const RecordedEvent& event = recording.events[part->event];
        const NamedMemory memory = name_memory(side.player, event.address + part->offset, part->bytes,
                                               side.player.moment_of(part->event), event.frame);
        one.name = text_of(memory, part->bytes, recording);
        one.item = event.item;
        value = value_text(recording, part->type, {bytes_of(side.player, *part)}, kMostValues);
        line = line_text(recording.sites[event.site].place);
    }

    /// Where there is no store here: after the last one before it that both have.
    void find_moments() {
        std::ranges::sort(same_);
        for (const auto& [number, event] : lacking_) {
            const std::uint32_t item = theirs_.player.recording().events[event].item;
            const auto after = std::ranges::lower_bound(same_, std::tuple(item, event, std::uint32_t{0}));
            if (after != same_.begin() && std::get<0>(*std::prev(after)) == item)
                found_.differences[number].event = std::get<2>(*std::prev(after));
            else if (item < ours_.player.items() && ours_.player.steps(item) > 0)
                found_.differences[number].event = ours_.player.event_of({item, 0});
        }
        Moves moves(ours_.player);
        for (Difference& one : found_.differences) {
            moves.select({});
            const auto event = static_cast<std::uint32_t>(one.event);
            moves.go_to_store(event);
            one.moment = moves.moment();
            one.event = ours_.player.number(event);
        }
    }

    static constexpr std::size_t kMostValues = 8;

    const RecordedSide& ours_;
    const RecordedSide& theirs_;
    Values values_;
    Comparison found_;
    /// Work-item, event there, event here.
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> same_;
    std::vector<std::pair<std::size_t, std::uint32_t>> lacking_;  ///< number of the difference, event there
};

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

Comparison compare(const RecordedSide& ours, const RecordedSide& theirs, std::string with) {
    Comparison found = Comparer(ours, theirs).compare();
    found.with = std::move(with);
    return found;
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
