#include "report/results_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/result_fields.hpp"
#include "report/warnings.hpp"

namespace kwb {
namespace {

std::string quote(std::string_view field) {
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
    std::string quoted = "\"";
    for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

template <class List>
void collect_names(std::vector<std::string>& names, const List& list) {
    for (const auto& item : list)
        if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
}

/// "16x16", launches separated by ';'
template <class Member>
std::string extents(const std::vector<LaunchResult>& launches, Member member) {
    std::vector<std::string> parts;
    for (const LaunchResult& launch : launches)
        parts.push_back(fmt::format("{}", fmt::join(launch.*member, "x")));
    return join(parts, ";");
}

/// Sizes and parameters of all results: each has a column.
struct Columns {
    std::vector<std::string> sizes;
    std::vector<std::string> params;
};

/// The columns of a result, in the order of its description: a plain field is one by itself, a record gives
/// those of its fields that a spreadsheet can use.
class CsvRow : public Fields<CsvRow> {
public:
    CsvRow(const Columns& columns, const KernelResult& result) : columns_(columns), result_(result) {
        KernelResult copy = result;  // a description takes what may be changed
        describe(*this, copy);
    }

    template <class T>
    void field(const Field& about, const T& value) {
        if constexpr (kIsPlain<T> || NamedEnum<T>)
            add(about.key, text(value));
        else
            columns_of(about.key, value);
    }
    template <class T>
    void sent(const char*, const T&, const Limits& = {}) {}

    std::vector<std::string> names;
    std::vector<std::string> texts;

private:
    void add(std::string name, const std::string& text) {
        if (name == "output" || name == "log") return;  // whole pages
        names.push_back(quote(name));
        texts.push_back(quote(to_utf8(text)));
    }

    static std::string text(const std::string& value) { return value; }
    template <NamedEnum Enum>
    static std::string text(Enum value) {
        return to_string(value);
    }
    /// The shortest text that reads back as the same number.
    template <class T>
    requires std::is_arithmetic_v<T>
    static std::string text(T value) { return fmt::format("{}", value); }
    template <class T>
    static std::string text(const std::optional<T>& value) {
        return value ? text(*value) : "";
    }

    template <class T>
    requires kIsPlain<T>
    void columns_of(const char* key, const std::optional<T>& value) { add(key, text(value)); }

    void columns_of(const char*, const Sizes& sizes) {
        for (const std::string& name : columns_.sizes) {
            const auto* size = find_named(sizes, name);
            add("size_" + name, size != nullptr ? text(*size) : "");
        }
    }
    void columns_of(const char*, const ParamChoice& params) {
        for (const std::string& name : columns_.params) {
            const auto* value = find_named(params, name);
            add("param_" + name, value != nullptr ? kwb::to_string(*value) : "");
        }
    }
    void columns_of(const char*, const std::vector<LaunchResult>& launches) {
        add("global_items", extents(launches, &LaunchResult::global));
        add("local_items", extents(launches, &LaunchResult::local));
    }
    void columns_of(const char* key, const std::optional<Expectation>& expected) {
        std::vector<std::string> names_of_verdicts;
        if (expected)
            for (const Verdict verdict : expected->verdicts) names_of_verdicts.push_back(text(verdict));
        add(key, join(names_of_verdicts, ";"));
    }
    void columns_of(const char*, const std::optional<Evidence>& evidence) {
        const Evidence found = evidence.value_or(Evidence{});
        add("stage", text(found.stage));
        add("signal", text(found.signal));
    }
    void columns_of(const char*, const std::vector<double>& samples_ms) {
        add("rounds", text(samples_ms.size()));
    }
    void columns_of(const char*, const std::optional<Interval>& ci95_ms) {
        add("ci95_low_ms", ci95_ms ? text(ci95_ms->low) : "");
        add("ci95_high_ms", ci95_ms ? text(ci95_ms->high) : "");
    }
    void columns_of(const char* key, const std::optional<Speedup>& speedup) {
        const std::optional<Interval> ratio = speedup ? speedup->interval : std::nullopt;
        add("speedup_to", speedup ? speedup->to : "");
        add(key, speedup ? text(speedup->value) : "");
        add("speedup_ci95_low", ratio ? text(ratio->low) : "");
        add("speedup_ci95_high", ratio ? text(ratio->high) : "");
    }
    void columns_of(const char*, const std::vector<WrongElement>& examples) {
        const WrongElement* wrong = examples.empty() ? nullptr : &examples.front();
        add("first_wrong_buffer", wrong != nullptr ? wrong->buffer : "");
        add("first_wrong_index", wrong != nullptr ? fmt::format("{}", fmt::join(wrong->index, ";")) : "");
        add("first_wrong_expected", wrong != nullptr ? text(wrong->expected) : "");
        add("first_wrong_got", wrong != nullptr ? text(wrong->got) : "");
    }
    void columns_of(const char*, const std::optional<RandomCheck>& check) {
        add("miss_chance", check ? text(check->miss_chance) : "");
        add("visible_error", check ? text(check->visible_error) : "");
    }
    void columns_of(const char* key, const std::vector<std::string>& /*warnings*/) {
        add(key, join(warning_sentences(result_, Face::Page), "; "));
    }
    // These take more than a field.
    void columns_of(const char*, const std::optional<KernelInfo>&) {}
    void columns_of(const char*, const std::vector<Diagnostic>&) {}
    void columns_of(const char*, const std::vector<Hint>&) {}
    void columns_of(const char*, const std::optional<TooFewRounds>&) {}

    const Columns& columns_;
    const KernelResult& result_;
};

std::string csv_line(const std::vector<std::string>& fields) {
    return join(fields, ",") + "\r\n";
}

}  // namespace

std::string results_to_csv(const std::vector<KernelResult>& results) {
    Columns columns;
    for (const KernelResult& result : results) {
        collect_names(columns.sizes, result.size);
        collect_names(columns.params, result.params);
    }
    std::string text = csv_line(CsvRow(columns, KernelResult{}).names);
    for (const KernelResult& result : results) text += csv_line(CsvRow(columns, result).texts);
    return text;
}

}  // namespace kwb
