// SPDX-License-Identifier: Apache-2.0
#include "grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/text.hpp"
#include "lessons/assessment.hpp"
#include "model/finding_words.hpp"
#include "report/numbers.hpp"
#include "stats/interval.hpp"
#include "task/judge_place.hpp"

namespace kwb {
namespace {

constexpr const char* kOnlyCorrect = "counts only for a correct result";

/// "wrong at size 33x17x5"
std::string verdict_at_size(const KernelResult& result) {
    std::string verdict = to_string(result.verdict);
    std::ranges::replace(verdict, '_', ' ');
    return fmt::format("{} at size {}", verdict, to_string(result.size));
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

class Grader {
public:
    Grader(const Work& work, const Rubric& rubric) : work_(work), rubric_(rubric), sizes_(rubric.sizes()) {}

    CriterionGrade grade(std::size_t index) const {
        const Criterion& criterion = rubric_.criteria[index];
        if (!work_.obstacle.empty()) return {0, work_.obstacle};
        switch (criterion.kind) {
            case Criterion::Kind::Compiles:
                return compiles(criterion);
            case Criterion::Kind::RightAt:
                return sizes(criterion);
            case Criterion::Kind::Defined:
                return defined(criterion);
            case Criterion::Kind::Fact:
                return fact(criterion, index);
            case Criterion::Kind::Speed:
            case Criterion::Kind::Portability:
                return times(criterion, index);
        }
        return {};
    }

private:
    std::vector<KernelResult>::const_iterator find_fault() const {
        return std::ranges::find_if(work_.checks,
                                    [](const KernelResult& result) { return !is_good(result.verdict); });
    }

    /// @param why  what it means for this criterion; may be empty
    static CriterionGrade because_of(const KernelResult& bad, const std::string& why = "",
                                     double points = 0) {
        return {points, why + (why.empty() ? "" : "; ") + verdict_at_size(bad), first_line(bad.reason)};
    }

    CriterionGrade compiles(const Criterion& criterion) const {
        if (work_.checks.empty()) return {0, "nothing was tried"};
        const KernelResult& first = work_.checks.front();
        return is_compiled(first) ? CriterionGrade{criterion.points} : because_of(first);
    }

    /// The check at a size of the rubric; if it was not tried, the last one, which has the reason.
    const KernelResult* at(const std::string& size) const {
        if (work_.checks.empty()) return nullptr;
        const auto found = std::ranges::find(sizes_, size);
        const auto index = static_cast<std::size_t>(found - sizes_.begin());
        return index < work_.checks.size() ? &work_.checks[index] : &work_.checks.back();
    }

    CriterionGrade sizes(const Criterion& criterion) const {
        if (work_.checks.empty()) return {0, "not tried at size " + criterion.sizes.front()};
        std::size_t right = 0;
        const KernelResult* bad = nullptr;
        for (const std::string& size : criterion.sizes) {
            const KernelResult& result = *at(size);
            if (is_good(result.verdict))
                ++right;
            else if (bad == nullptr)
                bad = &result;
        }
        if (bad == nullptr) return {criterion.points};
        if (!criterion.is_shared) return because_of(*bad);
        const double share = static_cast<double>(right) / static_cast<double>(criterion.sizes.size());
        return because_of(*bad, fmt::format("right at {} of {} sizes", right, criterion.sizes.size()),
                          criterion.points * share);
    }

    CriterionGrade defined(const Criterion& criterion) const {
        bool any_observed = false;
        for (const KernelResult& result : work_.checks) {
            if (!result.xray) continue;
            any_observed = any_observed || result.xray->state == XrayState::Observed;
            if (!result.xray->undefined.empty()) return {0, "", sentence_of(result.xray->undefined.front())};
        }
        if (!any_observed) return {0, "unknown, because X-ray could not observe anything"};
        const auto bad = find_fault();
        if (bad != work_.checks.end()) return because_of(*bad, kOnlyCorrect);
        return {criterion.points};
    }

    CriterionGrade fact(const Criterion& criterion, std::size_t index) const {
        const std::optional<bool> holds = index < work_.facts.size() ? work_.facts[index] : std::nullopt;
        const std::string basis = gpus_in(*criterion.when).empty() ? "" : " (computed, not measured)";
        const KernelResult* const result = at(criterion.at);
        if (result == nullptr) return {0, fmt::format("not tried at size {}", criterion.at)};
        if (!is_good(result->verdict)) return because_of(*result, kOnlyCorrect);
        if (holds.value_or(false)) return {criterion.points};
        if (!holds) return {0, fmt::format("X-ray could not measure this at size {}", criterion.at)};
        return {0, fmt::format("at size {}, this is false: {}{}{}", criterion.at, criterion.when->text(),
                               index < work_.figures.size() ? "; " + work_.figures[index] : "", basis)};
    }

    CriterionGrade times(const Criterion& criterion, std::size_t index) const {
        const bool is_speed = criterion.kind == Criterion::Kind::Speed;
        const TimedWork* timed = nullptr;
        for (const TimedWork& each : work_.timed) {
            if (each.criterion != index) continue;
            timed = &each;
            if (!is_good(each.result().verdict))
                return because_of(each.result(), std::string(trim(place_words(each.on))));
        }
        if (timed == nullptr) {
            const auto bad = find_fault();
            return bad != work_.checks.end() ? because_of(*bad, "only correct submissions are timed")
                                             : CriterionGrade{0, "not timed"};
        }
        const std::optional<Speedup> ratio = reached_ratio(work_, rubric_, index);
        if (!ratio) return {0, "its time could not be compared"};
        const bool is_open = is_undecided(criterion, ratio);
        const double reached = !is_open          ? ratio->value
                               : ratio->interval ? ratio->interval->low * (1 - kRatioDrift)
                                                 : 0;
        double points = 0;
        const Criterion::Step* missed = nullptr;
        for (const Criterion::Step& step : criterion.steps)
            if (reached >= step.ratio)
                points = step.points;
            else if (missed == nullptr)
                missed = &step;
        const std::string told = is_speed ? fmt::format("{} as fast as {}{}", format_ratio(*ratio, "×"),
                                                        ratio->to, place_words(timed->on))
                                          : shares_words(*ratio, index);
        if (is_open)
            return {points,
                    fmt::format(
                        "{}: undecided, because {}. Grade again with --resume when nothing else runs", told,
                        ratio->interval ? "the machine is too noisy" : "fewer than 6 rounds could be timed"),
                    "", Doubt::Undecided};
        if (is_near_step(criterion, ratio))
            return {points, told + ": so close to a step that another measurement may decide otherwise", "",
                    Doubt::Tie};
        if (missed == nullptr) return {points};
        return {points, fmt::format("{}; {} at {}{}", told, number_words(missed->points), missed->ratio,
                                    is_speed ? "×" + needed_time(*timed, missed->ratio) : "")};
    }

    /// "a portability of 0.66 (0.60 to 0.70): 0.50 of the speed of matmul/tiled here, …"
    std::string shares_words(const Speedup& mean, std::size_t index) const {
        std::vector<std::string> shares;
        for (const TimedWork& timed : work_.timed)
            if (timed.criterion == index)
                if (const auto share = share_of_best(timed))
                    shares.push_back(fmt::format("{:.2f} of the speed of {}{}", share->value, share->to,
                                                 place_words(timed.on)));
        return fmt::format("a portability of {}: {}", format_ratio(mean, ""), enumerate(shares));
    }

    /// ", that is 1.2 ms instead of 2.3 ms"
    static std::string needed_time(const TimedWork& timed, double ratio) {
        if (timed.results.size() < 2 || !timed.result().median_ms || !timed.results[1].median_ms) return "";
        return fmt::format(", that is {} instead of {}",
                           format_time_ms(*timed.results[1].median_ms / ratio, std::nullopt),
                           format_time_ms(*timed.result().median_ms, std::nullopt));
    }

    static std::string format_ratio(const Speedup& speedup, const char* sign) {
        return speedup.interval ? fmt::format("{:.2f}{} ({:.2f} to {:.2f})", speedup.value, sign,
                                              speedup.interval->low, speedup.interval->high)
                                : fmt::format("{:.2f}{}", speedup.value, sign);
    }
    static std::string number_words(double points) {
        return fmt::format("{:g} {}", points, points == 1 ? "point" : "points");
    }

    const Work& work_;
    const Rubric& rubric_;
    const std::vector<std::string> sizes_;
};

/// "A.loads is 8 and B.loads is 4.5"
std::string figures_of(const Expression& condition, const Scope& facts) {
    std::vector<std::string> figures;
    for (const std::string& name : condition.names())
        if (const Value* const value = facts.find(name))
            figures.push_back(fmt::format("{} is {}", name, answer_text(to_string(*value))));
    return enumerate(figures);
}

}  // namespace

std::string CriterionGrade::reason() const {
    return why + (why.empty() || fault.empty() ? "" : ": ") + fault;
}

std::vector<std::string> reasons_once(const Grade& grade) {
    std::vector<std::string> reasons;
    std::set<std::string> told;
    for (const CriterionGrade& part : grade.parts) {
        const bool is_new = part.fault.empty() || told.insert(part.fault).second;
        reasons.push_back(is_new ? part.reason() : part.why.empty() ? "for the same reason" : part.why);
    }
    return reasons;
}

bool is_compiled(const KernelResult& result) {
    return result.verdict != Verdict::CompileError && result.verdict != Verdict::CompilerCrashed &&
           result.verdict != Verdict::Skipped;
}

bool Work::is_correct(const Rubric& rubric) const {
    return obstacle.empty() && checks.size() == rubric.sizes().size() &&
           std::ranges::all_of(checks, [](const KernelResult& result) { return is_good(result.verdict); });
}

void answer_facts(Work& work, const Rubric& rubric, const std::vector<SizedReport>& reports) {
    work.facts.assign(rubric.criteria.size(), std::nullopt);
    work.figures.assign(rubric.criteria.size(), "");
    for (std::size_t i = 0; i < rubric.criteria.size(); ++i) {
        const Criterion& criterion = rubric.criteria[i];
        const auto of_size = std::ranges::find(reports, criterion.at, &SizedReport::size);
        if (!criterion.when || of_size == reports.end()) continue;
        Scope facts = facts_of(work.checks, of_size->report.get());
        for (const auto& [name, view] : of_size->gpus) add_gpu_facts(name, view, facts);
        work.facts[i] = holds(*criterion.when, facts, rubric.file);
        work.figures[i] = figures_of(*criterion.when, facts);
    }
    const bool is_right =
        std::ranges::all_of(work.checks, [](const KernelResult& result) { return is_good(result.verdict); });
    const bool is_all = std::ranges::find(work.facts, std::optional(false)) == work.facts.end();
    if (is_right && is_all) return;
    const Scope facts = facts_of(work.checks, reports.empty() ? nullptr : reports.front().report.get());
    if (const LessonMistake* const mistake = find_mistake(rubric.mistakes, facts, rubric.file))
        work.mistake = static_cast<std::uint32_t>(mistake - rubric.mistakes.data());
}

std::string place_words(const std::string& place) {
    return place.empty() ? "" : place == kHere ? " here" : " on " + place;
}

std::optional<Speedup> share_of_best(const TimedWork& timed) {
    std::optional<Speedup> share;
    for (const KernelResult& reference : std::span(timed.results).subspan(1)) {
        const auto compared = stats::compare_paired(reference.samples_ms, timed.result().samples_ms);
        if (!compared) return std::nullopt;
        if (!share || compared->ratio < share->value)
            share = Speedup{reference.kernel, compared->ratio, compared->interval};
    }
    if (share && share->value > 1) share->value = 1;
    if (share && share->interval)
        share->interval = Interval{std::min(1.0, share->interval->low), std::min(1.0, share->interval->high)};
    return share;
}

std::optional<Speedup> reached_ratio(const Work& work, const Rubric& rubric, std::size_t criterion) {
    const Criterion& about = rubric.criteria[criterion];
    std::vector<Speedup> shares;
    for (const TimedWork& timed : work.timed) {
        if (timed.criterion != criterion) continue;
        if (!is_good(timed.result().verdict)) return std::nullopt;
        if (about.kind == Criterion::Kind::Speed) return timed.result().speedup;
        if (auto share = share_of_best(timed)) shares.push_back(std::move(*share));
    }
    if (shares.empty() || shares.size() != about.on.size()) return std::nullopt;
    const auto mean_of = [&](const auto& value_of) {
        double sum = 0;
        for (const Speedup& share : shares) sum += 1 / value_of(share);
        return static_cast<double>(shares.size()) / sum;
    };
    Speedup mean{"", mean_of([](const Speedup& share) { return share.value; }), std::nullopt};
    if (std::ranges::all_of(shares, [](const Speedup& share) { return share.interval.has_value(); }))
        mean.interval = Interval{mean_of([](const Speedup& share) { return share.interval->low; }),
                                 mean_of([](const Speedup& share) { return share.interval->high; })};
    return mean;
}

bool is_near_step(const Criterion& criterion, const std::optional<Speedup>& reached) {
    if (!reached) return false;
    if (!reached->interval) return true;
    const Interval within = *reached->interval;
    return std::ranges::any_of(criterion.steps, [&](const Criterion::Step& step) {
        return within.low * (1 - kRatioDrift) < step.ratio && step.ratio < within.high * (1 + kRatioDrift);
    });
}

bool is_undecided(const Criterion& criterion, const std::optional<Speedup>& reached) {
    return is_near_step(criterion, reached) &&
           (!reached->interval || reached->interval->high > reached->interval->low * kMostSpread);
}

std::string doubt_mark(Doubt doubt) {
    return doubt == Doubt::Undecided ? " (undecided)" : doubt == Doubt::Tie ? " (tie)" : "";
}

Doubt Grade::doubt() const {
    Doubt gravest = Doubt::None;
    for (const CriterionGrade& part : parts) gravest = std::max(gravest, part.doubt);
    return gravest;
}

Grade grade_work(const Work& work, const Rubric& rubric, double days_late) {
    const Grader grader(work, rubric);
    Grade grade;
    double sum = 0;
    for (std::size_t i = 0; i < rubric.criteria.size(); ++i) {
        grade.parts.push_back(grader.grade(i));
        sum += grade.parts.back().points;
    }
    grade.late = std::min({std::ceil(days_late) * rubric.late_per_day, rubric.late_at_most, sum});
    const double exact = sum - grade.late, most = rubric.points();
    grade.total =
        exact >= most ? most : std::min(std::round(exact / rubric.rounding) * rubric.rounding, most);
    return grade;
}

}  // namespace kwb
