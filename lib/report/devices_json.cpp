#include "report/devices_json.hpp"

#include "model/json.hpp"
#include "report/schema_version.hpp"

namespace kwb {

std::string devices_to_json(const DeviceList& list) {
    Json document = {{"schema_version", kSchemaVersion}};
    document.update(to_json(list));
    // Of a list that is still growing; what is exported has come to its end.
    document.erase("starting");
    document.erase("is_whole");
    return dump_json(document, kJsonIndent) + "\n";
}

}  // namespace kwb
