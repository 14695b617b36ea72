// The section of the HTML page about one contestant.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "base/text.hpp"
#include "report/html_parts.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb::html_parts {
namespace {

constexpr const char* kSeverities[] = {"note", "warning", "error"};

std::string severity_name(Severity severity) {
    return kSeverities[static_cast<std::size_t>(severity)];
}

/// Compare file names without folders, because compilers and users spell the folders differently.
bool same_name(const std::string& a, const std::string& b) {
    const auto last = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
    return last(a) == last(b);
}

std::vector<std::string> fact_sentences(const KernelPart& part) {
    const KernelResult& result = part.result;
    std::vector<std::string> facts;
    if (part.names_size) facts.push_back("At size " + to_string(result.size) + ".");
    for (const LaunchResult& launch : result.launches)
        facts.push_back(printable(fmt::format(
            "{}: {} work-items{}.", launch.kernel, fmt::join(launch.global, " × "),
            launch.local.empty() ? " in work-groups that the driver chose"
                                 : fmt::format(" in work-groups of {}", fmt::join(launch.local, " × ")))));
    if (result.max_error_share && std::isfinite(*result.max_error_share))
        facts.push_back("Largest error: " + format_error_share(*result.max_error_share) + ".");
    if (result.random_check) facts.push_back("Result: " + describe(*result.random_check) + ".");
    if (!result.file.empty()) facts.push_back("File: " + printable(result.file));
    if (result.unsaved) facts.push_back("It ran with edits that were in no file.");
    return facts;
}

std::vector<std::string> evidence_sentences(const KernelResult& result) {
    std::vector<std::string> found;
    if (!result.evidence) return found;
    const Evidence& evidence = *result.evidence;
    if (evidence.stage) found.push_back("Last stage reached: " + printable(*evidence.stage) + ".");
    if (evidence.signal) found.push_back("Signal: " + printable(*evidence.signal) + ".");
    if (evidence.buffer && evidence.element)
        found.push_back(
            printable(fmt::format("{} of {}[{}].", evidence.access == "write" ? "A write" : "A read",
                                  *evidence.buffer, *evidence.element)));
    if (evidence.work_item)
        found.push_back(fmt::format("Work-item ({}).", fmt::join(*evidence.work_item, ", ")));
    return found;
}

data wrong_rows(const KernelResult& result) {
    data rows(data::type::list);
    for (const WrongElement& wrong : result.first_wrong) {
        data row;
        row.set("element", element_name(wrong));
        const NumberTexts values = wrong_values(wrong);
        row.set("expected", values.first);
        row.set("got", values.second);
        rows << row;
    }
    return rows;
}

struct Remark {
    std::string tone;
    std::string text;
};
using Remarks = std::multimap<std::size_t, Remark>;  // key: line, counted from 1

Remarks remarks_in(const KernelResult& result, const std::string& file, bool is_own) {
    Remarks remarks;
    for (const Diagnostic& diagnostic : result.diagnostics)
        if (same_name(diagnostic.file, file))
            remarks.emplace(diagnostic.line,
                            Remark{diagnostic.severity == Severity::Error ? "bad" : "warning",
                                   severity_name(diagnostic.severity) + ": " + diagnostic.message});
    if (is_own)
        for (const Hint& hint : result.hints)
            remarks.emplace(hint.line, Remark{"warning", "hint: " + hint.sentence});
    return remarks;
}

data source_lines(const std::string& source, const Remarks& remarks) {
    data lines(data::type::list);
    std::size_t number = 0;
    std::vector<std::string> texts = split_lines(printable(source));
    if (!texts.empty() && texts.back().empty()) texts.pop_back();
    for (const std::string& text : texts) {
        ++number;
        data line;
        line.set("number", std::to_string(number));
        line.set("text", text + "\n");
        data below(data::type::list);
        const auto [begin, end] = remarks.equal_range(number);
        for (auto at = begin; at != end; ++at) {
            data remark;
            remark.set("tone", at->second.tone);
            remark.set("text", printable(at->second.text) + "\n");
            below << remark;
        }
        line.set("marked", begin != end);
        line.set("remarks", std::move(below));
        lines << line;
    }
    return lines;
}

data source_files(const KernelPart& part) {
    data files(data::type::list);
    if (part.sources == nullptr) return files;
    for (std::size_t i = 0; i < part.sources->size(); ++i) {
        const auto& [name, text] = (*part.sources)[i];
        data file;
        file.set("name", printable(name));
        file.set("lines", source_lines(text, remarks_in(part.result, name, i == 0)));
        files << file;
    }
    return files;
}

std::vector<std::string> hint_sentences(const KernelResult& result) {
    std::vector<std::string> hints;
    for (const Hint& hint : result.hints)
        hints.push_back((hint.line > 0 ? fmt::format("Line {}: ", hint.line) : "") +
                        printable(hint.sentence));
    return hints;
}

std::vector<std::string> message_sentences(const KernelResult& result) {
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : result.diagnostics)
        messages.push_back(
            printable(fmt::format("{}:{}:{}: {}: {}", diagnostic.file, diagnostic.line, diagnostic.column,
                                  severity_name(diagnostic.severity), diagnostic.message)));
    return messages;
}

std::string expectation_sentence(const KernelResult& result) {
    if (!result.expected) return "";
    std::vector<std::string> names;
    for (const Verdict verdict : result.expected->verdicts) names.push_back(to_string(verdict));
    return "Expected to be " + enumerate(names, "or") +
           (result.expected->why.empty() ? "." : ": " + printable(result.expected->why));
}

}  // namespace

data kernel_part(const KernelPart& part) {
    const KernelResult& result = part.result;
    data kernel;
    kernel.set("label", printable(part.label));
    kernel.set("light", css_color(plot::light_theme().series_color(part.slot)));
    kernel.set("dark", css_color(plot::dark_theme().series_color(part.slot)));
    kernel.set("verdict", verdict_words(result));
    kernel.set("tone", tone_class(result));
    kernel.set("open", result.verdict != Verdict::Correct || !result.as_expected());
    kernel.set("facts", list_of(fact_sentences(part)));
    kernel.set("expectation", text_or_false(expectation_sentence(result)));
    kernel.set("reason", text_or_false(printable(result.reason)));
    kernel.set("evidence", list_of(evidence_sentences(result)));
    kernel.set("has_wrong", !result.first_wrong.empty());
    kernel.set("wrong", wrong_rows(result));
    kernel.set("map", result.error_map && result.wrong_elements.value_or(0) > 0
                          ? chart_pictures(error_map_chart(result, part.label), {560, 440})
                          : data(false));
    const auto set_list = [&](const char* has, const char* name, const std::vector<std::string>& texts) {
        kernel.set(has, !texts.empty());
        kernel.set(name, list_of(texts));
    };
    set_list("has_hints", "hints", hint_sentences(result));
    std::vector<std::string> warnings;
    for (const std::string& warning : warning_sentences(result, Face::Page))
        warnings.push_back(printable(warning));
    set_list("has_warnings", "warnings", warnings);
    set_list("has_messages", "messages", message_sentences(result));
    kernel.set("log", text_or_false(printable(result.log)));
    kernel.set("output", text_or_false(printable(result.output)));
    kernel.set("files", source_files(part));
    return kernel;
}

}  // namespace kwb::html_parts
