// SPDX-License-Identifier: Apache-2.0
#include "report/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "model/request.hpp"
#include "model/xray_words.hpp"
#include "report/numbers.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// The ratio seen from the other side.
Speedup inverse(const Speedup& speedup) {
    Speedup other = speedup;
    other.value = 1 / speedup.value;
    if (speedup.interval) other.interval = Interval{1 / speedup.interval->high, 1 / speedup.interval->low};
    return other;
}

/// The interval is too wide to state the ratio without "about".
constexpr double kRoughFactor = 1.25;
/// One number in such an interval would claim too much: it may be far from the quotient of the times.
constexpr double kNoOneNumber = 1.6;

bool is_rough(const Interval& ratio, double factor = kRoughFactor) {
    return ratio.high > factor * ratio.low;
}

/// "wrong" in a sentence about a kernel: "is wrong".
std::string_view predicate(const KernelResult& result) {
    switch (result.verdict) {
        case Verdict::Correct:
            return "is correct";
        case Verdict::Ran:
            return "ran";
        case Verdict::Wrong:
            return "is wrong";
        case Verdict::Undefined:
            return is_right_by_luck(result) ? "is right only by luck" : "has undefined behaviour";
        case Verdict::OutOfBounds:
            return "goes out of bounds";
        case Verdict::CompileError:
            return "does not compile";
        case Verdict::CompilerCrashed:
            return "crashes the compiler";
        case Verdict::LaunchError:
            return "cannot be launched";
        case Verdict::KernelCrashed:
            return "crashes";
        case Verdict::Timeout:
            return "timed out";
        case Verdict::Constraint:
            return "does not fit";
        case Verdict::Unsupported:
            return "is unsupported";
        case Verdict::Skipped:
            return "was not run";
    }
    return "";
}

/// @param is_left_out  of a result, which is not compared
Answer compare(std::span<const KernelResult> results, std::size_t baseline,
               bool (*is_left_out)(const KernelResult&)) {
    const auto is_judged = [](const KernelResult& result) { return result.judged; };
    if (results.empty() || baseline >= results.size() || !std::ranges::all_of(results, is_judged)) return {};
    if (!is_good(results[baseline].verdict)) return {Answer::Kind::Faulty, baseline, baseline};
    if (results.size() == 1)
        return {results[0].median_ms ? Answer::Kind::Alone : Answer::Kind::NotTimed, 0, 0};
    std::optional<std::size_t> fastest, faulty;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (i == baseline || is_left_out(results[i])) continue;
        if (!is_good(results[i].verdict)) {
            if (!faulty) faulty = i;
        } else if (results[i].median_ms &&
                   (!fastest || *results[i].median_ms < *results[*fastest].median_ms)) {
            fastest = i;
        }
    }
    if (!fastest && faulty) return {Answer::Kind::Faulty, *faulty, baseline};
    if (!fastest || !results[baseline].median_ms) return {Answer::Kind::NotTimed, baseline, baseline};
    Answer answer{Answer::Kind::TooNoisy, *fastest, baseline, results[*fastest].speedup};
    if (!answer.factor) return {};  // measured against another baseline
    if (!answer.factor->interval) {
        answer.kind = Answer::Kind::TooFewRounds;
        return answer;
    }
    const Interval& interval = *answer.factor->interval;
    if (!is_undecided(*answer.factor)) {
        answer.kind = Answer::Kind::Faster;
        if (answer.factor->value < 1) {
            std::swap(answer.subject, answer.other);
            answer.factor = inverse(*answer.factor);
        }
    } else if (stats::is_clear(interval)) {
        answer.kind = Answer::Kind::NoDifference;
    }
    return answer;
}

}  // namespace

bool is_right_by_luck(const KernelResult& result) {
    return result.verdict == Verdict::Undefined && result.wrong_elements == 0u;
}

std::string cause_of(const KernelResult& result) {
    return result.finding ? xray_cause_of(*result.finding) : "";
}

Answer answer_of(std::span<const KernelResult> results, std::size_t baseline) {
    return compare(results, baseline, [](const KernelResult&) { return false; });
}

Answer answer_among_kernels(std::span<const KernelResult> results, std::size_t baseline) {
    const auto is_library = [](const KernelResult& result) { return result.kernel == kHostBlasName; };
    if (baseline < results.size() && is_library(results[baseline])) return {};
    return compare(results, baseline, is_library);
}

std::string headline(const Answer& answer, std::span<const KernelResult> results,
                     std::span<const std::string> labels) {
    const auto name = [&](std::size_t index) { return index < labels.size() ? labels[index] : ""; };
    switch (answer.kind) {
        case Answer::Kind::None:
            return "";
        case Answer::Kind::Alone:
            return name(answer.subject) + " takes " + format_time_ms(*results[answer.subject].median_ms);
        case Answer::Kind::Faster:
            if (is_rough(*answer.factor->interval, kNoOneNumber))
                return fmt::format("{} is {}× as fast as {}", name(answer.subject),
                                   ratio_texts(*answer.factor).interval, name(answer.other));
            return fmt::format("{} is {}{}× as fast as {}", name(answer.subject),
                               is_rough(*answer.factor->interval) ? "about " : "",
                               ratio_texts(*answer.factor).value, name(answer.other));
        case Answer::Kind::NoDifference:
            return fmt::format("No difference seen between {} and {}", name(answer.subject),
                               name(answer.other));
        case Answer::Kind::TooNoisy:
            return fmt::format("Too noisy to compare {} with {}", name(answer.subject), name(answer.other));
        case Answer::Kind::TooFewRounds:
            return fmt::format("Too few rounds to compare {} with {}", name(answer.subject),
                               name(answer.other));
        case Answer::Kind::Faulty:
            return fmt::format("{} {}{}", name(answer.subject), predicate(results[answer.subject]),
                               results[answer.subject].as_expected() ? ", as its file expects" : "");
        case Answer::Kind::NotTimed:
            return "Nothing was timed";
    }
    return "";
}

std::string headline_detail(const Answer& answer, std::span<const KernelResult> results) {
    if (answer.kind == Answer::Kind::None || answer.kind == Answer::Kind::NotTimed) return "";
    const KernelResult& result = results[answer.subject];
    if (answer.kind == Answer::Kind::Faulty) {
        const std::string cause = cause_of(result);
        return cause.empty() ? result.reason : cause;
    }
    // A ratio is taken within the rounds that both took part in.
    const std::size_t count = std::min(result.samples_ms.size(), results[answer.other].samples_ms.size());
    const std::string rounds = counted(count, "round");
    if (answer.kind == Answer::Kind::Alone)
        return result.ci95_ms ? format_time_interval_ms(*result.median_ms, *result.ci95_ms) +
                                    " is the 95 % interval of the median, " + rounds
                              : "the median of " + rounds + ", too few for an interval";
    if (!answer.factor || !answer.factor->interval)
        return rounds + (count == 1 ? " is" : " are") + " too few for an interval";
    return ratio_texts(*answer.factor).interval + " is the 95 % interval of the ratio, " + rounds;
}

}  // namespace kwb
