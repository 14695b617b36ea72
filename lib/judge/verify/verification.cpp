#include "judge/verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/verify/product_probe.hpp"
#include "judge/verify/stray_access.hpp"
#include "model/error_map.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

double elapsed_ms(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

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

/// Converts a failed launch to a verdict.
void judge_failure(ContestantState& contestant, const Failure& failure) {
    Failure explained = explain_fault(failure, contestant.bench->layout());
    // If there is no signal, the judge ended the runner because of its memory or its messages.
    if (explained.verdict == Verdict::KernelCrashed && explained.evidence.signal &&
        pages_may_tell(contestant))
        explained.reason +=
            "; a check for stray accesses, as in kwb check, puts buffers next to unreadable pages and names "
            "the "
            "argument if an index is the cause";
    contestant.fail(explained);
}

/// For a contestant that passed its check earlier.
void explain_late_error(ContestantState& contestant) {
    KernelResult& result = contestant.result;
    if (!contestant.in_race && result.verdict == Verdict::Wrong && !result.first_wrong.empty())
        result.reason = "right at first, but wrong in a timed run: " + result.reason;
}

/// Number of bytes that a request with this many runs fills, copies and reads back between the runs.
std::uint64_t untimed_bytes(const ExecuteRequest& request, std::uint32_t runs, const Layout& layout) {
    const auto changed_bytes = [&](const std::vector<BufferOperation>& operations) {
        std::uint64_t bytes = 0;
        for (const BufferOperation& operation : operations) bytes += layout.slots[operation.buffer].bytes();
        return bytes;
    };
    std::uint64_t bytes = changed_bytes(request.before_first) + runs * changed_bytes(request.before_run);
    for (const Transfer& transfer : request.download) bytes += layout.slots[transfer.buffer].whole_bytes();
    return bytes;
}

}  // namespace

Verification::Verification(const ProblemInstance& instance, const ReferenceSolver& solver,
                           Checkpoint checkpoint)
    : instance_(instance), solver_(solver), checkpoint_(std::move(checkpoint)) {}

void Verification::check(ContestantState& contestant, Pass pass, const PassData& data) {
    if (contestant.plan == nullptr) return check_on_host(contestant, pass, data);
    if (const auto failure = check_on_device(contestant, pass, data)) judge_failure(contestant, *failure);
}

void Verification::take_turn(ContestantState& contestant, const PassData& data) {
    const bool was_right = !contestant.proven_outputs.empty();  // otherwise this turn is the first check
    if (contestant.plan != nullptr)
        turn_on_device(contestant, data);
    else
        turn_on_host(contestant, data);
    if (was_right) explain_late_error(contestant);
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

bool Verification::judge_output(ContestantState& contestant, const BufferSpec& spec, std::size_t number,
                                std::span<const std::byte> payload, Pass pass, const PassData& data) {
    const OutputReference& reference = *find_named(data.outputs, spec.name);
    const auto poison = poison_pattern(spec.type, pass);
    OutputCheck check = reference.probe ? check_product(*reference.probe, pass, spec, payload, data, poison,
                                                        draw_secret(), checkpoint_)
                                        : check_output(spec, payload, reference, poison, checkpoint_);
    KernelResult& result = contestant.result;
    result.wrong_elements = result.wrong_elements.value_or(0) + check.wrong;
    if (check.random) add_to(result.random_check, *check.random);
    if (pass == Pass::Real && !check.random) {
        result.max_error_share = std::max(result.max_error_share.value_or(0), check.worst_share);
        result.numpy_allclose = result.numpy_allclose.value_or(true) && check.numpy_allclose;
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
        contestant.fail(Verdict::Wrong, find_wrong(check, spec, solver_.describe_inputs(pass)));
        if (check.not_a_number > check.unwritten && pages_may_tell(contestant))
            result.reason +=
                "; reads outside of a buffer yield nan: a check for stray accesses, as in kwb check, tells "
                "whether "
                "that is the cause";
        for (const auto& [other, outputs] : contestant.proven_outputs)
            if (other != pass && !first_difference(payload, outputs.at(number), checkpoint_))
                contestant.fail(
                    Verdict::Wrong,
                    fmt::format("the kernel gives an earlier run's answer when inputs change: with {} inputs "
                                "{} contains, bit for bit, the correct output for the {} ones; each run must "
                                "compute from its own inputs",
                                solver_.describe_inputs(pass), spec.name, solver_.describe_inputs(other)));
    }
    if (result.first_wrong.empty()) {
        result.error_map = reference.probe ? std::move(check.error_map)
                                           : detailed_map(check, spec, payload, reference, poison);
        result.first_wrong = std::move(check.first_wrong);
    }
    return false;
}

std::optional<Failure> Verification::check_on_device(ContestantState& contestant, Pass pass,
                                                     const PassData& data) {
    DeviceBench& bench = *contestant.bench;
    Answer<ExecutedReply> answer = bench.execute(*contestant.plan, make_request(contestant, pass, true));
    contestant.output.append(bench.take_output());
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
    const auto& reply = std::get<ExecutedReply>(answer);
    KernelResult& result = contestant.result;
    if (!result.first_run_ms) result.first_run_ms = reply.first_wall_ms;
    result.upload_ms = bench.upload_ms();
    result.download_ms = reply.download_ms;
    contestant.last_run_ms = reply.samples_ms.empty() ? 0 : reply.samples_ms.back();
    judge_run(contestant, pass, data);
    return std::nullopt;
}

void Verification::judge_run(ContestantState& contestant, Pass pass, const PassData& data) {
    DeviceBench& bench = *contestant.bench;
    const Layout& layout = bench.layout();
    std::map<std::uint32_t, std::vector<std::byte>> allocations;
    for (const Slot& slot : layout.slots) {
        const bool foreign = slot.role == Slot::Role::Scratch && slot.owner != contestant.index;
        if (slot.role != Slot::Role::Pristine && !foreign) allocations[slot.id] = bench.fetch(slot);
    }
    const auto payload_of = [&](const Slot& slot) {
        return std::span(std::as_const(allocations.at(slot.id))).subspan(slot.front_bytes, slot.bytes());
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
    if (contestant.keeps_outputs) contestant.kept_outputs = outputs;
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
    const auto start = Clock::now();
    solver_.run_host_library(instance_, data, outputs);
    contestant.last_run_ms = elapsed_ms(start);
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

void Verification::turn_on_device(ContestantState& contestant, const PassData& data) {
    DeviceBench& bench = *contestant.bench;
    const bool is_first = contestant.result.samples_ms.empty();
    const bool may_skip_outputs = !is_first && is_costly_to_read(contestant);
    ExecuteRequest request = make_request(contestant, Pass::Real, is_first);
    if (may_skip_outputs) request.download.clear();
    request.turn = turn_rule_after(contestant.last_run_ms);
    request.vary = vary_inputs(contestant, data);
    // The correct outputs are known only for the original inputs. Whether these come last is random, so that
    // a kernel that computes correctly only with them is detected.
    request.original_inputs_last =
        is_first || request.vary.empty() || random_at(bench.guard_secret(), ++picks_) % 2 == 0;
    // A new runner compiles in its first launch, and the device clock does not measure that.
    const bool warm = bench.is_prepared(*contestant.plan);
    if (const auto failure = bench.prepare(*contestant.plan)) return contestant.fail(*failure);
    const auto cpu_before_ms = bench.cpu_ms();
    const auto start = Clock::now();
    Answer<ExecutedReply> answer = bench.execute(*contestant.plan, request);
    const double wall_ms = elapsed_ms(start);
    const auto cpu_after_ms = bench.cpu_ms();
    contestant.output.append(bench.take_output());
    if (const auto* failure = std::get_if<Failure>(&answer)) return judge_failure(contestant, *failure);
    const auto& reply = std::get<ExecutedReply>(answer);
    const std::optional<TurnReading> reading = read_turn(reply, wall_ms, contestant.launches.size());
    if (!reading) {
        contestant.fail(Verdict::KernelCrashed, kImpossibleTimes);
        bench.distrust_runner();
        return;
    }
    if (!contestant.clocks) contestant.clocks = reading->disagreement;
    if (warm) {
        TurnTimes times{wall_ms, std::nullopt, reading->all_runs_ms, reply.runs,
                        untimed_bytes(request, reply.runs, bench.layout())};
        if (cpu_before_ms && cpu_after_ms && bench.device().kind == DeviceKind::Cpu)
            times.cpu_ms = *cpu_after_ms - *cpu_before_ms;
        contestant.turn_times.push_back(times);
    }

    if (is_first && !contestant.result.first_run_ms) {  // this turn is the first check
        contestant.result.first_run_ms = reply.first_wall_ms;
        contestant.result.upload_ms = bench.upload_ms();
        contestant.result.download_ms = reply.download_ms;
    }
    const bool verifies = !may_skip_outputs || (wants_to_verify(contestant) && read_outputs(contestant));
    contestant.has_unchecked_outputs = !verifies;
    if (is_first)
        judge_run(contestant, Pass::Real, data);
    else if (verifies)
        judge_timed_outputs(contestant, data, request.original_inputs_last);
    if (!contestant.in_race) return;
    contestant.last_turn_ms = reading->all_runs_ms;
    contestant.last_run_ms = reading->sample_ms;
    contestant.result.samples_ms.push_back(contestant.last_run_ms);
    contestant.launch_ms.push_back(reply.launch_ms);
    contestant.runs += static_cast<std::uint32_t>(reply.samples_ms.size());
}

/// True if reading back large outputs would take long compared to a turn.
bool Verification::is_costly_to_read(const ContestantState& contestant) const {
    constexpr double kBytesPerMs = 1e6;  // read back, copied and compared
    constexpr double kMostShare = 0.25;
    std::uint64_t bytes = 0;
    for (const Slot& slot : contestant.bench->layout().slots)
        if (slot.role == Slot::Role::Output) bytes += slot.whole_bytes();
    return bytes > most_read_bytes_ &&
           static_cast<double>(bytes) / kBytesPerMs > kMostShare * contestant.last_turn_ms;
}

/// Decided after the turn, so that no code in the runner can know it.
bool Verification::wants_to_verify(const ContestantState& contestant) {
    constexpr std::uint64_t kOneOf = 4;
    return random_at(contestant.bench->guard_secret(), ++picks_) % kOneOf == 0;
}

bool Verification::read_outputs(ContestantState& contestant) {
    DeviceBench& bench = *contestant.bench;
    if (!bench.is_prepared(*contestant.plan)) return false;  // a new runner does not have the outputs
    ExecuteRequest request;
    for (const Slot& slot : bench.layout().slots)
        if (slot.role == Slot::Role::Output) request.download.push_back({slot.id, slot.offset});
    const Answer<ExecutedReply> answer = bench.execute(*contestant.plan, std::move(request));
    if (const auto* failure = std::get_if<Failure>(&answer)) judge_failure(contestant, *failure);
    return contestant.in_race;
}

void Verification::check_last_outputs(ContestantState& contestant, const PassData& data) {
    if (!contestant.in_race || !std::exchange(contestant.has_unchecked_outputs, false)) return;
    ExecuteRequest request = make_request(contestant, Pass::Real, false);
    request.turn = turn_rule_after(contestant.last_run_ms);
    request.vary = vary_inputs(contestant, data);
    request.original_inputs_last = true;
    const Answer<ExecutedReply> answer = contestant.bench->execute(*contestant.plan, request);
    contestant.output.append(contestant.bench->take_output());
    if (const auto* failure = std::get_if<Failure>(&answer))
        judge_failure(contestant, *failure);
    else
        judge_timed_outputs(contestant, data, true);
    explain_late_error(contestant);
}

void Verification::judge_timed_outputs(ContestantState& contestant, const PassData& data,
                                       bool original_inputs) {
    DeviceBench& bench = *contestant.bench;
    std::size_t next = 0;
    for (const Slot& slot : bench.layout().slots) {
        if (slot.role != Slot::Role::Output) continue;
        const std::vector<std::byte> allocation = bench.fetch(slot);
        if (!judge_guards(contestant, slot, allocation)) return;
        const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
        const std::size_t number = next++;
        const bool is_known =
            !first_difference(payload, contestant.proven_outputs.at(Pass::Real).at(number), checkpoint_);
        if (!original_inputs) {
            if (!is_known || !solver_.every_input_matters()) continue;
            contestant.fail(
                Verdict::Wrong,
                fmt::format(
                    "the kernel gives an earlier run's answer when inputs change: {} was the same in a "
                    "timed run with others",
                    slot.name));
            return;
        }
        if (!is_known &&
            !judge_output(contestant, *instance_.find_buffer(slot.name), number, payload, Pass::Real, data))
            return;
    }
}

/// For each input, selects one element and replacement values from the same input; these are valid whatever
/// they mean.
std::vector<Variation> Verification::vary_inputs(const ContestantState& contestant, const PassData& data) {
    constexpr std::size_t kValues = 64;
    std::vector<Variation> variations;
    const std::uint64_t secret = contestant.bench->guard_secret();
    for (const Slot& slot : contestant.bench->layout().slots) {
        if (slot.role != Slot::Role::Input || slot.elements < 2 || !solver_.may_vary(slot.name)) continue;
        const std::vector<std::byte>& content = *find_named(data.inputs, slot.name);
        const std::uint64_t width = slot.type.bytes();
        const auto pick = [&] { return random_at(secret, ++picks_) % slot.elements * width; };
        Variation variation{slot.id, pick(), {}};
        const auto add = [&](std::uint64_t from) {
            const auto* const first = reinterpret_cast<const std::uint8_t*>(&content[from]);
            variation.values.emplace_back(first, first + width);
        };
        add(variation.offset);
        for (std::size_t i = 1; i < kValues; ++i) {
            add(pick());
            if (variation.values.back() == variation.values.front()) variation.values.pop_back();
        }
        if (variation.values.size() > 1) variations.push_back(std::move(variation));
    }
    return variations;
}

void Verification::turn_on_host(ContestantState& contestant, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(Pass::Real);
    const auto run = [&] {
        const auto start = Clock::now();
        solver_.run_host_library(instance_, data, outputs);
        return elapsed_ms(start);
    };
    const auto turn_start = Clock::now();
    const std::vector<double> samples_ms =
        kwb::take_turn(turn_rule_after(contestant.last_run_ms), run, [] {});
    contestant.last_turn_ms = elapsed_ms(turn_start);
    if (contestant.result.samples_ms.empty()) judge_host_outputs(contestant, Pass::Real, data, outputs);
    if (!contestant.in_race) return;
    contestant.last_run_ms = stats::median(samples_ms);
    contestant.result.samples_ms.push_back(contestant.last_run_ms);
    contestant.runs += static_cast<std::uint32_t>(samples_ms.size());
}

void Verification::run_again(const ContestantState& contestant) {
    contestant.bench->execute(*contestant.plan, make_request(contestant, Pass::Real, false));
}

std::optional<std::string> Verification::find_changed_input(const ContestantState& contestant,
                                                            const PassData& data) {
    DeviceBench& bench = *contestant.bench;
    const Layout& layout = bench.layout();
    ExecuteRequest read_back;
    for (const Slot& slot : layout.slots)
        if (slot.role == Slot::Role::Input) read_back.download.push_back({slot.id, slot.offset});
    if (std::holds_alternative<Failure>(bench.execute(*contestant.plan, std::move(read_back))))
        return std::nullopt;
    ContestantState witness;
    witness.bench = &bench;
    for (const Slot& slot : layout.slots) {
        if (slot.role != Slot::Role::Input) continue;
        const std::vector<std::byte> allocation = bench.fetch(slot);
        const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
        if (!judge_guards(witness, slot, allocation) || !judge_input(witness, slot, payload, data))
            return witness.result.reason;
    }
    return std::nullopt;
}

}  // namespace kwb
