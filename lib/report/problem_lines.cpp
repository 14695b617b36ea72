// SPDX-License-Identifier: Apache-2.0
#include "report/problem_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/printable.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "report/labels.hpp"

namespace kwb {
namespace {

class ProblemLines {
public:
    void add(const KernelResult& result) {
        for (const Diagnostic& diagnostic : result.diagnostics)
            add(result, {diagnostic.file, diagnostic.line, diagnostic.column}, to_string(diagnostic.severity),
                diagnostic.message, diagnostic.message);
        if (result.xray)
            for (const Finding& finding : result.xray->undefined)
                add(result, place_from(finding.place), "error", to_string(finding.code),
                    sentence_of(finding));
        for (const Hint& hint : result.hints)
            add(result, {"", hint.line, 0}, "warning", hint.sentence, hint.sentence);
        if (result.as_expected() || result.verdict == Verdict::CompileError) return;
        XrayPlace place = result.finding ? place_from(result.finding->place) : XrayPlace{};
        if (place.line == 0) place = {};  // of an element
        const std::string kind = result.finding ? to_string(result.finding->code) : to_string(result.verdict);
        const std::string size =
            result.size.empty() ? "" : fmt::format(" at size {}", to_string(result.size));
        add(result, place, "error", kind,
            fmt::format("{}{}{}", to_string(result.verdict), size,
                        result.reason.empty() ? "" : ": " + result.reason));
    }

    std::string text() const { return text_; }

private:
    /// @param kind  of what is listed only once for a place
    void add(const KernelResult& result, const XrayPlace& place, const std::string& severity,
             const std::string& kind, const std::string& message) {
        std::filesystem::path file = result.file.empty() ? result.kernel : result.file;
        if (!place.file.empty()) file = file.parent_path() / place.file;
        const std::string where =
            fmt::format("{}:{}:{}", file.string(), std::max(place.line, 1u), std::max(place.column, 1u));
        if (!known_.insert(where + kind).second) return;
        text_ += printable_line(fmt::format("{}: {}: {}", where, severity, message)) + "\n";
    }

    std::set<std::string> known_;
    std::string text_;
};

}  // namespace

std::string problem_lines(const std::vector<KernelResult>& results) {
    ProblemLines lines;
    for (const KernelResult& result : results) lines.add(result);
    return lines.text();
}

}  // namespace kwb
