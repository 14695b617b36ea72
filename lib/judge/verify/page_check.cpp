#include "judge/verify/page_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/processes/fault_report.hpp"
#include "judge/verify/work_item_search.hpp"

namespace kwb {
namespace {

/// No alignment that OpenCL knows of is wider than a page.
std::uint64_t base_alignment(const DeviceInfo& device) {
    std::uint64_t align = 1;
    while (align < device.base_align_bytes && align < kPageBytes) align *= 2;
    return align;
}

/// What a kernel may assume of its buffers beyond their elements' alignment, from the least on: that of a
/// float4, of the widest vector, and what every OpenCL device promises.
std::vector<std::uint64_t> assumed_alignments(const DeviceInfo& device) {
    const std::uint64_t base = base_alignment(device);
    std::vector<std::uint64_t> alignments;
    for (const std::uint64_t align : {std::uint64_t{16}, std::uint64_t{64}})
        if (align < base) alignments.push_back(align);
    alignments.push_back(base);
    return alignments;
}

}  // namespace

PageCheck::PageCheck(const ProblemInstance& instance, Verification& verification, Pass pass,
                     const PassData& data, Report report)
    : instance_(instance),
      verification_(verification),
      pass_(pass),
      data_(data),
      report_(std::move(report)) {}

void PageCheck::lay_out(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                        Placement placement) {
    bench.use_layout(make_layout(instance_, plans, bench.device(), placement));
    bench.use_inputs(data_);
}

void PageCheck::perform(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                        const std::vector<Entrant*>& entrants) {
    if (bench.device().kind != DeviceKind::Cpu) return;
    std::vector<Entrant*> runners = entrants;
    std::vector<Entrant*> misaligned;
    std::vector<Entrant*> writers;
    const auto check_all = [&](Placement placement, bool is_last_try) {
        std::erase_if(runners, [](const Entrant* entrant) { return !entrant->in_race; });
        if (runners.empty()) return;
        lay_out(bench, plans, placement);
        std::erase_if(runners, [&](Entrant* entrant) {
            const Outcome outcome = check(*entrant, is_last_try);
            if (outcome == Outcome::AddressUnknown) misaligned.push_back(entrant);
            if (outcome == Outcome::WroteSlack) writers.push_back(entrant);
            return outcome != Outcome::Judged || !entrant->in_race;
        });
    };
    check_all({Placement::Kind::RightAligned}, false);
    check_all({Placement::Kind::LeftAligned}, false);
    if (!writers.empty()) {
        lay_out(bench, plans, {Placement::Kind::LeftAligned});
        for (Entrant* entrant : std::exchange(writers, {})) catch_writer(*entrant);
    }

    // Once more for those that may rely on more: with the least alignment at which they do not crash, so that
    // as little as possible goes unwatched.
    std::vector<Entrant*> aligned;
    std::vector<std::pair<Entrant*, std::uint64_t>> assumed;
    for (const std::uint64_t align : assumed_alignments(bench.device())) {
        runners = std::exchange(misaligned, {});
        const bool is_last_try = align == base_alignment(bench.device());
        check_all({Placement::Kind::RightAligned, align}, is_last_try);
        for (Entrant* entrant : runners) {
            aligned.push_back(entrant);
            assumed.emplace_back(entrant, align);
        }
    }
    runners = std::move(aligned);
    check_all({Placement::Kind::LeftAligned}, true);
    for (const auto& [entrant, align] : assumed)
        if (entrant->in_race) entrant->result.warnings.push_back(remark(describe_blind_slack(align)));
}

PageCheck::Outcome PageCheck::check(Entrant& entrant, bool is_last_try) {
    report_(entrant);
    if (const auto obstacle = entrant.bench->prepare(*entrant.plan)) {
        entrant.result.warnings.push_back(
            remark("its buffers could not be put against unreadable pages, so that reads outside of them may "
                   "go unseen: " +
                   obstacle->reason));
        return Outcome::Unprepared;
    }
    entrant.pages_checked = true;
    const auto loss = verification_.check_on_device(entrant, pass_, data_);
    if (!loss) return entrant.result.verdict == Verdict::OutOfBounds ? Outcome::WroteSlack : Outcome::Judged;
    if (is_of_unknown_address(*loss) && !is_last_try) return Outcome::AddressUnknown;
    judge_trespass(entrant, *loss);
    return Outcome::Judged;
}

void PageCheck::catch_writer(Entrant& entrant) {
    KernelResult known = entrant.result;
    const auto loss = entrant.bench->prepare(*entrant.plan)
                          ? std::nullopt
                          : verification_.check_on_device(entrant, pass_, data_);
    entrant.result = std::move(known);
    if (loss && find_trespass(*loss, entrant.bench->layout())) judge_trespass(entrant, *loss);
}

void PageCheck::judge_trespass(Entrant& entrant, const Loss& loss) {
    const Layout& layout = entrant.bench->layout();
    entrant.fail(explain_fault(loss, layout));
    if (!find_trespass(loss, layout)) return;
    report_(entrant);
    const auto traced =
        find_work_item(*entrant.bench, entrant, verification_.make_request(entrant, pass_, false), data_);
    if (traced) entrant.fail(*traced);
}

std::string describe_blind_slack(std::uint64_t align_bytes) {
    return fmt::format(
        "the kernel assumes buffers aligned to {} bytes, or to its vectors' size, and crashes where they are "
        "aligned to their elements only; reads of at most {} past the end of each buffer could "
        "therefore not be watched (blind slack)",
        align_bytes, counted(align_bytes - 1, "byte"));
}

}  // namespace kwb
