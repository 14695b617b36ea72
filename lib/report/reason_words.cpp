// SPDX-License-Identifier: Apache-2.0
#include "report/reason_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "reason/reasons.hpp"
#include "report/answer.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// Nobody reads a longer list.
constexpr std::size_t kMostReasons = 3;

std::string percent(double share) {
    const double value = 100 * share;
    return std::abs(value) < 10 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string share_text(double share, const std::optional<Interval>& interval) {
    const double least = interval ? 100 * std::min(std::abs(interval->low), std::abs(interval->high)) : 10;
    const int decimals = least < 10 ? 1 : 0;
    return interval ? fmt::format("{} ({:.{}f} – {:.{}f} %)", percent(share), 100 * interval->low, decimals,
                                  100 * interval->high, decimals)
                    : percent(share);
}

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

/// "cost naive 36 % of its time, and tiled nothing that was seen"
std::string costs(const Reason& reason, const std::string& faster, const std::string& slower) {
    const ReasonSide& more = reason.is_for ? reason.slower : reason.faster;
    const ReasonSide& less = reason.is_for ? reason.faster : reason.slower;
    return fmt::format("{} {} of its time, and {} {}", reason.is_for ? slower : faster,
                       share_text(more.value, more.interval), reason.is_for ? faster : slower,
                       less.interval ? share_text(less.value, less.interval) : "nothing that was seen");
}

/// "tiled requests 8.2 MiB, naive 128 MiB"
std::string both(const Reason& reason, const std::string& faster, const std::string& slower, const char* verb,
                 const char* what, std::string (*text)(double)) {
    return fmt::format("{} {} {}{}, {} {}", faster, verb, text(reason.faster.value), what, slower,
                       text(reason.slower.value));
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

std::string memory_or_none(double bytes) {
    return bytes > 0 ? traffic_text(bytes) : "none";
}

std::string share_or_none(double share) {
    return share > 0 ? percent(share) : "none";
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
    switch (reason.kind) {
        case ReasonKind::GlobalTraffic:
            return both(reason, faster, slower, "requests", " of global memory in loads and stores",
                        traffic_text);
        case ReasonKind::Coalescing:
            return both(reason, faster, slower, "touches", " as many bytes as its sub-groups request", times);
        case ReasonKind::BankConflicts:
            return both(reason, faster, slower, "needs",
                        " the cycles of conflict-free accesses to local memory (on GPUs with 32 banks)",
                        times);
        case ReasonKind::Divergence:
            return both(reason, faster, slower, "keeps",
                        " of a sub-group's lanes active (on average over all basic blocks)", percent);
        case ReasonKind::Atomicity:
            return both(reason, faster, slower, "executes", " atomic operations on global memory",
                        count_text);
        case ReasonKind::LocalAtomicity:
            return both(reason, faster, slower, "executes", " atomic operations on local memory", count_text);
        case ReasonKind::LocalTraffic:
            return both(reason, faster, slower, "requests", " of local memory in loads and stores",
                        traffic_text);
        case ReasonKind::Contention:
            return both(reason, faster, slower, "directs",
                        " of a sub-group's atomic operations to the same address (on average)", short_number);
        case ReasonKind::Width:
            return both(reason, faster, slower, "moves", " bytes per access of global memory", short_number);
        case ReasonKind::Work:
            return both(reason, faster, slower, "executes", " basic blocks (code between branches)",
                        count_text);
        case ReasonKind::WorkGroups:
            return both(reason, faster, slower, "has at most", " in a launch", groups_text);
        case ReasonKind::GroupSize:
            return both(reason, faster, slower, "has", " work-items in a work-group", short_number);
        case ReasonKind::Launches:
            return both(reason, faster, slower, "runs in", "", launches_text);
        default:
            return both(reason, faster, slower, "passes", " barriers", count_text);
    }
}

std::string evidence_words(const Reason& reason) {
    if (reason.basis == ReasonBasis::Computed)
        return reason.kind == ReasonKind::GpuTime     ? "computed from X-ray's counts"
               : reason.kind == ReasonKind::Occupancy ? "computed from registers and local memory"
                                                      : "computed by compiling for this GPU";
    if (reason.basis == ReasonBasis::Measured) switch (reason.kind) {
            case ReasonKind::CacheMisses:
                return fmt::format("measured with {} always in the {} cache", reason.subject,
                                   reason.cache_level == 1 ? "nearest" : "second-level");
            case ReasonKind::Barriers:
                return "measured without barriers";
            case ReasonKind::Atomicity:
                return "measured without atomicity";
            default:
                return "measured with empty kernels";
        }
    std::vector<std::string> lines;
    for (const ReasonSide* side : {&reason.faster, &reason.slower})
        if (std::string text = lines_text(side->places); !text.empty()) lines.push_back(std::move(text));
    const std::string basis = reason.is_scaled ? "counted and scaled" : "counted";
    return lines.empty() ? basis : basis + ": " + join(lines, "; ");
}

namespace {

/// "36 % (31 – 40 %)" of an experiment without obstacle.
std::string effect_words(const Effect& effect) {
    if (!effect.share && effect.as_it_is_ms) return "too short to time";
    if (!effect.interval) return "too few rounds";
    if (!effect.is_seen()) return "no effect seen";
    return effect.interval->high < 0.001 ? "below 0.1 %" : share_text(*effect.share, effect.interval);
}

std::string change_words(const Effect& effect) {
    switch (effect.what) {
        case WhatIf::CacheHits:
            return fmt::format("{} the {} cache",
                               effect.buffer.empty() ? "all inputs hit" : effect.buffer + " hits",
                               effect.cache_level == 1 ? "nearest" : "second-level");
        case WhatIf::NoBarriers:
            return "without barriers";
        case WhatIf::NoAtomicity:
            return "without atomicity";
        case WhatIf::EmptyKernel:
            return "empty kernels";
    }
    return "";
}

std::string effects_table(std::span<const KernelResult> results, const TableOptions& options) {
    std::vector<Cell> kernels, changes, as_it_is, changed, shares;
    for (const KernelResult& result : results)
        for (const Effect& effect : result.effects.value_or(std::vector<Effect>())) {
            const auto time = [](const std::optional<double>& ms) { return ms ? format_time_ms(*ms) : "-"; };
            kernels.push_back({contestant_label(result)});
            changes.push_back({change_words(effect)});
            as_it_is.push_back({time(effect.as_it_is_ms)});
            changed.push_back({time(effect.changed_ms)});
            shares.push_back({effect.obstacle.empty() ? effect_words(effect) : "-"});
        }
    if (kernels.empty()) return "";
    Grid grid;
    grid.add_column("experiment", Align::Left, std::move(kernels));
    grid.add_column("what if", Align::Left, std::move(changes));
    grid.add_column("as it is", Align::Right, std::move(as_it_is));
    grid.add_column("changed", Align::Right, std::move(changed));
    grid.add_column("costs, of its time (95 %)", Align::Left, std::move(shares));
    std::string text = grid.render_in_parts(2, kLeastLabelColumns, options);
    std::map<std::string, std::vector<std::string>> obstacles;
    for (const KernelResult& result : results)
        for (const Effect& effect : result.effects.value_or(std::vector<Effect>()))
            if (!effect.obstacle.empty())
                obstacles[effect.obstacle].push_back(contestant_label(result) + ", " + change_words(effect));
    for (const auto& [obstacle, experiments] : obstacles)
        text += "\n" + paragraph(fmt::format("Not measured ({}): {}.", join(experiments, "; "), obstacle),
                                 options.width);
    return text;
}

/// @param is_decided  one of them is faster
std::string list_text(const std::vector<Reason>& reasons, bool is_decided, const std::string& faster,
                      const std::string& slower, const TableOptions& options) {
    std::string text;
    for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
        text += paragraph(fmt::format("{}{} [{}]", reasons[i].is_for || !is_decided ? "" : "although ",
                                      reason_words(reasons[i], faster, slower), evidence_words(reasons[i])),
                          options.width, kIndent);
    return text;
}

bool has_counts(const KernelResult& result) {
    return result.xray && result.xray->counts;
}

/// Whether experiments with each of them gave an interval.
bool are_measured(const KernelResult& faster, const KernelResult& slower) {
    return std::ranges::all_of(std::array{&faster, &slower}, [](const KernelResult* result) {
        return result->effects && std::ranges::any_of(*result->effects, [](const Effect& effect) {
                   return effect.interval.has_value();
               });
    });
}

/// The part of the text about the two kernels of the answer.
std::string answer_text(const Answer& answer, std::span<const KernelResult> results,
                        const TableOptions& options) {
    std::vector<std::string> labels;
    for (const KernelResult& result : results) labels.push_back(contestant_label(result));
    const KernelResult &faster = results[answer.subject], &slower = results[answer.other];
    const bool is_decided = answer.kind == Answer::Kind::Faster;
    const std::string said = headline(answer, results, labels) +
                             (is_decided ? fmt::format(" ({})", ratio_texts(*answer.factor).interval) : "");
    const auto list = [&](const std::vector<Reason>& reasons) {
        return list_text(reasons, is_decided, labels[answer.subject], labels[answer.other], options);
    };
    std::string text;
    if (is_decided) {
        std::vector<Reason> reasons = measured_reasons(faster, slower), against = reasons;
        std::erase_if(reasons, [](const Reason& reason) { return !reason.is_for; });
        std::erase_if(against, &Reason::is_for);
        if (!reasons.empty())
            text = paragraph(said + ", because", options.width);
        else if (!against.empty() || are_measured(faster, slower))
            text = paragraph(said + ". None of the experiments shows a reason.", options.width);
        text += list(reasons) + list(against);
    }
    const std::vector<Reason> counted = counted_reasons(faster, slower);
    if (!counted.empty())
        text += (text.empty() ? "" : "\n") +
                paragraph((text.empty() ? said + ". " : "") +
                              (is_decided ? "What X-ray counts differently:"
                                          : "What X-ray counts differently all the same:"),
                          options.width) +
                list(counted);
    const std::vector<Reason> computed = computed_reasons(faster, slower);
    if (!computed.empty())
        text += (text.empty() ? "" : "\n") +
                paragraph((text.empty() ? said + ". " : "") + "Computed for a GPU that need not be here:",
                          options.width) +
                list_text(computed, false, labels[answer.subject], labels[answer.other], options);
    if (text.empty() && has_counts(faster) && has_counts(slower))
        text = paragraph(said + ": no reason found.", options.width);
    return text;
}

}  // namespace

std::optional<Reason> leading_reason(const KernelResult& faster, const KernelResult& slower) {
    for (const auto& reasons : {measured_reasons(faster, slower), counted_reasons(faster, slower)})
        if (const auto found = std::ranges::find_if(reasons, &Reason::is_for); found != reasons.end())
            return *found;
    return std::nullopt;
}

std::string hidden_words(const HiddenLoads& hidden) {
    return fmt::format(
        "{}, {}, fits in the {} second-level cache of this CPU, which can serve its repeated loads{}",
        hidden.buffer, format_bytes(hidden.buffer_bytes), format_bytes(hidden.cache_bytes),
        hidden.exceeding_size ? fmt::format("; from size {} on it does not fit", *hidden.exceeding_size)
                              : "");
}

std::string reasons_text(std::span<const KernelResult> results, std::size_t baseline,
                         const DeviceInfo& device, bool offers_why, const TableOptions& options) {
    const Answer answer = answer_of(results, baseline);
    const bool has_two =
        answer.factor.has_value() && results[answer.subject].xray && results[answer.other].xray;
    std::string text = has_two ? answer_text(answer, results, options) : "";
    if (has_two && answer.kind == Answer::Kind::NoDifference)
        if (const auto hidden = find_hidden_loads(results[answer.subject], results[answer.other],
                                                  device.second_level_cache_bytes))
            text += paragraph(hidden_words(*hidden) + ".", options.width);
    const std::string table = effects_table(results, options);
    if (!table.empty()) text += (text.empty() ? "" : "\n") + table;
    if (offers_why && !text.empty())
        text +=
            paragraph("The same command with --why measures what each spends its time on.", options.width);
    return plain_signs(text.empty() ? "" : "\n" + text, options);
}

}  // namespace kwb
