// SPDX-License-Identifier: Apache-2.0
#include "report/problem_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "base/printable.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace {

class Collecting {
public:
    void add(const KernelResult& result) {
        for (const Diagnostic& diagnostic : result.diagnostics)
            add(result, {diagnostic.file, diagnostic.line, diagnostic.column}, diagnostic.severity,
                "compiler", diagnostic.message, diagnostic.message);
        if (result.xray)
            for (const Finding& finding : result.xray->undefined)
                add(result, place_from(finding.place), Severity::Error, to_string(finding.code),
                    to_string(finding.code), sentence_of(finding));
        for (const Hint& hint : result.hints)
            add(result, {"", hint.line, 0}, Severity::Warning, "hint", hint.sentence, hint.sentence);
        if (result.as_expected() || result.verdict == Verdict::CompileError) return;
        XrayPlace place = result.finding ? place_from(result.finding->place) : XrayPlace{};
        if (place.line == 0) place = {};  // of an element
        const std::string kind = result.finding ? to_string(result.finding->code) : to_string(result.verdict);
        const std::string size =
            result.size.empty() ? "" : fmt::format(" at size {}", to_string(result.size));
        add(result, place, Severity::Error, to_string(result.verdict), kind,
            fmt::format("{}{}{}", to_string(result.verdict), size,
                        result.reason.empty() ? "" : ": " + result.reason));
    }

    std::vector<PlacedProblem> take() { return std::move(problems_); }

private:
    /// @param same  of what is listed only once for a place
    void add(const KernelResult& result, const XrayPlace& place, Severity severity, std::string kind,
             const std::string& same, const std::string& message) {
        std::filesystem::path file = result.file.empty() ? result.kernel : result.file;
        // Compilers call the kernel's file as the workbench does, and what it includes from its folder.
        if (!place.file.empty() && place.file != file) file = file.parent_path() / place.file;
        Diagnostic what{severity, file.string(), std::max(place.line, 1u), std::max(place.column, 1u),
                        message};
        if (!known_.insert({what.file, what.line, what.column, same}).second) return;
        problems_.push_back({std::move(what), std::move(kind)});
    }

    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>> known_;
    std::vector<PlacedProblem> problems_;
};

}  // namespace

std::vector<PlacedProblem> placed_problems(const std::vector<KernelResult>& results) {
    Collecting collecting;
    for (const KernelResult& result : results) collecting.add(result);
    return collecting.take();
}

std::string problem_line(const PlacedProblem& problem) {
    const Diagnostic& what = problem.what;
    return printable_line(fmt::format("{}:{}:{}: {}: {}", what.file, what.line, what.column,
                                      to_string(what.severity), what.message)) +
           "\n";
}

std::string problem_lines(const std::vector<KernelResult>& results) {
    std::string text;
    for (const PlacedProblem& problem : placed_problems(results)) text += problem_line(problem);
    return text;
}

}  // namespace kwb
