// SPDX-License-Identifier: Apache-2.0
#include "model/xray_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text.hpp"

namespace kwb {
namespace {

/// Takes ":NUMBER" off the end. @return  0 if there is none
std::uint32_t take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    const std::string_view digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
    std::uint32_t number = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || fault != std::errc() || end != digits.data() + digits.size()) return 0;
    text = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
    return number;
}

/// "line 53:20" in the kernel's own file, "tile.h:12:3" in another; empty if it is not known.
std::string where(std::string_view text) {
    const XrayPlace place = place_from(text);
    if (text.empty() || !place.file.empty()) return std::string(text);
    return "line " + (place.line > 0 ? place_text(place) : std::string(text));
}

std::string at(std::string_view place) {
    const std::string words = where(place);
    return words.empty() ? "" : " at " + words;
}

/// Copies belong to a whole group: "group (1, 0)".
bool is_copy(const std::string& id) {
    return id.starts_with("group ");
}

std::string work_item(const std::string& id) {
    if (is_copy(id)) return "an asynchronous copy by " + id;
    return id.empty() ? "a work-item" : "work-item " + id;
}

/// Findings come from untrusted processes, with any numbers.
unsigned long long whole(const Finding& finding, std::string_view number) {
    const double value = finding.number(number);
    return value >= 0 ? static_cast<unsigned long long>(std::min(value, 0x1p53)) : 0;
}

std::string count(const Finding& finding, std::string_view number) {
    return fmt::format("{:.0f}", finding.number(number));
}

/// "reads", "writes"; "accesses" if the finding does not specify.
std::string_view verb(std::string_view access) {
    return access == "read"     ? "reads"
           : access == "write"  ? "writes"
           : access == "atomic" ? "changes"
                                : "accesses";
}

std::string_view fence_of(std::string_view space) {
    return space == "local" ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
}

/// An operation of OpenCL C 1.2 that adds to an element of this type, as the compiler names it.
std::string atomic_advice(const std::string& type) {
    if (type == "int" || type == "uint" || type == "unsigned int" || type.empty())
        return "use an atomic operation such as atomic_add";
    if (type == "long" || type == "ulong" || type == "unsigned long")
        return "use atom_add, where the device has cl_khr_int64_base_atomics";
    if (type == "float")
        return "use a loop with atomic_cmpxchg on its bits, because OpenCL C 1.2 has no atomic addition of "
               "float";
    return fmt::format("use an int and atomic_add, because OpenCL C has no atomic operation on {}", type);
}

/// Several work-items store to one element, although each should have its own.
std::string index_advice(const Finding& race) {
    const double* const dimension = find_named(race.numbers, "one_dimension");
    return (dimension != nullptr
                ? fmt::format("the index is the same for work-items that differ only in dimension {0:.0f}: "
                              "make it depend on get_global_id({0:.0f})",
                              *dimension)
                : std::string("correct the index, so that each work-item has its own element")) +
           ", or let only one of them store";
}

bool is_plain_store_of_all(const Finding& race) {
    return race.place == race.text("first_place") && race.text("access") == "write";
}

/// How to fix a race within a group.
std::string remedy_of_race(const Finding& race) {
    const bool one_atomic = race.text("access") == "atomic" || race.text("first_access") == "atomic";
    const std::string barrier = fmt::format("barrier({})", fence_of(race.text("space")));
    if (one_atomic)
        return fmt::format(
            "make both accesses atomic, or put {} between the two, where all work-items of the group reach "
            "it",
            barrier);
    if (race.number("update") > 0)
        return atomic_advice(race.text("type")) + ", or give each work-item its own element";
    if (is_plain_store_of_all(race)) return index_advice(race);
    if (!race.text("barrier").empty())
        return fmt::format(
            "the barrier{} does not separate these two, for example if the second is in the next iteration "
            "of a loop: put {} at the end of the loop's body, too",
            at(race.text("barrier")), barrier);
    return fmt::format("put {} between the two, where all work-items of the group reach it", barrier);
}

/// How to fix a race between groups.
std::string remedy_between_groups(const Finding& race) {
    const bool one_atomic = race.text("access") == "atomic" || race.text("first_access") == "atomic";
    if (one_atomic) return "make both accesses atomic, or split the kernel into two launches";
    if (race.number("update") > 0)
        return atomic_advice(race.text("type")) +
               ", or give each group its own element and add these up in a second launch";
    if (is_plain_store_of_all(race)) return index_advice(race);
    return "store to a buffer that no other group reads, give each group its own elements, or split the "
           "kernel into two launches";
}

std::string data_race(const Finding& race) {
    const bool between_groups = race.number("between_groups") > 0;
    const auto who = [&](const char* item, const char* group) {
        const std::string& id = race.text(item);
        const bool names_group = between_groups && !race.text(group).empty() && !is_copy(id);
        return work_item(id) + (names_group ? " of group " + race.text(group) : "");
    };
    const std::string both =
        fmt::format("{} {} {}{} and {} {} it{}", who("item", "group"), verb(race.text("access")),
                    race.subject, at(race.place), who("first_item", "first_group"),
                    verb(race.text("first_access")), at(race.text("first_place")));
    if (between_groups)
        return fmt::format("{}, and nothing orders work-groups of one launch: {}", both,
                           remedy_between_groups(race));
    if (is_copy(race.text("first_item")))
        return both +
               ", and nothing waits for that copy: put wait_group_events with its event between the two";
    const double interval = race.number("interval");
    if (!race.text("fence").empty())
        return fmt::format("{}, and the barrier between them does not order {} memory: write barrier({})",
                           both, race.text("space"), fence_of(race.text("space")));
    const std::string when = interval > 0 ? fmt::format("after barrier {:.0f} of the group", interval)
                                          : "before any barrier of the group";
    const std::string lock_step =
        race.number("sub_group") > 0
            ? fmt::format(
                  "; this relies on a sub-group of {:.0f} in lockstep, which OpenCL C does not guarantee",
                  race.number("sub_group"))
            : "";
    return fmt::format("{}, without a barrier between them ({}){}: {}", both, when, lock_step,
                       remedy_of_race(race));
}

std::string waits_for_others(const Finding& finding) {
    const std::string what =
        finding.number("endless") > 0
            ? fmt::format(
                  "{} waits in a loop{} for {} to change, and no other work-item of its group changes it",
                  work_item(finding.text("item")), at(finding.place), finding.subject)
            : fmt::format(
                  "{} waits in a loop{} until another work-item changes {}, but OpenCL C does not "
                  "guarantee that the other makes progress meanwhile",
                  work_item(finding.text("item")), at(finding.place), finding.subject);
    return fmt::format("{}: use {}, or an atomic operation without a loop, such as atomic_add", what,
                       finding.text("space") == "local"
                           ? "barrier(CLK_LOCAL_MEM_FENCE)"
                           : "a barrier within a group, two launches between groups");
}

std::string unequal_arguments(const Finding& finding) {
    return fmt::format(
        "{} and {} of a group pass different arguments to {}{}: all work-items of a group must pass the same "
        "ones",
        work_item(finding.text("item")), work_item(finding.text("other_item")), finding.subject,
        at(finding.place));
}

std::string divergent_barrier(const Finding& finding) {
    const std::string function = finding.text("function").empty() ? "barrier" : finding.text("function");
    const std::string& other_place = finding.text("other_place");
    return fmt::format(
        "{} of {} work-items of a group {} in {}(){}{}, while {} {}: all work-items of a group must reach "
        "the same {}: put it outside conditions that differ between them, and return only after it",
        count(finding, "waiting"), count(finding, "items"), finding.number("waiting") == 1 ? "waits" : "wait",
        function, at(finding.place), finding.text("item").empty() ? "" : ", such as " + finding.text("item"),
        finding.text("other_item").empty() ? "another" : finding.text("other_item"),
        other_place.empty() ? "has ended" : "waits" + at(other_place), function);
}

std::string unset_read(const Finding& finding, bool knows_init) {
    const std::string& space = finding.text("space");
    if (finding.number("never") > 0)
        return fmt::format("{} reads {}{}, which is never written{}: store to it first, or correct the index",
                           work_item(finding.text("item")), finding.subject, at(finding.place),
                           space == "local" ? " in its group" : "");
    const std::string_view advice =
        space == "local"     ? "store to it first, and put barrier(CLK_LOCAL_MEM_FENCE) before the read"
        : space == "private" ? "give it a value where it is declared"
        : !knows_init        ? "store to it first"
                             : "store to it first, in this launch or in one before, or let an output begin "
                               "with a value under [init]";
    return fmt::format("{} reads {}{}, which is still uninitialised memory: {}",
                       work_item(finding.text("item")), finding.subject, at(finding.place), advice);
}

/// How to fix an out-of-bounds access caused by a loop's bound; for other causes, `otherwise`.
std::string advice_for_loop(const Finding& finding, std::string_view otherwise) {
    const std::string& condition = finding.text("loop");
    if (condition.empty()) return std::string(otherwise);
    return fmt::format("the loop{} runs one step too far, write {} instead of {}",
                       at(finding.text("loop_place")), finding.text("loop_instead"), condition);
}

std::string outside_array(const Finding& finding) {
    std::string index = finding.text("index");
    if (!index.starts_with('[')) index = "[" + index + "]";
    const std::string type =
        finding.text("type").empty() ? counted(whole(finding, "elements"), "element") : finding.text("type");
    // "sums[…]": the index of one of its rows is out of bounds.
    const std::string whole = finding.subject.substr(0, finding.subject.find('['));
    return fmt::format("{} {} {}{}{}, but {} is {}: {}", work_item(finding.text("item")),
                       verb(finding.text("access")), whole.empty() ? "element " : finding.subject, index,
                       at(finding.place), whole.empty() ? "the array" : whole, type,
                       advice_for_loop(finding, "correct the index, guard the access, or make it larger"));
}

std::string outside_buffer(const Finding& finding) {
    const double elements = finding.number("elements");
    const double element = finding.number("element");
    const std::string distance = element == elements ? ", one past the end"
                                 : element == -1     ? ", one before the start"
                                                     : "";
    return fmt::format("{} {} element {:.0f} of {} (valid 0 … {:.0f}){}{}: {}",
                       work_item(finding.text("item")), verb(finding.text("access")), element,
                       finding.subject, std::max(elements - 1, 0.0), distance, at(finding.place),
                       advice_for_loop(finding, "guard the access by comparing the index with the size"));
}

/// "vload4" for float4.
std::string vload_of(const std::string& type) {
    const std::size_t digits = type.find_first_of("0123456789");
    return digits == std::string::npos ? "vloadn" : "vload" + type.substr(digits);
}

std::string misaligned(const Finding& finding) {
    const std::string type = finding.text("type").empty() ? "a vector" : finding.text("type");
    return fmt::format(
        "{} {} {} as {}{}, at an address that is a multiple of {} only, while {} needs a multiple of {}: "
        "access it with {} and vstore, or begin at a multiple of its size",
        work_item(finding.text("item")), verb(finding.text("access")), finding.subject, type,
        at(finding.place), counted(whole(finding, "bytes"), "byte"), type, count(finding, "needed_bytes"),
        vload_of(type));
}

std::string signed_overflow(const Finding& finding) {
    const std::string type = finding.text("type").empty() ? "its type" : finding.text("type");
    const std::string& first = finding.text("first_size");
    const std::string& clean = finding.text("clean_size");
    const std::string since = first.empty() ? ""
                              : clean.empty()
                                  ? fmt::format(" (X-ray saw it already at size {})", first)
                                  : fmt::format(" (X-ray saw it at size {}, but not at {})", first, clean);
    return fmt::format(
        "{} computes {}{}, which {} cannot hold{}: compute it in a wider or unsigned type, such as long or "
        "size_t",
        work_item(finding.text("item")), finding.text("operation"), at(finding.place), type, since);
}

std::string endless(const Finding& finding) {
    const std::string item = finding.text("item").empty() ? "" : " in work-item " + finding.text("item");
    return fmt::format(
        "X-ray stopped {}{}{} after {} events, within {:.3g} s of processor time, so it did not observe the "
        "rest: "
        "its work-groups do too much for X-ray at this size, or this loop does not end",
        finding.subject, at(finding.place), item, count(finding, "events"), finding.number("seconds"));
}

std::string crashed(const Finding& finding) {
    std::string sentence = "X-ray's process died";
    if (!finding.text("signal").empty()) sentence += " of " + finding.text("signal");
    if (!finding.subject.empty()) sentence += " in " + finding.subject;
    if (!finding.place.empty()) sentence += ", after the access" + at(finding.place);
    if (!finding.text("item").empty()) sentence += " by work-item " + finding.text("item");
    return sentence + "; the check for undefined behaviour is incomplete";
}

std::string wrong_in_other_order(const Finding& finding) {
    return fmt::format(
        "in another order of the work-items, which OpenCL permits, {} of {} element{} of {} {} wrong; the "
        "first is {}: expected {}, got {}",
        group_thousands(count(finding, "wrong")), group_thousands(count(finding, "elements")),
        finding.number("elements") == 1 ? "" : "s", finding.subject,
        finding.number("wrong") == 1 ? "is" : "are", finding.place, finding.text("expected"),
        finding.text("got"));
}

std::string words_alone(const Finding& finding, bool knows_init) {
    const std::string item = work_item(finding.text("item"));
    switch (finding.code) {
        case FindingCode::WrongInOtherOrder:
            return wrong_in_other_order(finding);
        case FindingCode::DataRace:
            return data_race(finding);
        case FindingCode::DivergentBarrier:
            return divergent_barrier(finding);
        case FindingCode::UnsetRead:
            return unset_read(finding, knows_init);
        case FindingCode::OutsideArray:
            return outside_array(finding);
        case FindingCode::OutsideBuffer:
            return outside_buffer(finding);
        case FindingCode::NullAccess:
            return fmt::format(
                "{} {} memory {}{}: {}", item, verb(finding.text("access")),
                finding.number("is_null") > 0 ? "through a null pointer"
                                              : "outside all buffers and variables",
                at(finding.place),
                finding.number("is_null") > 0
                    ? "bind the argument to a buffer, or do not use the pointer where it is null"
                    : "correct the pointer or the index");
        case FindingCode::Misaligned:
            return misaligned(finding);
        case FindingCode::DivisionByZero:
            return fmt::format("{} divides{} by zero{}: guard the division", item,
                               finding.text("type").empty() ? "" : " an " + finding.text("type"),
                               at(finding.place));
        case FindingCode::SignedOverflow:
            return signed_overflow(finding);
        case FindingCode::WaitsForOthers:
            return waits_for_others(finding);
        case FindingCode::UnequalArguments:
            return unequal_arguments(finding);
        case FindingCode::UnknownEvent:
            return fmt::format(
                "{} passes {}{} an event that no copy of its group has created: store the result of "
                "async_work_group_copy there first",
                item, finding.subject, at(finding.place));
        case FindingCode::UnfinishedCopy:
            return fmt::format(
                "{}{} has no matching wait: put wait_group_events with its event before the first use of its "
                "data, and before the kernel ends",
                item, at(finding.place));
        case FindingCode::UnsetVariable:
            return fmt::format("{} is used{} before it has a value: give it one where it is declared",
                               finding.subject, at(finding.place));
        case FindingCode::Recursion:
            return fmt::format("{} calls itself{}, which OpenCL C forbids: use a loop", finding.subject,
                               at(finding.place));
        case FindingCode::XraySampled:
            return fmt::format("X-ray observed {} of the {} work-groups of {}",
                               group_thousands(count(finding, "observed")),
                               group_thousands(count(finding, "groups")), finding.subject);
        case FindingCode::XrayEndless:
            return endless(finding);
        case FindingCode::XrayCrashed:
            return crashed(finding);
        case FindingCode::XrayNotObserved:
            return "no X-ray: " + finding.text("sentence");
        default:
            return "";
    }
}

/// "line 53"; "line 12 of tile.h"
std::string line_of(std::string_view text) {
    const XrayPlace place = place_from(text);
    return fmt::format("line {}{}", place.line, place.file.empty() ? "" : " of " + place.file);
}

std::string cause_of_race(const Finding& race) {
    const std::string& first = race.text("first_place");
    const std::string second_line = fmt::format("{} ({})", line_of(race.place), verb(race.text("access")));
    const std::string lines =
        fmt::format("{} and {} ({})", second_line, line_of(first), verb(race.text("first_access")));
    if (is_copy(race.text("first_item"))) return "nothing waits for the copy before " + second_line;
    if (first.empty() || first == race.place)
        return fmt::format("several {} use {} in {} at the same time",
                           race.number("between_groups") > 0 ? "work-groups" : "work-items", race.subject,
                           line_of(race.place));
    if (race.number("between_groups") > 0) return "nothing orders the work-groups between " + lines;
    if (!race.text("fence").empty())
        return fmt::format("the barrier between {} does not order {} memory", lines, race.text("space"));
    return "nothing waits between " + lines;
}

/// Why it was seen at one size and not at that of the result.
std::string not_elsewhere(const Finding& finding) {
    const std::string& clean = finding.text("clean_at");
    if (clean.empty()) return "";
    return ", not at " + clean +
           (finding.number("beyond") > 0 ? ", where no work-item is beyond the size" : "");
}

}  // namespace

std::optional<std::string> xray_sentence_of(const Finding& finding, bool knows_init) {
    std::string sentence = words_alone(finding, knows_init);
    if (sentence.empty()) return std::nullopt;
    if (!finding.text("sizes").empty())
        sentence += " (at size " + finding.text("sizes") + not_elsewhere(finding) + ")";
    if (finding.number("foreign") > 0) sentence += " (observed in the kernel's own process)";
    return sentence;
}

std::string xray_cause_of(const Finding& finding) {
    if (place_from(finding.place).line == 0) return "";
    const std::string line = line_of(finding.place);
    switch (finding.code) {
        case FindingCode::DataRace:
            return cause_of_race(finding);
        case FindingCode::DivergentBarrier:
            return "only some work-items of a group reach the barrier in " + line;
        case FindingCode::UnsetRead:
            return fmt::format("{} reads {}, which is uninitialised memory", line, finding.subject);
        case FindingCode::UnsetVariable:
            return fmt::format("{} uses {} before it has a value", line, finding.subject);
        case FindingCode::OutsideArray:
            return fmt::format("an index in {} is outside the array {}", line,
                               finding.subject.substr(0, finding.subject.find('[')));
        case FindingCode::OutsideBuffer:
            if (finding.text("loop").empty())
                return fmt::format("an index in {} is outside the buffer {}", line, finding.subject);
            return fmt::format("the loop in {} runs one step too far", line_of(finding.text("loop_place")));
        case FindingCode::NullAccess:
            return fmt::format("{} dereferences a null pointer", line);
        case FindingCode::Misaligned:
            return fmt::format("{} uses {} at an address that is not aligned for it", line,
                               finding.text("type").empty() ? "a vector" : finding.text("type"));
        case FindingCode::DivisionByZero:
            return line + " divides by zero";
        case FindingCode::SignedOverflow:
            return fmt::format("{} computes {}, which {} cannot hold", line, finding.text("operation"),
                               finding.text("type").empty() ? "its type" : finding.text("type"));
        case FindingCode::WaitsForOthers:
            return fmt::format("{} waits in a loop for another work-item, which may never run", line);
        case FindingCode::UnequalArguments:
            return fmt::format("work-items of a group pass different arguments to {} in {}", finding.subject,
                               line);
        case FindingCode::UnknownEvent:
            return line + " waits for an event that no copy created";
        case FindingCode::UnfinishedCopy:
            return "nothing waits for the copy that " + line + " starts";
        case FindingCode::Recursion:
            return finding.subject + " calls itself, which OpenCL C forbids";
        default:
            return "";
    }
}

XrayPlace place_from(std::string_view text) {
    XrayPlace place;
    place.column = take_number(text);
    place.line = take_number(text);
    place.file = std::string(text);
    return place;
}

std::string place_text(const XrayPlace& place) {
    std::string text = place.file.empty() ? "" : place.file + ":";
    text += place.line > 0 ? std::to_string(place.line) : "?";
    if (place.column > 0) text += ":" + std::to_string(place.column);
    return text;
}

std::uint64_t linear_index(const std::vector<std::uint64_t>& index,
                           const std::vector<std::uint64_t>& extents) {
    std::uint64_t linear = 0;
    for (std::size_t d = 0; d < index.size(); ++d)
        linear = linear * (d < extents.size() ? extents[d] : 1) + index[d];
    return linear;
}

}  // namespace kwb
