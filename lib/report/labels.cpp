// SPDX-License-Identifier: Apache-2.0
#include "report/labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "model/request.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// "matmul/tiled" and "/home/me/tiled.cl" → {"matmul", "tiled"} and {"", "home", "me", "tiled"}
std::vector<std::string> pieces_of(std::string name) {
    if (name.ends_with(".cl")) name.resize(name.size() - 3);
    return split(name, '/');
}

std::string last_pieces(const std::vector<std::string>& pieces, std::size_t count) {
    const std::size_t first = pieces.size() - std::min(count, pieces.size());
    return join({pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end()}, "/");
}

/// The fewest last pieces of `name` that are unique among `names`.
std::string short_name(const std::string& name, const std::set<std::string>& names) {
    const std::vector<std::string> own = pieces_of(name);
    for (std::size_t count = 1; count < own.size(); ++count) {
        const std::string text = last_pieces(own, count);
        const bool shared = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
            return other != name && last_pieces(pieces_of(other), count) == text;
        });
        if (!shared && !text.empty()) return text;
    }
    return name;
}

std::string differing_params(const LabelParts& part, const std::vector<const LabelParts*>& group) {
    std::vector<std::string> words;
    for (const auto& param : part.params) {
        const bool differs = std::any_of(group.begin(), group.end(), [&](const LabelParts* other) {
            const std::string* theirs = find_named(other->params, param.name);
            return theirs == nullptr || *theirs != param.value;
        });
        if (differs) words.push_back(param.name + "=" + param.value);
    }
    return join(words, " ");
}

/// The text to append to the name of `part`. `group` are all contestants of the same kernel.
std::string suffix(const LabelParts& part, const std::vector<const LabelParts*>& group) {
    if (group.size() < 2) return "";
    const auto local_of = [](const LabelParts& each) { return each.local.empty() ? "auto" : each.local; };
    const auto params_of = [&](const LabelParts& each) { return differing_params(each, group); };
    const auto different = [&](auto text_of) {
        std::set<std::string> texts;
        for (const LabelParts* each : group) texts.insert(text_of(*each));
        return texts.size();
    };
    if (different(local_of) == group.size()) return local_of(part);
    const std::string params = params_of(part);
    if (different(params_of) == group.size() || different(local_of) == 1) return params;
    return local_of(part) + (params.empty() ? "" : " " + params);
}

}  // namespace

std::string contestant_label(const KernelResult& result) {
    std::string label = printable_line(result.kernel);
    for (const auto& [name, value] : result.params)
        label += " " + name + "=" + printable_line(kwb::to_string(value));
    return label;
}

std::string params_text(const ParamChoice& params) {
    std::vector<std::string> words;
    for (const auto& [name, value] : params) words.push_back(name + "=" + kwb::to_string(value));
    return join(words, " ");
}

Cell verdict_cell(const KernelResult& result) {
    if (!result.judged) return {"not judged yet", Tone::Faint};
    const std::string name = kwb::to_string(result.verdict);
    if (result.as_expected()) {
        if (result.verdict == Verdict::Correct) return {name, Tone::Good};
        if (result.verdict == Verdict::Ran) return {name};
        return {name + ", as expected", Tone::Warning};
    }
    return {result.expected ? name + ", not as expected" : name,
            result.verdict == Verdict::Undefined ? Tone::Undefined : Tone::Bad};
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
    return any ? "Size: a single number applies to every dimension." : "";
}

std::string explain_seed(const std::vector<KernelResult>& results) {
    if (results.empty() || !results.front().seed) return "";
    const bool same = std::ranges::all_of(
        results, [&](const KernelResult& result) { return result.seed == results.front().seed; });
    return same ? fmt::format("Inputs: from --seed {}.", *results.front().seed) : "";
}

std::string explain_xray(const std::vector<KernelResult>& results) {
    const auto is_left_out = [](const KernelResult& result) {
        return result.xray && result.xray->state == XrayState::LeftOut;
    };
    return std::ranges::any_of(results, is_left_out)
               ? "X-ray was left out, so there was no check for undefined behaviour."
               : "";
}

std::string describe(const XrayOutcome& outcome) {
    if (outcome.state == XrayState::LeftOut) return "X-ray: left out.";
    if (outcome.state == XrayState::NotPossible) return "X-ray: not possible.";
    std::vector<std::string> parts;
    for (const XrayObservation& observation : outcome.observed)
        parts.push_back(fmt::format("at {} {}{}", kwb::to_string(observation.size),
                                    observation.observed_groups == observation.groups
                                        ? "all work-groups"
                                        : fmt::format("{} of {}", observation.observed_groups,
                                                      counted(observation.groups, "work-group")),
                                    observation.is_shuffled ? " in another order" : ""));
    return "X-ray: " + join(parts, "; ") +
           (outcome.is_foreign ? "; observed in the kernel's own process." : ".");
}

std::string element_name(const WrongElement& wrong) {
    return fmt::format("{}[{}]", printable_line(wrong.buffer), fmt::join(wrong.index, "]["));
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

std::vector<std::string> make_labels(const std::vector<LabelParts>& parts) {
    std::set<std::string> names, devices;
    for (const LabelParts& part : parts) {
        names.insert(part.kernel);
        if (!part.device.empty()) devices.insert(part.device);
    }
    std::vector<std::string> labels;
    for (const LabelParts& part : parts) {
        std::vector<const LabelParts*> group;
        for (const LabelParts& other : parts)
            if (other.kernel == part.kernel && other.device == part.device) group.push_back(&other);
        std::string after = suffix(part, group);
        if (!after.empty()) after = " " + after;
        if (devices.size() > 1 && !part.device.empty()) after += " on " + part.device;
        labels.push_back(short_name(part.kernel, names) + after);
    }
    std::set<std::string> taken;
    for (std::string& label : labels) {
        label = printable_line(label);
        std::string unique = label;
        for (int number = 2; taken.contains(unique); ++number)
            unique = label + " (" + std::to_string(number) + ")";
        taken.insert(unique);
        label = unique;
    }
    return labels;
}

LabelParts label_parts(const KernelPlan& plan) {
    LabelParts parts{plan.name, {}, "", plan.device};
    for (const auto& [name, value] : plan.params) parts.params.push_back({name, to_string(value)});
    if (!plan.launches.empty() && plan.launches.front().local)
        parts.local = fmt::format("{}", fmt::join(*plan.launches.front().local, "x"));
    return parts;
}

LabelParts label_parts(const KernelResult& result) {
    LabelParts parts{result.kernel, {}, "", result.device == kHostDevice ? "" : result.device};
    for (const auto& [name, value] : result.params) parts.params.push_back({name, to_string(value)});
    if (!result.launches.empty())
        parts.local = fmt::format("{}", fmt::join(result.launches.front().local, "x"));
    return parts;
}

std::vector<std::string> make_labels(std::span<const KernelResult> results) {
    std::vector<LabelParts> parts;
    for (const KernelResult& result : results) parts.push_back(label_parts(result));
    return make_labels(parts);
}

}  // namespace kwb
