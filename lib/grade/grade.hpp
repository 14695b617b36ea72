// SPDX-License-Identifier: Apache-2.0
// The observations of a submission, and the points that they give.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "grade/rubric.hpp"
#include "model/gpu_profile.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb {

/// A comparison with references, for a criterion about times.
struct TimedWork {
    std::uint32_t criterion = 0;  ///< index in the rubric
    /// Of the submission, with the ratio in `speedup` if it could be compared, and of the references.
    std::vector<KernelResult> results;
    std::string on = {};  ///< the place, if the criterion names any

    const KernelResult& result() const { return results.front(); }
};

/// The observations. They depend on the submission, the rubric and the device, not on points.
struct Work {
    std::string obstacle = {};              ///< why nothing could run: a sentence
    std::vector<KernelResult> checks = {};  ///< at the sizes of the rubric, in its order; fewer: not tried
    /// Whether Criterion::when holds, for each criterion; nullopt: unknown, or it has no condition. Empty
    /// before answer_facts().
    std::vector<std::optional<bool>> facts = {};
    /// What the facts of each condition are: "A.loads is 8"; empty: it has none.
    std::vector<std::string> figures = {};
    std::optional<std::uint32_t> mistake = {};  ///< that of the rubric which was recognised
    std::vector<TimedWork> timed = {};

    /// Right at every size, so that facts and times can count.
    bool is_correct(const Rubric& rubric) const;
};

/// False: it does not compile, or its compiler was not asked.
bool is_compiled(const KernelResult& result);

/// X-ray's report on a submission at one size.
struct SizedReport {
    std::string size;  ///< as typed in the rubric
    std::shared_ptr<const XrayReport> report;
    NamedList<GpuView> gpus = {};  ///< computed for GPUs that conditions name
};

/// Answers the rubric's conditions and names the mistake.
/// @throws BadInput  a condition of the rubric cannot be evaluated, e.g. it compares a text with a number
void answer_facts(Work& work, const Rubric& rubric, const std::vector<SizedReport>& reports);

/// How far a ratio of times may drift between runs, in addition to the interval within a run.
inline constexpr double kRatioDrift = 0.03;

/// An interval wider than this, upper over lower end, does not decide a step inside it.
inline constexpr double kMostSpread = 1.25;

/// " here", " on gpubox", or empty
std::string place_words(const std::string& place);

/// The speed of a submission as a share of that of the fastest reference in the same rounds, at most 1; with
/// the name of that reference. nullopt: it could not be compared.
std::optional<Speedup> share_of_best(const TimedWork& timed);

/// What a criterion about times has steps for: the speed-up; or, with Criterion::Kind::Portability, the
/// harmonic mean of the shares at its places. nullopt: something was not timed, or is wrong.
/// Source of the mean: Pennycook, Sewall and Lee, "A metric for performance portability", 2016.
std::optional<Speedup> reached_ratio(const Work& work, const Rubric& rubric, std::size_t criterion);

/// True if a longer measurement may decide between steps: also if there were too few rounds for an interval.
bool is_near_step(const Criterion& criterion, const std::optional<Speedup>& reached);

/// True if too few rounds were timed, or a step is within an interval that is wider than kMostSpread: the
/// machine was too slow or too noisy, so it is unknown on which side of the step the ratio is.
bool is_undecided(const Criterion& criterion, const std::optional<Speedup>& reached);

/// Doubts that another measurement might resolve.
enum class Doubt {
    None,
    Tie,        ///< measured so close to a step that another run may decide otherwise
    Undecided,  ///< is_undecided(); the points are those of the steps below the interval
};

/// " (tie)", " (undecided)", or empty.
std::string doubt_mark(Doubt doubt);

/// The points of one criterion. Without `why` and `fault`, all of them.
struct CriterionGrade {
    double points = 0;
    std::string why = {};    ///< a sentence without its full stop
    std::string fault = {};  ///< what several criteria may lose points for; a sentence without its full stop
    Doubt doubt = Doubt::None;

    /// Both; empty: all points.
    std::string reason() const;
};

struct Grade {
    std::vector<CriterionGrade> parts;  ///< as the rubric's criteria
    double late = 0;                    ///< points that were taken off
    double total = 0;                   ///< rounded, at least 0
    Doubt doubt() const;                ///< the gravest of all parts
};

/// CriterionGrade::reason() of each part, in which a fault is told only once.
std::vector<std::string> reasons_once(const Grade& grade);

/// @param days_late  begun days count
Grade grade_work(const Work& work, const Rubric& rubric, double days_late);

}  // namespace kwb
