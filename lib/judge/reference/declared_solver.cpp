// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/declared_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/sha256.hpp"
#include "judge/build/binding.hpp"
#include "judge/build/build_log.hpp"
#include "judge/build/constraints.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/verify/stray_access.hpp"
#include "judge/verify/verification.hpp"
#include "model/finding_words.hpp"
#include "model/json.hpp"

namespace kwb {
namespace {

/// A slower reference runs only once.
constexpr double kQuickMs = 1000;

/// Builds the reference kernel and runs it on the inputs of `data`. Fast kernels run twice, to check that
/// both outputs agree.
class ReferenceRun {
public:
    /// @param bench  used only for this; its layout and inputs are replaced
    /// @param data   inputs of this pass
    ReferenceRun(DeviceBench& bench, const DeclaredInstance& declared, const ReferenceSolver& solver,
                 const PassData& data, const Checkpoint& checkpoint)
        : bench_(bench),
          declared_(declared),
          instance_(declared.instance),
          plan_(*declared.reference),
          data_(data),
          checkpoint_(checkpoint),
          verification_(instance_, solver, checkpoint) {
        contestant_.plan = &plan_;
        contestant_.bench = &bench;
    }

    /// @return  what it wrote into each output, in the order of declared.outputs
    /// @throws ReferenceFailed  it does not compile, does not fit, crashes, hangs, writes outside its buffers
    ///         or to its inputs, leaves elements unwritten, or gives different outputs
    Contents perform() {
        build();
        bench_.use_inputs(data_);
        const auto start = std::chrono::steady_clock::now();
        Contents first = run(Pass::Real);
        const double took_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (took_ms < kQuickMs || may_be_unwritten(first, Pass::Real)) {
            // An integer output may happen to equal one pattern, but not both.
            const Contents second = run(Pass::Exact);
            for (const BufferSpec& buffer : instance_.buffers) require_written(buffer, first, second);
            require_agreement(first, second);
        }
        return first;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw ReferenceFailed(
            fmt::format("there is nothing to compare with: the reference {} {}", plan_.file, what));
    }
    [[noreturn]] void fail(const Failure& failure) const {
        fail("failed: " + explain_fault(failure, bench_.layout()).reason);
    }

    void build() {
        if (plan_.refusal) fail("cannot run here: " + sentence_of(*plan_.refusal));
        bench_.use_layout(make_layout(instance_, {&plan_}, bench_.device()));
        Answer<BuiltReply> answer = bench_.build(plan_);
        const std::string said = bench_.take_output().take();
        if (const auto* failure = std::get_if<Failure>(&answer)) fail(*failure);
        const auto& built = std::get<BuiltReply>(answer);
        if (!built.accepted)
            fail("does not compile: " + describe_build_errors(parse_build_log(built.log + said), plan_));
        auto launches = bind_launches(plan_, 0, built.functions, instance_, bench_.layout());
        if (const auto* failure = std::get_if<Failure>(&launches))
            fail("cannot be launched: " + failure->reason);
        contestant_.launches = std::get<std::vector<Launch>>(std::move(launches));
        auto init = bind_init(plan_, 0, bench_.layout());
        if (const auto* failure = std::get_if<Failure>(&init)) fail("cannot be launched: " + failure->reason);
        contestant_.init = std::get<std::vector<BufferOperation>>(std::move(init));
        if (const auto found = find_launch_constraint(contestant_.launches, built.functions, bench_.device(),
                                                      &bench_.layout()))
            fail("cannot be launched: " + *found);
    }

    Contents run(Pass poison) {
        checkpoint_();
        Answer<ExecutedReply> answer =
            bench_.execute(plan_, verification_.make_request(contestant_, poison, true));
        if (const auto* failure = std::get_if<Failure>(&answer)) fail(*failure);
        Contents outputs;
        for (const Slot& slot : bench_.layout().slots) {
            if (slot.role == Slot::Role::Pristine) continue;
            const std::vector<std::byte> allocation = bench_.fetch(slot);
            if (const auto damage = find_guard_damage(slot, bench_.guard_secret(), allocation))
                fail("is wrong itself: it " + describe(*damage, slot));
            const auto payload = std::span(allocation).subspan(slot.front_bytes, slot.bytes());
            if (slot.role == Slot::Role::Input) require_unchanged(slot, payload);
            if (slot.role == Slot::Role::Output)
                outputs.push_back({slot.name, std::vector<std::byte>(payload.begin(), payload.end())});
        }
        return outputs;
    }

    void require_unchanged(const Slot& slot, std::span<const std::byte> payload) const {
        const auto at = first_difference(payload, *find_named(data_.inputs, slot.name), checkpoint_);
        if (!at) return;
        const auto index = index_of(*at / slot.type.bytes(), instance_.find_buffer(slot.name)->shape);
        fail(fmt::format("is wrong itself: it changes its input {}, first at {}[{}]", slot.name, slot.name,
                         fmt::join(index, "][")));
    }

    /// True if an output may still hold the poison somewhere.
    bool may_be_unwritten(const Contents& outputs, Pass poison) const {
        for (const auto& [name, bytes] : outputs) {
            const BufferSpec& buffer = *instance_.find_buffer(name);
            if (buffer.access == Access::ReadWrite) continue;
            const auto pattern = poison_pattern(buffer.type, poison);
            for (std::size_t at = 0; at < bytes.size(); at += pattern.size())
                if (std::memcmp(&bytes[at], pattern.data(), pattern.size()) == 0) return true;
        }
        return false;
    }

    void require_written(const BufferSpec& buffer, const Contents& first, const Contents& second) const {
        if (buffer.access != Access::Write) return;
        const auto unwritten = find_unwritten(
            buffer, {*find_named(first, buffer.name), poison_pattern(buffer.type, Pass::Real)},
            {*find_named(second, buffer.name), poison_pattern(buffer.type, Pass::Exact)}, checkpoint_);
        if (!unwritten) return;
        fail(fmt::format(
            "is wrong itself: it writes nothing into {}. It must write every element of every output",
            unwritten->first));
    }

    /// The second run must pass the same check as a kernel.
    void require_agreement(const Contents& first, const Contents& second) const {
        for (const auto& [name, output] : declared_.outputs) {
            const BufferSpec& buffer = *instance_.find_buffer(name);
            const OutputReference reference =
                make_output_reference(buffer, *find_named(first, name), output.tolerance, checkpoint_);
            const OutputCheck check = check_output(buffer, *find_named(second, name), reference,
                                                   poison_pattern(buffer.type, Pass::Exact), checkpoint_);
            if (check.wrong == 0) continue;
            const WrongElement& at = check.first_wrong.front();
            fail(fmt::format(
                "is wrong itself: it gives different answers to the same inputs, first {0}[{1}]: {2} and "
                "then {3}. A barrier may be missing",
                name, fmt::join(at.index, "]["), check.first_words.first, check.first_words.second));
        }
    }

    DeviceBench& bench_;
    const DeclaredInstance& declared_;
    const ProblemInstance& instance_;
    const KernelPlan& plan_;
    const PassData& data_;
    const Checkpoint& checkpoint_;
    Verification verification_;
    ContestantState contestant_;
};

std::span<const std::byte> bytes_of(const std::string& content) {
    return std::as_bytes(std::span(content));
}

}  // namespace

DeclaredSolver::DeclaredSolver(const DeclaredInstance& declared, ReferenceBench make_bench)
    : declared_(declared), make_bench_(std::move(make_bench)) {}

Contents DeclaredSolver::make_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                                     const Checkpoint& checkpoint) const {
    Contents inputs;
    for (const auto& [name, input] : declared_.inputs) {
        const std::string purpose = std::string(has_truth() ? to_string(pass) : "") + name;
        const std::uint64_t stream =
            input.fill.seed ? derive_seed(*input.fill.seed, name) : derive_seed(seed, purpose);
        inputs.push_back({name, input.content ? copy_in_steps(bytes_of(*input.content), checkpoint)
                                              : make_content(*instance.find_buffer(name), input.fill, stream,
                                                             checkpoint)});
    }
    return inputs;
}

void DeclaredSolver::solve(const ProblemInstance& instance, Pass, PassData& data, Effort,
                           const Checkpoint& checkpoint) const {
    Contents answers;
    if (declared_.reference) {
        // The bench ends here with its runner, so that its buffers take no memory while kernels are timed.
        const std::unique_ptr<DeviceBench> bench = make_bench_();
        answers = ReferenceRun(*bench, declared_, *this, data, checkpoint).perform();
    }
    for (const auto& [name, output] : declared_.outputs) {
        if (!output.expected && !declared_.reference) {
            data.outputs.push_back(
                {name, {.expected = {}, .bound = {}, .tolerance = output.tolerance, .is_known = false}});
            continue;
        }
        const std::span<const std::byte> right = output.expected
                                                     ? bytes_of(*output.expected)
                                                     : std::span<const std::byte>(*find_named(answers, name));
        data.outputs.push_back(
            {name, make_output_reference(*instance.find_buffer(name), right, output.tolerance, checkpoint)});
    }
}

bool DeclaredSolver::has_truth() const {
    return declared_.reference || std::ranges::all_of(declared_.outputs, [](const auto& output) {
               return output.value.expected != nullptr;
           });
}

bool DeclaredSolver::has_exact_pass() const {
    return !has_truth() || std::ranges::all_of(declared_.outputs, [](const auto& output) {
        return output.value.tolerance.is_exact();
    });
}

std::vector<std::string> DeclaredSolver::remarks() const {
    std::vector<std::string> remarks;
    if (!has_truth()) {
        remarks.push_back(
            "the problem does not define what is correct, so values are not checked. Add a reference to "
            "[problem], or keep these values for later runs with `kwb run --freeze`");
        return remarks;
    }
    for (const auto& [name, output] : declared_.outputs)
        if (output.is_usual_tolerance && !output.tolerance.is_exact())
            remarks.push_back(
                fmt::format("no tolerance is given for {}, so {} is allowed. Set tolerance = {{relative = "
                            "…}} to change it",
                            name, to_string(output.tolerance)));
    if (std::ranges::none_of(declared_.inputs,
                             [](const auto& input) { return input.value.fill.is_random(); }))
        remarks.push_back(
            "every run has the same inputs, so a kernel that remembers its first answer is not detected");
    return remarks;
}

std::string DeclaredSolver::fingerprint() const {
    return sha256_hex(dump_json(to_json(declared_))) + sha256_hex(join_contents(declared_));
}

}  // namespace kwb
