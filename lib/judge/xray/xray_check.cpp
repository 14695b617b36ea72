// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/xray_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <set>
#include <tuple>
#include <variant>

#include "base/error.hpp"
#include "base/text.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/run.hpp"
#include "judge/verify/miscompiled.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/xray/loop_findings.hpp"
#include "judge/xray/wrong_output.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"
#include "problems/problem.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace {

constexpr auto kReadingPause = std::chrono::milliseconds(20);

// Budgets: X-ray executes about 20 million events a second.
constexpr std::uint64_t kEventsOfSmall = 5'000'000;
constexpr std::uint64_t kEventsOfAsked = 2'000'000;
constexpr double kMostMs = 2'000;
/// An X-ray that takes longer is worth no waiting.
constexpr double kMostCompilerMs = 10'000;
/// A check has some twenty sizes.
constexpr std::uint64_t kEventsOfCheck = 10'000'000;

/// Of all work-groups in the order in which a check runs them.
constexpr std::uint64_t kOrderSeed = 1;

/// A run whose work-groups are all observed writes less.
constexpr std::uint64_t kMostComparedBytes = std::uint64_t{16} << 20;

constexpr std::size_t kMostWarnings = 16;

/// "tile" of "tile[3][4]": what is wrong at one element is wrong at its neighbours.
std::string without_index(const std::string& subject) {
    return subject.substr(0, subject.find('['));
}

/// Whether launches, or the end of one, are missing.
bool has_ended_early(const XrayReport& report) {
    return std::ranges::any_of(report.remarks, [](const Finding& remark) {
        return remark.code == FindingCode::XrayEndless || remark.code == FindingCode::XrayCrashed ||
               remark.code == FindingCode::XrayNotObserved;
    });
}

bool is_whole(const XrayReport& report) {
    return !has_ended_early(report) && std::ranges::all_of(report.launches, [](const XrayLaunch& launch) {
        return launch.observed_groups == launch.groups;
    });
}

/// Only what is counted; nullopt: nothing was, or launches are missing.
std::optional<XrayReport> counts_in(const XrayReport& report) {
    if (report.sites.empty() || has_ended_early(report) ||
        std::ranges::any_of(report.buffers,
                            [](const XrayBuffer& buffer) { return buffer.basis == CountBasis::Partial; }))
        return std::nullopt;
    XrayReport counts;
    counts.sub_group = report.sub_group;
    counts.launches = report.launches;
    counts.buffers = report.buffers;
    counts.sites = report.sites;
    counts.lines = report.lines;
    return counts;
}

/// Whether the work-items of each launch are as many as an extent of the problem: none of them is beyond it.
bool fills_groups(const KernelPlan& plan, const Sizes& sizes) {
    return std::ranges::all_of(plan.launches, [&](const LaunchPlan& launch) {
        return std::ranges::all_of(launch.global, [&](std::uint64_t extent) {
            return std::ranges::any_of(sizes, [&](const Named<std::int64_t>& size) {
                return size.value >= 0 && static_cast<std::uint64_t>(size.value) == extent;
            });
        });
    });
}

/// Whether the result of a kernel with this verdict can be explained by what X-ray finds.
bool is_explicable(Verdict verdict) {
    return verdict == Verdict::Wrong || verdict == Verdict::OutOfBounds ||
           verdict == Verdict::KernelCrashed || verdict == Verdict::Timeout;
}

/// All findings of work-items beyond the size have one cause, a missing guard. An out-of-bounds access
/// shows it best.
void keep_first_beyond(std::vector<Finding>& findings) {
    const auto is_beyond = [](const Finding& finding) { return finding.number("beyond") > 0; };
    const auto outside = std::ranges::find_if(findings, [&](const Finding& finding) {
        return is_beyond(finding) && finding.code == FindingCode::OutsideBuffer;
    });
    if (outside == findings.end()) return;
    const Finding told = *outside;
    std::erase_if(findings, [&](const Finding& finding) { return is_beyond(finding) && finding != told; });
}

/// Whether a finding counts for the verdict at the asked size. What shows at the small size alone, for
/// example where a guard is missing, is a warning.
bool decides(const Finding& finding) {
    return finding.text("sizes").empty();
}

/// Whether what is wrong on the device could be right in the source: X-ray saw nothing that the language does
/// not promise, and no doubt is left from reading it.
/// @param contestant  with what X-ray found
bool may_be_miscompiled(const ContestantState& contestant) {
    const KernelResult& result = contestant.result;
    // Where only a part was observed, the small size must do: see find_right_sizes().
    const auto is_harmless = [](const Finding& remark) {
        return remark.code == FindingCode::XraySampled || remark.code == FindingCode::XrayNotObserved;
    };
    return is_wrong_in_elements(result) && result.xray->undefined.empty() &&
           std::ranges::all_of(result.xray->remarks, is_harmless) && contestant.suspicions &&
           hints_of(*contestant.suspicions, contestant.barriers, result.xray).empty();
}

Finding finding_of(const ComparedOutput& wrong) {
    Finding finding = find_wrong(wrong.check, *wrong.buffer, "");
    finding.code = FindingCode::WrongInOtherOrder;
    return finding;
}

/// Elements from the nearest one of the buffer.
double distance_of(double element, double elements) {
    return element < 0 ? -element : element - elements + 1;
}

/// Makes what X-ray saw of an out-of-bounds access to a buffer the reason of a verdict that the device gave
/// for it, if that is nearer to the cause: the device may only see in which page it was.
/// @param undefined  loses the finding
void tell_exactly(ContestantState& contestant, std::vector<Finding>& undefined) {
    const std::optional<Evidence> seen = contestant.result.evidence;
    if (contestant.result.verdict != Verdict::OutOfBounds || !seen || !seen->element) return;
    const auto device_element = static_cast<double>(*seen->element);
    const auto is_exact = [&](const Finding& finding) {
        const double elements = finding.number("elements");
        const bool is_nearer =
            distance_of(finding.number("element"), elements) <= distance_of(device_element, elements);
        return finding.code == FindingCode::OutsideBuffer && finding.subject == seen->buffer &&
               finding.text("sizes").empty() && finding.number("foreign") == 0 &&
               (finding.text("access") == "read") == (seen->access == "read") &&
               (is_nearer || !finding.text("loop").empty());
    };
    const auto exact = std::ranges::find_if(undefined, is_exact);
    if (exact == undefined.end()) return;
    const double element = std::clamp(exact->number("element"), -0x1p53, 0x1p53);
    contestant.fail(Verdict::OutOfBounds, Finding(*exact));
    contestant.result.evidence = seen;
    // The device's work-item accessed another element.
    if (device_element != element) contestant.result.evidence->work_item.reset();
    contestant.result.evidence->element = static_cast<std::int64_t>(element);
    undefined.erase(exact);
}

}  // namespace

XrayCheck::XrayCheck(const RunRequest& request, const ProblemInstance& instance,
                     const ReferenceSolver& solver, XrayRoom& room, FaceLink& face)
    : request_(request), instance_(instance), solver_(solver), room_(room), face_(face) {}

XrayCheck::~XrayCheck() {
    for (auto& [index, watched] : watched_) room_.end(watched.bench);
}

void XrayCheck::begin(std::vector<ContestantState>& contestants) {
    struct Read {
        ContestantState* contestant;
        std::string failure;
        std::future<std::optional<SourceFacts>> facts;
    };
    std::vector<std::unique_ptr<Read>> readings;
    std::vector<std::string> keys;
    if (const auto compiler = request_.xray ? source::find_pocl_compiler() : std::nullopt)
        compiler_ = *compiler;
    for (ContestantState& contestant : contestants) {
        if (!contestant.in_race || contestant.plan == nullptr || contestant.plan->refusal) continue;
        if (compiler_.empty()) {
            XrayOutcome& outcome = contestant.result.xray.emplace();
            outcome.state = request_.xray ? XrayState::NotPossible : XrayState::LeftOut;
            if (request_.xray) {
                outcome.remarks = {not_observed(source::explain_missing_pocl_compiler())};
                outcome.reason = sentence_of(outcome.remarks.front());
                contestant.result.warnings.push_back(outcome.remarks.front());
            }
            continue;
        }
        keys.push_back(key_of_bench(*contestant.plan, contestant.index));
        Read& read = *readings.emplace_back(std::make_unique<Read>());
        read.contestant = &contestant;
        read.facts = std::async(std::launch::async, [this, &read] {
            return facts_of_source(*read.contestant->plan, room_.cache(), compiler_, read.failure);
        });
    }
    room_.end_others(keys);
    for (std::size_t i = 0; i < readings.size(); ++i) {
        Read& read = *readings[i];
        while (read.facts.wait_for(kReadingPause) != std::future_status::ready) face_.checkpoint();
        Watched& watched = watched_[read.contestant->index];
        watched.bench = keys[i];
        ask(*read.contestant, watched, read.facts.get(), read.failure);
    }
}

void XrayCheck::ask(ContestantState& contestant, Watched& watched, std::optional<SourceFacts> facts,
                    const std::string& unread) {
    room_.bench(watched.bench, compiler_);
    if (!facts) {
        watched.asked.push_back(std::make_unique<Asked>());
        watched.asked.back()->obstacle = unread;
        return;
    }
    contestant.suspicions = std::move(facts->suspicions);
    watched.loops = std::move(facts->loops);
    XrayOptions options;
    options.most_ms = kMostMs;
    if (request_.mode == RunRequest::Mode::Check) {
        options.order_seed = kOrderSeed;
        options.most_events = kEventsOfCheck;
    } else {
        ask_small(contestant, watched, facts->functions);
        options.most_events = kEventsOfAsked;
        options.keep_sites = true;
    }
    ask_at(watched, *contestant.plan, instance_, solver_, contestant.bench->device(), facts->functions,
           options);
    for (const auto& asked : watched.asked)
        if (asked->obstacle.empty() && !asked->answer) post(watched, *asked);
}

void XrayCheck::ask_small(ContestantState& contestant, Watched& watched,
                          const std::vector<FunctionInfo>& functions) {
    const std::optional<XraySize>& size = request_.contestants[contestant.index].xray_size;
    if (!size || size->sizes == request_.sizes) return;
    Small& small = watched.small;
    const ProblemInstance* instance = nullptr;
    try {
        if (const auto* const own = dynamic_cast<const DeclaredSolver*>(&solver_); own && size->declared) {
            instance = &size->declared->instance;
            small.solver = own->at(*size->declared);
        } else {
            instance = &small.shipped.emplace(get_problem(request_.problem).at(size->sizes));
        }
    } catch (const BadInput&) {  // no size of the problem
        return;
    }
    KernelPlan plan = size->plan;
    plan.source_text = contestant.plan->source_text;
    plan.includes = contestant.plan->includes;
    XrayOptions options;
    options.most_ms = kMostMs;
    options.most_events = kEventsOfSmall;
    ask_at(watched, plan, *instance, small.solver ? *small.solver : solver_, contestant.bench->device(),
           functions, options);
}

void XrayCheck::ask_at(Watched& watched, const KernelPlan& plan, const ProblemInstance& instance,
                       const ReferenceSolver& solver, const DeviceInfo& device,
                       const std::vector<FunctionInfo>& functions, const XrayOptions& options) {
    Asked& asked = *watched.asked.emplace_back(std::make_unique<Asked>());
    asked.plan = plan;
    asked.instance = &instance;
    asked.solver = &solver;
    asked.device = &device;
    std::uint64_t output_bytes = 0;
    for (const BufferSpec& buffer : instance.buffers)
        if (buffer.access != Access::Read) output_bytes = add_bytes(output_bytes, buffer.bytes());
    asked.has_outputs = solver.has_truth() && (options.order_seed || output_bytes <= kMostComparedBytes);
    auto prepared = prepare_xray(asked.subject(), functions, options, asked.has_outputs, compiler_);
    if (auto* const obstacle = std::get_if<std::string>(&prepared)) {
        asked.obstacle = std::move(*obstacle);
        return;
    }
    asked.prepared = std::get<PreparedXray>(std::move(prepared));
    asked.prepared.job.timeout_ms = std::min(request_.timeout_ms, kMostCompilerMs);
    asked.answer = room_.cache().find(asked.prepared.key, asked.prepared.job.request);
}

void XrayCheck::post(Watched& watched, Asked& asked) {
    const auto look = [this] { face_.checkpoint(); };
    XrayJob job = asked.prepared.job;
    add_contents(job, asked.subject(),
                 asked.solver->make_inputs(*asked.instance, xray_pass(*asked.solver), kXraySeed, look));
    room_.bench(watched.bench, compiler_).post(std::move(job));
    asked.is_posted = true;
}

void XrayCheck::await(Watched& watched, Asked& asked, const ContestantState& contestant) {
    if (!std::exchange(asked.is_posted, false)) return;
    Answer<Observed> answer = room_.bench(watched.bench, compiler_).receive();
    asked.answer.emplace();
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        asked.answer->report.remarks = {not_observed(*failure)};
        return;
    }
    auto& observed = std::get<Observed>(answer);
    // Only what is right on the device can be wrong because of another order.
    const bool has_order = asked.has_outputs && asked.prepared.job.request.xray.order_seed.has_value();
    if (has_order && contestant.in_race) asked.answer->other_order = compare(watched, asked, observed);
    if (contestant.result.verdict == Verdict::Wrong)
        asked.answer->is_right = has_right_outputs(asked, observed);
    asked.answer->report = std::move(observed.report);
    name_loops(asked.answer->report, watched.loops);
    if (contestant.in_race || !has_order) room_.cache().keep(asked.prepared.key, *asked.answer);
}

std::optional<bool> XrayCheck::has_right_outputs(const Asked& asked, const Observed& observed) const {
    if (!asked.has_outputs || !is_whole(observed.report)) return std::nullopt;
    const std::optional<PassData> data = expected_results(asked.subject(), [this] { face_.checkpoint(); });
    const auto is_comparable = [](const Named<OutputReference>& output) {
        return output.value.is_known && !output.value.probe;
    };
    if (!data || !std::ranges::all_of(data->outputs, is_comparable)) return std::nullopt;
    return !find_wrong_output(asked.subject(), *data, observed);
}

bool XrayCheck::is_right_in_other_order(Watched& watched, const Asked& asked) {
    const std::optional<PassData> data = expected_results(asked.subject(), [this] { face_.checkpoint(); });
    if (!data) return false;
    XrayJob job = asked.prepared.job;
    std::optional<std::uint64_t>& order = job.request.xray.order_seed;
    order = order ? std::nullopt : std::optional(kOrderSeed);
    add_contents(job, asked.subject(), data->inputs);
    XrayBench& bench = room_.bench(watched.bench, compiler_);
    bench.post(std::move(job));
    Answer<Observed> answer = bench.receive();
    const auto* const observed = std::get_if<Observed>(&answer);
    return observed != nullptr && observed->report.undefined.empty() && is_whole(observed->report) &&
           !find_wrong_output(asked.subject(), *data, *observed);
}

std::optional<Sizes> XrayCheck::find_right_sizes(Watched& watched) {
    // The asked size is the last one. Where only some of its groups were observed, the small one must do.
    for (auto at = watched.asked.rbegin(); at != watched.asked.rend(); ++at) {
        Asked& asked = **at;
        if (!asked.has_outputs || !asked.answer || !is_whole(asked.answer->report)) continue;
        const bool is_right =
            asked.answer->is_right.value_or(false) && is_right_in_other_order(watched, asked);
        return is_right ? std::optional(asked.instance->sizes) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<Finding> XrayCheck::compare(Watched& watched, const Asked& asked, Observed& observed) {
    if (!is_whole(observed.report)) return std::nullopt;
    const std::optional<PassData> data = expected_results(asked.subject(), [this] { face_.checkpoint(); });
    if (!data) return std::nullopt;
    const std::optional<ComparedOutput> wrong = find_wrong_output(asked.subject(), *data, observed);
    if (!wrong) return std::nullopt;
    // Is it the order, or does X-ray compute something else than the device?
    XrayJob ordered = asked.prepared.job;
    ordered.request.xray.order_seed.reset();
    add_contents(ordered, asked.subject(), data->inputs);
    XrayBench& bench = room_.bench(watched.bench, compiler_);
    bench.post(std::move(ordered));
    Answer<Observed> answer = bench.receive();
    const auto* const again = std::get_if<Observed>(&answer);
    if (again != nullptr && is_whole(again->report) && !find_wrong_output(asked.subject(), *data, *again))
        return finding_of(*wrong);
    if (observed.report.undefined.empty())  // else that explains it
        observed.report.remarks.push_back(
            not_observed("its run under X-ray gives another result than the device, so another order of the "
                         "work-items was not judged"));
    return std::nullopt;
}

XrayOutcome XrayCheck::outcome_of(const Watched& watched, bool is_foreign) const {
    XrayOutcome outcome;
    outcome.is_foreign = is_foreign;
    std::set<std::tuple<FindingCode, std::string, std::string, std::string, bool>> known;
    const KernelPlan& asked_plan = watched.asked.back()->plan;
    const bool is_asked_observed =
        watched.asked.back()->answer && !watched.asked.back()->answer->report.launches.empty();
    // The asked size is the last one: what is found there needs no mention of the small one.
    for (auto at = watched.asked.rbegin(); at != watched.asked.rend(); ++at) {
        const std::unique_ptr<Asked>& asked = *at;
        if (!asked->answer) {
            outcome.remarks.push_back(not_observed(asked->obstacle));
            continue;
        }
        const XrayReport& report = asked->answer->report;
        const Sizes& sizes = asked->instance->sizes;
        if (!report.launches.empty()) {
            XrayObservation& observation = outcome.observed.emplace_back();
            observation.size = sizes;
            observation.is_shuffled = asked->prepared.job.request.xray.order_seed.has_value();
            for (const XrayLaunch& launch : report.launches) {
                observation.groups += launch.groups;
                observation.observed_groups += launch.observed_groups;
            }
        }
        for (Finding finding : report.undefined) {
            // A race is found from both sides.
            const std::string& first_place = finding.text("first_place");
            if (!known
                     .emplace(finding.code, without_index(finding.subject),
                              std::min(finding.place, first_place), std::max(finding.place, first_place),
                              finding.number("between_groups") > 0)
                     .second)
                continue;
            if (sizes != request_.sizes) {
                finding.texts.push_back({"sizes", to_string(sizes)});
                // Those of the asked size are known by now.
                if (is_asked_observed) finding.texts.push_back({"clean_at", to_string(request_.sizes)});
                if (is_asked_observed && fills_groups(asked_plan, request_.sizes) &&
                    !fills_groups(asked->plan, sizes))
                    finding.numbers.push_back({"beyond", 1});
            }
            if (is_foreign) finding.numbers.push_back({"foreign", 1});
            outcome.undefined.push_back(std::move(finding));
        }
        for (const Finding& remark : report.remarks)
            if (std::ranges::find(outcome.remarks, remark) == outcome.remarks.end())
                outcome.remarks.push_back(remark);
    }
    // What an untrusted kernel may have forged explains nothing.
    if (is_asked_observed && !is_foreign) outcome.counts = counts_in(watched.asked.back()->answer->report);
    if (outcome.observed.empty()) {
        outcome.state = XrayState::NotPossible;
        if (!outcome.remarks.empty()) outcome.reason = sentence_of(outcome.remarks.front());
    }
    return outcome;
}

bool XrayCheck::is_pending(const ContestantState& contestant) const {
    return watched_.contains(contestant.index) &&
           (contestant.in_race || is_explicable(contestant.result.verdict));
}

void XrayCheck::conclude(ContestantState& contestant) {
    if (!is_pending(contestant)) return;
    const auto found = watched_.find(contestant.index);
    Watched& watched = found->second;
    // Answers come in the order of the questions.
    for (const auto& asked : watched.asked) await(watched, *asked, contestant);
    for (const auto& asked : watched.asked) {
        // An answer that was kept when the kernel was right, perhaps on another device.
        if (contestant.result.verdict == Verdict::Wrong && asked->has_outputs && asked->answer &&
            !asked->answer->is_right && is_whole(asked->answer->report))
            post(watched, *asked);
        await(watched, *asked, contestant);
    }
    const bool is_foreign = contestant.plan->trust == Trust::Foreign;
    contestant.result.xray = outcome_of(watched, is_foreign);
    std::optional<Finding> other_order;
    for (const auto& asked : watched.asked) {
        if (!asked->answer) continue;
        const std::vector<XrayPlace>& barriers = asked->answer->report.barriers;
        contestant.barriers.insert(contestant.barriers.end(), barriers.begin(), barriers.end());
        if (asked->answer->other_order && !other_order) {
            other_order = asked->answer->other_order;
            if (is_foreign) other_order->numbers.push_back({"foreign", 1});
        }
    }
    if (may_be_miscompiled(contestant)) contestant.right_in_xray = find_right_sizes(watched);
    judge(contestant, std::move(other_order));
    if (is_foreign && request_.submission.empty()) room_.end(watched.bench);
    watched_.erase(found);
}

void XrayCheck::judge(ContestantState& contestant, std::optional<Finding> other_order) {
    KernelResult& result = contestant.result;
    std::vector<Finding> undefined = result.xray->undefined;
    const bool has_ended =
        contestant.in_race;  // on the device, so what X-ray stopped was only too long for it
    if (contestant.in_race && other_order) {
        result.warnings.insert(
            result.warnings.end(), undefined.begin(),
            undefined.begin() + static_cast<std::ptrdiff_t>(std::min(undefined.size(), kMostWarnings)));
        contestant.fail(Verdict::Wrong, std::move(*other_order));
        undefined.clear();
    }
    tell_exactly(contestant, undefined);
    const auto first_small = std::stable_partition(undefined.begin(), undefined.end(), decides);
    std::vector<Finding> elsewhere(first_small, undefined.end());
    keep_first_beyond(elsewhere);
    undefined.erase(first_small, undefined.end());
    if (contestant.in_race && !undefined.empty()) {
        const auto outside = std::ranges::find(undefined, FindingCode::OutsideBuffer, &Finding::code);
        // Where not all work-items reach a barrier, the other findings may be consequences.
        const auto divergent = std::ranges::find(undefined, FindingCode::DivergentBarrier, &Finding::code);
        const auto first = outside != undefined.end()     ? outside
                           : divergent != undefined.end() ? divergent
                                                          : undefined.begin();
        Finding cause = *first;
        undefined.erase(first);
        const bool is_outside = cause.code == FindingCode::OutsideBuffer;
        if (is_outside)
            result.evidence = Evidence{
                kLaunchStage, std::nullopt, cause.subject, cause.text("access") == "read" ? "read" : "write",
                static_cast<std::int64_t>(std::clamp(cause.number("element"), -0x1p53, 0x1p53))};
        contestant.fail(is_outside ? Verdict::OutOfBounds : Verdict::Undefined, std::move(cause));
    }
    undefined.insert(undefined.end(), elsewhere.begin(), elsewhere.end());
    if (undefined.size() > kMostWarnings) undefined.resize(kMostWarnings);
    result.warnings.insert(result.warnings.end(), undefined.begin(), undefined.end());
    for (const Finding& remark : result.xray->remarks)
        if (remark.code != FindingCode::XraySampled &&
            !(remark.code == FindingCode::XrayEndless && has_ended))
            result.warnings.push_back(remark);
}

}  // namespace kwb
