#include "report/results_json.hpp"

#include <span>

#include "model/result_fields.hpp"
#include "report/document.hpp"

namespace kwb {
namespace {

struct ResultsDocument {
    SchemaVersion version;
    Environment environment;
    std::span<const KernelResult> results;
};

template <class Fields>
void describe(Fields& f, ResultsDocument& document) {
    f.record("results",
             "One record for each kernel at each size. null always means: not measured, or does not apply. "
             "A value that is not a number is written \"nan\", infinity \"inf\" or \"-inf\". Times are in "
             "milliseconds.");
    f("schema_version", document.version, kVersionMeaning);
    f("environment", document.environment);
    f("results", document.results, "In the order in which they were asked for.");
}

}  // namespace

std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results) {
    return document_text(ResultsDocument{{}, environment, results});
}

std::string results_schema() {
    return schema_text<ResultsDocument>("Results of kwb run, kwb sweep and kwb check");
}

}  // namespace kwb
