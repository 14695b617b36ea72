#include "report/results_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/warnings.hpp"

namespace kwb {
namespace {

std::string quote(std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
    std::string quoted = "\"";
    for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// The shortest text that reads back as the same number.
template <class T>
std::string field(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "";
}

template <class List>
void collect_names(std::vector<std::string>& names, const List& list) {
    for (const auto& item : list)
        if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
}

/// "16x16", launches separated by ';'
template <class Member>
std::string extents(const KernelResult& result, Member member) {
    std::vector<std::string> parts;
    for (const LaunchResult& launch : result.launches)
        parts.push_back(fmt::format("{}", fmt::join(launch.*member, "x")));
    return join(parts, ";");
}

class Row {
public:
    explicit Row(bool header) : header_(header) {}

    /// @param text  is called for a result's row only
    template <class Text>
    void add(std::string_view name, Text&& text) {
        fields_.push_back(quote(to_utf8(header_ ? std::string(name) : text())));
    }

    std::string line() const { return join(fields_, ",") + "\r\n"; }

private:
    bool header_;
    std::vector<std::string> fields_;
};

struct Columns {
    std::vector<std::string> sizes;
    std::vector<std::string> params;
};

void add_identity(Row& row, const Columns& columns, const KernelResult& r) {
    row.add("kernel", [&] { return r.kernel; });
    row.add("file", [&] { return r.file; });
    row.add("source_sha256", [&] { return r.source_sha256; });
    row.add("unsaved", [&] { return std::string(r.unsaved ? "true" : "false"); });
    row.add("problem", [&] { return r.problem; });
    for (const std::string& name : columns.sizes)
        row.add("size_" + name, [&] {
            const auto* size = find_named(r.size, name);
            return size != nullptr ? std::to_string(*size) : "";
        });
    for (const std::string& name : columns.params)
        row.add("param_" + name, [&] {
            const auto* value = find_named(r.params, name);
            return value != nullptr ? kwb::to_string(*value) : "";
        });
    row.add("global_items", [&] { return extents(r, &LaunchResult::global); });
    row.add("local_items", [&] { return extents(r, &LaunchResult::local); });
    row.add("device", [&] { return r.device; });
}

void add_verdict(Row& row, const KernelResult& r) {
    row.add("verdict", [&] { return kwb::to_string(r.verdict); });
    row.add("expected", [&] {
        std::vector<std::string> names;
        if (r.expected)
            for (const Verdict verdict : r.expected->verdicts) names.push_back(kwb::to_string(verdict));
        return join(names, ";");
    });
    row.add("reason", [&] { return r.reason; });
    row.add("stage", [&] { return r.evidence ? r.evidence->stage.value_or("") : ""; });
    row.add("signal", [&] { return r.evidence ? r.evidence->signal.value_or("") : ""; });
}

void add_times(Row& row, const KernelResult& r) {
    row.add("build_ms", [&] { return field(r.build_ms); });
    row.add("upload_ms", [&] { return field(r.upload_ms); });
    row.add("download_ms", [&] { return field(r.download_ms); });
    row.add("first_run_ms", [&] { return field(r.first_run_ms); });
    row.add("rounds", [&] { return std::to_string(r.samples_ms.size()); });
    row.add("median_ms", [&] { return field(r.median_ms); });
    row.add("ci95_low_ms", [&] { return r.ci95_ms ? fmt::format("{}", r.ci95_ms->low) : ""; });
    row.add("ci95_high_ms", [&] { return r.ci95_ms ? fmt::format("{}", r.ci95_ms->high) : ""; });
    row.add("gflops", [&] { return field(r.gflops); });
    row.add("gbytes_s", [&] { return field(r.gbytes_s); });
    const Interval* ratio = r.speedup && r.speedup->interval ? &*r.speedup->interval : nullptr;
    row.add("speedup_to", [&] { return r.speedup ? r.speedup->to : ""; });
    row.add("speedup", [&] { return r.speedup ? fmt::format("{}", r.speedup->value) : ""; });
    row.add("speedup_ci95_low", [&] { return ratio != nullptr ? fmt::format("{}", ratio->low) : ""; });
    row.add("speedup_ci95_high", [&] { return ratio != nullptr ? fmt::format("{}", ratio->high) : ""; });
}

void add_errors(Row& row, const KernelResult& r) {
    const WrongElement* wrong = r.first_wrong.empty() ? nullptr : &r.first_wrong.front();
    row.add("wrong_elements", [&] { return field(r.wrong_elements); });
    row.add("first_wrong_buffer", [&] { return wrong != nullptr ? wrong->buffer : ""; });
    row.add("first_wrong_index",
            [&] { return wrong != nullptr ? fmt::format("{}", fmt::join(wrong->index, ";")) : ""; });
    row.add("first_wrong_expected",
            [&] { return wrong != nullptr ? fmt::format("{}", wrong->expected) : ""; });
    row.add("first_wrong_got", [&] { return wrong != nullptr ? fmt::format("{}", wrong->got) : ""; });
    row.add("max_error_share", [&] { return field(r.max_error_share); });
    row.add("numpy_allclose", [&] { return field(r.numpy_allclose); });
    row.add("miss_chance", [&] {
        return r.random_check ? field(std::optional(r.random_check->miss_chance)) : std::string();
    });
    row.add("visible_error",
            [&] { return r.random_check ? field(r.random_check->visible_error) : std::string(); });
    row.add("warnings", [&] { return join(warning_sentences(r, Face::Page), "; "); });
}

std::string csv_line(const Columns& columns, const KernelResult* result) {
    static const KernelResult kNone;
    Row row(result == nullptr);
    const KernelResult& shown = result != nullptr ? *result : kNone;
    add_identity(row, columns, shown);
    add_verdict(row, shown);
    add_times(row, shown);
    add_errors(row, shown);
    return row.line();
}

}  // namespace

std::string results_to_csv(const std::vector<KernelResult>& results) {
    Columns columns;
    for (const KernelResult& result : results) {
        collect_names(columns.sizes, result.size);
        collect_names(columns.params, result.params);
    }
    std::string text = csv_line(columns, nullptr);
    for (const KernelResult& result : results) text += csv_line(columns, &result);
    return text;
}

}  // namespace kwb
