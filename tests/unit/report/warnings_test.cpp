#include "report/warnings.hpp"

#include <doctest/doctest.h>

using namespace kwb;

namespace {

KernelResult short_of_rounds(std::size_t rounds, std::optional<double> needed_ms) {
    KernelResult result;
    result.samples_ms.assign(rounds, 17000);
    result.too_few_rounds = TooFewRounds{needed_ms};
    result.warnings = {remark("noisy")};
    return result;
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("too few rounds name the control of the face, with a time that is enough") {
    const KernelResult result = short_of_rounds(1, 102'000);
    CHECK(warning_sentences(result, Face::Terminal) ==
          Sentences{"1 round is too few for an interval, which needs 6. Give each kernel more time: "
                    "--time-budget 128s.",
                    "noisy"});
    CHECK(warning_sentences(result, Face::Window).front() ==
          "1 round is too few for an interval, which needs 6. Give each kernel more time: set 'Seconds a "
          "kernel' to 128.");
    CHECK(warning_sentences(result, Face::Page).front() ==
          "1 round is too few for an interval, which needs 6. It takes about 128 s a kernel.");
}

TEST_CASE("where it was not the time that ended the rounds, more rounds are the advice") {
    const KernelResult result = short_of_rounds(3, std::nullopt);
    CHECK(warning_sentences(result, Face::Terminal).front() ==
          "3 rounds are too few for an interval, which needs 6. Measure more: --rounds 6.");
    CHECK(warning_sentences(result, Face::Window).front().ends_with("Measure at least 6 rounds."));
}

TEST_CASE("enough rounds leave the warnings as they are") {
    KernelResult result;
    result.warnings = {remark("noisy"), remark("drifting")};
    CHECK(warning_sentences(result, Face::Window) == Sentences{"noisy", "drifting"});
}
