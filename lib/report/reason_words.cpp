// SPDX-License-Identifier: Apache-2.0
#include "report/reason_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "reason/reasons.hpp"
#include "report/answer.hpp"
#include "report/charts.hpp"
#include "report/effect_words.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// A rate above this share of a measured ceiling is no noise: the ceiling does not hold for this kernel.
constexpr double kBeyondCeiling = 1.1;

/// A kernel that reaches this share of a ceiling has little else to gain there.
constexpr double kNearCeiling = 0.6;

/// Nobody reads a longer list.
constexpr std::size_t kMostReasons = 3;

/// "line 35", "lines 49 and 50"
std::string lines_text(const std::vector<XrayPlace>& places) {
    std::vector<std::string> lines;
    for (const XrayPlace& place : places) {
        const std::string line = (place.file.empty() ? "" : place.file + ":") + std::to_string(place.line);
        if (place.line > 0 && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
    if (lines.empty()) return "";
    return (lines.size() == 1 ? "line " : "lines ") + enumerate(lines);
}

std::string count_text(double count) {
    return count == 0 ? "none" : group_thousands(fmt::format("{:.0f}", count));
}

std::string traffic_text(double bytes) {
    return format_bytes(static_cast<unsigned long long>(std::clamp(bytes, 0.0, 0x1p60)));
}

/// Shares of unequal times are hard to compare: "151 ms of its 187 ms (75 – 87 %)".
std::string cost_of(const ReasonSide& side) {
    return fmt::format("{} of its {} ({})", format_time_ms(side.value * *side.time_ms),
                       format_time_ms(*side.time_ms), share_interval_text(*side.interval));
}

/// "cost naive 36 % of its time, and tiled nothing that was seen"
std::string costs(const Reason& reason, const std::string& faster, const std::string& slower) {
    const ReasonSide& more = reason.is_for ? reason.slower : reason.faster;
    const ReasonSide& less = reason.is_for ? reason.faster : reason.slower;
    const std::string &first = reason.is_for ? slower : faster, &second = reason.is_for ? faster : slower;
    if (more.interval && less.interval && more.time_ms && less.time_ms)
        return fmt::format("{} {}, and {} {}", first, cost_of(more), second, cost_of(less));
    return fmt::format("{} {} of its time, and {} {}", first, share_text(more.value, more.interval), second,
                       less.interval  ? share_text(less.value, less.interval)
                       : less.is_none ? "has none"
                                      : "nothing that was seen");
}

/// "tiled has 1 launch, naive 8 launches"
std::string both(const Reason& reason, const std::string& faster, const std::string& slower, const char* verb,
                 const char* what, std::string (*text)(double)) {
    return fmt::format("{} {} {}{}, {} {}", faster, verb, text(reason.faster.value), what, slower,
                       text(reason.slower.value));
}

/// The digits of large numbers are hard to compare: "(16× as much)", "(16× fewer)", of the slower kernel;
/// empty if they are small, or one of them is 0.
std::string ratio_words(const Reason& reason, const char* more, const char* less) {
    constexpr double kFew = 100;
    const double faster = reason.faster.value, slower = reason.slower.value;
    const double low = std::min(faster, slower), high = std::max(faster, slower);
    if (low <= 0 || high < kFew) return "";
    const double ratio = high / low;
    return fmt::format(" ({}\u00d7 {})", group_thousands(fmt::format("{:.{}f}", ratio, ratio < 9.95 ? 1 : 0)),
                       slower > faster ? more : less);
}

/// "tiled requests 8.2 MiB, naive 128 MiB (16× as much)"
std::string both_bytes(const Reason& reason, const std::string& faster, const std::string& slower,
                       const char* what) {
    return both(reason, faster, slower, "requests", what, traffic_text) +
           ratio_words(reason, "as much", "less");
}

/// "tiled passes 64 barriers, naive 1,024 (16× as many)"
std::string both_counts(const Reason& reason, const std::string& faster, const std::string& slower,
                        const char* verb, const char* what) {
    return both(reason, faster, slower, verb, what, count_text) + ratio_words(reason, "as many", "fewer");
}

std::string measured_words(const Reason& reason, const std::string& faster, const std::string& slower) {
    const std::string cost = costs(reason, faster, slower);
    switch (reason.kind) {
        case ReasonKind::CacheMisses:
            return reason.cache_level == 1
                       ? fmt::format("cache misses of {} cost {}", reason.subject, cost)
                       : fmt::format("accesses of {} that miss the second-level cache cost {}",
                                     reason.subject, cost);
        case ReasonKind::Barriers:
            return "barriers cost " + cost;
        case ReasonKind::Atomicity:
            return "atomic operations, compared with ordinary loads and stores, cost " + cost;
        case ReasonKind::ValueOrder:
            return fmt::format("the order of the values in {} costs {}", reason.subject, cost);
        default:
            return "starting the work-groups costs " + cost;
    }
}

/// "64", "36.61"
std::string short_number(double value) {
    return fmt::format("{:.4g}", value);
}

std::string launches_text(double count) {
    return count == 1 ? "1 launch" : count_text(count) + " launches";
}

std::string groups_text(double count) {
    return count == 1 ? "1 work-group" : count_text(count) + " work-groups";
}

std::string items_text(double count) {
    return count == 1 ? "1 work-item" : short_number(count) + " work-items";
}

std::string memory_or_none(double bytes) {
    return bytes > 0 ? traffic_text(bytes) : "none";
}

std::string share_or_none(double share) {
    return share > 0 ? share_text(share) : "none";
}

/// "matmul/naive takes at least 441 µs on an NVIDIA A100 (bound by its cache), matmul/tiled at least 303 µs"
std::string computed_words(const Reason& reason, const std::string& faster, const std::string& slower) {
    if (reason.kind == ReasonKind::PrivateMemory)
        return fmt::format("on {}, {}", reason.subject,
                           both(reason, faster, slower, "keeps",
                                " of each work-item's private variables in memory", memory_or_none));
    if (reason.kind == ReasonKind::Precision)
        return fmt::format("on {}, {}", reason.subject,
                           both(reason, faster, slower, "has",
                                " of its floating-point instructions in double precision", share_or_none));
    const auto side = [&](const std::string& kernel, const ReasonSide& of) {
        if (reason.kind == ReasonKind::GpuTime)
            return fmt::format("{} takes at least {}{}", kernel, format_time_ms(of.value),
                               of.bound ? fmt::format(" (bound by {})", to_string(*of.bound)) : "");
        return fmt::format("{} fills {:.0f} % of a compute unit{}", kernel, of.value,
                           of.limit ? fmt::format(" (limited by {})", to_string(*of.limit)) : "");
    };
    return fmt::format("on {}, {}, {}", reason.subject, side(slower, reason.slower),
                       side(faster, reason.faster));
}

}  // namespace

std::string reason_words(const Reason& reason, const std::string& faster, const std::string& slower) {
    if (reason.basis == ReasonBasis::Measured) return measured_words(reason, faster, slower);
    if (reason.basis == ReasonBasis::Computed) return computed_words(reason, faster, slower);
    const auto times = [](double value) { return format_digits(value) + " times"; };
    const auto share = [](double value) { return share_text(value); };
    switch (reason.kind) {
        case ReasonKind::GlobalTraffic:
            return both_bytes(reason, faster, slower, " of global memory in loads and stores");
        case ReasonKind::Coalescing:
            return both(reason, faster, slower, "touches", " as many bytes as its sub-groups request", times);
        case ReasonKind::BankConflicts:
            return both(reason, faster, slower, "needs",
                        " the cycles of conflict-free accesses to local memory (on GPUs with 32 banks)",
                        times);
        case ReasonKind::Divergence:
            return both(reason, faster, slower, "keeps",
                        " of a sub-group's lanes active (on average over all basic blocks)", share);
        case ReasonKind::Atomicity:
            return both_counts(reason, faster, slower, "executes", " atomic operations on global memory");
        case ReasonKind::LocalAtomicity:
            return both_counts(reason, faster, slower, "executes", " atomic operations on local memory");
        case ReasonKind::LocalTraffic:
            return both_bytes(reason, faster, slower, " of local memory in loads and stores");
        case ReasonKind::Contention:
            return both(reason, faster, slower, "directs",
                        " of a sub-group's atomic operations to the same address (on average)", short_number);
        case ReasonKind::Width:
            return both(reason, faster, slower, "moves", " bytes per access of global memory", short_number);
        case ReasonKind::Work:
            return both_counts(reason, faster, slower, "executes", " basic blocks (code between branches)");
        case ReasonKind::VectorLanes:
            return both(reason, faster, slower, "computes",
                        " floating-point numbers with an instruction of its hot loop", short_number);
        case ReasonKind::LoopInstructions:
            return both(reason, faster, slower, "executes",
                        " instructions for a floating-point operation in its hot loop", short_number);
        case ReasonKind::WorkGroups:
            return both(reason, faster, slower, "has at most", " in a launch", groups_text);
        case ReasonKind::GroupSize:
            return both(reason, faster, slower, "has", " in a work-group", items_text);
        case ReasonKind::Launches:
            return both(reason, faster, slower, "runs in", "", launches_text);
        default:
            return both_counts(reason, faster, slower, "passes", " barriers");
    }
}

std::string basis_words(const Reason& reason) {
    if (reason.basis == ReasonBasis::Computed)
        return reason.kind == ReasonKind::GpuTime     ? "computed from X-ray's counts"
               : reason.kind == ReasonKind::Occupancy ? "computed from registers and local memory"
                                                      : "computed by compiling for this GPU";
    if (reason.kind == ReasonKind::VectorLanes || reason.kind == ReasonKind::LoopInstructions)
        return "counted in the loop where most samples were";
    if (reason.basis == ReasonBasis::Counted) return reason.is_scaled ? "counted and scaled" : "counted";
    switch (reason.kind) {
        case ReasonKind::CacheMisses:
            if (reason.is_by_subscripts)
                return fmt::format("measured with subscripts of {} that stay in the nearest cache",
                                   reason.subject);
            return fmt::format("measured with {} always in the {} cache", reason.subject,
                               reason.cache_level == 1 ? "nearest" : "second-level");
        case ReasonKind::Barriers:
            return "measured without barriers";
        case ReasonKind::Atomicity:
            return "measured without atomicity";
        case ReasonKind::ValueOrder:
            return fmt::format("measured with {} in ascending order", reason.subject);
        default:
            return "measured with empty kernels";
    }
}

std::string because_words(const Reason& reason) {
    constexpr double kMost = 0.5;
    if (reason.basis != ReasonBasis::Measured) return "";
    return reason.gap_share.value_or(1) < kMost ? "Partly because " : "Because ";
}

std::string evidence_words(const Reason& reason, const std::string& faster, const std::string& slower) {
    std::vector<std::string> lines;
    for (const auto& [side, kernel] :
         {std::pair{&reason.faster, &faster}, std::pair{&reason.slower, &slower}})
        if (const std::string text = lines_text(side->places); !text.empty())
            lines.push_back(fmt::format("{} of {}", text, *kernel));
    return basis_words(reason) + (lines.empty() ? "" : ": ") + join(lines, "; ");
}

namespace {

bool has_counts(const KernelResult& result) {
    return result.xray && result.xray->counts;
}

/// Whether experiments with each of them were measured.
bool are_measured(const KernelResult& faster, const KernelResult& slower) {
    return std::ranges::all_of(std::array{&faster, &slower}, [](const KernelResult* result) {
        return result->effects && std::ranges::any_of(*result->effects, [](const Effect& effect) {
                   return effect.is_measured();
               });
    });
}

std::vector<std::string> labels_of(std::span<const KernelResult> results) {
    std::vector<std::string> labels;
    for (const KernelResult& result : results) labels.push_back(contestant_label(result));
    return labels;
}

/// The lists about the two kernels of an answer. The first begins with the answer.
std::vector<ReasonList> lists_of(const Answer& answer, std::span<const KernelResult> results) {
    const std::vector<std::string> labels = labels_of(results);
    const KernelResult &faster = results[answer.subject], &slower = results[answer.other];
    const bool is_decided = answer.kind == Answer::Kind::Faster;
    const std::string said = headline(answer, results, labels) +
                             (is_decided ? fmt::format(" ({})", ratio_texts(*answer.factor).interval) : "");
    std::vector<ReasonList> lists;
    const auto add = [&](const std::vector<Reason>& reasons, bool takes_sides) {
        for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
            lists.back().items.push_back(
                {(reasons[i].is_for || !takes_sides ? "" : "although ") +
                     reason_words(reasons[i], labels[answer.subject], labels[answer.other]),
                 reasons[i]});
    };
    if (is_decided) {
        std::vector<Reason> reasons = measured_reasons(faster, slower), against = reasons;
        std::erase_if(reasons, [](const Reason& reason) { return !reason.is_for; });
        std::erase_if(against, &Reason::is_for);
        if (!reasons.empty())
            lists.push_back({said + ", " + to_lower(trim(because_words(reasons.front())))});
        else if (!against.empty() || are_measured(faster, slower))
            lists.push_back({said + ". None of the experiments shows a reason."});
        add(reasons, true);
        add(against, true);
    }
    const auto begin = [&](const char* lead) {
        lists.push_back({(lists.empty() ? said + ". " : "") + lead});
    };
    if (const std::vector<Reason> counted = counted_reasons(faster, slower); !counted.empty()) {
        begin(is_decided ? "What X-ray counts differently:" : "What X-ray counts differently all the same:");
        add(counted, is_decided);
    }
    if (const std::vector<Reason> code = code_reasons(faster, slower); !code.empty()) {
        begin("In the machine code of this device:");
        add(code, is_decided);
    }
    if (const std::vector<Reason> computed = computed_reasons(faster, slower); !computed.empty()) {
        begin("Computed for a GPU that this machine need not have:");
        add(computed, false);
    }
    if (lists.empty() && has_counts(faster) && has_counts(slower))
        lists.push_back({said + ": no reason found."});
    for (const std::size_t i : {answer.other, answer.subject})
        if (lists.empty() && results[i].xray->state == XrayState::Observed && !has_counts(results[i]))
            lists.push_back(
                {fmt::format("{}. What differs was not counted: during a run, X-ray observes only a part of "
                             "{}. `kwb xray` counts the whole.",
                             said, labels[i])});
    return lists;
}

}  // namespace

std::string ceilings_text(const KernelResult& result, const RooflineCeilings& ceilings,
                          const TableOptions& options) {
    if (result.kernel == kHostBlasName) return "";  // it does not run on the device
    std::vector<std::string> reached, limits;
    std::string beyond;
    const auto add = [&](const std::optional<double>& rate, const std::optional<double>& most,
                         const char* unit, const char* of, const char* limit, const char* more) {
        if (!rate || !most || *rate <= 0 || *most <= 0) return;
        reached.push_back(fmt::format("{} of {} ({} of {} {})", share_text(*rate / *most), of,
                                      format_digits(*rate), format_digits(*most), unit));
        if (*rate > kBeyondCeiling * *most)
            beyond += more;
        else if (*rate >= kNearCeiling * *most)
            limits.push_back(limit);
    };
    add(result.gflops, ceilings.gflops, "GFLOP/s", "the device's single-precision arithmetic", "arithmetic",
        " The measured ceiling of arithmetic is too low: measure the ceilings again in the window, unless "
        "the kernel needs fewer operations than are counted.");
    add(result.gbytes_s, ceilings.gbytes_s, "GB/s of bytes that must move", "its memory bandwidth",
        "memory bandwidth", " Caches serve it: it moves these bytes faster than memory does.");
    std::string text;
    if (!reached.empty()) {
        text =
            fmt::format("{} reaches {} [measured].{}", contestant_label(result), enumerate(reached), beyond);
        if (!limits.empty())
            text += " Its limit is " + enumerate(limits) + ".";
        else if (beyond.empty())
            text += " It is near neither limit, so something else takes its time.";
    }
    for (const GpuView& gpu : result.gpus.value_or(std::vector<GpuView>()))
        if (gpu.at_least)
            text += fmt::format(
                "{}On {}, it takes at least {}{}, computed from X-ray's counts.", text.empty() ? "" : " ",
                gpu.gpu, format_time_ms(gpu.at_least->ms),
                gpu.at_least->by ? fmt::format(" (bound by {})", to_string(*gpu.at_least->by)) : "");
    return text.empty() ? "" : plain_signs("\n" + paragraph(text, options.width), options);
}

std::string hidden_words(const HiddenLoads& hidden) {
    return fmt::format(
        "{}, {}, fits in the {} second-level cache of this CPU, which can serve its repeated loads{}",
        hidden.buffer, format_bytes(hidden.buffer_bytes), format_bytes(hidden.cache_bytes),
        hidden.exceeding_size ? fmt::format("; from size {} on it does not fit", *hidden.exceeding_size)
                              : "");
}

Explanation explain(std::span<const KernelResult> results, std::size_t baseline, std::uint64_t cache_bytes) {
    Explanation explanation;
    const Answer answer = answer_among_kernels(results, baseline);
    explanation.faster = answer.subject;
    explanation.slower = answer.other;
    if (answer.factor && results[answer.subject].xray && results[answer.other].xray) {
        explanation.lists = lists_of(answer, results);
        if (answer.kind == Answer::Kind::NoDifference)
            if (const auto hidden =
                    find_hidden_loads(results[answer.subject], results[answer.other], cache_bytes))
                explanation.lists.push_back({hidden_words(*hidden) + "."});
    }
    XrayTable& table = explanation.experiments;
    table.keys = 2;
    table.columns = {{.header = "experiment", .cells = {}},
                     {.header = "what if", .cells = {}},
                     {.header = "as it is", .is_number = true, .cells = {}},
                     {.header = "changed", .is_number = true, .cells = {}},
                     {.header = "costs, of its time (95 %)", .cells = {}}};
    for (const KernelResult& result : results)
        for (const Effect& effect : result.effects.value_or(std::vector<Effect>())) {
            const auto time = [](const std::optional<double>& ms) { return ms ? format_time_ms(*ms) : "-"; };
            const std::string kernel = contestant_label(result), change = change_words(effect);
            const bool is_measured = effect.obstacle.empty();
            const std::string cells[] = {kernel, change, time(effect.as_it_is_ms), time(effect.changed_ms),
                                         is_measured ? effect_words(effect) : "-"};
            for (std::size_t i = 0; i < std::size(cells); ++i) table.columns[i].cells.push_back(cells[i]);
        }
    for (std::string& sentence : order_sentences(results, labels_of(results)))
        explanation.lists.push_back({std::move(sentence)});
    explanation.obstacles = obstacle_words(results, labels_of(results));
    return explanation;
}

std::string reasons_text(std::span<const KernelResult> results, std::size_t baseline,
                         const DeviceInfo& device, bool offers_why, const TableOptions& options) {
    const Explanation why = explain(results, baseline, device.second_level_cache_bytes);
    const std::vector<std::string> labels = labels_of(results);
    std::string text;
    for (const ReasonList& list : why.lists) {
        text += "\n" + paragraph(list.lead, options.width);
        for (const auto& [words, reason] : list.items)
            text += paragraph(
                fmt::format("{} [{}]", words, evidence_words(reason, labels[why.faster], labels[why.slower])),
                options.width, kIndent);
    }
    if (!why.experiments.columns.front().cells.empty()) {
        Grid grid;
        for (const XrayTable::Column& column : why.experiments.columns) {
            std::vector<Cell> cells;
            for (const std::string& cell : column.cells) cells.push_back({cell});
            grid.add_column(column.header, column.is_number ? Align::Right : Align::Left, std::move(cells));
        }
        text += "\n" + grid.render_in_parts(why.experiments.keys, kLeastLabelColumns, options);
    }
    for (const std::string& obstacle : why.obstacles) text += "\n" + paragraph(obstacle, options.width);
    if (offers_why && !text.empty())
        text +=
            paragraph("The same command with --why measures what each spends its time on.", options.width);
    return plain_signs(text, options);
}

}  // namespace kwb
