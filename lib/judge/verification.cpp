#include "judge/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "judge/guards.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// The device's clock and ours may run apart by so much.
constexpr double kClockTolerance = 1.05;

double elapsed_ms(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

void fill_pattern(std::span<std::byte> bytes, const std::vector<std::uint8_t>& pattern) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(pattern[i % pattern.size()]);
}

/// Without the sign of a NaN, which means nothing.
std::string format_value(double value) {
    return std::isnan(value) ? "nan" : fmt::format("{:.7g}", value);
}

/// "3 of 4096 elements of C are wrong; the first is C[63][64]: expected 12.5, got -3.25"
std::string describe_wrong(const OutputCheck& check, const BufferSpec& spec, Pass pass) {
    const WrongElement& first = check.first_wrong.front();
    std::string sentence = fmt::format(
        "{} of {} elements of {} are wrong with {} inputs; the first is {}[{}]: expected {:.7g}, got {}",
        check.wrong, spec.elements(), spec.name, pass == Pass::Exact ? "small integer" : "random", spec.name,
        fmt::join(first.index, "]["), first.expected,
        check.unwritten == check.wrong ? "nothing" : format_value(first.got));
    if (check.unwritten == check.wrong)
        sentence += check.wrong == spec.elements() ? " (the kernel wrote none of them)"
                                                   : " (none of the wrong ones was ever written)";
    else if (check.unwritten > 0)
        sentence += fmt::format(" ({} were never written)", check.unwritten);
    if (check.not_a_number > 0) sentence += fmt::format(" ({} are not finite numbers)", check.not_a_number);
    return sentence;
}

}  // namespace

Verification::Verification(const ProblemInstance& instance, DeviceBench* bench)
    : instance_(instance), bench_(bench), solver_(*find_solver(instance.problem)) {}

bool Verification::check(Entrant& entrant, Pass pass, const PassData& data) {
    return entrant.plan != nullptr ? check_on_device(entrant, pass, data)
                                   : check_on_host(entrant, pass, data);
}

bool Verification::take_turn(Entrant& entrant, const PassData& data) {
    return entrant.plan != nullptr ? turn_on_device(entrant, data) : turn_on_host(entrant, data);
}

ExecuteRequest Verification::make_request(const Entrant& entrant, Pass pass, bool download_all) const {
    ExecuteRequest request;
    request.launches = entrant.launches;
    request.before_run = entrant.init;
    for (const Slot& slot : bench_->layout().slots) {
        const bool output = slot.role == Slot::Role::Output;
        const bool own_scratch = slot.role == Slot::Role::Scratch && slot.owner == entrant.index;
        // An in-out buffer starts from its input; everything else from poison.
        if (const Slot* pristine = output ? bench_->layout().find_pristine(slot.name) : nullptr)
            request.before_outputs.push_back({slot.id, {}, pristine->id});
        else if (output || own_scratch)
            request.before_outputs.push_back({slot.id, poison_pattern(slot.type, pass), {}});
        if (output || (download_all && (own_scratch || slot.role == Slot::Role::Input)))
            request.download.push_back({slot.id, slot.offset});
    }
    return request;
}

bool Verification::judge_guards(Entrant& entrant, const Slot& slot, std::span<const std::byte> allocation) {
    const auto damage = find_guard_damage(slot, bench_->guard_secret(), allocation);
    if (!damage) return true;
    entrant.fail(Verdict::OutOfBounds, describe(*damage, slot));
    entrant.result.evidence = Evidence{"launch", std::nullopt, slot.name, "write", damage->element};
    bench_->refresh_inputs();
    return false;
}

bool Verification::judge_input(Entrant& entrant, const Slot& slot, std::span<const std::byte> payload,
                               const PassData& data) {
    const auto at = first_difference(payload, *find_named(data.inputs, slot.name));
    if (!at) return true;
    const std::uint64_t element = *at / slot.type.bytes();
    const auto index = index_of(element, instance_.find_buffer(slot.name)->shape);
    entrant.fail(Verdict::Wrong,
                 fmt::format("the kernel changed its input {}, first at {}[{}]; inputs are read-only",
                             slot.name, slot.name, fmt::join(index, "][")));
    entrant.result.evidence =
        Evidence{"launch", std::nullopt, slot.name, "write", static_cast<std::int64_t>(element)};
    bench_->refresh_inputs();
    return false;
}

bool Verification::judge_output(Entrant& entrant, const BufferSpec& spec, std::span<const std::byte> payload,
                                Pass pass, const PassData& data) {
    const OutputReference& reference = *find_named(data.outputs, spec.name);
    OutputCheck check = check_output(spec, payload, reference, poison_pattern(spec.type, pass));
    KernelResult& result = entrant.result;
    result.wrong_elements = result.wrong_elements.value_or(0) + check.wrong;
    if (pass == Pass::Real) {
        result.max_error_share = std::max(result.max_error_share.value_or(0), check.worst_share);
        result.numpy_allclose = result.numpy_allclose.value_or(true) && check.numpy_allclose;
    }
    if (check.wrong == 0) return true;
    // Beside a stray write wrong elements are worth showing, but the stray write explains them.
    if (entrant.in_race) entrant.fail(Verdict::Wrong, describe_wrong(check, spec, pass));
    if (result.first_wrong.empty()) {
        result.error_map = make_error_map(spec, payload, reference);
        result.first_wrong = std::move(check.first_wrong);
    }
    return false;
}

bool Verification::check_on_device(Entrant& entrant, Pass pass, const PassData& data) {
    Answer<ExecutedReply> answer = bench_->execute(*entrant.plan, make_request(entrant, pass, true));
    entrant.result.output += bench_->take_output();
    if (const auto* loss = std::get_if<Loss>(&answer)) {
        entrant.fail(*loss);
        return false;
    }
    const auto& reply = std::get<ExecutedReply>(answer);
    KernelResult& result = entrant.result;
    if (!result.first_run_ms) result.first_run_ms = reply.first_wall_ms;
    result.upload_ms = bench_->upload_ms();
    result.download_ms = reply.download_ms;

    const Layout& layout = bench_->layout();
    std::map<std::uint32_t, std::vector<std::byte>> allocations;
    for (const Slot& slot : layout.slots) {
        const bool foreign = slot.role == Slot::Role::Scratch && slot.owner != entrant.index;
        if (slot.role != Slot::Role::Pristine && !foreign) allocations[slot.id] = bench_->fetch(slot);
    }
    const auto payload_of = [&](const Slot& slot) {
        return std::span(std::as_const(allocations.at(slot.id))).subspan(slot.front_bytes, slot.bytes());
    };
    // Guard zones first: a stray write explains changed inputs and wrong elements.
    for (const auto& [id, allocation] : allocations)
        if (!judge_guards(entrant, layout.slots[id], allocation)) break;
    for (const Slot& slot : layout.slots)
        if (entrant.in_race && slot.role == Slot::Role::Input)
            judge_input(entrant, slot, payload_of(slot), data);
    std::vector<std::vector<std::byte>> outputs;
    for (const Slot& slot : layout.slots) {
        if (slot.role != Slot::Role::Output) continue;
        const auto payload = payload_of(slot);
        judge_output(entrant, *instance_.find_buffer(slot.name), payload, pass, data);
        outputs.emplace_back(payload.begin(), payload.end());
    }
    if (entrant.in_race && pass == Pass::Real) entrant.proven_outputs = std::move(outputs);
    return entrant.in_race;
}

std::vector<std::vector<std::byte>> Verification::make_host_outputs(Pass pass) const {
    std::vector<std::vector<std::byte>> outputs;
    for (const BufferSpec& buffer : instance_.buffers) {
        if (buffer.access == Access::Read) continue;
        outputs.emplace_back(buffer.bytes());
        fill_pattern(outputs.back(), poison_pattern(buffer.type, pass));
    }
    return outputs;
}

bool Verification::check_on_host(Entrant& entrant, Pass pass, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(pass);
    const auto start = Clock::now();
    solver_.run_host_library(instance_, data, outputs);
    if (!entrant.result.first_run_ms) entrant.result.first_run_ms = elapsed_ms(start);
    std::size_t next = 0;
    for (const BufferSpec& buffer : instance_.buffers)
        if (buffer.access != Access::Read) judge_output(entrant, buffer, outputs[next++], pass, data);
    return entrant.in_race;
}

bool Verification::turn_on_device(Entrant& entrant, const PassData& data) {
    ExecuteRequest request = make_request(entrant, Pass::Real, false);
    request.turn = TurnRule{};
    const auto start = Clock::now();
    Answer<ExecutedReply> answer = bench_->execute(*entrant.plan, std::move(request));
    const double wall_ms = elapsed_ms(start);
    entrant.result.output += bench_->take_output();
    if (const auto* loss = std::get_if<Loss>(&answer)) {
        entrant.fail(*loss);
        return false;
    }
    const auto& reply = std::get<ExecutedReply>(answer);
    double sum_ms = 0;
    for (const double sample_ms : reply.samples_ms) sum_ms += sample_ms;
    if (reply.samples_ms.empty() || reply.launch_ms.size() != entrant.launches.size() ||
        sum_ms > wall_ms * kClockTolerance) {
        entrant.fail(Verdict::KernelCrashed,
                     "the process that ran the kernel reported times that cannot be: the kernel has probably "
                     "overwritten memory that is not its own");
        bench_->distrust_runner();
        return false;
    }

    const Layout& layout = bench_->layout();
    std::size_t next = 0;
    for (const Slot& slot : layout.slots) {
        if (slot.role != Slot::Role::Output) continue;
        const std::vector<std::byte> allocation = bench_->fetch(slot);
        if (!judge_guards(entrant, slot, allocation)) return false;
        const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
        if (!first_difference(payload, entrant.proven_outputs[next++])) continue;
        if (!judge_output(entrant, *instance_.find_buffer(slot.name), payload, Pass::Real, data)) {
            entrant.result.reason = "right at first, but wrong in a timed run: " + entrant.result.reason;
            return false;
        }
    }
    entrant.result.samples_ms.push_back(stats::median(reply.samples_ms));
    entrant.launch_ms.push_back(reply.launch_ms);
    entrant.runs += static_cast<std::uint32_t>(reply.samples_ms.size());
    return true;
}

bool Verification::turn_on_host(Entrant& entrant, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(Pass::Real);
    const auto run = [&] {
        const auto start = Clock::now();
        solver_.run_host_library(instance_, data, outputs);
        return elapsed_ms(start);
    };
    const std::vector<double> samples_ms = kwb::take_turn(TurnRule{}, run, [] {});
    entrant.result.samples_ms.push_back(stats::median(samples_ms));
    entrant.runs += static_cast<std::uint32_t>(samples_ms.size());
    return true;
}

void Verification::run_again(const Entrant& entrant) {
    bench_->execute(*entrant.plan, make_request(entrant, Pass::Real, false));
}

std::optional<std::string> Verification::find_changed_input(const Entrant& entrant, const PassData& data) {
    const Layout& layout = bench_->layout();
    ExecuteRequest read_back;
    for (const Slot& slot : layout.slots)
        if (slot.role == Slot::Role::Input) read_back.download.push_back({slot.id, slot.offset});
    if (std::holds_alternative<Loss>(bench_->execute(*entrant.plan, std::move(read_back))))
        return std::nullopt;
    Entrant witness;
    for (const Slot& slot : layout.slots) {
        if (slot.role != Slot::Role::Input) continue;
        const std::vector<std::byte> allocation = bench_->fetch(slot);
        const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
        if (!judge_guards(witness, slot, allocation) || !judge_input(witness, slot, payload, data))
            return witness.result.reason;
    }
    return std::nullopt;
}

}  // namespace kwb
