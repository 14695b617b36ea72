#include "judge/page_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/fault_report.hpp"
#include "judge/work_item_search.hpp"

namespace kwb {
namespace {

constexpr Placement::Kind kBothSides[] = {Placement::Kind::RightAligned, Placement::Kind::LeftAligned};

/// No alignment that OpenCL knows of is wider than a page.
std::uint64_t base_alignment(const DeviceInfo& device) {
    std::uint64_t align = 1;
    while (align < device.base_align_bytes && align < kPageBytes) align *= 2;
    return align;
}

}  // namespace

PageCheck::PageCheck(const ProblemInstance& instance, Verification& verification, const PassData& data,
                     Report report)
    : instance_(instance), verification_(verification), data_(data), report_(std::move(report)) {}

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
    const auto check_all = [&](bool assume_alignment) {
        std::erase_if(runners, [&](Entrant* entrant) {
            if (!entrant->in_race) return true;
            const Outcome outcome = check(*entrant, assume_alignment);
            if (outcome == Outcome::AddressUnknown) misaligned.push_back(entrant);
            if (outcome == Outcome::WroteSlack) writers.push_back(entrant);
            return outcome != Outcome::Judged;
        });
    };
    for (const auto kind : kBothSides) {
        lay_out(bench, plans, {kind});
        check_all(false);
        if (kind != Placement::Kind::LeftAligned) continue;
        for (Entrant* entrant : writers) catch_writer(*entrant);
    }
    if (misaligned.empty()) return;

    // Once more for those that may rely on the alignment which every OpenCL device promises.
    runners = std::move(misaligned);
    const std::uint64_t align = base_alignment(bench.device());
    for (const auto kind : kBothSides) {
        lay_out(bench, plans, {kind, align});
        check_all(true);
    }
    const Layout right =
        make_layout(instance_, plans, bench.device(), {Placement::Kind::RightAligned, align});
    for (Entrant* entrant : runners)
        if (entrant->in_race)
            entrant->result.warnings.push_back(describe_blind_slack(right, entrant->index, align));
}

PageCheck::Outcome PageCheck::check(Entrant& entrant, bool assume_alignment) {
    report_(entrant);
    if (const auto obstacle = entrant.bench->prepare(*entrant.plan)) {
        entrant.result.warnings.push_back(
            "its buffers could not be put against unreadable pages, so that reads outside of them may go "
            "unseen: " +
            obstacle->reason);
        return Outcome::Unprepared;
    }
    entrant.pages_checked = true;
    const auto loss = verification_.check_on_device(entrant, Pass::Exact, data_);
    if (!loss) return entrant.result.verdict == Verdict::OutOfBounds ? Outcome::WroteSlack : Outcome::Judged;
    if (is_of_unknown_address(*loss) && !assume_alignment) return Outcome::AddressUnknown;
    judge_trespass(entrant, *loss);
    return Outcome::Judged;
}

void PageCheck::catch_writer(Entrant& entrant) {
    KernelResult known = entrant.result;
    const auto loss = entrant.bench->prepare(*entrant.plan)
                          ? std::nullopt
                          : verification_.check_on_device(entrant, Pass::Exact, data_);
    entrant.result = std::move(known);
    if (loss && find_trespass(*loss, entrant.bench->layout())) judge_trespass(entrant, *loss);
}

void PageCheck::judge_trespass(Entrant& entrant, const Loss& loss) {
    const Layout& layout = entrant.bench->layout();
    entrant.fail(explain_fault(loss, layout));
    const auto trespass = find_trespass(loss, layout);
    if (!trespass) return;
    report_(entrant);
    const auto culprit = find_work_item(
        *entrant.bench, entrant, verification_.make_request(entrant, Pass::Exact, false), data_, *trespass);
    if (!culprit) return;
    KernelResult& result = entrant.result;
    result.reason = describe(culprit->trespass) + ", " + describe_work_item(culprit->global_id);
    result.evidence->element = culprit->trespass.element;
    result.evidence->work_item = culprit->global_id;
}

std::string describe_blind_slack(const Layout& layout, std::size_t entrant, std::uint64_t align_bytes) {
    std::vector<std::string> blind;
    for (const Slot& slot : layout.slots) {
        const bool foreign = slot.role == Slot::Role::Scratch && slot.owner != entrant;
        if (slot.role != Slot::Role::Pristine && !foreign && slot.back_bytes > 0)
            blind.push_back(fmt::format("{} bytes past the end of {}", slot.back_bytes, slot.name));
    }
    std::string sentence = fmt::format(
        "the kernel assumes buffers aligned to {} bytes, or to its vectors' size, and crashes where "
        "they are aligned to their elements only",
        align_bytes);
    if (!blind.empty())
        sentence += "; reads of up to " + enumerate(blind) + " could therefore not be watched (blind slack)";
    return sentence;
}

}  // namespace kwb
