#include "report/warnings.hpp"

#include <algorithm>
#include <cmath>

#include "stats/interval.hpp"

namespace kwb {
namespace {

/// With a quarter to spare, in whole seconds.
std::string enough_seconds(double needed_ms) {
    return std::to_string(static_cast<int>(std::min(std::ceil(1.25 * needed_ms / 1000), 1e6)));
}

Finding finding_of(const TooFewRounds& lack, std::size_t rounds) {
    constexpr std::size_t kLeast = stats::kLeastIntervalSamples;
    return {.code = FindingCode::TooFewRounds,
            .numbers = {{"rounds", static_cast<double>(rounds)}, {"least", static_cast<double>(kLeast)}},
            .remedy = lack.needed_ms ? Remedy{RemedyKind::TimeBudget, enough_seconds(*lack.needed_ms)}
                                     : Remedy{RemedyKind::Rounds, std::to_string(kLeast)}};
}

}  // namespace

std::vector<Finding> warnings_of(const KernelResult& result) {
    std::vector<Finding> warnings = result.warnings;
    if (result.too_few_rounds && !result.samples_ms.empty())
        warnings.insert(warnings.begin(), finding_of(*result.too_few_rounds, result.samples_ms.size()));
    return warnings;
}

std::vector<std::string> warning_sentences(const KernelResult& result, Face face) {
    std::vector<std::string> sentences;
    for (const Finding& warning : warnings_of(result)) sentences.push_back(sentence_of(warning, face));
    return sentences;
}

}  // namespace kwb
