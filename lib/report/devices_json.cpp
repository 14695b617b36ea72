#include "report/devices_json.hpp"

#include "model/device_fields.hpp"
#include "report/document.hpp"

namespace kwb {
namespace {

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

}  // namespace

std::string devices_to_json(const DeviceList& list) {
    return document_text(DevicesDocument{{}, list});
}

std::string devices_schema() {
    return schema_text<DevicesDocument>("Devices as kwb devices --json lists them");
}

}  // namespace kwb
