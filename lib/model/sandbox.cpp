#include "model/sandbox.hpp"

#include "base/text.hpp"
#include "model/json.hpp"

namespace kwb {

std::string SandboxReport::describe() const {
    if (!enforced) return "none (--no-sandbox)";
    std::vector<std::string> closed;
    std::vector<std::string> means;
    if (landlock_abi > 0) {
        closed.push_back("no files but the driver's");
        means.push_back("Landlock ABI " + std::to_string(landlock_abi));
    }
    if (network_closed) closed.push_back("no network");
    if (signals_closed) closed.push_back("no signals to other processes");
    if (network_closed || signals_closed) means.push_back("seccomp");
    if (closed.empty()) return join(gaps, "; ");
    std::string sentence = join(closed, ", ") + " (" + join(means, ", ") + ")";
    for (const std::string& gap : gaps) sentence += "; " + gap;
    return sentence;
}

Json to_json(const SandboxReport& report) {
    return {{"enforced", report.enforced},
            {"landlock_abi", report.landlock_abi},
            {"network_closed", report.network_closed},
            {"signals_closed", report.signals_closed},
            {"gaps", report.gaps},
            {"question_fd", report.question_fd}};
}

SandboxReport sandbox_report_from_json(const Json& json) {
    const JsonReader reader(json, "sandbox");
    return {reader.boolean("enforced"),
            static_cast<int>(reader.unsigned_integer("landlock_abi", 1000)),
            reader.boolean("network_closed"),
            reader.boolean("signals_closed"),
            reader.texts("gaps"),
            static_cast<int>(reader.integer("question_fd", -1, INT32_MAX))};
}

}  // namespace kwb
