#include "model/sandbox.hpp"

#include "model/json.hpp"

namespace kwb {

std::string SandboxReport::describe() const {
    return enforced ? "sandbox" : "no sandbox";
}

Json to_json(const SandboxReport& report) {
    return {{"enforced", report.enforced},
            {"landlock_abi", report.landlock_abi},
            {"network_closed", report.network_closed},
            {"signals_closed", report.signals_closed},
            {"gaps", report.gaps}};
}

SandboxReport sandbox_report_from_json(const Json& json) {
    const JsonReader reader(json, "sandbox");
    return {reader.boolean("enforced"), static_cast<int>(reader.unsigned_integer("landlock_abi", 1000)),
            reader.boolean("network_closed"), reader.boolean("signals_closed"), reader.texts("gaps")};
}

}  // namespace kwb
