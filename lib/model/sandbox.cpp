// SPDX-License-Identifier: Apache-2.0
#include "model/sandbox.hpp"

#include "base/text.hpp"

namespace kwb {

std::vector<std::string> SandboxReport::mechanisms() const {
    std::vector<std::string> names;
    if (landlock_abi > 0) names.push_back("Landlock ABI " + std::to_string(landlock_abi));
    if (network_closed || signals_closed) names.emplace_back("seccomp");
    return names;
}

std::string SandboxReport::describe() const {
    if (!enforced) return "none (--no-sandbox)";
    std::vector<std::string> closed;
    if (landlock_abi > 0) closed.push_back("no files but the driver's");
    if (network_closed) closed.push_back("no network");
    if (signals_closed) closed.push_back("no signals to other processes");
    if (closed.empty()) return join(gaps, "; ");
    std::string sentence = join(closed, ", ") + " (" + join(mechanisms(), ", ") + ")";
    for (const std::string& gap : gaps) sentence += "; " + gap;
    return sentence;
}

}  // namespace kwb
