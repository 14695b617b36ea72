#include "report/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/interval.hpp"

namespace kwb {
namespace {

/// With a quarter to spare, in whole seconds.
int enough_seconds(double needed_ms) {
    return static_cast<int>(std::min(std::ceil(1.25 * needed_ms / 1000), 1e6));
}

std::string more_time(double needed_ms, Face face) {
    const int seconds = enough_seconds(needed_ms);
    switch (face) {
        case Face::Terminal:
            return fmt::format("Give each kernel more time: --time-budget {}s.", seconds);
        case Face::Window:
            return fmt::format("Give each kernel more time: set 'Seconds a kernel' to {}.", seconds);
        case Face::Page:
            break;
    }
    return fmt::format("It takes about {} s a kernel.", seconds);
}

std::string more_rounds(Face face) {
    return face == Face::Terminal ? fmt::format("Measure more: --rounds {}.", stats::kLeastIntervalSamples)
                                  : fmt::format("Measure at least {} rounds.", stats::kLeastIntervalSamples);
}

std::string describe(const TooFewRounds& lack, std::size_t rounds, Face face) {
    return fmt::format("{} too few for an interval, which needs {}. ",
                       rounds == 1 ? "1 round is" : fmt::format("{} rounds are", rounds),
                       stats::kLeastIntervalSamples) +
           (lack.needed_ms ? more_time(*lack.needed_ms, face) : more_rounds(face));
}

}  // namespace

std::vector<std::string> warning_sentences(const KernelResult& result, Face face) {
    std::vector<std::string> sentences;
    if (result.too_few_rounds && !result.samples_ms.empty())
        sentences.push_back(describe(*result.too_few_rounds, result.samples_ms.size(), face));
    sentences.insert(sentences.end(), result.warnings.begin(), result.warnings.end());
    return sentences;
}

}  // namespace kwb
