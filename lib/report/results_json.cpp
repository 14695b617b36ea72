#include "report/results_json.hpp"

#include "model/json.hpp"
#include "report/schema_version.hpp"

namespace kwb {

std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results) {
    Json list = Json::array();
    for (const KernelResult& result : results) {
        Json json = to_json(result);
        json.erase("error_map");
        list.push_back(std::move(json));
    }
    const Json document = {
        {"schema_version", kSchemaVersion}, {"environment", to_json(environment)}, {"results", list}};
    return dump_json(document, kJsonIndent) + "\n";
}

}  // namespace kwb
