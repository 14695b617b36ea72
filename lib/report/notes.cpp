#include "report/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/grouped_findings.hpp"
#include "report/labels.hpp"
#include "report/printed_output.hpp"
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
    if (result.first_wrong.empty() || says_unwritten(result)) return text;
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
    constexpr const char* kWords[] = {"note", "warning", "error"};
    const Diagnostic* told = nullptr;
    if (result.verdict == Verdict::CompileError && !result.reason.empty())
        for (const Diagnostic& diagnostic : result.diagnostics)
            if (told == nullptr && diagnostic.severity == Severity::Error) told = &diagnostic;
    for (const Diagnostic& diagnostic : result.diagnostics) {
        if (told != nullptr && diagnostic.message == told->message) continue;
        if (++shown > kMostDiagnosticsShown) continue;
        text += paragraph(
            printable(fmt::format("{}:{}:{}: {}: {}", diagnostic.file, diagnostic.line, diagnostic.column,
                                  kWords[static_cast<std::size_t>(diagnostic.severity)], diagnostic.message)),
            width, kIndent);
    }
    if (shown > kMostDiagnosticsShown)
        text += paragraph(fmt::format("and {} more message{}", shown - kMostDiagnosticsShown,
                                      shown - kMostDiagnosticsShown == 1 ? "" : "s"),
                          width, kIndent);
    return text;
}

/// Indent text from another program without wrapping it, to keep its layout.
std::string quoted_lines(const std::vector<std::string>& lines, std::size_t indent) {
    std::string text;
    for (const std::string& line : lines) text += std::string(line.empty() ? 0 : indent, ' ') + line + "\n";
    return text;
}

std::string last_log_lines(const KernelResult& result) {
    std::vector<std::string> lines = split_lines(printable(result.log));
    while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
    if (lines.empty()) return "";
    const bool cut = lines.size() > kLogLines;
    if (cut) lines.erase(lines.begin(), lines.end() - kLogLines);
    return fmt::format("  the compiler said{}:\n", cut ? fmt::format(" (last {} lines)", kLogLines) : "") +
           quoted_lines(lines, 2 * kIndent);
}

std::string expected_names(const Expectation& expected) {
    std::vector<std::string> names;
    for (const Verdict verdict : expected.verdicts) names.push_back(kwb::to_string(verdict));
    return enumerate(names, "or");
}

/// Why the kernel's file expects this verdict; empty if it expects nothing or gives no reason.
std::string announced_cause(const KernelResult& result) {
    return result.expected ? result.expected->why : "";
}

bool same_fault(const KernelResult& a, const KernelResult& b) {
    return a.verdict == b.verdict && a.as_expected() == b.as_expected() &&
           announced_cause(a) == announced_cause(b) && a.device == b.device &&
           contestant_label(a) == contestant_label(b);
}

/// @param place  appended to the kernel's name, e.g. " at 512"
std::string fault_note(const KernelResult& result, const std::string& place, const TableOptions& options) {
    const Cell verdict = verdict_cell(result);
    std::string text =
        contestant_label(result) + place + ": " + paint(verdict.text, verdict.tone, options) + "\n";
    if (result.expected && !result.expected->why.empty())
        text += paragraph(
            "expected to be " + expected_names(*result.expected) + ": " + printable(result.expected->why),
            options.width, kIndent);
    text += paragraph(plain_signs(printable(result.reason), options), options.width, kIndent);
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

}  // namespace

std::string fault_notes(const std::vector<KernelResult>& results, const TableOptions& options) {
    struct Fault {
        const KernelResult* first;
        std::size_t more_sizes = 0;
    };
    std::vector<Fault> faults;
    for (const KernelResult& result : results) {
        if (result.verdict == Verdict::Correct && result.as_expected()) continue;
        const auto told = std::find_if(faults.begin(), faults.end(),
                                       [&](const Fault& fault) { return same_fault(*fault.first, result); });
        if (told == faults.end())
            faults.push_back({&result});
        else
            ++told->more_sizes;
    }
    const bool with_size = has_several_sizes(results);
    std::string text;
    for (const auto& [result, more_sizes] : faults) {
        std::string place = with_size ? " at " + kwb::to_string(result->size) : "";
        if (more_sizes > 0)
            place += fmt::format(" and {} more size{}", more_sizes, more_sizes == 1 ? "" : "s");
        text += (text.empty() ? "" : "\n") + fault_note(*result, place, options);
    }
    return text;
}

std::string remarks(const std::vector<KernelResult>& results, const TableOptions& options) {
    GroupedFindings hints;
    GroupedFindings checks;
    GroupedFindings warnings;
    for (const KernelResult& result : results) {
        const std::string label = contestant_label(result);
        for (const Hint& hint : result.hints) {
            // "file:line" as in compiler messages, so that editors and terminals can open the place.
            const std::string place = hint.line > 0 ? fmt::format(":{}", hint.line) : "";
            hints.add(remark(hint.sentence), result.file + place);
        }
        if (result.random_check) checks.add(remark(describe(*result.random_check)), label);
        for (const Finding& warning : warnings_of(result)) warnings.add(warning, label);
    }
    std::string text =
        hints.render("hint", options) + checks.render("note", options) + warnings.render("warning", options);
    const std::string output = printed_output(results, options);
    if (!text.empty() && !output.empty()) text += "\n";
    return text + output;
}

std::string describe(const RandomCheck& check) {
    return fmt::format(
        "checked by random vectors, as a full reference would take too long: the chance of missing a wrong "
        "element is at most {:.2g}{}; {} elements were compared one by one",
        check.miss_chance,
        check.visible_error ? fmt::format(" (with random inputs, of one that is off by more than {:.2g})",
                                          *check.visible_error)
                            : "",
        check.compared_elements);
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
