#include "report/documents.hpp"

#include <span>

#include "base/record_schema.hpp"
#include "model/device_fields.hpp"
#include "model/result_fields.hpp"

namespace kwb {

/// Its text alone.
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

/// The rule for raising it is in schema/README.md.
using SchemaVersion = Constant<1>;
constexpr const char* kVersionMeaning = "Version of this format; see schema/README.md.";

constexpr int kJsonIndent = 2;

/// A described document, without the fields that only messages have.
template <class Document>
std::string document_text(const Document& document) {
    return dump_json(write_json(document, JsonUse::Document), kJsonIndent) + "\n";
}

template <class Document>
std::string schema_text(const char* title) {
    return dump_json(Schema().document<Document>(title), kJsonIndent) + "\n";
}

struct ResultsDocument {
    SchemaVersion version;
    Environment environment;
    std::span<const KernelResult> results;
};

template <class Fields>
void describe(Fields& f, ResultsDocument& document) {
    f.record("results",
             "One record for each kernel at each size. null always means: not measured, or does not apply. "
             "NaN is written \"nan\", infinity \"inf\" or \"-inf\". Times are in milliseconds.");
    f("schema_version", document.version, kVersionMeaning);
    f("environment", document.environment);
    f("results", document.results, "In the order in which the kernels were named.");
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
void describe(Fields& f, KernelsDocument& document) {
    f.record("kernels", "Every kernel found, as its file declares it.");
    f("schema_version", document.version, kVersionMeaning);
    f("kernels", document.kernels);
}

std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results) {
    return document_text(ResultsDocument{{}, environment, results});
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

std::string kernels_to_json(const std::vector<KernelSpec>& kernels) {
    return document_text(KernelsDocument{{}, kernels});
}

std::string kernels_schema() {
    return schema_text<KernelsDocument>("The catalogue, as listed by kwb kernels --json");
}

}  // namespace kwb
