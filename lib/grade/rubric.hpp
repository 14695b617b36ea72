// SPDX-License-Identifier: Apache-2.0
// A rubric: the criteria for submissions to an assignment, and the points of each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "grade/deadline.hpp"
#include "lessons/lesson.hpp"

namespace kwb {

/// When students see what a criterion found, where the platform can hide it: Gradescope's words.
enum class Visibility { Visible, AfterDueDate, AfterPublished, Hidden };
template <>
inline constexpr auto kEnumNames<Visibility> = std::to_array<std::string_view>({"visible", "after_due_date",
                                                                                "after_published", "hidden"});

/// The condition for one part of the points.
struct Criterion {
    enum class Kind {
        Compiles,
        RightAt,  ///< the result is right at `sizes`
        Defined,  ///< X-ray finds nothing undefined, at any size
        Fact,     ///< `when` holds on facts_of() the kernel at size `at`, and the result is right there
        Speed,    ///< speed-up over the one of `references` at size `at`
        /// Mean share of the speed of the fastest of `references` at size `at`, over the places of `on`.
        Portability,
    };
    /// Points for a ratio of the reference's time to that of the submission, or for a mean share.
    struct Step {
        double ratio = 1;  ///< above 0
        double points = 0;
    };
    std::string name;
    Kind kind = Kind::Compiles;
    double points = 0;                    ///< at most
    std::vector<std::string> sizes = {};  ///< as typed
    bool is_shared = false;  ///< RightAt: each size has its share of the points; else all or none
    std::string at = {};
    std::optional<Expression> when = {};
    std::vector<std::string> references = {};  ///< kernels' names, or paths
    std::vector<Step> steps = {};              ///< by ratio, ascending; so are the points
    std::vector<std::string> on = {};  ///< the places that time it, as --on names them; none: those of --on
    Visibility visibility = Visibility::Visible;

    /// The key of `references` in the file.
    const char* reference_key() const { return kind == Kind::Speed ? "faster_than" : "share_of"; }
    /// @param place  empty: those of --on
    bool is_timed_at(const std::string& place) const;
};

inline constexpr const char* kAnySize = "64";

/// Which one counts of several submissions of one student.
enum class AttemptRule {
    Ask,  ///< the teacher decides
    Best,
    Last,
    LastInTime,  ///< before the deadline; if there is none, the first after it
};
template <>
inline constexpr auto kEnumNames<AttemptRule> = std::to_array<std::string_view>({"ask", "best", "last",
                                                                                 "last_in_time"});

struct Rubric {
    std::string file;                                        ///< of the rubric
    std::vector<std::filesystem::path> kernel_folders = {};  ///< of --kernels, before the shipped ones
    std::string title;
    std::string problem;
    std::optional<std::string> kernel;  ///< the name of the file to look for: "matmul.cl"; nullopt: any .cl
    double rounding = 0.01;             ///< totals are multiples of it
    double late_per_day = 0;            ///< points that each begun day costs
    double late_at_most = 0;
    std::optional<DueDate> deadline = {};
    AttemptRule attempts = AttemptRule::Ask;
    double timeout_ms = 10'000;  ///< of a build, of a launch
    /// For submissions without a front matter: as the options of `kwb run`.
    std::optional<std::string> local, global, entry, args;
    /// What the teacher gave to all: kernels' names, or paths. Their statements do not make sources similar.
    std::vector<std::string> given = {};
    std::vector<Criterion> criteria;      ///< at least one
    std::vector<LessonMistake> mistakes;  ///< to name, without sources

    double points() const;
    /// The places of Criterion::on, each once.
    std::vector<std::string> places() const;
    /// All sizes at which a submission is checked, each once: those of the criteria, in their order; kAnySize
    /// if none names one, so that there is something to compile and to observe.
    std::vector<std::string> sizes() const;
};

/// The GPUs whose computed facts a condition uses: "a100" of `a100.bound_ns <= 2000000`.
std::vector<std::string> gpus_in(const Expression& condition);

/// @throws BadInput  "file:line:column: …": a key is missing, unknown or invalid, or no points can be had
Rubric read_rubric(const std::filesystem::path& file);

}  // namespace kwb
