#include "faults/findings.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/warnings.hpp"

namespace kwb::test {
namespace {

constexpr std::array<const char*, 8> kWords = {"refusal", "verdict", "reason", "diagnostic",
                                               "hint",    "warning", "output", "exit"};

std::string to_string(Severity severity) {
    switch (severity) {
        case Severity::Note:
            return "note";
        case Severity::Warning:
            return "warning";
        case Severity::Error:
            return "error";
    }
    throw ContractError("to_string: unknown severity");
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<std::string> findings_of(const KernelResult& result) {
    std::vector<std::string> findings = {"verdict " + kwb::to_string(result.verdict)};
    if (!result.reason.empty()) findings.push_back("reason " + result.reason);
    for (const Diagnostic& said : result.diagnostics)
        findings.push_back("diagnostic " + std::to_string(said.line) + " " + to_string(said.severity) + " " +
                           said.message);
    for (const Hint& hint : result.hints)
        findings.push_back("hint " + std::to_string(hint.line) + " " + hint.sentence);
    for (const std::string& warning : warning_sentences(result, Face::Terminal))
        findings.push_back("warning " + warning);
    if (!result.output.empty()) findings.push_back("output " + result.output);
    findings.push_back(result.as_expected() ? "exit 0" : "exit 1");
    return findings;
}

std::vector<std::string> findings_of_refusal(const std::string& message) {
    return {"refusal " + message, "exit 2"};
}

void require_expectations(const std::vector<std::string>& expected) {
    const auto refuse = [](const std::string& line, const std::string& what) {
        throw BadInput("'" + line + "': " + what);
    };
    if (expected.empty())
        throw BadInput(
            "says nothing of what must come of it; add lines such as '// verdict wrong' after the recipe");
    for (const std::string& line : expected) {
        const std::vector<std::string> words = split(line, ' ');
        if (std::find(kWords.begin(), kWords.end(), words.front()) == kWords.end())
            refuse(line,
                   "begins with none of refusal, verdict, reason, diagnostic, hint, warning, output, "
                   "exit");
        if (words.size() < 2) refuse(line, "says nothing about it");
        if (words.front() == "verdict" && (words.size() != 2 || !parse_enum<Verdict>(words[1])))
            refuse(line, "there is no such verdict");
        if ((words.front() == "hint" || words.front() == "diagnostic") && !is_number(words[1]))
            refuse(line, "a line's number comes first");
        if (words.front() == "exit" && !is_number(words[1])) refuse(line, "no exit code");
    }
}

bool matches(std::string_view pattern, std::string_view text) {
    // The classic walk: at a mismatch let the last star swallow one character more.
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resumed = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

std::vector<std::string> compare(const std::vector<std::string>& expected,
                                 const std::vector<std::string>& findings) {
    // Longest common subsequence: most[e][f] of expected lines from e on and findings from f on.
    std::vector<std::vector<std::size_t>> most(expected.size() + 1,
                                               std::vector<std::size_t>(findings.size() + 1, 0));
    for (std::size_t e = expected.size(); e-- > 0;)
        for (std::size_t f = findings.size(); f-- > 0;)
            most[e][f] = matches(expected[e], findings[f]) ? 1 + most[e + 1][f + 1]
                                                           : std::max(most[e + 1][f], most[e][f + 1]);
    std::vector<std::string> differences;
    std::size_t e = 0;
    std::size_t f = 0;
    while (e < expected.size() || f < findings.size()) {
        if (e < expected.size() && f < findings.size() && matches(expected[e], findings[f])) {
            ++e;
            ++f;
        } else if (f == findings.size() || (e < expected.size() && most[e + 1][f] >= most[e][f + 1])) {
            differences.push_back("missing: " + expected[e++]);
        } else {
            differences.push_back("surplus: " + findings[f++]);
        }
    }
    return differences;
}

}  // namespace kwb::test
