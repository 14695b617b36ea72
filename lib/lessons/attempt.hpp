// What is known about an attempt at an exercise, and what to say of it.
#pragma once

#include <vector>

#include "catalog/expression.hpp"
#include "lessons/lesson.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb {

/// The names that the conditions of a lesson may use:
///   verdict     the first that is not 'correct', else 'correct'
///   findings    the codes of all that was found at any size: FindingCode and WrongPattern, as in JSON
///   sub_group   work-items of a sub-group, as X-ray forms them
///   launches    work_groups    work_items   barriers (of all groups; each group counts one once)
/// and for each buffer and each `__local` array of the kernel, at the size of the lesson:
///   A.loads         loads of each element that is loaded, on average; 0: none is
///   A.stores        likewise
///   A.load_sectors  sectors of 32 bytes that a sub-group touches in one access, on average
///   A.store_sectors likewise
///   A.banks         cycles in 32 banks of 4 bytes, as a multiple of those without conflicts; 1: none
///   A.lanes         the share of a sub-group's work-items that take part in an access, on average
/// All numbers are exact fractions.
/// @param results  of the attempt, at each size
/// @param report   nullptr, or no launch: X-ray observed nothing, and its names are missing
Scope facts_of(const std::vector<KernelResult>& results, const XrayReport* report);

struct Assessment {
    enum class Goal { Met, Unmet, Unknown };
    bool is_correct = false;                 ///< at every size
    std::vector<Goal> goals;                 ///< of the lesson, in its order; Unknown: a fact is missing
    const LessonMistake* mistake = nullptr;  ///< the one to speak of, unless it is solved
    bool is_solved() const;
};

/// Conditions whose facts are missing count as Unknown, or as no mistake.
/// @throws BadInput  a condition can never be evaluated, e.g. it compares a text with a number
Assessment assess(const Lesson& lesson, const Scope& facts);

}  // namespace kwb
