// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "report/notes.hpp"
#include "report/numbers.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

// --- warnings ---

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
          "1 round is too few for an interval, which needs 6. Give each kernel more time: set 'Seconds per "
          "kernel' to 128.");
    CHECK(warning_sentences(result, Face::Page).front() ==
          "1 round is too few for an interval, which needs 6. It takes about 128 s per kernel.");
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

// --- waiting ---

TEST_CASE("a step that lasts tells how long it has lasted and how long it may") {
    Progress progress;
    CHECK(waiting_words(progress).empty());
    progress.limit_ms = 30'000;
    progress.elapsed_ms = 999;
    CHECK(waiting_words(progress).empty());
    progress.elapsed_ms = 12'004;
    CHECK(waiting_words(progress) == "12 s of at most 30 s");
    progress.limit_ms = 500'500;
    CHECK(waiting_words(progress) == "12 s of at most 500.5 s");
    progress.limit_ms.reset();
    CHECK(waiting_words(progress) == "12 s");
}

// --- grouped findings ---

namespace {

const TableOptions kWide = {true, false, 300};

Finding doubt(FindingCode code, double share) {
    return {.code = code, .numbers = {{"share", share}}};
}

}  // namespace

TEST_CASE("the same scatter of several kernels is one warning with the range and one advice") {
    GroupedFindings findings;
    findings.add(doubt(FindingCode::Scatters, 0.15), "a");
    findings.add(doubt(FindingCode::Scatters, 0.3), "b");
    findings.add(doubt(FindingCode::Scatters, 0.2), "c");
    const std::string text = findings.render("warning", kWide);
    CHECK(split_lines(text).size() == 1);
    CHECK(text.starts_with("warning: a, b and c: Times scatter: half of the rounds are 15–30 % or more"));
    CHECK(occurrences(text, "Close other programs") == 1);
}

TEST_CASE("ranges are ordered by value and survive a third number") {
    GroupedFindings findings;
    findings.add(doubt(FindingCode::DriftsSlower, 0.09), "a");
    findings.add(doubt(FindingCode::DriftsSlower, 0.10), "b");
    findings.add(doubt(FindingCode::DriftsSlower, 0.08), "c");
    const std::string text = findings.render("warning", kWide);
    CHECK(
        text.starts_with("warning: a, b and c: Times drift: the last third of the rounds is 8–10 % slower"));
}

TEST_CASE("two groups that differ in share and ratio are one warning with both ranges") {
    GroupedFindings findings;
    findings.add({.code = FindingCode::TwoGroups, .numbers = {{"share", 0.4}, {"ratio", 1.2}}}, "a");
    findings.add({.code = FindingCode::TwoGroups, .numbers = {{"share", 0.3}, {"ratio", 1.5}}}, "b");
    CHECK(findings.render("warning", kWide).find("30–40 % of the rounds took 1.20–1.50 times as long") !=
          std::string::npos);
}

TEST_CASE("different findings with the same advice stay apart, the advice follows the last") {
    GroupedFindings findings;
    findings.add(doubt(FindingCode::Scatters, 0.1), "a");
    findings.add(remark("Rounds are few."), "b");
    findings.add(doubt(FindingCode::FewFarRounds, 0.2), "b");
    CHECK(findings.render("warning", kWide) ==
          "warning: a: Times scatter: half of the rounds are 10 % or more away from the median.\n"
          "warning: b: Some rounds are far from the others: the median is known only to ± 20 %.\n"
          "  Close other programs, choose a larger size, or give each kernel more time.\n"
          "warning: b: Rounds are few.\n");
}

TEST_CASE("what one place does wrong at many sizes is one line with the sizes") {
    GroupedFindings findings;
    const auto outside = [](double elements, const char* place) {
        return Finding{.code = FindingCode::OutsideBuffer,
                       .subject = "A",
                       .place = place,
                       .numbers = {{"element", elements}, {"elements", elements}},
                       .texts = {{"access", "read"}, {"item", "3"}}};
    };
    for (const int size : {1, 2, 15, 16, 17, 31})
        findings.add(outside(size, "4:9"), "a", "N=" + std::to_string(size));
    findings.add(outside(31, "5:9"), "a", "N=31");  // another access
    findings.add(outside(31, "4:9"), "b", "N=31");  // another kernel
    const std::vector<std::string> lines = split_lines(findings.render("warning", kWide));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].starts_with("warning: a: work-item 3 reads element 1 of A"));
    CHECK(lines[0].ends_with(" (at N=1, N=2, N=15 and 3 more sizes)"));
    CHECK(lines[1].ends_with(" (at N=31)"));
    CHECK(lines[2].starts_with("warning: b: "));
}

TEST_CASE("numbers that are no measures are never merged") {
    GroupedFindings findings;
    findings.add({.code = FindingCode::LocalLargeForGpus, .subject = "k", .numbers = {{"bytes", 65536}}},
                 "a");
    findings.add({.code = FindingCode::LocalLargeForGpus, .subject = "k", .numbers = {{"bytes", 98304}}},
                 "b");
    CHECK(split_lines(findings.render("warning", kWide)).size() == 2);
}
