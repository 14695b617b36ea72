// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/miscompiled.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// A run without optimisations takes up to some ten times as long.
constexpr double kMostRunMs = 2000;

/// Options with which the person allows other results, or has optimisations left out already.
constexpr std::string_view kOptions[] = {
    "-cl-fast-relaxed-math",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-mad-enable",
    "-cl-denorms-are-zero",
    "-cl-no-signed-zeros",
    "-ffast-math",
    "-Ofast",
    kUnoptimised,
};

/// The compiler may fuse operations, and the inputs of a problem may be such that this changes some digits.
bool is_more_than_rounding(const KernelResult& result) {
    constexpr double kLeastShare = 0.01;
    double largest = 0, difference = 0;
    for (const WrongElement& wrong : result.first_wrong) {
        if (!std::isfinite(wrong.expected)) return false;
        largest = std::max(largest, std::fabs(wrong.expected));
        if (!std::isfinite(wrong.got)) return true;
        difference = std::max(difference, std::fabs(wrong.got - wrong.expected));
    }
    return difference > kLeastShare * largest;
}

}  // namespace

bool is_wrong_in_elements(const KernelResult& result) {
    return result.verdict == Verdict::Wrong && result.finding &&
           (result.finding->code == FindingCode::WrongElements ||
            result.finding->code == FindingCode::NeverWritten);
}

bool may_try_unoptimised(const ContestantState& contestant) {
    const std::string& options = contestant.plan->build_options;
    const auto is_given = [&](std::string_view option) { return options.find(option) != std::string::npos; };
    const bool was_right =
        !contestant.proven_outputs.empty();  // in the exact pass: so only rounding is wrong
    return contestant.right_in_xray && is_wrong_in_elements(contestant.result) && !was_right &&
           contestant.last_run_ms <= kMostRunMs && std::ranges::none_of(kOptions, is_given) &&
           is_more_than_rounding(contestant.result);
}

void try_unoptimised(ContestantState& contestant, const Verification& verification, const PassData& data) {
    if (!verification.is_right_unoptimised(contestant, Pass::Real, data)) return;
    KernelResult& result = contestant.result;
    Finding& finding = *result.finding;
    finding.texts.push_back({"right_in_xray", to_string(*contestant.right_in_xray)});
    finding.numbers.push_back({"at_other_size", *contestant.right_in_xray == result.size ? 0.0 : 1.0});
    result.reason = sentence_of(finding);
}

}  // namespace kwb
