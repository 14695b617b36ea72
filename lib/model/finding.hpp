// What planning, judging and measuring find: data until a face puts it into words (finding_words.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"

namespace kwb {

/// The closed list of findings. After each, what its `subject` is and which numbers and texts it has.
enum class FindingCode {
    // What nothing but its sentence is known of.
    Remark,    ///< texts: sentence
    BadInput,  ///< what a person wrote or typed cannot be used. texts: sentence, with the place

    // Choices that cannot be planned.
    Undeclared,          ///< file. texts: missing (half a sentence), declaration, command
    OtherProblem,        ///< kernel. texts: own, chosen
    SameProblemName,     ///< kernel. texts: problem
    UnlistedParamValue,  ///< kernel. texts: param, value, values
    WorkGroupIsFixed,    ///< kernel; `auto` was chosen. texts: extent
    MalformedWorkGroup,  ///< as typed
    TooManyDimensions,   ///< as typed
    BufferBeyondMemory,  ///< buffer. texts: sizes

    // What does not fit the device, the machine or the kernel.
    RequirementFails,     ///< name of the requirement. texts: condition, values
    NoLaunchApplies,      ///< kernel
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

    // Verdicts whose kind matters to others.
    NoReference,  ///< file of the reference, which came to nothing. texts: sentence
    /// buffer; place: the first element. numbers: wrong, at_least (1 or 0), elements, unwritten, not_finite.
    /// texts: inputs, expected, got
    WrongElements,
    NeverWritten,  ///< the same, where no wrong element was ever written

    // What fits here, but may not elsewhere.
    LargeForGpus,        ///< function. numbers: items, most, fit_items. texts: local
    LocalLargeForGpus,   ///< function. numbers: bytes, most_bytes
    PrivateLargeForCpu,  ///< function. numbers: bytes, items, most_bytes

    // Doubts about times.
    TooFewRounds,    ///< numbers: rounds, least
    TooShort,        ///< some rounds took 0 ms by the device's clock
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
    "large_for_gpus",
    "local_large_for_gpus",
    "private_large_for_cpu",
    "too_few_rounds",
    "too_short",
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
});
static_assert(kEnumNames<FindingCode>.size() == static_cast<std::size_t>(FindingCode::SlowTurns) + 1);
template <>
inline constexpr const char* kEnumMeaning<FindingCode> = "What was found: one of a closed list.";

/// What a person can change. Each face calls it by its own name.
enum class RemedyKind { Size, WorkGroup, Params, Problem, TimeBudget, Rounds };

template <>
inline constexpr auto kEnumNames<RemedyKind> =
    std::to_array<std::string_view>({"size", "work_group", "params", "problem", "time_budget", "rounds"});

/// What to change, and to what: "16x16", "128" (seconds); empty: something smaller or other than it is.
struct Remedy {
    RemedyKind kind = RemedyKind::Size;
    std::string value = {};

    friend bool operator==(const Remedy&, const Remedy&) = default;
};

struct Finding {
    FindingCode code = FindingCode::Remark;
    std::string subject = {};
    std::string place = {};          ///< "file:line:column", an element "C[16][0]", or the kernel concerned
    NamedList<double> numbers = {};  ///< shares in [0, 1], bytes, counts
    NamedList<std::string> texts = {};
    std::optional<Remedy> remedy = {};

    /// @return  0 or "" for what it does not have: findings also come from processes that are not trusted
    double number(std::string_view name) const;
    const std::string& text(std::string_view name) const;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// A finding of which only the sentence is known.
Finding remark(std::string sentence, FindingCode code = FindingCode::Remark);

}  // namespace kwb
