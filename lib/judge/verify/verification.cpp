#include "judge/verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "judge/in_steps.hpp"
#include "judge/processes/fault_report.hpp"
#include "judge/verify/describe_wrong.hpp"
#include "judge/verify/guards.hpp"
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

/// Drawn anew for each output that is judged, after the run.
std::uint64_t draw_secret() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

/// What holds of all outputs and passes.
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

/// Enough to see where rounding errors are large; the history keeps a map of every kernel of every run.
constexpr std::uint32_t kCellsOfRightAnswers = 64;

/// Whether a check with unreadable pages is still to be had.
bool pages_may_tell(const Entrant& entrant) {
    return entrant.bench != nullptr && !entrant.pages_checked &&
           entrant.bench->device().kind == DeviceKind::Cpu;
}

/// What became of a launch, as verdict.
void judge_loss(Entrant& entrant, const Loss& loss) {
    Loss explained = explain_fault(loss, entrant.bench->layout());
    // Without a signal it took too much memory, or was ended for what it said.
    if (explained.verdict == Verdict::KernelCrashed && explained.evidence.signal && pages_may_tell(entrant))
        explained.reason +=
            "; a look for stray accesses, as kwb check takes it, puts buffers against unreadable pages and "
            "names the argument, if it is an index";
    entrant.fail(explained);
}

/// Of an entrant whose check was right.
void tell_change(Entrant& entrant) {
    KernelResult& result = entrant.result;
    if (!entrant.in_race && result.verdict == Verdict::Wrong && !result.first_wrong.empty())
        result.reason = "right at first, but wrong in a timed run: " + result.reason;
}

/// What a request of so many runs fills, copies and reads back beside them.
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

bool Verification::check(Entrant& entrant, Pass pass, const PassData& data) {
    if (entrant.plan == nullptr) return check_on_host(entrant, pass, data);
    if (const auto loss = check_on_device(entrant, pass, data)) judge_loss(entrant, *loss);
    return entrant.in_race;
}

bool Verification::take_turn(Entrant& entrant, const PassData& data) {
    const bool was_right = !entrant.proven_outputs.empty();  // where no check came before, this is the first
    const bool took = entrant.plan != nullptr ? turn_on_device(entrant, data) : turn_on_host(entrant, data);
    if (was_right) tell_change(entrant);
    return took;
}

ExecuteRequest Verification::make_request(const Entrant& entrant, Pass pass, bool download_all) const {
    ExecuteRequest request;
    request.launches = entrant.launches;
    const Layout& layout = entrant.bench->layout();
    for (const Slot& slot : layout.slots) {
        const bool output = slot.role == Slot::Role::Output;
        const bool scratch = slot.role == Slot::Role::Scratch;
        const bool own_scratch = scratch && slot.owner == entrant.index;
        // In every run: a kernel that finds its own answer has nothing to do. An in-out buffer starts from
        // its input, everything else from poison.
        if (const Slot* pristine = output ? layout.find_pristine(slot.name) : nullptr)
            request.before_run.push_back({slot.id, {}, pristine->id});
        else if (output || own_scratch)
            request.before_run.push_back({slot.id, poison_pattern(slot.type, pass), {}});
        else if (scratch)  // nobody shall find another's intermediate results
            request.before_first.push_back({slot.id, poison_pattern(slot.type, pass), {}});
        if (output || (download_all && (own_scratch || slot.role == Slot::Role::Input)))
            request.download.push_back({slot.id, slot.offset});
    }
    request.before_run.insert(request.before_run.end(), entrant.init.begin(), entrant.init.end());
    return request;
}

bool Verification::judge_guards(Entrant& entrant, const Slot& slot, std::span<const std::byte> allocation) {
    DeviceBench& bench = *entrant.bench;
    const auto damage = find_guard_damage(slot, bench.guard_secret(), allocation);
    if (!damage) return true;
    entrant.fail(Verdict::OutOfBounds, describe(*damage, slot));
    entrant.result.evidence = Evidence{"launch", std::nullopt, slot.name, "write", damage->element};
    // It may have gone on beyond the guard zone, into what the driver keeps there: nobody else shall pay for
    // it.
    bench.distrust_runner();
    return false;
}

bool Verification::judge_input(Entrant& entrant, const Slot& slot, std::span<const std::byte> payload,
                               const PassData& data) {
    const auto at = first_difference(payload, *find_named(data.inputs, slot.name), checkpoint_);
    if (!at) return true;
    const std::uint64_t element = *at / slot.type.bytes();
    const auto index = index_of(element, instance_.find_buffer(slot.name)->shape);
    entrant.fail(Verdict::Wrong,
                 fmt::format("the kernel changed its input {}, first at {}[{}]; inputs are read-only",
                             slot.name, slot.name, fmt::join(index, "][")));
    entrant.result.evidence =
        Evidence{"launch", std::nullopt, slot.name, "write", static_cast<std::int64_t>(element)};
    entrant.bench->refresh_inputs();
    return false;
}

bool Verification::judge_output(Entrant& entrant, const BufferSpec& spec, std::size_t number,
                                std::span<const std::byte> payload, Pass pass, const PassData& data) {
    const OutputReference& reference = *find_named(data.outputs, spec.name);
    const auto poison = poison_pattern(spec.type, pass);
    OutputCheck check = reference.probe
                            ? reference.probe->check(spec, payload, data, poison, draw_secret(), checkpoint_)
                            : check_output(spec, payload, reference, poison, checkpoint_);
    KernelResult& result = entrant.result;
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
    // Beside a stray write wrong elements are worth showing, but the stray write explains them.
    if (entrant.in_race) {
        entrant.fail(Verdict::Wrong, find_wrong(check, spec, solver_.describe_inputs(pass)));
        if (check.not_a_number > check.unwritten && pages_may_tell(entrant))
            result.reason +=
                "; whatever is read outside of a buffer is nan: a look for stray accesses, as kwb check "
                "takes "
                "it, tells whether that is the cause";
        for (const auto& [other, outputs] : entrant.proven_outputs)
            if (other != pass && !first_difference(payload, outputs.at(number), checkpoint_))
                entrant.fail(
                    Verdict::Wrong,
                    fmt::format("the kernel gives an earlier run's answer when inputs change: with {} inputs "
                                "{} holds, bit for bit, what was right for the {} ones; each run must "
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

std::optional<Loss> Verification::check_on_device(Entrant& entrant, Pass pass, const PassData& data) {
    DeviceBench& bench = *entrant.bench;
    Answer<ExecutedReply> answer = bench.execute(*entrant.plan, make_request(entrant, pass, true));
    entrant.output.append(bench.take_output());
    if (auto* loss = std::get_if<Loss>(&answer)) return std::move(*loss);
    const auto& reply = std::get<ExecutedReply>(answer);
    KernelResult& result = entrant.result;
    if (!result.first_run_ms) result.first_run_ms = reply.first_wall_ms;
    result.upload_ms = bench.upload_ms();
    result.download_ms = reply.download_ms;
    entrant.last_run_ms = reply.samples_ms.empty() ? 0 : reply.samples_ms.back();
    judge_run(entrant, pass, data);
    return std::nullopt;
}

void Verification::judge_run(Entrant& entrant, Pass pass, const PassData& data) {
    DeviceBench& bench = *entrant.bench;
    const Layout& layout = bench.layout();
    std::map<std::uint32_t, std::vector<std::byte>> allocations;
    for (const Slot& slot : layout.slots) {
        const bool foreign = slot.role == Slot::Role::Scratch && slot.owner != entrant.index;
        if (slot.role != Slot::Role::Pristine && !foreign) allocations[slot.id] = bench.fetch(slot);
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
        judge_output(entrant, *instance_.find_buffer(slot.name), outputs.size(), payload, pass, data);
        outputs.push_back(copy_in_steps(payload, checkpoint_));
    }
    keep(entrant, outputs);
    if (entrant.in_race) entrant.proven_outputs[pass] = std::move(outputs);
}

void Verification::keep(Entrant& entrant, const std::vector<std::vector<std::byte>>& outputs) const {
    if (!entrant.keeps_outputs) return;
    entrant.kept_outputs.clear();
    for (const BufferSpec& buffer : instance_.buffers)
        if (buffer.access != Access::Read)
            entrant.kept_outputs.push_back({buffer.name, outputs.at(entrant.kept_outputs.size())});
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

bool Verification::check_on_host(Entrant& entrant, Pass pass, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(pass);
    const auto start = Clock::now();
    solver_.run_host_library(instance_, data, outputs);
    entrant.last_run_ms = elapsed_ms(start);
    if (!entrant.result.first_run_ms) entrant.result.first_run_ms = entrant.last_run_ms;
    judge_host_outputs(entrant, pass, data, outputs);
    return entrant.in_race;
}

void Verification::judge_host_outputs(Entrant& entrant, Pass pass, const PassData& data,
                                      const std::vector<std::vector<std::byte>>& outputs) {
    std::size_t next = 0;
    for (const BufferSpec& buffer : instance_.buffers)
        if (buffer.access != Access::Read) {
            judge_output(entrant, buffer, next, outputs[next], pass, data);
            ++next;
        }
    keep(entrant, outputs);
}

bool Verification::turn_on_device(Entrant& entrant, const PassData& data) {
    DeviceBench& bench = *entrant.bench;
    const bool is_first = entrant.result.samples_ms.empty();
    const bool looks_later = !is_first && is_costly_to_read(entrant);
    ExecuteRequest request = make_request(entrant, Pass::Real, is_first);
    if (looks_later) request.download.clear();
    request.turn = turn_rule_after(entrant.last_run_ms);
    request.vary = vary_inputs(entrant, data);
    // What outputs must be is known for the inputs as they are; a kernel that waits for these is to be told
    // apart from one that works in every run.
    request.own_inputs_last =
        is_first || request.vary.empty() || random_at(bench.guard_secret(), ++picks_) % 2 == 0;
    // A new runner compiles in its first launch, which no device clock sees.
    const bool warm = bench.is_prepared(*entrant.plan);
    if (const auto loss = bench.prepare(*entrant.plan)) {
        entrant.fail(*loss);
        return false;
    }
    const auto cpu_before_ms = bench.cpu_ms();
    const auto start = Clock::now();
    Answer<ExecutedReply> answer = bench.execute(*entrant.plan, request);
    const double wall_ms = elapsed_ms(start);
    const auto cpu_after_ms = bench.cpu_ms();
    entrant.output.append(bench.take_output());
    if (const auto* loss = std::get_if<Loss>(&answer)) {
        judge_loss(entrant, *loss);
        return false;
    }
    const auto& reply = std::get<ExecutedReply>(answer);
    const std::optional<TurnReading> reading = read_turn(reply, wall_ms, entrant.launches.size());
    if (!reading) {
        entrant.fail(Verdict::KernelCrashed, kImpossibleTimes);
        bench.distrust_runner();
        return false;
    }
    if (!entrant.clocks) entrant.clocks = reading->disagreement;
    if (warm) {
        TurnTimes times{wall_ms, std::nullopt, reading->all_runs_ms, reply.runs,
                        untimed_bytes(request, reply.runs, bench.layout())};
        if (cpu_before_ms && cpu_after_ms && bench.device().kind == DeviceKind::Cpu)
            times.cpu_ms = *cpu_after_ms - *cpu_before_ms;
        entrant.turn_times.push_back(times);
    }

    if (is_first && !entrant.result.first_run_ms) {  // no pass before this one
        entrant.result.first_run_ms = reply.first_wall_ms;
        entrant.result.upload_ms = bench.upload_ms();
        entrant.result.download_ms = reply.download_ms;
    }
    const bool looks = !looks_later || (wants_to_look(entrant) && read_outputs(entrant));
    entrant.is_unseen = !looks;
    if (is_first)
        judge_run(entrant, Pass::Real, data);
    else if (looks)
        judge_timed_outputs(entrant, data, request.own_inputs_last);
    if (!entrant.in_race) return false;
    entrant.last_turn_ms = reading->all_runs_ms;
    entrant.last_run_ms = reading->sample_ms;
    entrant.result.samples_ms.push_back(entrant.last_run_ms);
    entrant.launch_ms.push_back(reply.launch_ms);
    entrant.runs += static_cast<std::uint32_t>(reply.samples_ms.size());
    return true;
}

/// Reading large outputs back would take longer than what is measured.
bool Verification::is_costly_to_read(const Entrant& entrant) const {
    constexpr double kBytesPerMs = 1e6;  // read back, copied and compared
    constexpr double kMostShare = 0.25;
    std::uint64_t bytes = 0;
    for (const Slot& slot : entrant.bench->layout().slots)
        if (slot.role == Slot::Role::Output) bytes += slot.whole_bytes();
    return bytes > most_read_bytes_ &&
           static_cast<double>(bytes) / kBytesPerMs > kMostShare * entrant.last_turn_ms;
}

/// Decided after the turn, so that nothing in the runner can know it during it.
bool Verification::wants_to_look(const Entrant& entrant) {
    constexpr std::uint64_t kOneOf = 4;
    return random_at(entrant.bench->guard_secret(), ++picks_) % kOneOf == 0;
}

bool Verification::read_outputs(Entrant& entrant) {
    DeviceBench& bench = *entrant.bench;
    if (!bench.is_prepared(*entrant.plan)) return false;  // another runner does not hold them
    ExecuteRequest request;
    for (const Slot& slot : bench.layout().slots)
        if (slot.role == Slot::Role::Output) request.download.push_back({slot.id, slot.offset});
    const Answer<ExecutedReply> answer = bench.execute(*entrant.plan, std::move(request));
    if (const auto* loss = std::get_if<Loss>(&answer)) judge_loss(entrant, *loss);
    return entrant.in_race;
}

bool Verification::take_last_look(Entrant& entrant, const PassData& data) {
    if (!entrant.in_race || !std::exchange(entrant.is_unseen, false)) return entrant.in_race;
    ExecuteRequest request = make_request(entrant, Pass::Real, false);
    request.turn = turn_rule_after(entrant.last_run_ms);
    request.vary = vary_inputs(entrant, data);
    request.own_inputs_last = true;
    const Answer<ExecutedReply> answer = entrant.bench->execute(*entrant.plan, request);
    entrant.output.append(entrant.bench->take_output());
    if (const auto* loss = std::get_if<Loss>(&answer))
        judge_loss(entrant, *loss);
    else
        judge_timed_outputs(entrant, data, true);
    tell_change(entrant);
    return entrant.in_race;
}

bool Verification::judge_timed_outputs(Entrant& entrant, const PassData& data, bool own_inputs) {
    DeviceBench& bench = *entrant.bench;
    std::size_t next = 0;
    for (const Slot& slot : bench.layout().slots) {
        if (slot.role != Slot::Role::Output) continue;
        const std::vector<std::byte> allocation = bench.fetch(slot);
        if (!judge_guards(entrant, slot, allocation)) return false;
        const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
        const std::size_t number = next++;
        const bool is_known =
            !first_difference(payload, entrant.proven_outputs.at(Pass::Real).at(number), checkpoint_);
        if (!own_inputs) {
            if (!is_known || !solver_.every_input_matters()) continue;
            entrant.fail(
                Verdict::Wrong,
                fmt::format(
                    "the kernel gives an earlier run's answer when inputs change: {} was the same in a "
                    "timed run with others",
                    slot.name));
            return false;
        }
        if (!is_known &&
            !judge_output(entrant, *instance_.find_buffer(slot.name), number, payload, Pass::Real, data))
            return false;
    }
    return true;
}

/// A place of each input, with values that stand elsewhere in it: whatever they mean, they are allowed.
std::vector<Variation> Verification::vary_inputs(const Entrant& entrant, const PassData& data) {
    constexpr std::size_t kValues = 64;
    std::vector<Variation> variations;
    const std::uint64_t secret = entrant.bench->guard_secret();
    for (const Slot& slot : entrant.bench->layout().slots) {
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

bool Verification::turn_on_host(Entrant& entrant, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = make_host_outputs(Pass::Real);
    const auto run = [&] {
        const auto start = Clock::now();
        solver_.run_host_library(instance_, data, outputs);
        return elapsed_ms(start);
    };
    const auto turn_start = Clock::now();
    const std::vector<double> samples_ms = kwb::take_turn(turn_rule_after(entrant.last_run_ms), run, [] {});
    entrant.last_turn_ms = elapsed_ms(turn_start);
    if (entrant.result.samples_ms.empty()) judge_host_outputs(entrant, Pass::Real, data, outputs);
    if (!entrant.in_race) return false;
    entrant.last_run_ms = stats::median(samples_ms);
    entrant.result.samples_ms.push_back(entrant.last_run_ms);
    entrant.runs += static_cast<std::uint32_t>(samples_ms.size());
    return true;
}

void Verification::run_again(const Entrant& entrant) {
    entrant.bench->execute(*entrant.plan, make_request(entrant, Pass::Real, false));
}

std::optional<std::string> Verification::find_changed_input(const Entrant& entrant, const PassData& data) {
    DeviceBench& bench = *entrant.bench;
    const Layout& layout = bench.layout();
    ExecuteRequest read_back;
    for (const Slot& slot : layout.slots)
        if (slot.role == Slot::Role::Input) read_back.download.push_back({slot.id, slot.offset});
    if (std::holds_alternative<Loss>(bench.execute(*entrant.plan, std::move(read_back)))) return std::nullopt;
    Entrant witness;
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
