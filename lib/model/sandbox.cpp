#include "model/sandbox.hpp"

#include "base/text.hpp"

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

}  // namespace kwb
