// SPDX-License-Identifier: Apache-2.0
#include "report/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/labels.hpp"
#include "report/text_layout.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostWrongShown = 5;
constexpr std::size_t kMostDiagnosticsShown = 10;
constexpr std::size_t kLogLines = 8;

std::string wrong_elements(const KernelResult& result, std::size_t width) {
    std::string text;
    if (result.reason.empty() && result.wrong_elements)
        text += paragraph(fmt::format("wrong elements: {}", *result.wrong_elements), width, kIndent);
    const bool has_values = !result.finding || result.finding->code != FindingCode::DependsOnUnset;
    if (result.first_wrong.empty() || says_unwritten(result) || !has_values) return text;
    const bool named = result.finding && result.finding->code == FindingCode::WrongElements;
    const std::size_t first = named ? 1 : 0;
    const std::size_t last = std::min(first + kMostWrongShown, result.first_wrong.size());
    if (first < last)
        text += paragraph(named ? "next wrong elements:" : "first wrong elements:", width, kIndent);
    for (std::size_t i = first; i < last; ++i)
        text += paragraph(describe_wrong(result.first_wrong[i]), width, 2 * kIndent);
    return text;
}

/// The compiler's messages. The first error is left out if the reason of a compile error already shows it.
std::string diagnostics(const KernelResult& result, std::size_t width) {
    std::string text;
    std::size_t shown = 0;
    const Diagnostic* told = nullptr;
    if (result.verdict == Verdict::CompileError && !result.reason.empty())
        for (const Diagnostic& diagnostic : result.diagnostics)
            if (told == nullptr && diagnostic.severity == Severity::Error) told = &diagnostic;
    for (const Diagnostic& diagnostic : result.diagnostics) {
        if (told != nullptr && diagnostic.message == told->message) continue;
        if (++shown > kMostDiagnosticsShown) continue;
        text += paragraph(describe(diagnostic), width, kIndent);
    }
    if (shown > kMostDiagnosticsShown)
        text += paragraph("and " + counted(shown - kMostDiagnosticsShown, "more message"), width, kIndent);
    return text;
}

/// The lines are not wrapped, to keep the compiler's layout.
std::string last_log_lines(const KernelResult& result) {
    std::vector<std::string> lines = split_lines(printable(result.log));
    while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
    if (lines.empty()) return "";
    const bool cut = lines.size() > kLogLines;
    if (cut) lines.erase(lines.begin(), lines.end() - kLogLines);
    std::string text =
        fmt::format("  compiler output{}:\n", cut ? fmt::format(" (last {} lines)", kLogLines) : "");
    for (const std::string& line : lines)
        text += std::string(line.empty() ? 0 : 2 * kIndent, ' ') + line + "\n";
    return text;
}

bool same_fault(const KernelResult& a, const KernelResult& b) {
    const auto cause = [](const KernelResult& result) { return result.expected ? result.expected->why : ""; };
    return a.verdict == b.verdict && a.as_expected() == b.as_expected() && cause(a) == cause(b) &&
           a.device == b.device && contestant_label(a) == contestant_label(b);
}

/// @param place  appended to the kernel's name, e.g. " at 512"
std::string fault_note(const KernelResult& result, const std::string& place, const TableOptions& options) {
    const Cell verdict = verdict_cell(result);
    std::string text =
        contestant_label(result) + place + ": " + paint(verdict.text, verdict.tone, options) + "\n";
    if (result.expected && !result.expected->why.empty())
        text += paragraph("expected to be " + expected_names(*result.expected) +
                              (options.explains ? ": " + result.expected->why : "; --explain shows why"),
                          options.width, kIndent);
    text += paragraph(plain_signs(result.reason, options), options.width, kIndent);
    text += wrong_elements(result, options.width);
    const std::string messages = diagnostics(result, options.width);
    return text + (result.diagnostics.empty() ? last_log_lines(result) : messages);
}

/// The needed time plus a quarter, rounded up to whole seconds.
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

/// True if the numbers of such a finding are magnitudes, so that several can be merged into a range.
bool is_measure(FindingCode code) {
    using enum FindingCode;
    constexpr FindingCode kMeasures[] = {SlowFirstRound, DriftsSlower, DriftsFaster, Wanders,
                                         TwoGroups,      Scatters,     FewFarRounds};
    return std::ranges::find(kMeasures, code) != std::end(kMeasures);
}

/// A fault at one place of a source, regardless of the size and the work-items that show it. Empty if it has
/// no place.
std::string cause_of(const Finding& finding) {
    using enum FindingCode;
    constexpr FindingCode kPlaced[] = {
        DataRace,       DivergentBarrier, UnsetRead,     OutsideArray, OutsideBuffer, NullAccess, Misaligned,
        DivisionByZero, SignedOverflow,   UnsetVariable, Recursion,    XrayEndless,   XrayCrashed};
    if (finding.place.empty() || std::ranges::find(kPlaced, finding.code) == std::end(kPlaced)) return "";
    if (const std::string& loop = finding.text("loop_place"); !loop.empty()) return "loop " + loop;
    // A race is found from both sides.
    const auto& [first, second] = std::minmax(finding.place, finding.text("first_place"));
    return fmt::format("{} {} {} {}", to_string(finding.code),
                       finding.subject.substr(0, finding.subject.find('[')), first, second);
}

/// Extend the range to include `finding`, which must have the same code and so the same numbers.
void widen(Finding& low, Finding& high, const Finding& finding) {
    for (auto& [name, number] : low.numbers) number = std::min(number, finding.number(name));
    for (auto& [name, number] : high.numbers) number = std::max(number, finding.number(name));
}

// What the kernels printed.

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kMostBytes = 2048;

/// The output of one kernel.
struct Printed {
    std::string label;
    std::string output;              ///< unchanged, to detect repetition
    std::vector<std::string> lines;  ///< made safe for a terminal
    std::string not_kept;            ///< the judge's last line, "[… N more bytes of output were not kept]"
};

bool says_not_kept(const std::string& line) {
    return line.starts_with("[… ") && line.ends_with(" not kept]");
}

std::vector<Printed> collect(const std::vector<KernelResult>& results) {
    std::vector<Printed> all;
    for (const KernelResult& result : results) {
        if (trim(result.output).empty()) continue;
        Printed printed{contestant_label(result), result.output, split_lines(printable(result.output)), ""};
        if (says_not_kept(printed.lines.back())) {
            printed.not_kept = printed.lines.back();
            printed.lines.pop_back();
        }
        const bool known = std::any_of(all.begin(), all.end(), [&](const Printed& other) {
            return other.label == printed.label && other.output == printed.output;
        });
        if (!known) all.push_back(std::move(printed));
    }
    return all;
}

/// The first `most` bytes of valid UTF-8 text, or fewer, so that no character is split.
std::string first_bytes(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0u) == 0x80u) --most;
    return text.substr(0, most);
}

/// The lines and bytes that may still be shown, and those that were hidden.
struct Room {
    std::size_t lines = kMostLines;
    std::size_t bytes = kMostBytes;
    std::size_t hidden_lines = 0;  ///< lines of which nothing is shown
    std::size_t hidden_bytes = 0;

    /// @return  the line or its beginning; empty if there is no room left
    std::string take(const std::string& line) {
        if (lines == 0 || bytes == 0) {
            ++hidden_lines;
            hidden_bytes += line.size() + 1;
            return "";
        }
        --lines;
        const std::string shown = first_bytes(line, bytes);
        const bool whole = shown.size() == line.size();
        hidden_bytes += line.size() - shown.size();
        bytes = whole ? bytes - shown.size() : 0;
        return std::string(shown.empty() ? 0 : kIndent, ' ') + shown + (whole ? "" : "…") + "\n";
    }
};

/// "… and 80 more lines, 400 bytes (all of it with --json)"
std::string tell_hidden(const Room& room, bool all_kept) {
    const std::string bytes = format_bytes(room.hidden_bytes);
    return fmt::format(
        "  … and {} ({})\n",
        room.hidden_lines > 0 ? counted(room.hidden_lines, "more line") + ", " + bytes : bytes + " more",
        all_kept ? "all of it with --json" : "--json has the kept part");
}

/// The first lines of what the kernels printed: at most 20 lines and 2 KiB in total, so that neither many
/// lines nor one huge line flood a terminal. Then how much is not shown, where to find it, and how much of
/// each kernel's output the judge discarded. Output that a kernel repeats at several sizes is shown once.
std::string printed_output(const std::vector<KernelResult>& results, const TableOptions& options) {
    const std::vector<Printed> all = collect(results);
    Room room;
    std::string text;
    std::string not_kept;  // printed after the note about hidden output
    for (const Printed& printed : all) {
        std::string shown;
        for (const std::string& line : printed.lines) shown += room.take(line);
        if (!shown.empty()) text += "printed by " + printed.label + ":\n" + shown;
        if (printed.not_kept.empty()) continue;
        if (room.hidden_bytes == 0)
            text += paragraph(printed.not_kept, options.width, kIndent);
        else
            not_kept += paragraph(printed.label + ": " + printed.not_kept, options.width, kIndent);
    }
    const bool all_kept =
        std::all_of(all.begin(), all.end(), [](const Printed& printed) { return printed.not_kept.empty(); });
    if (room.hidden_bytes > 0) text += tell_hidden(room, all_kept);
    return plain_signs(text + not_kept, options);
}

/// " (at N=15, N=17, N=31 and 12 more sizes)"
std::string at_sizes(std::vector<std::string> sizes) {
    constexpr std::size_t kMostSizes = 3;
    if (sizes.empty()) return "";
    if (sizes.size() > kMostSizes + 1) {
        const std::size_t more = sizes.size() - kMostSizes;
        sizes.resize(kMostSizes);
        sizes.push_back(counted(more, "more size"));
    }
    return " (at " + enumerate(sizes) + ")";
}

}  // namespace

void GroupedFindings::add(const Finding& finding, const std::string& kernel, const std::string& size) {
    const std::string cause = cause_of(finding);
    const auto known = std::ranges::find_if(groups_, [&](const Group& group) {
        if (!cause.empty()) return cause_of(group.low) == cause && group.kernels.front() == kernel;
        return group.low == finding || (group.low.code == finding.code && is_measure(finding.code));
    });
    if (known == groups_.end()) {
        groups_.push_back({finding, finding, {kernel}, {}});
        if (!cause.empty() && !size.empty()) groups_.back().sizes = {size};
        return;
    }
    if (!cause.empty()) {
        if (!size.empty() && known->sizes.back() != size) known->sizes.push_back(size);
        return;
    }
    widen(known->low, known->high, finding);
    if (std::ranges::find(known->kernels, kernel) == known->kernels.end()) known->kernels.push_back(kernel);
}

std::string GroupedFindings::render(std::string_view kind, const TableOptions& options) const {
    std::vector<FindingWords> words;
    for (const Group& group : groups_) words.push_back(words_of_range(group.low, group.high, Face::Terminal));
    const auto write = [&](const std::string& text, std::size_t indent) {
        return paragraph(plain_signs(text, options), options.width, indent);
    };
    const auto head = [&](std::size_t i) {
        return fmt::format("{}: {}: {}{}", kind, enumerate(groups_[i].kernels), words[i].what,
                           at_sizes(groups_[i].sizes));
    };
    std::string text;
    std::vector<bool> is_written(groups_.size(), false);
    for (std::size_t first = 0; first < groups_.size(); ++first) {
        if (is_written[first]) continue;
        const std::string& advice = words[first].advice;
        std::vector<std::size_t> sharing;
        for (std::size_t i = first; i < groups_.size(); ++i)
            if (i == first || (!advice.empty() && words[i].advice == advice)) sharing.push_back(i);
        if (sharing.size() == 1) {
            text += write(advice.empty() ? head(first) : head(first) + " " + advice, 0);
            continue;
        }
        for (const std::size_t i : sharing) {
            text += write(head(i), 0);
            is_written[i] = true;
        }
        text += write(advice, 2);
    }
    return text;
}

namespace {

struct Fault {
    const KernelResult* first;
    std::size_t more_sizes = 0;
};

/// Results that are not correct, or that are correct although their file expects otherwise. A kernel that
/// fails in the same way at several sizes is one, at the first of them.
std::vector<Fault> find_faults(const std::vector<KernelResult>& results) {
    std::vector<Fault> faults;
    for (const KernelResult& result : results) {
        if (is_good(result.verdict) && result.as_expected()) continue;
        const auto told = std::find_if(faults.begin(), faults.end(),
                                       [&](const Fault& fault) { return same_fault(*fault.first, result); });
        if (told == faults.end())
            faults.push_back({&result});
        else
            ++told->more_sizes;
    }
    return faults;
}

/// A paragraph for each fault: verdict, reason, first wrong elements, and the compiler's messages or, without
/// any, the last lines of its log.
std::string fault_notes(const std::vector<KernelResult>& results, const TableOptions& options) {
    const bool with_size = has_several_sizes(results);
    std::string text;
    for (const auto& [result, more_sizes] : find_faults(results)) {
        std::string place = with_size ? " at " + kwb::to_string(result->size) : "";
        if (more_sizes > 0) place += " and " + counted(more_sizes, "more size");
        text += (text.empty() ? "" : "\n") + fault_note(*result, place, options);
    }
    return text;
}

/// Hints, each once with all files and lines that it refers to; the library of cpu:blas; how results were
/// checked that were not compared in full; warnings, each once with all kernels that it applies to; then the
/// first lines of what the kernels printed, and how much output was discarded.
std::string remarks(const std::vector<KernelResult>& results, const TableOptions& options) {
    GroupedFindings hints;
    GroupedFindings checks;
    GroupedFindings warnings;
    const bool with_size = has_several_sizes(results);
    std::vector<std::string> told;  // kernels, each with the cause of a fault
    for (const Fault& fault : find_faults(results))
        if (fault.first->finding)
            if (const std::string cause = cause_of(*fault.first->finding); !cause.empty())
                told.push_back(contestant_label(*fault.first) + cause);
    for (const KernelResult& result : results) {
        const std::string label = contestant_label(result);
        for (const Hint& hint : result.hints) {
            // "file:line" as in compiler messages, so that editors and terminals can open the place.
            const std::string place = hint.line > 0 ? fmt::format(":{}", hint.line) : "";
            hints.add(remark(hint.sentence), result.file + place);
        }
        if (result.library) checks.add(remark(*result.library), label);
        if (result.random_check) checks.add(remark(describe(*result.random_check)), label);
        for (const Finding& warning : warnings_of(result))
            if (std::ranges::find(told, label + cause_of(warning)) == told.end())
                warnings.add(warning, label, with_size ? kwb::to_string(result.size) : "");
    }
    std::string text =
        hints.render("hint", options) + checks.render("note", options) + warnings.render("warning", options);
    const std::string output = printed_output(results, options);
    if (!text.empty() && !output.empty()) text += "\n";
    return text + output;
}

}  // namespace

std::string below_table(const std::string& foot, const std::vector<KernelResult>& results,
                        const TableOptions& options) {
    std::string text;
    for (const std::string& part : {foot, fault_notes(results, options), remarks(results, options)})
        if (!part.empty()) text += "\n" + part;
    return text;
}

std::string expected_names(const Expectation& expected) {
    std::vector<std::string> names;
    for (const Verdict verdict : expected.verdicts) names.push_back(kwb::to_string(verdict));
    return enumerate(names, "or");
}

std::string describe(const Diagnostic& diagnostic) {
    return printable(fmt::format("{}:{}:{}: {}: {}", printable_line(diagnostic.file), diagnostic.line,
                                 diagnostic.column, to_string(diagnostic.severity), diagnostic.message));
}

std::string describe(const RandomCheck& check) {
    return fmt::format(
        "checked by random vectors, because a full reference would take too long: the chance of missing a "
        "wrong element is at most {:.2g}{}, and {} {} compared one by one",
        check.miss_chance,
        check.visible_error
            ? fmt::format(" (with random inputs, for an element that is off by more than {:.2g})",
                          *check.visible_error)
            : "",
        counted(check.compared_elements, "element"), check.compared_elements == 1 ? "was" : "were");
}

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
