// SPDX-License-Identifier: Apache-2.0
#include "report/documents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "model/device_fields.hpp"
#include "model/gpu_fields.hpp"
#include "model/reason_fields.hpp"
#include "model/xray_fields.hpp"
#include "reason/reasons.hpp"
#include "report/answer.hpp"
#include "report/notes.hpp"
#include "report/results_document.hpp"
#include "report/xray_report.hpp"

namespace kwb {
namespace {

template <class List>
void collect_names(std::vector<std::string>& names, const List& list) {
    for (const auto& item : list)
        if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
}

/// "16x16"; several launches are separated by ';'
template <class Member>
std::string extents(const std::vector<LaunchResult>& launches, Member member) {
    std::vector<std::string> parts;
    for (const LaunchResult& launch : launches)
        parts.push_back(fmt::format("{}", fmt::join(launch.*member, "x")));
    return join(parts, ";");
}

/// The sizes and parameters that any result has; each gets a column.
struct Columns {
    std::vector<std::string> sizes;
    std::vector<std::string> params;
};

/// The columns of a result, in the order of its description. A plain field is one column; a record has one
/// column for each of its fields that is useful in a spreadsheet.
class CsvRow : public Fields<CsvRow> {
public:
    CsvRow(const Columns& columns, const KernelResult& result) : columns_(columns), result_(result) {
        KernelResult copy = result;  // describe() takes a mutable object
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
        if (name == "output" || name == "log") return;  // too long for a field
        names.push_back(std::move(name));
        texts.push_back(to_utf8(text));
    }

    static std::string text(const std::string& value) { return no_formula(value); }
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
            add("param_" + name,
                value != nullptr ? std::visit([](const auto& one) { return text(one); }, *value) : "");
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
        const Interval* const ratio = speedup && speedup->interval ? &*speedup->interval : nullptr;
        add("speedup_to", speedup ? text(speedup->to) : "");
        add(key, speedup ? text(speedup->value) : "");
        add("speedup_ci95_low", ratio ? text(ratio->low) : "");
        add("speedup_ci95_high", ratio ? text(ratio->high) : "");
    }
    void columns_of(const char*, const std::vector<WrongElement>& examples) {
        const WrongElement* wrong = examples.empty() ? nullptr : &examples.front();
        add("first_wrong_buffer", wrong != nullptr ? text(wrong->buffer) : "");
        add("first_wrong_index", wrong != nullptr ? fmt::format("{}", fmt::join(wrong->index, ";")) : "");
        add("first_wrong_expected", wrong != nullptr ? text(wrong->expected) : "");
        add("first_wrong_got", wrong != nullptr ? text(wrong->got) : "");
    }
    void columns_of(const char*, const std::optional<RandomCheck>& check) {
        add("miss_chance", check ? text(check->miss_chance) : "");
        add("visible_error", check ? text(check->visible_error) : "");
    }
    void columns_of(const char*, const std::vector<Finding>&) {
        add("warnings", text(join(warning_sentences(result_, Face::Page), "; ")));
    }
    void columns_of(const char* key, const std::optional<XrayOutcome>& xray) {
        add(key, xray ? text(xray->state) : "");
        add("undefined_findings", xray ? text(xray->undefined.size()) : "");
    }
    void columns_of(const char* key, const std::optional<HotLoop>& loop) {
        add(key + std::string("_lanes"), loop ? text(loop->lanes) : "");
        add(key + std::string("_instructions_per_operation"),
            loop ? text(loop->instructions_per_operation) : "");
    }
    // These do not fit into a field, so they are left out.
    void columns_of(const char*, const std::optional<Finding>&) {}
    void columns_of(const char*, const std::optional<KernelInfo>&) {}
    void columns_of(const char*, const std::vector<Diagnostic>&) {}
    void columns_of(const char*, const std::vector<Hint>&) {}
    void columns_of(const char*, const std::optional<std::vector<Effect>>&) {}
    void columns_of(const char*, const std::optional<std::vector<GpuView>>&) {}
    void columns_of(const char*, const std::optional<TooFewRounds>&) {}

    const Columns& columns_;
    const KernelResult& result_;
};

}  // namespace

/// Written as its text; the place in the file is not exported.
template <>
struct JsonForm<Written> {
    static Json write(const Written& expression) { return expression.text; }
    static Json schema() {
        return {{"description",
                 "An expression over the parameters, the problem's sizes and device.*, e.g. \"round_up(N, "
                 "TILE)\"."},
                {"type", "string"},
                {"minLength", 1}};
    }
};

namespace {

template <class Document>
std::string schema_text(const char* title) {
    return dump_json(Schema().document<Document>(title), kDocumentIndent) + "\n";
}

/// Which of two results of one size and place is faster, and why.
struct ExplainedAnswer {
    std::size_t faster = 0;
    std::size_t slower = 0;
    bool is_decided = false;
    std::vector<Reason> reasons;
};

struct ResultsDocument {
    SchemaVersion version;
    Environment environment;
    std::span<const PlacedEnvironment> other_places;
    std::span<const KernelResult> results;
    std::vector<ExplainedAnswer> answers;
};

/// The index of the result that the others are compared with; 0 if none is.
std::size_t baseline_of(std::span<const KernelResult> results) {
    for (const KernelResult& compared : results)
        if (compared.speedup)
            for (std::size_t i = 0; i < results.size(); ++i)
                if (!results[i].speedup && results[i].kernel == compared.speedup->to) return i;
    return 0;
}

/// One for each size and place, in their order, where two results can be compared.
std::vector<ExplainedAnswer> answers_of(std::span<const KernelResult> results) {
    std::vector<ExplainedAnswer> answers;
    for (std::size_t begin = 0, end = 0; begin < results.size(); begin = end) {
        const auto is_other = [&](const KernelResult& result) {
            return result.size != results[begin].size || result.place != results[begin].place;
        };
        end = static_cast<std::size_t>(std::ranges::find_if(results.subspan(begin), is_other) -
                                       results.begin());
        const std::span<const KernelResult> compared = results.subspan(begin, end - begin);
        const Answer answer = answer_among_kernels(compared, baseline_of(compared));
        if (!answer.factor) continue;
        answers.push_back({begin + answer.subject, begin + answer.other, answer.kind == Answer::Kind::Faster,
                           reasons_of(compared[answer.subject], compared[answer.other])});
    }
    return answers;
}

template <class Fields>
void describe(Fields& f, ExplainedAnswer& answer) {
    f.record("answer",
             "The comparison of the baseline with the fastest other kernel of one size and place. "
             "The CPU's library is no kernel.");
    f("faster", answer.faster, "Index in `results` of the kernel that was faster.");
    f("slower", answer.slower, "Index of the other one.");
    f("is_decided", answer.is_decided, "False: the interval of their ratio includes 1, or there is none.");
    f("reasons", answer.reasons,
      "How they differ: measured reasons first, then counted, then computed ones, each by weight.");
}

template <class Fields>
void describe(Fields& f, ResultsDocument& document) {
    f.record("results",
             "One record per kernel and size. null always means not measured, or not applicable. NaN is "
             "written \"nan\", infinity \"inf\" or \"-inf\". Times are in milliseconds.");
    describe_results(f, document);
    f("answers", document.answers, "Why kernels are faster than others; docs/why.md.");
}

struct DevicesDocument {
    SchemaVersion version;
    DeviceList list;
};

template <class Fields>
void describe(Fields& f, DevicesDocument& document) {
    f.record("devices", "Every device of every driver that answered.");
    f("schema_version", document.version, kVersionMeaning);
    describe(f, document.list);
}

struct XrayDocument {
    SchemaVersion version;
    std::span<const ObservedKernel> kernels;
};

struct KernelsDocument {
    SchemaVersion version;
    std::span<const KernelSpec> kernels;
};

}  // namespace

template <class Fields>
void describe(Fields& f, LaunchSpec& launch) {
    f.record("launch", "One kernel launch, in the order in which they run.");
    f("kernel", launch.kernel, items(1), "Name of the kernel function.");
    f("global", launch.global, items(1, 3), "Work-items in each dimension.");
    f("local", launch.local, items(1, 3),
      "Work-items of one work-group in each dimension; null: the driver chooses.");
}

template <class Fields>
void describe(Fields& f, KernelSpec& kernel) {
    f.record("kernel", "One kernel file.");
    f("name", kernel.name, items(1), "The name for kwb run, e.g. \"matmul/tiled\".");
    f("problem", kernel.problem, "Name of the problem that it solves.");
    f("title", kernel.title, "Its idea in one line.");
    f("file", kernel.file, "Path of the source file.");
    f("params", kernel.params,
      "Compile-time parameters with all their values; the first value is the default.");
    f("launch", kernel.launches);
}

template <class Fields>
void describe(Fields& f, ObservedKernel& kernel) {
    f.record("observed_kernel", "A kernel, observed at one size.");
    f("label", kernel.label, "Its name, with its parameters.");
    f("file", kernel.file, "Path of the source file.");
    f("size", kernel.size, at_least(1), "Extents by name.");
    f("flops", kernel.flops, "Floating-point operations of the problem; null: it has none.");
    f("compulsory_bytes", kernel.compulsory_bytes,
      "The fewest bytes that the problem must move; null: not known.");
    f("xray", kernel.report);
    f("targets", kernel.targets, "The kernel compiled for GPUs, as requested by --target.");
    f("gpus", kernel.gpus, "Occupancy and shortest possible time on GPUs, as requested by --target.");
}

template <class Fields>
void describe(Fields& f, XrayDocument& document) {
    f.record("xrays",
             "Observations of kwb xray: which work-items read and write which elements, from which line.");
    f("schema_version", document.version, kVersionMeaning);
    f("kernels", document.kernels, "In the order in which they were named.");
}

template <class Fields>
void describe(Fields& f, KernelsDocument& document) {
    f.record("kernels", "Every kernel found, as its file declares it.");
    f("schema_version", document.version, kVersionMeaning);
    f("kernels", document.kernels);
}

std::string results_to_json(std::span<const PlacedEnvironment> environments,
                            const std::vector<KernelResult>& results) {
    return document_text(ResultsDocument{
        {}, environments.front().environment, environments.subspan(1), results, answers_of(results)});
}

std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results) {
    return document_text(ResultsDocument{{}, environment, {}, results, answers_of(results)});
}

std::string results_schema() {
    return schema_text<ResultsDocument>("Results of kwb run, kwb sweep and kwb check");
}

std::string devices_to_json(const DeviceList& list) {
    return document_text(DevicesDocument{{}, list});
}

std::string devices_schema() {
    return schema_text<DevicesDocument>("Devices, as listed by kwb devices --json");
}

std::string xray_to_json(std::span<const ObservedKernel> kernels) {
    return document_text(XrayDocument{{}, kernels});
}

std::string xray_schema() {
    return schema_text<XrayDocument>("Observations of kwb xray, written by --json");
}

std::string kernels_to_json(const std::vector<KernelSpec>& kernels) {
    return document_text(KernelsDocument{{}, kernels});
}

std::string kernels_schema() {
    return schema_text<KernelsDocument>("The catalogue, as listed by kwb kernels --json");
}

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
