// SPDX-License-Identifier: Apache-2.0
// The course: lessons with progress; for the open lesson its text, the task, predictions, hints, and the
// result of the last attempt. For an audience: the lesson text step by step, and votes.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {

/// Draws into the remaining space of the current window, and scrolls there.
class LearnPanel {
public:
    void draw(const DeskState& state, Commands& commands);

    /// For an audience: step by step, from the beginning.
    void present(bool on);
    bool presents() const { return presents_; }
    /// The step of a hint that a click in this frame asks for.
    const LessonStep* take_step() { return std::exchange(asked_step_, nullptr); }
    /// While presenting: above the step, until the next one.
    void show_result() { answers_ = scrolls_up_ = true; }
    /// While presenting: the next step (+1) or the one before (-1).
    void step(int by);

private:
    /// What a step adds: blocks of the lesson text up to `blocks`, or a vote.
    struct Step {
        std::size_t blocks = 0;
        const LessonPrediction* vote = nullptr;
    };
    /// A line of a vote.
    struct Ballot {
        std::string answer;
        std::string votes;  ///< as typed
    };

    void draw_list(const ShownCourse& course, Commands& commands);
    void draw_tools(const DeskState& state, Commands& commands);
    void draw_result(const DeskState& state, Commands& commands);
    /// One hint, above everything else.
    void draw_hint(const ShownCourse& course);
    /// The predictions that a check waits for.
    void draw_first(const ShownCourse& course, Commands& commands);
    void draw_goals(const ShownCourse& course);
    void draw_predictions(const ShownCourse& course, Commands& commands);
    /// A question with its answers.
    void draw_open(const LessonPrediction& prediction, std::size_t index, const LessonAnswer& known,
                   const std::string& id, Commands& commands);
    void draw_answer(const LessonPrediction& prediction, std::size_t index, const LessonAnswer& known,
                     const std::string& id, Commands& commands);

    static std::vector<Step> steps_of(const ShownCourse& course);
    void draw_presentation(const DeskState& state, Commands& commands);
    void draw_vote(const ShownCourse& course, const LessonPrediction& prediction);

    bool has_asked_ = false;
    Typing typing_;
    std::vector<AttemptLine> seen_;  ///< the result that was scrolled to
    std::string hinted_;             ///< the lesson whose hint is shown
    std::size_t hints_ = 0;          ///< stages of that lesson in the last frame
    std::size_t hint_ = 0;           ///< the stage that is shown, from 1; 0: none
    const LessonStep* asked_step_ = nullptr;
    bool asked_first_ = false;  ///< in the last frame
    bool presents_ = false;
    bool answers_ = false;     ///< while presenting: shows the result
    bool scrolls_up_ = false;  ///< in the next frame
    std::size_t step_ = 0;
    std::size_t shown_step_ = 0;                        ///< that was scrolled to
    std::map<std::string, std::vector<Ballot>> votes_;  ///< by lesson and prediction
    std::set<std::string> told_;                        ///< answers that the audience has seen
};

}  // namespace kwb::gui
