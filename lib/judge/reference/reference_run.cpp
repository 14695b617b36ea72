#include "judge/reference/reference_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstring>

#include "judge/binding.hpp"
#include "judge/constraints.hpp"
#include "judge/processes/build_log.hpp"
#include "judge/processes/fault_report.hpp"
#include "judge/verify/guards.hpp"
#include "judge/verify/output_reference.hpp"
#include "judge/verify/verification.hpp"
#include "judge/verify/verify.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// A second run of a reference that takes longer costs more patience than its answer is worth.
constexpr double kQuickMs = 1000;

using Contents = NamedList<std::vector<std::byte>>;

class ReferenceRun {
public:
    ReferenceRun(DeviceBench& bench, const DeclaredInstance& declared, const ReferenceSolver& solver,
                 const PassData& data, const Checkpoint& checkpoint)
        : bench_(bench),
          declared_(declared),
          instance_(declared.instance),
          plan_(*declared.reference),
          data_(data),
          checkpoint_(checkpoint),
          verification_(instance_, solver, checkpoint) {
        entrant_.plan = &plan_;
        entrant_.bench = &bench;
    }

    Contents perform() {
        build();
        bench_.use_inputs(data_);
        const auto start = std::chrono::steady_clock::now();
        Contents first = run(Pass::Real);
        const double took_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        const bool is_suspect = find_unwritten(first, Pass::Real).has_value();
        if (is_suspect || took_ms < kQuickMs) {
            // A whole number may happen to equal the pattern; it does not equal two.
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
    [[noreturn]] void fail(const Loss& loss) const {
        fail("came to nothing: " + explain_fault(loss, bench_.layout()).reason);
    }

    void build() {
        if (plan_.refusal) fail("cannot run here: " + sentence_of(*plan_.refusal));
        bench_.use_layout(make_layout(instance_, {&plan_}, bench_.device()));
        Answer<BuiltReply> answer = bench_.build(plan_);
        const std::string said = bench_.take_output().take();
        if (const auto* loss = std::get_if<Loss>(&answer)) fail(*loss);
        const auto& built = std::get<BuiltReply>(answer);
        if (!built.accepted)
            fail("does not compile: " + describe_build_errors(parse_build_log(built.log + said), plan_));
        auto launches = bind_launches(plan_, 0, built.functions, instance_, bench_.layout());
        if (const auto* loss = std::get_if<Loss>(&launches)) fail("cannot be launched: " + loss->reason);
        entrant_.launches = std::get<std::vector<ExecuteLaunch>>(std::move(launches));
        auto init = bind_init(plan_, 0, bench_.layout());
        if (const auto* loss = std::get_if<Loss>(&init)) fail("cannot be launched: " + loss->reason);
        entrant_.init = std::get<std::vector<BufferOperation>>(std::move(init));
        if (const auto found =
                find_launch_constraint(entrant_.launches, built.functions, bench_.device(), &bench_.layout()))
            fail("cannot be launched: " + *found);
    }

    Contents run(Pass poison) {
        checkpoint_();
        Answer<ExecutedReply> answer =
            bench_.execute(plan_, verification_.make_request(entrant_, poison, true));
        if (const auto* loss = std::get_if<Loss>(&answer)) fail(*loss);
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

    /// @return  the first output's first scalar that still holds what it was filled with
    std::optional<std::size_t> find_unwritten(const Contents& outputs, Pass poison) const {
        for (const auto& [name, bytes] : outputs) {
            const BufferSpec& buffer = *instance_.find_buffer(name);
            if (buffer.access == Access::ReadWrite) continue;
            const auto pattern = poison_pattern(buffer.type, poison);
            for (std::size_t at = 0; at < bytes.size(); at += pattern.size())
                if (std::memcmp(&bytes[at], pattern.data(), pattern.size()) == 0) return at;
        }
        return std::nullopt;
    }

    void require_written(const BufferSpec& buffer, const Contents& first, const Contents& second) const {
        if (buffer.access != Access::Write) return;
        const std::vector<std::byte>& one = *find_named(first, buffer.name);
        const std::vector<std::byte>& other = *find_named(second, buffer.name);
        const auto real = poison_pattern(buffer.type, Pass::Real);
        const auto exact = poison_pattern(buffer.type, Pass::Exact);
        const BufferSpec flat = as_scalars(buffer);
        for (std::size_t at = 0; at < one.size(); at += real.size())
            if (std::memcmp(&one[at], real.data(), real.size()) == 0 &&
                std::memcmp(&other[at], exact.data(), exact.size()) == 0)
                fail(fmt::format(
                    "is wrong itself: it writes nothing into {}[{}]; it must write every element of "
                    "every output",
                    buffer.name, fmt::join(index_of(at / real.size(), flat.shape), "][")));
    }

    /// The second run must be what would be right for a kernel.
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
                "is wrong itself: it gives different answers to the same inputs, first {0}[{1}]: {2} "
                "and then {3}; is a barrier missing?",
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
    Entrant entrant_;
};

}  // namespace

NamedList<std::vector<std::byte>> run_reference(DeviceBench& bench, const DeclaredInstance& declared,
                                                const ReferenceSolver& solver, const PassData& data,
                                                const Checkpoint& checkpoint) {
    return ReferenceRun(bench, declared, solver, data, checkpoint).perform();
}

}  // namespace kwb
