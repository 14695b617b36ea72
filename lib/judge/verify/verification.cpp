// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "judge/verify/miscompiled.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/verify/product_probe.hpp"
#include "judge/verify/stray_access.hpp"
#include "judge/verify/unknown_output.hpp"
#include "judge/verify/unset_output.hpp"
#include "model/error_map.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// Bytes of an output that is only then called an earlier run's.
constexpr std::size_t kLeastRemembered = 32;

void fill_pattern(std::span<std::byte> bytes, const std::vector<std::uint8_t>& pattern,
                  const Checkpoint& checkpoint) {
    in_steps(bytes.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            bytes[i] = static_cast<std::byte>(pattern[i % pattern.size()]);
    });
}

/// Combines checks into one that holds for all outputs and passes.
void add_to(std::optional<RandomCheck>& whole, const RandomCheck& part) {
    if (!whole) {
        whole = part;
        return;
    }
    whole->vectors = std::max(whole->vectors, part.vectors);
    whole->miss_chance = std::max(whole->miss_chance, part.miss_chance);
    if (part.visible_error)
        whole->visible_error = std::max(whole->visible_error.value_or(0), *part.visible_error);
    whole->compared_elements = std::max(whole->compared_elements, part.compared_elements);
}

/// Resolution sufficient to show where rounding errors are large; kept low because the history stores a map
/// for every kernel of every run.
constexpr std::uint32_t kCellsOfRightAnswers = 64;

/// True if a check with unreadable pages is possible and has not been done yet.
bool pages_may_tell(const ContestantState& contestant) {
    return contestant.bench != nullptr && !contestant.pages_checked &&
           contestant.bench->device().kind == DeviceKind::Cpu;
}

/// The inputs of a product of matrices of floats.
std::optional<Factors> find_factors(const ProblemInstance& instance, const PassData& data) {
    if (instance.problem != "matmul") return std::nullopt;
    const std::int64_t* const terms = find_named(instance.sizes, "K");
    const auto* const a = find_named(data.inputs, "A");
    const auto* const b = find_named(data.inputs, "B");
    if (terms == nullptr || a == nullptr || b == nullptr) return std::nullopt;
    const ElementType type = instance.find_buffer("A")->type;
    if (type != ElementType{Scalar::Float32, 1} || instance.find_buffer("B")->type != type)
        return std::nullopt;
    return Factors{numbers_in<float>(*a), numbers_in<float>(*b), static_cast<std::size_t>(*terms)};
}

}  // namespace

Allocations fetch_all(DeviceBench& bench, const std::vector<Transfer>& transfers) {
    Allocations allocations;
    for (const Transfer& transfer : transfers)
        allocations[transfer.buffer] = bench.fetch(bench.layout().slots[transfer.buffer]);
    return allocations;
}

Verification::Verification(const ProblemInstance& instance, const ReferenceSolver& solver,
                           Checkpoint checkpoint)
    : instance_(instance), solver_(solver), checkpoint_(std::move(checkpoint)) {}

void Verification::check(ContestantState& contestant, Pass pass, const PassData& data) {
    if (contestant.plan == nullptr) return check_on_host(contestant, pass, data);
    if (const auto failure = check_on_device(contestant, pass, data)) judge_failure(contestant, *failure);
}

void Verification::judge_failure(ContestantState& contestant, const Failure& failure) {
    Failure explained = explain_fault(failure, contestant.bench->layout());
    // If there is no signal, the judge ended the runner because of its memory or its messages.
    if (explained.verdict == Verdict::KernelCrashed && explained.evidence.signal &&
        pages_may_tell(contestant))
        explained.reason +=
            ". A check for out-of-bounds accesses, as in kwb check, places buffers next to unreadable pages "
            "and names the argument if an index is the cause";
    contestant.fail(explained);
}

ExecuteRequest Verification::make_request(const ContestantState& contestant, Pass pass,
                                          bool download_all) const {
    ExecuteRequest request;
    request.launches = contestant.launches;
    const Layout& layout = contestant.bench->layout();
    for (const Slot& slot : layout.slots) {
        const bool output = slot.role == Slot::Role::Output;
        const bool scratch = slot.role == Slot::Role::Scratch;
        const bool own_scratch = scratch && slot.owner == contestant.index;
        // Before every run, so that a kernel does not find its own earlier output: an in-out buffer gets its
        // input, all other outputs get poison.
        if (const Slot* pristine = output ? layout.find_pristine(slot.name) : nullptr)
            request.before_run.push_back({slot.id, {}, pristine->id});
        else if (output || own_scratch)
            request.before_run.push_back({slot.id, poison_pattern(slot.type, pass), {}});
        else if (scratch)  // hides the intermediate results of other contestants
            request.before_first.push_back({slot.id, poison_pattern(slot.type, pass), {}});
        if (output || (download_all && (own_scratch || slot.role == Slot::Role::Input)))
            request.download.push_back({slot.id, slot.offset});
    }
    request.before_run.insert(request.before_run.end(), contestant.init.begin(), contestant.init.end());
    return request;
}

bool Verification::judge_guards(ContestantState& contestant, const Slot& slot,
                                std::span<const std::byte> allocation) {
    DeviceBench& bench = *contestant.bench;
    const auto damage = find_guard_damage(slot, bench.guard_secret(), allocation);
    if (!damage) return true;
    contestant.fail(Verdict::OutOfBounds, describe(*damage, slot));
    contestant.result.evidence = Evidence{"launch", std::nullopt, slot.name, "write", damage->element};
    // It may also have written beyond the guard zone, into data of the driver. Use a new runner for the
    // others.
    bench.distrust_runner();
    return false;
}

bool Verification::judge_input(ContestantState& contestant, const Slot& slot,
                               std::span<const std::byte> payload, const PassData& data) {
    const auto at = first_difference(payload, *find_named(data.inputs, slot.name), checkpoint_);
    if (!at) return true;
    const std::uint64_t element = *at / slot.type.bytes();
    const auto index = index_of(element, instance_.find_buffer(slot.name)->shape);
    contestant.fail(Verdict::Wrong,
                    fmt::format("the kernel changed its input {}, first at {}[{}]; inputs are read-only",
                                slot.name, slot.name, fmt::join(index, "][")));
    contestant.result.evidence =
        Evidence{"launch", std::nullopt, slot.name, "write", static_cast<std::int64_t>(element)};
    contestant.bench->refresh_inputs();
    return false;
}

OutputCheck Verification::compare(const BufferSpec& spec, std::span<const std::byte> payload, Pass pass,
                                  const PassData& data) const {
    const OutputReference& reference = *find_named(data.outputs, spec.name);
    const auto poison = poison_pattern(spec.type, pass);
    return reference.probe ? check_product(*reference.probe, pass, spec, payload, data, poison, draw_secret(),
                                           checkpoint_)
                           : check_output(spec, payload, reference, poison, checkpoint_);
}

bool Verification::judge_output(ContestantState& contestant, const BufferSpec& spec, std::size_t number,
                                std::span<const std::byte> payload, Pass pass, const PassData& data) {
    const OutputReference& reference = *find_named(data.outputs, spec.name);
    std::optional<Picture>& picture = contestant.result.picture;
    const bool is_timed = contestant.proven_outputs.contains(Pass::Real);  // with inputs of another seed
    if (is_picture(spec) && !is_timed && (!picture || picture->buffer == spec.name))
        picture = make_picture(spec, payload);
    if (!reference.is_known) return judge_written(contestant, spec, payload, pass);
    const auto poison = poison_pattern(spec.type, pass);
    OutputCheck check = compare(spec, payload, pass, data);
    KernelResult& result = contestant.result;
    result.wrong_elements = result.wrong_elements.value_or(0) + check.wrong;
    // In a timed turn, the vectors only confirm what a full check has shown.
    if (check.random && (pass == Pass::Exact || result.random_check))
        add_to(result.random_check, *check.random);
    if (pass == Pass::Real && !check.random) {
        result.max_error_share = std::max(result.max_error_share.value_or(0), check.worst_share);
    }
    if (check.wrong == 0) {
        if (pass == Pass::Real && !result.error_map)
            result.error_map =
                reference.probe ? coarsened(check.error_map, kCellsOfRightAnswers)
                                : detailed_map(check, spec, payload, reference, poison, kCellsOfRightAnswers);
        return true;
    }
    // After an out-of-bounds write, wrong elements are reported too, but the verdict stays OutOfBounds.
    if (contestant.in_race) {
        Finding wrong = find_wrong(check, spec, solver_.describe_inputs(pass));
        add_pattern(wrong, spec, payload, reference, poison, find_factors(instance_, data), checkpoint_);
        contestant.fail(Verdict::Wrong, std::move(wrong));
        if (check.not_a_number > check.unwritten && pages_may_tell(contestant))
            result.reason +=
                ". Reads outside a buffer yield nan. A check for out-of-bounds accesses, as in kwb check, "
                "shows whether that is the cause";
        // Few elements may be equal by chance.
        for (const auto& [other, outputs] : contestant.proven_outputs)
            if (payload.size() >= kLeastRemembered &&
                !first_difference(payload, outputs.at(number), checkpoint_))
                contestant.fail(
                    Verdict::Wrong,
                    fmt::format("the kernel gives an earlier run's answer when inputs change: with {} "
                                "inputs, {} contains, bit for bit, the correct output for {}. Each run must "
                                "compute from its own inputs",
                                solver_.describe_inputs(pass), spec.name,
                                other == pass ? "those of an earlier run"
                                              : fmt::format("the {} ones", solver_.describe_inputs(other))));
    }
    if (result.first_wrong.empty()) {
        result.error_map = reference.probe ? std::move(check.error_map)
                                           : detailed_map(check, spec, payload, reference, poison);
        result.first_wrong = std::move(check.first_wrong);
    }
    return false;
}

bool Verification::judge_written(ContestantState& contestant, const BufferSpec& spec,
                                 std::span<const std::byte> payload, Pass pass) {
    // The checked runs are compared with others: judge_unknown_output().
    const bool is_timed = contestant.proven_outputs.contains(Pass::Real);
    if (!is_timed || !contestant.in_race || spec.access != Access::Write) return true;
    const auto poison = poison_pattern(spec.type, pass);
    const auto unwritten = find_unwritten(spec, {payload, poison}, {payload, poison}, checkpoint_);
    // No arithmetic gives this NaN, but integers may have any value.
    if (!unwritten || (!spec.type.is_floating() && unwritten->elements < as_scalars(spec).elements()))
        return true;
    fail_unknown_output(contestant, spec, FindingCode::NeverWritten, unwritten->first, unwritten->elements,
                        "unwritten");
    return false;
}

std::optional<Failure> Verification::check_on_device(ContestantState& contestant, Pass pass,
                                                     const PassData& data) {
    DeviceBench& bench = *contestant.bench;
    const ExecuteRequest request = make_request(contestant, pass, true);
    const std::vector<Transfer> transfers = request.download;
    Answer<ExecutedReply> answer = bench.execute(*contestant.plan, request);
    auto* const failure = std::get_if<Failure>(&answer);
    contestant.keep_output(bench.take_output(), failure != nullptr);
    if (failure != nullptr) return std::move(*failure);
    const auto& reply = std::get<ExecutedReply>(answer);
    KernelResult& result = contestant.result;
    if (!result.first_run_ms) result.first_run_ms = reply.wall_ms;
    result.upload_ms = bench.upload_ms();
    result.download_ms = reply.download_ms;
    contestant.last_run_ms = reply.run_ms;
    const Allocations allocations = fetch_all(bench, transfers);
    judge_run(contestant, pass, data, allocations);
    for (const Slot& slot : bench.layout().slots) {
        if (slot.role != Slot::Role::Output) continue;
        const auto payload = std::span(allocations.at(slot.id)).subspan(slot.front_bytes, slot.bytes());
        const OutputReference& reference = *find_named(data.outputs, slot.name);
        const ExecuteRequest again = make_request(contestant, pass, false);
        if (!contestant.in_race)
            explain_unset_output(contestant, slot, again, payload, [&](std::span<const std::byte> other) {
                const BufferSpec& spec = *instance_.find_buffer(slot.name);
                return reference.is_known && compare(spec, other, pass, data).wrong == 0;
            });
        else if (!reference.is_known && pass == Pass::Real)
            judge_unknown_output(contestant, instance_, slot, again, payload, reference, checkpoint_);
    }
    return std::nullopt;
}

bool Verification::is_right_unoptimised(const ContestantState& contestant, Pass pass,
                                        const PassData& data) const {
    DeviceBench& bench = *contestant.bench;
    KernelPlan plan = *contestant.plan;
    plan.build_options += std::string(plan.build_options.empty() ? "" : " ") + kUnoptimised;
    const ExecuteRequest request = make_request(contestant, pass, false);
    const auto answer = bench.execute(plan, request);
    bench.take_output();  // what it prints is known from the run that was judged
    if (std::holds_alternative<Failure>(answer)) return false;
    const Allocations allocations = fetch_all(bench, request.download);
    return std::ranges::all_of(allocations, [&](const auto& allocation) {
        const Slot& slot = bench.layout().slots[allocation.first];
        const BufferSpec& spec = *instance_.find_buffer(slot.name);
        const auto payload = std::span(allocation.second).subspan(slot.front_bytes, slot.bytes());
        return !find_guard_damage(slot, bench.guard_secret(), allocation.second) &&
               compare(spec, payload, pass, data).wrong == 0;
    });
}

void Verification::judge_run(ContestantState& contestant, Pass pass, const PassData& data,
                             const Allocations& allocations) {
    const Layout& layout = contestant.bench->layout();
    const auto payload_of = [&](const Slot& slot) {
        return std::span(allocations.at(slot.id)).subspan(slot.front_bytes, slot.bytes());
    };
    // Guard zones first, because an out-of-bounds write explains changed inputs and wrong elements.
    for (const auto& [id, allocation] : allocations)
        if (!judge_guards(contestant, layout.slots[id], allocation)) break;
    for (const Slot& slot : layout.slots)
        if (contestant.in_race && slot.role == Slot::Role::Input)
            judge_input(contestant, slot, payload_of(slot), data);
    std::vector<std::vector<std::byte>> outputs;
    for (const Slot& slot : layout.slots) {
        if (slot.role != Slot::Role::Output) continue;
        const auto payload = payload_of(slot);
        judge_output(contestant, *instance_.find_buffer(slot.name), outputs.size(), payload, pass, data);
        outputs.push_back(copy_in_steps(payload, checkpoint_));
    }
    // Timed runs have inputs of other seeds than the one that the result names.
    if (contestant.keeps_outputs && !contestant.proven_outputs.contains(Pass::Real))
        contestant.kept_outputs = outputs;
    if (contestant.in_race) contestant.proven_outputs[pass] = std::move(outputs);
}

std::vector<std::vector<std::byte>> Verification::make_host_outputs(Pass pass) const {
    std::vector<std::vector<std::byte>> outputs;
    for (const BufferSpec& buffer : instance_.buffers) {
        if (buffer.access == Access::Read) continue;
        outputs.push_back(make_zeros<std::byte>(buffer.bytes(), checkpoint_));
        fill_pattern(outputs.back(), poison_pattern(buffer.type, pass), checkpoint_);
    }
    return outputs;
}

void Verification::check_on_host(ContestantState& contestant, Pass pass, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(pass);
    const Stopwatch watch;
    solver_.run_host_library(instance_, data, outputs);
    contestant.last_run_ms = watch.ms();
    if (!contestant.result.first_run_ms) contestant.result.first_run_ms = contestant.last_run_ms;
    judge_host_outputs(contestant, pass, data, outputs);
}

void Verification::judge_host_outputs(ContestantState& contestant, Pass pass, const PassData& data,
                                      const std::vector<std::vector<std::byte>>& outputs) {
    std::size_t next = 0;
    for (const BufferSpec& buffer : instance_.buffers)
        if (buffer.access != Access::Read) {
            judge_output(contestant, buffer, next, outputs[next], pass, data);
            ++next;
        }
    if (contestant.keeps_outputs) contestant.kept_outputs = outputs;
}

}  // namespace kwb
