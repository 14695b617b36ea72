// SPDX-License-Identifier: Apache-2.0
// Findings of planning, judging and measuring, as data. finding_words.hpp turns them into sentences.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"

namespace kwb {

/// The closed list of findings. Each comment lists the finding's subject, numbers and texts.
enum class FindingCode {
    // Findings that consist only of a sentence.
    Remark,    ///< texts: sentence
    BadInput,  ///< something the user typed or wrote in a file is invalid. texts: sentence, with the place

    // Invalid choices, found while planning.
    Undeclared,          ///< file. texts: missing (a clause), declaration, command
    OtherProblem,        ///< kernel. texts: own, chosen
    SameProblemName,     ///< kernel. texts: problem
    UnlistedParamValue,  ///< kernel. texts: param, value, values
    WorkGroupIsFixed,    ///< kernel; `auto` was chosen. texts: extent
    MalformedWorkGroup,  ///< work-group as typed
    TooManyDimensions,   ///< work-group as typed
    BufferBeyondMemory,  ///< buffer. texts: sizes

    // The run does not fit the device, the host or the kernel.
    RequirementFails,     ///< name of the requirement. texts: condition, values
    NoLaunchApplies,      ///< kernel
    TooManyLaunches,      ///< kernel; its counters count beyond `most`, or bind too much. numbers: most
    ScratchTooLarge,      ///< buffer. numbers: elements, most_bytes
    WorkGroupTooLong,     ///< work-group. numbers: axis, most, fit_items
    WorkGroupTooLarge,    ///< work-group. numbers: items, most, fit_items
    WorkGroupRemainder,   ///< work-group. numbers: axis, global, local, rest. texts: global, kernel, advice
    BufferTooLarge,       ///< buffer. numbers: needed_bytes, most_bytes, guarded (1 or 0). texts: device
    BuffersTooLarge,      ///< numbers: needed_bytes, most_bytes. texts: device
    CheckingTooLarge,     ///< numbers: needed_bytes, free_bytes
    NotCheckable,         ///< texts: sentence
    LocalMemoryTooLarge,  ///< function. numbers: declared_bytes, asked_bytes, most_bytes. texts: device
    NoHostLibrary,        ///< problem. texts: others

    // Details of verdicts that other code distinguishes.
    NoReference,  ///< file of the reference, which failed. texts: sentence
    /// buffer; place: the first element. numbers: wrong, at_least (1 or 0), elements, unwritten, not_finite.
    /// texts: inputs, expected, got (none of them if there is nothing to compare with); pattern if there is
    /// one (a WrongPattern, with its numbers); right_in_xray (sizes at which the source gives the expected
    /// result there; number at_other_size: 1 or 0) if it does so on the device, too, when it is not optimised
    WrongElements,
    NeverWritten,  ///< as WrongElements, if no wrong element was ever written
    /// As WrongElements, if it depends on uninitialised memory: the content of the output before the run.
    /// number: changed, the wrong elements that are changed only if they were 0; 0: all are right then
    DependsOnUnset,

    /// As X-ray ran the kernel in another order of its work-items; buffer; place: the first element. numbers:
    /// wrong, elements. texts: expected, got
    WrongInOtherOrder,

    /// Two runs with the same inputs differ; buffer, place as above. numbers: differing, elements.
    /// texts: first, then
    NotRepeatable,
    BoundByElimination,  ///< function; its arguments were bound by elimination. texts: bindings

    // Portability warnings: the kernel fits this device, but perhaps not others.
    LargeForGpus,        ///< function. numbers: items, most, fit_items. texts: local
    LocalLargeForGpus,   ///< function. numbers: bytes, most_bytes
    PrivateLargeForCpu,  ///< function. numbers: bytes, items, most_bytes

    // Doubts about the measured times.
    TooFewRounds,    ///< numbers: rounds, least
    SlowFirstRound,  ///< numbers: ratio
    DriftsSlower,    ///< numbers: share
    DriftsFaster,    ///< numbers: share
    Wanders,         ///< numbers: share
    TwoGroups,       ///< numbers: share, ratio
    Scatters,        ///< numbers: share
    FewFarRounds,    ///< numbers: share
    Stopped,         ///< numbers: rounds
    CutShort,        ///< numbers: rounds. texts: sentence
    ClocksDisagree,  ///< numbers: device_ms, host_ms
    SlowTurns,       ///< numbers: told_ms, took_ms
    NoDeviceClock,   ///< some times are by the judge's clock
    Outrun,          ///< numbers: rounds
    SlowLibrary,     ///< the library; numbers: share (of the CPU's multiply-adds that it reaches)

    ClaimsIgnored,  ///< kernel, judged strictly. texts: claims

    /// Found in the source, if no observation decides; place: "line:column" of a barrier that only some
    /// work-items of a group may reach. numbers: line (of the condition on their ids), leaves (1: those that
    /// fulfil it return before the barrier)
    SuspectBarrier,
    StraySemicolon,  ///< found in the source: ends a loop whose body seems to follow; place: "line:column"

    // Undefined behaviour, observed by X-ray; the last two also found in the source. Each
    // has place: "line:column" in the kernel's own file, or "file:line:column" in an included one, and, where
    // a work-item did it, texts: item (its global id, "(3, 0)"). Those of a result also have texts: sizes
    // (where it was observed, if not at those of the result), clean_at (those of the result, if they were
    // observed, too); numbers: beyond (1: at `sizes` there are work-items beyond the extents, at `clean_at`
    // none), foreign (1: the kernel is judged strictly).

    /// The element "tile[3][4]", used by two work-items without a barrier between; place: the later access.
    /// numbers: interval (barriers that the group had passed), between_groups (1 or 0).
    /// texts: space (local, global), access and first_access (read, write, atomic), first_place, item,
    /// first_item, group and first_group (if between groups), type (of the element), fence (local or global:
    /// the work-items do pass a barrier between the two, but not one with this memory's fence), barrier (its
    /// place: it stands between the two in the source, and did not order them)
    /// More numbers, if so: update (1: both change the element by what they read there), one_dimension (the
    /// two work-items differ in this one of several), sub_group (its work-items: all seen to race are of one)
    DataRace,
    /// Work-items of a group wait at different barriers, or some have ended. numbers: waiting, items.
    /// texts: function (barrier, async_work_group_copy, …), item (one that waits), other_item (one that does
    /// not), other_place (the barrier where that one waits; empty: it has ended)
    DivergentBarrier,
    /// The element, read while uninitialised. numbers: never (1: it is not stored to later, either). texts:
    /// space, item
    UnsetRead,
    OutsideArray,  ///< the array. texts: index, type ("float[16]"), access, space, item. numbers: elements
    /// The buffer. numbers: element, elements. texts: access, item. Of both, if only the last iteration of a
    /// loop does so: loop ("k <= K", its condition), loop_instead ("k < K"), loop_place ("line:column")
    OutsideBuffer,
    NullAccess,      ///< through a null pointer (number is_null: 1), or to no buffer. texts: access, item
    Misaligned,      ///< the element. numbers: bytes, needed_bytes. texts: access, type, item
    DivisionByZero,  ///< texts: type, item
    /// The result leaves its type. texts: operation ("2147483647 + 1"), type, item; if looked for: first_size
    /// (the smallest at which it does), clean_size (the next smaller one that was observed;
    /// none: it was seen at all of them)
    SignedOverflow,
    /// The element that a work-item reads again and again until another one stores there: OpenCL promises
    /// no progress. numbers: endless (1: no other work-item of its group continues). texts: space, item
    WaitsForOthers,
    UnequalArguments,  ///< the function, which a group calls together. texts: item, other_item
    UnknownEvent,      ///< the function, called with an event that no copy of the group created. texts: item
    UnfinishedCopy,    ///< an asynchronous copy without a wait. texts: item ("group (0, 1)")
    UnsetVariable,     ///< the variable, used before it has a value, as the compiler or the source shows
    Recursion,         ///< the function, which calls itself, perhaps through others; OpenCL C forbids it

    // Gaps in X-ray's observation.
    XraySampled,      ///< function of a launch. numbers: groups, observed
    XrayEndless,      ///< function; place: where it was stopped. numbers: events, seconds. texts: item
    XrayCrashed,      ///< function; place: the last access before. texts: signal, item
    XrayNotObserved,  ///< texts: sentence (why there is no X-ray)
};

template <>
inline constexpr auto kEnumNames<FindingCode> = std::to_array<std::string_view>({
    "remark",
    "bad_input",
    "undeclared",
    "other_problem",
    "same_problem_name",
    "unlisted_param_value",
    "work_group_is_fixed",
    "malformed_work_group",
    "too_many_dimensions",
    "buffer_beyond_memory",
    "requirement_fails",
    "no_launch_applies",
    "too_many_launches",
    "scratch_too_large",
    "work_group_too_long",
    "work_group_too_large",
    "work_group_remainder",
    "buffer_too_large",
    "buffers_too_large",
    "checking_too_large",
    "not_checkable",
    "local_memory_too_large",
    "no_host_library",
    "no_reference",
    "wrong_elements",
    "never_written",
    "depends_on_unset",
    "wrong_in_other_order",
    "not_repeatable",
    "bound_by_elimination",
    "large_for_gpus",
    "local_large_for_gpus",
    "private_large_for_cpu",
    "too_few_rounds",
    "slow_first_round",
    "drifts_slower",
    "drifts_faster",
    "wanders",
    "two_groups",
    "scatters",
    "few_far_rounds",
    "stopped",
    "cut_short",
    "clocks_disagree",
    "slow_turns",
    "no_device_clock",
    "outrun",
    "slow_library",
    "claims_ignored",
    "suspect_barrier",
    "stray_semicolon",
    "data_race",
    "divergent_barrier",
    "unset_read",
    "outside_array",
    "outside_buffer",
    "null_access",
    "misaligned",
    "division_by_zero",
    "signed_overflow",
    "waits_for_others",
    "unequal_arguments",
    "unknown_event",
    "unfinished_copy",
    "unset_variable",
    "recursion",
    "xray_sampled",
    "xray_endless",
    "xray_crashed",
    "xray_not_observed",
});
static_assert(kEnumNames<FindingCode>.size() == static_cast<std::size_t>(FindingCode::XrayNotObserved) + 1);
template <>
inline constexpr const char* kEnumMeaning<FindingCode> = "The kind of finding: one of a closed list.";

/// A property common to all elements of a wrong output. Each comment names its numbers.
enum class WrongPattern {
    Transposed,   ///< the right values, in the order of columns
    ColumnMajor,  ///< B · A instead of A · B, as of matrices that are stored column by column
    /// Each has the value of a neighbour. by (elements or rows; above 0: further on), rows (1 or 0)
    Shifted,
    Scaled,   ///< each is a multiple of what was expected. factor
    AtEdges,  ///< of those: first_rows, last_rows, first_columns, last_columns, first_elements, last_elements
    Zeros,    ///< all that are wrong are 0
    LateStart,   ///< all sums lack their first terms. missing, terms
    EarlyEnd,    ///< all sums lack their last terms. missing, terms
    FirstTwice,  ///< all sums have their first term twice
    LastTwice,   ///< all sums have their last term twice
};

template <>
inline constexpr auto kEnumNames<WrongPattern> =
    std::to_array<std::string_view>({"transposed", "column_major", "shifted", "scaled", "at_edges", "zeros",
                                     "late_start", "early_end", "first_twice", "last_twice"});

/// A choice that the user can change. Each front end has its own name for it.
enum class RemedyKind { Size, WorkGroup, Params, Problem, TimeBudget, Rounds };

template <>
inline constexpr auto kEnumNames<RemedyKind> =
    std::to_array<std::string_view>({"size", "work_group", "params", "problem", "time_budget", "rounds"});

/// What to change, and the new value, e.g. "16x16" or "128" (seconds); empty: a smaller or another value.
struct Remedy {
    RemedyKind kind = RemedyKind::Size;
    std::string value = {};

    friend bool operator==(const Remedy&, const Remedy&) = default;
};

struct Finding {
    FindingCode code = FindingCode::Remark;
    std::string subject = {};
    std::string place = {};          ///< "file:line:column", an element "C[16][0]", or the kernel concerned
    NamedList<double> numbers = {};  ///< bytes, counts, ratios, milliseconds, and shares in [0, 1]
    NamedList<std::string> texts = {};
    std::optional<Remedy> remedy = {};

    /// @return  0 or "" if it is missing, because findings also come from untrusted processes
    double number(std::string_view name) const;
    const std::string& text(std::string_view name) const;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// True if a file or an option is invalid, whatever the size and the device.
constexpr bool is_bad_input(FindingCode code) {
    return code == FindingCode::BadInput || code == FindingCode::Undeclared;
}

/// A finding that consists only of a sentence.
Finding remark(std::string sentence, FindingCode code = FindingCode::Remark);

}  // namespace kwb
