// SPDX-License-Identifier: Apache-2.0
#include "grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "lessons/assessment.hpp"
#include "model/finding_words.hpp"
#include "report/numbers.hpp"

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
                return speed(criterion, index);
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

    CriterionGrade speed(const Criterion& criterion, std::size_t index) const {
        const auto timed = std::ranges::find(work_.timed, index, &TimedWork::criterion);
        if (timed == work_.timed.end()) {
            const auto bad = find_fault();
            return bad != work_.checks.end() ? because_of(*bad, "only correct submissions are timed")
                                             : CriterionGrade{0, "not timed"};
        }
        const KernelResult& result = timed->result();
        if (!is_good(result.verdict)) return because_of(result);
        if (!result.speedup) return {0, "its time could not be compared"};
        const bool is_open = is_undecided(criterion, result);
        const double reached = !is_open                   ? result.speedup->value
                               : result.speedup->interval ? result.speedup->interval->low * (1 - kRatioDrift)
                                                          : 0;
        double points = 0;
        const Criterion::Step* missed = nullptr;
        for (const Criterion::Step& step : criterion.steps)
            if (reached >= step.ratio)
                points = step.points;
            else if (missed == nullptr)
                missed = &step;
        const std::string ratio =
            fmt::format("{} as fast as {}{}", format_ratio(*result.speedup), result.speedup->to,
                        criterion.on.empty() ? "" : " on " + criterion.on);
        if (is_open)
            return {points,
                    fmt::format("{}: undecided, because {}. Grade again with --resume when nothing else runs",
                                ratio,
                                result.speedup->interval ? "the machine is too noisy"
                                                         : "fewer than 6 rounds could be timed"),
                    "", Doubt::Undecided};
        const bool is_tie = is_near_step(criterion, result);
        std::string why = missed != nullptr
                              ? fmt::format("{}; {} at {}×{}", ratio, number_words(missed->points),
                                            missed->ratio, needed_time(*timed, missed->ratio))
                              : "";
        if (is_tie) why = ratio + ": so close to a step that another measurement may decide otherwise";
        return {points, why, "", is_tie ? Doubt::Tie : Doubt::None};
    }

    /// ", that is 1.2 ms instead of 2.3 ms"
    static std::string needed_time(const TimedWork& timed, double ratio) {
        if (timed.results.size() < 2 || !timed.result().median_ms || !timed.results[1].median_ms) return "";
        return fmt::format(", that is {} instead of {}",
                           format_time_ms(*timed.results[1].median_ms / ratio, std::nullopt),
                           format_time_ms(*timed.result().median_ms, std::nullopt));
    }

    static std::string format_ratio(const Speedup& speedup) {
        return speedup.interval ? fmt::format("{:.2f}× ({:.2f} to {:.2f})", speedup.value,
                                              speedup.interval->low, speedup.interval->high)
                                : fmt::format("{:.2f}×", speedup.value);
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

bool is_near_step(const Criterion& criterion, const KernelResult& timed) {
    if (!is_good(timed.verdict) || !timed.speedup) return false;
    if (!timed.speedup->interval) return true;
    const Interval within = *timed.speedup->interval;
    return std::ranges::any_of(criterion.steps, [&](const Criterion::Step& step) {
        return within.low * (1 - kRatioDrift) < step.ratio && step.ratio < within.high * (1 + kRatioDrift);
    });
}

bool is_undecided(const Criterion& criterion, const KernelResult& timed) {
    if (!is_near_step(criterion, timed)) return false;
    const auto& interval = timed.speedup->interval;
    return !interval || interval->high > interval->low * kMostSpread;
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
    grade.total = std::round((sum - grade.late) / rubric.rounding) * rubric.rounding;
    return grade;
}

}  // namespace kwb
