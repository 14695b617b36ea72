#include "report/labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "model/request.hpp"

namespace kwb {

std::string contestant_label(const KernelResult& result) {
    std::string label = printable(result.kernel);
    for (const auto& [name, value] : result.params)
        label += " " + name + "=" + printable(kwb::to_string(value));
    return label;
}

Cell verdict_cell(const KernelResult& result) {
    if (!result.judged) return {"not judged yet", Tone::Faint};
    const std::string name = kwb::to_string(result.verdict);
    const bool correct = result.verdict == Verdict::Correct;
    if (result.as_expected()) {
        if (correct) return {name, Tone::Good};
        return {name + ", as expected", Tone::Warning};
    }
    return {result.expected ? name + ", not as expected" : name, Tone::Bad};
}

bool has_several_sizes(const std::vector<KernelResult>& results) {
    for (const KernelResult& result : results)
        if (result.size != results.front().size) return true;
    return false;
}

bool has_several_devices(const std::vector<KernelResult>& results) {
    std::set<std::string> devices;
    for (const KernelResult& result : results)
        if (result.kernel != kHostBlasName) devices.insert(result.device);
    return devices.size() > 1;
}

std::string explain_sizes(const std::vector<KernelResult>& results) {
    const bool any = std::any_of(results.begin(), results.end(),
                                 [](const KernelResult& result) { return is_square(result.size); });
    return any ? "Size: a single number stands for every dimension." : "";
}

std::string element_name(const WrongElement& wrong) {
    return fmt::format("{}[{}]", printable(wrong.buffer), fmt::join(wrong.index, "]["));
}

std::string describe_wrong(const WrongElement& wrong) {
    const NumberTexts values = wrong_values(wrong);
    return fmt::format("{}: expected {}, got {}", element_name(wrong), values.first, values.second);
}

NumberTexts wrong_values(const WrongElement& wrong) {
    return tell_apart(wrong.expected, wrong.got, 9);
}

bool says_unwritten(const KernelResult& result) {
    return result.finding && result.finding->code == FindingCode::NeverWritten;
}

}  // namespace kwb
