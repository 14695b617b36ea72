#include "report/kernels_json.hpp"

#include <span>

#include "report/document.hpp"

namespace kwb {

/// Its text alone.
template <>
struct JsonForm<Written> {
    static Json write(const Written& expression) { return expression.text; }
    static Json schema() {
        return {{"description",
                 "An expression over the parameters, the problem's sizes and device.*, e.g. "
                 "\"round_up(N, TILE)\"."},
                {"type", "string"},
                {"minLength", 1}};
    }
};

namespace {

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
    f("name", kernel.name, items(1), "What kwb run takes, e.g. \"matmul/tiled\".");
    f("problem", kernel.problem, "Name of the problem that it solves.");
    f("title", kernel.title, "What it does, in one line.");
    f("file", kernel.file, "Path of the source.");
    f("params", kernel.params,
      "Compile-time parameters with all their values; the first value is the default.");
    f("launch", kernel.launches);
}

template <class Fields>
void describe(Fields& f, KernelsDocument& document) {
    f.record("kernels", "Every kernel that was found, as its file declares it.");
    f("schema_version", document.version, kVersionMeaning);
    f("kernels", document.kernels);
}

std::string kernels_to_json(const std::vector<KernelSpec>& kernels) {
    return document_text(KernelsDocument{{}, kernels});
}

std::string kernels_schema() {
    return schema_text<KernelsDocument>("The catalogue as kwb kernels --json lists it");
}

}  // namespace kwb
