#include "report/kernels_json.hpp"

#include "base/json.hpp"
#include "report/schema_version.hpp"

namespace kwb {
namespace {

Json texts(const std::vector<Written>& expressions) {
    Json json = Json::array();
    for (const Written& expression : expressions) json.push_back(expression.text);
    return json;
}

Json kernel_to_json(const KernelSpec& kernel) {
    Json params = Json::object();
    for (const auto& [name, values] : kernel.params) {
        Json list = Json::array();
        for (const ParamValue& value : values)
            std::visit([&](const auto& plain) { list.push_back(plain); }, value);
        params[name] = list;
    }
    Json launches = Json::array();
    for (const LaunchSpec& launch : kernel.launches)
        launches.push_back({{"kernel", launch.kernel},
                            {"global", texts(launch.global)},
                            {"local", launch.local ? texts(*launch.local) : Json(nullptr)}});
    return {{"name", kernel.name}, {"problem", kernel.problem}, {"title", kernel.title},
            {"file", kernel.file}, {"params", params},          {"launch", launches}};
}

}  // namespace

std::string kernels_to_json(const std::vector<KernelSpec>& kernels) {
    Json list = Json::array();
    for (const KernelSpec& kernel : kernels) list.push_back(kernel_to_json(kernel));
    const Json document = {{"schema_version", kSchemaVersion}, {"kernels", list}};
    return dump_json(document, kJsonIndent) + "\n";
}

}  // namespace kwb
