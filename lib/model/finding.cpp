#include "model/finding.hpp"

#include <array>
#include <utility>

namespace kwb {
namespace {

/// In the order of the enumeration; the test goes through all of them.
constexpr std::array<std::string_view, 41> kCodes = {
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
};
static_assert(kCodes.size() == static_cast<std::size_t>(FindingCode::SlowTurns) + 1, "a name for each code");

constexpr std::array<std::string_view, 6> kRemedyKinds = {"size",    "work_group",  "params",
                                                          "problem", "time_budget", "rounds"};
static_assert(kRemedyKinds.size() == static_cast<std::size_t>(RemedyKind::Rounds) + 1,
              "a name for each remedy");

template <class Enum, std::size_t n>
std::optional<Enum> parse(const std::array<std::string_view, n>& names, std::string_view name) {
    for (std::size_t i = 0; i < n; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

}  // namespace

std::string to_string(FindingCode code) {
    return std::string(kCodes[static_cast<std::size_t>(code)]);
}

std::optional<FindingCode> parse_finding_code(std::string_view name) {
    return parse<FindingCode>(kCodes, name);
}

std::vector<std::string> finding_code_names() {
    return {kCodes.begin(), kCodes.end()};
}

std::string to_string(RemedyKind kind) {
    return std::string(kRemedyKinds[static_cast<std::size_t>(kind)]);
}

std::optional<RemedyKind> parse_remedy_kind(std::string_view name) {
    return parse<RemedyKind>(kRemedyKinds, name);
}

double Finding::number(std::string_view name) const {
    const double* const found = find_named(numbers, name);
    return found != nullptr ? *found : 0;
}

const std::string& Finding::text(std::string_view name) const {
    static const std::string kNone;
    const std::string* const found = find_named(texts, name);
    return found != nullptr ? *found : kNone;
}

Finding remark(std::string sentence, FindingCode code) {
    return {.code = code, .texts = {{"sentence", std::move(sentence)}}};
}

}  // namespace kwb
