// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/wrong_output.hpp"

#include <algorithm>
#include <utility>

#include "judge/reference/declared_solver.hpp"
#include "judge/reference/inputs.hpp"
#include "model/xray_words.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostItemsOfRecorded = 1 << 14;

std::uint64_t work_items_of(const KernelPlan& plan) {
    std::uint64_t items = 0;
    for (const LaunchPlan& launch : plan.launches) {
        std::uint64_t once = 1;
        for (const std::uint64_t extent : launch.global) once *= extent;
        items += once * launch.repeat;
    }
    return items;
}

/// Without the component of a vector.
std::vector<std::uint64_t> element_index(const WrongElement& wrong, const BufferSpec& buffer) {
    std::vector<std::uint64_t> index = wrong.index;
    index.resize(buffer.shape.size());
    return index;
}

/// The group of the work-item whose global id is the element's index, the last dimension first, as in most
/// kernels.
std::optional<std::vector<std::uint64_t>> group_beside(const std::vector<std::uint64_t>& index,
                                                       const XrayLaunch& launch) {
    if (index.size() != launch.global.size()) return std::nullopt;
    std::vector<std::uint64_t> group(index.rbegin(), index.rend());
    for (std::size_t d = 0; d < group.size(); ++d) {
        if (group[d] >= launch.global[d]) return std::nullopt;
        group[d] /= launch.local[d];
    }
    return group;
}

/// @throws ReferenceFailed
PassData solve(const XraySubject& subject, const Checkpoint& checkpoint) {
    const Pass pass = xray_pass(subject.solver);
    PassData data{subject.solver.make_inputs(subject.instance, pass, kXraySeed, checkpoint), {}};
    subject.solver.solve(subject.instance, pass, data, Effort::Full, checkpoint);
    return data;
}

}  // namespace

std::optional<PassData> expected_results(const XraySubject& subject, const Checkpoint& checkpoint) {
    try {
        return solve(subject, checkpoint);
    } catch (const ReferenceFailed&) {
        return std::nullopt;
    }
}

std::optional<ComparedOutput> find_wrong_output(const XraySubject& subject, const PassData& expected,
                                                const Observed& observed) {
    const Pass pass = xray_pass(subject.solver);
    std::size_t number = 0;
    for (const BufferSpec& spec : subject.instance.buffers) {
        if (spec.access == Access::Read || number >= observed.outputs.size()) continue;
        const std::vector<std::byte>& content = observed.outputs[number++];
        const OutputReference* const reference = find_named(expected.outputs, spec.name);
        if (reference == nullptr || !reference->is_known || reference->probe) continue;
        OutputCheck check = check_output(spec, content, *reference, poison_pattern(spec.type, pass));
        if (check.wrong > 0) return ComparedOutput{std::move(check), &spec};
    }
    return std::nullopt;
}

RecordedWrong record_wrong(XrayRoom& room, const XraySubject& subject, const XrayOptions& options,
                           const Checkpoint& checkpoint) {
    XrayOptions run = options;
    run.aim = XrayAim::Run;
    // A program that can be recorded is several times as slow, but compiling another one takes longer.
    if (work_items_of(subject.plan) > kMostItemsOfRecorded) run.trace_group.reset();
    RecordedWrong answer{observe_once(room, subject, run, checkpoint, true)};
    const auto has_run = [](const XrayLaunch& launch) { return launch.observed_groups == launch.groups; };
    if (answer.observed.report.launches.empty()) return answer;  // a remark explains it
    if (!std::ranges::all_of(answer.observed.report.launches, has_run)) {
        answer.observed.report.remarks.push_back(
            not_observed("not all of its work-groups could run in time"));
        return answer;
    }
    if (!subject.solver.has_truth()) {
        answer.observed.report.remarks.push_back(
            not_observed("the problem does not define what is correct: add a reference to [problem]"));
        return answer;
    }
    PassData expected;
    try {
        expected = solve(subject, checkpoint);
    } catch (const ReferenceFailed& failed) {
        answer.observed.report.remarks.push_back(not_observed(failed.what()));
        return answer;
    }
    const auto wrong = find_wrong_output(subject, expected, answer.observed);
    if (!wrong || wrong->check.first_wrong.empty()) return answer;
    answer.wrong = wrong->check.first_wrong.front();
    const std::vector<std::uint64_t> index = element_index(*answer.wrong, *wrong->buffer);
    run.stored = XrayElement{wrong->buffer->name, linear_index(index, wrong->buffer->shape)};
    const auto stores = observe_once(room, subject, run, checkpoint, false).report.stores;
    XrayOptions record = options;
    if (stores && stores->last) {
        record.trace_launch = stores->last->launch;
        record.trace_group = stores->last->group;
    } else if (const auto group = group_beside(index, answer.observed.report.launches.back())) {
        record.trace_launch = static_cast<std::uint32_t>(answer.observed.report.launches.size() - 1);
        record.trace_group = *group;
    }
    answer.observed = observe_once(room, subject, record, checkpoint, false);
    answer.observed.report.stores = stores;
    return answer;
}

}  // namespace kwb
