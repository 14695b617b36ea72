// SPDX-License-Identifier: Apache-2.0
// The facts about an attempt at an exercise, and its assessment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "catalog/expression.hpp"
#include "lessons/lesson.hpp"
#include "model/gpu_profile.hpp"
#include "model/reason.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb {

/// The names that the conditions of a lesson may use:
///   verdict     the first that is not 'correct', else 'correct'
///   findings    the codes of all that was found at any size: FindingCode and WrongPattern, as in JSON;
///               other_fence: a race whose accesses only a barrier with another memory's fence separates
///   failed_size    of the first result that is not correct: "16", "M=33 N=17 K=40"; "": none
///   failed_inputs  with which inputs it is wrong: "integer", "random"; "": it is not wrong
///   failed_buffer  that was accessed out of bounds; "": none
///   failed_index   of the element that was accessed there; missing: none, or it is not known
///   raced          arrays and buffers of which one work-item reads what another one stores meanwhile
///   collided       those of which two store the same element
///   unset          those, and variables, that are read before anything is stored there
///   outside        buffers and arrays of which an index leaves them
///   sub_group   work-items of a sub-group, as X-ray forms them
///   launches    work_groups    work_items   barriers (of all groups; each group counts one once)
/// and for each buffer and each `__local` array of the kernel, at the size of the lesson:
///   A.loads         loads of each element that is loaded, on average, of a `__local` array by one
///   work-group;
///                   0: none is
///   A.stores        likewise
///   A.load_sectors  sectors of 32 bytes that a sub-group touches in one access, on average
///   A.store_sectors likewise
///   A.load_use      the share of the bytes in these sectors that it asks for
///   A.store_use     likewise
///   A.banks         cycles in 32 banks of 4 bytes, as a multiple of those without conflicts; 1: none
///   A.lanes         the share of a sub-group's work-items that take part in an access, on average
/// For a host program:
///   failed_call  the function of OpenCL that failed, as the program printed it: "clFinish"; "": none
///   failed_code  its error: -5; 0: none
/// and if it is correct at every size:
///   told_ns      the kernel's time that it printed; 0: it printed none
///   run_ns       the whole program's, at the last size
///   broken_exit  its exit code for a kernel that does not compile; -1: it crashed or hung
///   broken_log   whether it then printed the build log
/// In predictions:
///   why          the names of the reasons that X-ray counts for the attempt, compared with Lesson::than, the
///                most important first
/// All numbers are exact fractions, of whole launches. Where too large a launch was observed in part and its
/// work-groups differ, A.loads and A.stores are missing; where launches were not observed, all counts are.
/// @param results  of the attempt, at each size
/// @param report   nullptr, or no launch: X-ray observed nothing, and its names are missing
Scope facts_of(const std::vector<KernelResult>& results, const XrayReport* report);

/// Adds `words`: the identifiers of the source, without those of comments, texts and directives.
void add_words(std::string_view source, Scope& facts);

/// "bank conflicts": how lessons name a reason.
std::string reason_name(ReasonKind kind);
std::vector<std::string> reason_names();
inline constexpr const char* kWhyFact = "why";

/// Adds `why`.
/// @param reasons  name → sentence
void add_reasons(const NamedList<std::string>& reasons, Scope& facts);

/// Adds, for a GPU named "gfx906":
///   gfx906.registers  of a work-item; missing where they are not known
///   gfx906.occupancy  the share of its sub-groups that a compute unit holds at once, 0 to 1
///   gfx906.bound_ns   the time that the kernel takes at least; missing where it is not known
/// of several launches: the most registers, the least occupancy.
void add_gpu_facts(const std::string& name, const GpuView& view, Scope& facts);

/// True for the last words of the facts of add_gpu_facts(): "bound_ns".
bool is_gpu_fact(std::string_view word);

/// Adds `speedup`, the median, and `speedup_least`, the lower end of its 95 % interval, rounded down to
/// hundredths. Nothing is added if there is no interval.
void add_speed_facts(const KernelResult& compared, Scope& facts);

/// The fault in the names of a condition in a lesson or rubric, as a clause; empty: each may be one of
/// facts_of(), add_words(), add_gpu_facts(), add_speed_facts(), or of a program for the host, and it is
/// compared only with what it can be: `'data_rce' in findings` never holds.
std::string fault_of_names(const Expression& condition);

struct Assessment {
    bool is_correct = false;                 ///< at every size
    std::vector<std::optional<bool>> goals;  ///< whether each is met; nullopt: a fact is missing
    const LessonMistake* mistake = nullptr;  ///< the one to speak of, unless it is solved
    bool is_solved() const;
};

/// Whether a condition holds. @return  nullopt: a fact is missing
/// @param file  that has the condition
/// @throws BadInput  it can never be evaluated, e.g. it compares a text with a number
std::optional<bool> holds(const Expression& condition, const Scope& facts, const std::string& file);

/// The first mistake whose condition holds. @return  nullptr: none
/// @throws BadInput  as holds()
const LessonMistake* find_mistake(const std::vector<LessonMistake>& mistakes, const Scope& facts,
                                  const std::string& file);

/// A condition whose facts are missing gives a goal that is unknown, and no mistake.
/// @throws BadInput  as holds()
Assessment assess(const Lesson& lesson, const Scope& facts);

/// The right answer to a prediction: a text, or a number as expressions write it: "4", "3/4"; the first item
/// of a list, or "none".
/// @return  nullopt: a fact is missing
/// @throws BadInput  it can never be evaluated
std::optional<std::string> right_answer(const Lesson& lesson, const LessonPrediction& prediction,
                                        const Scope& facts);

/// @throws BadInput it is not one of the choices, or not a number
void require_answer(const LessonPrediction& prediction, const std::string& answer);

/// @param answer  for which require_answer() returns
/// @param right   of right_answer()
bool agrees(const LessonPrediction& prediction, const std::string& answer, const std::string& right);

/// "1.94" for "33/17"
std::string answer_text(const std::string& answer);

}  // namespace kwb
