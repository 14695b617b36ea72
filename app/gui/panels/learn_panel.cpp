// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/learn_panel.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "gui/keys.hpp"
#include "gui/panels/results_table.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/panels/story_view.hpp"
#include "lessons/assessment.hpp"

namespace kwb::gui {
namespace {

std::string numbered(const Lesson& lesson) {
    return std::to_string(lesson.number) + ". " + lesson.title;
}

/// The contestant that is the open exercise. @return  nullopt: it was taken out of the experiment
std::optional<std::size_t> exercise_of(const DeskState& state) {
    const auto& all = state.choices.contestants;
    const auto found =
        std::ranges::find(all, state.course.exercise.string(), &Experiment::Contestant::kernel);
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

void draw_advice(const std::string& id, const char* icon, std::string_view title, std::string_view sentence) {
    const Banner banner(id, Tone::Accent, icon, title, "");
    draw_sentence(id + "/sentence", sentence);
}

/// What was predicted, and what is.
void draw_compared(const std::string& id, const LessonQuestion& question) {
    const bool is_answered = question.is_answered(), is_right = question.is_right();
    text(id, question.told(),
         {.tone = !is_answered ? Tone::Normal
                  : is_right   ? Tone::Success
                               : Tone::Warning,
          .icon = !is_answered ? kIconInfo
                  : is_right   ? kIconCheck
                               : kIconCross,
          .wraps = true});
}

void draw_question(const std::string& id, const LessonPrediction& prediction) {
    draw_sentence(id, (prediction.is_after ? "One more question: " : "") + prediction.asks);
}

}  // namespace

// ---- The list ----

void LearnPanel::draw_list(const ShownCourse& course, Commands& commands) {
    const auto solved = std::ranges::count_if(
        course.lessons, [&](const Lesson& lesson) { return course.progress.find(lesson.name).is_solved; });
    text("learn/solved",
         std::to_string(solved) + " of " + counted(course.lessons.size(), "lesson") + " solved",
         {.tone = Tone::Muted});
    if (const Lesson* const next = course.next()) {
        const std::string label =
            (solved == 0 ? "Start with lesson " : "Next: lesson ") + std::to_string(next->number);
        if (button("learn/next", label,
                   {.icon = kIconPlay,
                    .kind = ButtonKind::Primary,
                    .tooltip = "Open the lesson text here and your copy of the exercise in the editor"}))
            commands.push_back(command::OpenLesson{static_cast<std::size_t>(next - course.lessons.data())});
    }
    for (std::size_t i = 0; i < course.lessons.size(); ++i) {
        const Lesson& lesson = course.lessons[i];
        const LessonProgress done = course.progress.find(lesson.name);
        const bool is_begun = !done.is_solved && !done.file.empty();
        const float room = ImGui::GetContentRegionAvail().x - 2 * tokens().control_padding_x;
        const std::string label = ticked(done.is_solved, numbered(lesson)) + (is_begun ? "  (begun)" : "");
        ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
        if (button("learn/lesson/" + std::to_string(lesson.number), shortened(label, room),
                   {.kind = ButtonKind::Quiet, .width = -1, .tooltip = lesson.title}))
            commands.push_back(command::OpenLesson{i});
        ImGui::PopStyleVar();
    }
}

// ---- A lesson ----

void LearnPanel::draw_tools(const DeskState& state, Commands& commands) {
    const ShownCourse& course = state.course;
    const Lesson& lesson = *course.lesson();
    const LessonProgress kept = course.kept();
    if (button("learn/back", "Lessons",
               {.kind = ButtonKind::Quiet, .tooltip = "Back to the list; your exercise stays as it is"}))
        commands.push_back(command::LeaveLesson{});
    flow_next(button_width("Check", kIconCheck));
    if (button("learn/check", "Check",
               {.icon = kIconCheck,
                .kind = ButtonKind::Primary,
                .enabled = !course.asked,
                .tooltip = course.asked ? "It is being checked"
                                        : "Check the exercise as it is on the screen (" +
                                              keys_of(Action::CheckExercise) + "); saving it does the same"}))
        commands.push_back(command::CheckExercise{});
    const std::size_t all = lesson.hints.size(), shown = std::min<std::size_t>(kept.hints, all);
    const std::string hint =
        shown < all ? "Hint, " + std::to_string(all - shown) + " left" : std::string("No hint left");
    flow_next(button_width(hint, kIconQuestion));
    if (button("learn/hint", hint,
               {.icon = kIconQuestion,
                .enabled = shown < all,
                .tooltip = shown < all ? "Hints come in stages (" + keys_of(Action::ShowHint) + ")"
                                       : std::string("All are shown; the arrows lead back to the first")}))
        commands.push_back(command::ShowHint{});
    const auto exercise = exercise_of(state);
    if (!lesson.is_host &&
        next_button("learn/check_sizes", "All sizes",
                    {.icon = kIconGrid,
                     .kind = ButtonKind::Quiet,
                     .enabled = exercise && !course.asked && !state.is_busy && !state.preview.obstacle,
                     .tooltip = "Check the exercise at all sizes where kernels tend to be "
                                "wrong, more than the lesson asks for"}))
        commands.push_back(command::CheckSizes{exercise});
    flow_next(button_width("Solution", kIconEye));
    if (button("learn/solution", "Solution",
               {.icon = kIconEye,
                .kind = ButtonKind::Quiet,
                .tooltip = kept.is_solved ? "Show the solution next to your exercise"
                                          : "Show the solution next to your exercise. You have not solved "
                                            "it yet; a hint may teach you more"}))
        commands.push_back(command::ShowSolution{});
}

void LearnPanel::draw_result(const DeskState& state, Commands& commands) {
    const ShownCourse& course = state.course;
    using Kind = AttemptLine::Kind;
    if (course.asked)
        text("learn/asked", "Checking: " + *course.asked + "\u2026",
             {.tone = Tone::Muted, .icon = kIconClock, .shortens = true});
    const auto exercise = exercise_of(state);
    if (exercise && *exercise < state.checks.size() && state.checks[*exercise] != nullptr) {
        const ShownCheck& check = *state.checks[*exercise];
        if (const auto seen = look_of(check)) {
            const KernelResult* const fault = check.first_fault();
            text("learn/sizes",
                 "The exercise is " + seen->words +
                     (fault != nullptr ? ", first at " + to_string(fault->size) + ": " + fault->reason : ""),
                 {.tone = seen->tone, .icon = seen->icon, .wraps = true});
        }
    }
    if (course.said.empty()) return;
    const float top = ImGui::GetCursorScreenPos().y;
    if (course.is_solved) {
        const Banner banner("learn/solved", Tone::Success, kIconGood, "Solved", "");
        const std::size_t next = *course.open + 1;
        if (next < course.lessons.size() &&
            button("learn/next", "Lesson " + std::to_string(course.lessons[next].number),
                   {.icon = kIconPlay, .tooltip = course.lessons[next].title}))
            commands.push_back(command::OpenLesson{next});
    }
    if (course.is_outdated)
        text("learn/outdated", "For an earlier text; save or check it again",
             {.tone = Tone::Warning, .icon = kIconClock, .wraps = true});
    for (std::size_t i = 0; i < course.said.size(); ++i) {
        const auto& [kind, words, line] = course.said[i];
        const std::string id = "learn/said/" + std::to_string(i);
        if (line > 0 && button(id + "/line", "Line " + std::to_string(line),
                               {.icon = kIconCode, .tooltip = "Go to this line of the exercise"}))
            go_to_line(state, course.exercise.string(), line, commands);
        switch (kind) {
            case Kind::Met:
                text(id, words, {.tone = Tone::Success, .icon = kIconCheck, .wraps = true});
                break;
            case Kind::Unmet:
                text(id, words, {.tone = Tone::Danger, .icon = kIconCross, .wraps = true});
                break;
            case Kind::Source:
                text(id, words, {.font = fonts().mono, .shortens = true});
                break;
            case Kind::Advice:
                draw_advice(id, kIconInfo, "Think about this", words);
        }
    }
    // Their questions and what they teach stand below, with the text of the lesson.
    if (course.is_solved)
        for (const LessonQuestion& question : questions_of(*course.lesson(), course.progress))
            if (question.is_answered() && question.state == LessonQuestion::State::Told)
                draw_compared("learn/predicted/" + question.prediction.name, question);
    if (course.is_outdated) {
        ImGui::GetWindowDrawList()->AddRectFilled(
            {ImGui::GetCursorScreenPos().x, top},
            {ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y},
            colors().surface.with_alpha(0.5f).u32());
    }
    ImGui::Separator();
}

void LearnPanel::draw_goals(const ShownCourse& course) {
    const Lesson& lesson = *course.lesson();
    text("learn/goals", "Goals", {.font = fonts().strong});
    text("learn/goal/sizes", "It is correct at " + join(lesson.sizes, ", "), {.wraps = true});
    for (std::size_t i = 0; i < lesson.goals.size(); ++i)
        draw_sentence("learn/goal/" + std::to_string(i), lesson.goals[i].says);
}

void LearnPanel::draw_answer(const LessonPrediction& prediction, std::size_t index, const LessonAnswer& known,
                             const std::string& id, Commands& commands) {
    const auto give = [&](const std::string& answer) { commands.push_back(command::Predict{index, answer}); };
    if (prediction.choices.empty()) {
        const float width = 8 * ImGui::GetFontSize();
        const auto typed = typed_field(id + "/answer", known.answer, typing_, width, "your prediction");
        if (!typed) return;
        try {
            require_answer(prediction, std::string(trim(*typed)));
            give(std::string(trim(*typed)));
        } catch (const BadInput& error) {
            typing_.refuse(error.what());
        }
        return;
    }
    for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
        const std::string& choice = prediction.choices[i];
        const bool is_chosen = known.answer == choice;
        if (i > 0) flow_next(button_width(choice));
        if (button(id + "/choice/" + std::to_string(i), choice,
                   {.kind = is_chosen ? ButtonKind::Primary : ButtonKind::Normal}))
            give(choice);
    }
}

void LearnPanel::draw_open(const LessonPrediction& prediction, std::size_t index, const LessonAnswer& known,
                           const std::string& id, Commands& commands) {
    draw_question(id, prediction);
    draw_answer(prediction, index, known, id, commands);
    if (const std::string* refusal = typing_.refusal(); refusal != nullptr && typing_.holds(id + "/"))
        remark(id + "/refusal", *refusal, Tone::Danger);
}

void LearnPanel::draw_predictions(const ShownCourse& course, Commands& commands) {
    const Lesson& lesson = *course.lesson();
    using State = LessonQuestion::State;
    const std::vector<LessonQuestion> questions = questions_of(lesson, course.progress);
    bool has_title = false;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& [prediction, known, state] = questions[i];
        if (state == State::Later ||
            (course.asks_first && state == State::Open && !prediction.is_after))  // above
            continue;
        if (!std::exchange(has_title, true))
            text("learn/predictions", "Predict it before you run it", {.font = fonts().strong});
        const std::string id = "learn/prediction/" + std::to_string(i);
        if (state == State::Open) {
            draw_open(prediction, i, known, id, commands);
            continue;
        }
        draw_question(id, prediction);
        draw_compared(id + "/compared", questions[i]);
        draw_sentence(id + "/says", questions[i].says(), nullptr, Tone::Muted);
    }
}

void LearnPanel::draw_hint(const ShownCourse& course) {
    const Lesson& lesson = *course.lesson();
    const std::size_t known = std::min<std::size_t>(course.kept().hints, lesson.hints.size());
    if (std::exchange(hinted_, lesson.name) != lesson.name)
        hint_ = 0;
    else if (known > hints_)
        hint_ = known;  // the one that was just asked for
    hints_ = known;
    if (hint_ == 0 && known > 0 &&
        button("learn/hint/again", "Show the hints again",
               {.icon = kIconQuestion, .kind = ButtonKind::Quiet}))
        hint_ = known;
    if (hint_ == 0) return;
    const std::string title = "Hint " + std::to_string(hint_) + " of " + std::to_string(lesson.hints.size());
    const Banner banner("learn/hint/shown", Tone::Accent, kIconQuestion, title, "");
    draw_sentence("learn/hint/shown/sentence", lesson.hints[hint_ - 1]);
    ButtonRow row;
    if (row.add("learn/hint/before", "\u2039", {.enabled = hint_ > 1, .tooltip = "The previous hint"}))
        --hint_;
    if (row.add("learn/hint/next", "\u203a", {.enabled = hint_ < known, .tooltip = "The next hint"})) ++hint_;
    if (const LessonStep* const step = lesson.step_of(hint_);
        step != nullptr &&
        row.add("learn/hint/step", "Show this step",
                {.icon = kIconEye,
                 .tooltip = "Step through the exercise with its values, from where this hint looks"}))
        asked_step_ = step;
    if (row.add("learn/hint/close", "Close", {.kind = ButtonKind::Quiet})) hint_ = 0;
}

void LearnPanel::draw_first(const ShownCourse& course, Commands& commands) {
    const Banner banner("learn/first", Tone::Accent, kIconInfo, "What do you expect?",
                        "A prediction before the first check shows whether you know what the kernel does.");
    const std::vector<LessonQuestion> questions = questions_of(*course.lesson(), course.progress);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& [prediction, known, state] = questions[i];
        if (state != LessonQuestion::State::Open || prediction.is_after) continue;
        draw_open(prediction, i, known, "learn/prediction/" + std::to_string(i), commands);
    }
    if (button("learn/first/anyway", "Check without a prediction", {.kind = ButtonKind::Quiet}))
        commands.push_back(command::CheckExercise{true});
}

// ---- For an audience ----

void LearnPanel::present(bool on) {
    presents_ = on;
    answers_ = false;
    step_ = 0;
    told_.clear();
}

void LearnPanel::step(int by) {
    answers_ = false;
    if (by < 0 && step_ > 0) --step_;
    if (by > 0) ++step_;
}

std::vector<LearnPanel::Step> LearnPanel::steps_of(const ShownCourse& course) {
    using Kind = StoryBlock::Kind;
    std::vector<Step> steps;
    const auto& story = course.story;
    // List items and code appear with the text that introduces them, a heading with the text below it, and
    // the task after the votes.
    std::size_t task = story.size();
    for (std::size_t i = story.size(); i-- > 1;)
        if (story[i].kind == Kind::Heading) {
            task = i;
            break;
        }
    const auto add_story = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const bool begins = i + 1 == end ||
                                (story[i + 1].kind == Kind::Paragraph && story[i].kind != Kind::Heading) ||
                                story[i + 1].kind == Kind::Heading;
            if (begins) steps.push_back({i + 1});
        }
    };
    add_story(0, task);
    for (const LessonPrediction& prediction : course.lesson()->predictions)
        if (!prediction.is_after) steps.push_back({task, &prediction});
    add_story(task, story.size());
    for (const LessonPrediction& prediction : course.lesson()->predictions)
        if (prediction.is_after) steps.push_back({story.size(), &prediction});
    return steps;
}

void LearnPanel::draw_vote(const ShownCourse& course, const LessonPrediction& prediction) {
    draw_sentence("learn/vote", prediction.asks, fonts().title);
    const std::string key = course.lesson()->name + "/" + prediction.name;
    std::vector<Ballot>& ballots = votes_[key];
    const bool is_open = prediction.choices.empty();  // any number
    if (ballots.empty())
        for (const std::string& choice : prediction.choices) ballots.push_back({choice, ""});
    if (is_open && (ballots.empty() || !ballots.back().answer.empty())) ballots.emplace_back();
    const auto votes_of = [](const Ballot& ballot) {
        return read_number<unsigned>(trim(ballot.votes)).value_or(0);
    };
    unsigned most = 1;
    for (const Ballot& ballot : ballots) most = std::max(most, votes_of(ballot));
    const float em = ImGui::GetFontSize(), label = 9 * em, field = 4 * em;
    for (std::size_t i = 0; i < ballots.size(); ++i) {
        Ballot& ballot = ballots[i];
        const std::string id = "learn/vote/" + std::to_string(i);
        const float begin = ImGui::GetCursorPosX();
        if (is_open) {
            text_field(id + "/answer", ballot.answer, {.hint = "an answer", .width = label - tokens().gap});
        } else {
            ImGui::AlignTextToFramePadding();
            text(id + "/answer", ballot.answer, {.shortens = true, .room = label - tokens().gap});
        }
        ImGui::SameLine();
        ImGui::SetCursorPosX(begin + label);
        const bool is_number = trim(ballot.votes).empty() || read_number<unsigned>(trim(ballot.votes));
        text_field(id + "/votes", ballot.votes, {.hint = "votes", .width = field, .is_refused = !is_number});
        ImGui::SameLine();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float room = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
        const float share = static_cast<float>(votes_of(ballot)) / static_cast<float>(most);
        if (share > 0)
            ImGui::GetWindowDrawList()->AddRectFilled(
                at, {at.x + std::max(tokens().hair, room * share), at.y + height}, series_color(i),
                tokens().rounding);
        ImGui::Dummy({room, height});
    }
    LessonQuestion question{prediction, course.kept().answer_to(prediction.name),
                            LessonQuestion::State::Told};
    question.known.answer.clear();  // the audience's
    if (question.known.measured.empty())
        return remark("learn/vote/open", "The first attempt that solves the exercise shows the answer.");
    if (told_.find(key) == told_.end()) {
        if (button("learn/vote/tell", "Show the answer", {.icon = kIconEye})) told_.insert(key);
        return;
    }
    text("learn/vote/right", question.told(),
         {.tone = Tone::Success, .font = fonts().strong, .icon = kIconCheck, .wraps = true});
    draw_sentence("learn/vote/says", question.says());
}

void LearnPanel::draw_presentation(const DeskState& state, Commands& commands) {
    const ShownCourse& course = state.course;
    const std::vector<Step> steps = steps_of(course);
    if (steps.empty()) return;
    step_ = std::min(step_, steps.size() - 1);
    const Step& now = steps[step_];
    const float foot = ImGui::GetFrameHeight() + tokens().gap;
    if (course.asked && !answers_) show_result();
    if (compat::begin_child("learn/presented", {0, -foot}, false)) {
        if (answers_) draw_result(state, commands);
        if (now.vote != nullptr)
            draw_vote(course, *now.vote);
        else
            draw_story("learn/story", std::span(course.story).first(now.blocks), course.glossary);
        // What a step adds is below.
        if (std::exchange(shown_step_, step_) != step_) ImGui::SetScrollHereY(1);
        if (std::exchange(scrolls_up_, false)) ImGui::SetScrollY(0);
    }
    ImGui::EndChild();
    if (button("learn/step/back", "Back", {.enabled = step_ > 0, .tooltip = "Page up"})) step(-1);
    ImGui::SameLine();
    if (button("learn/step/next", "Next",
               {.kind = ButtonKind::Primary, .enabled = step_ + 1 < steps.size(), .tooltip = "Page down"}))
        step(+1);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    text("learn/step", std::to_string(step_ + 1) + " / " + std::to_string(steps.size()),
         {.tone = Tone::Muted});
}

void LearnPanel::draw(const DeskState& state, Commands& commands) {
    if (!std::exchange(has_asked_, true)) commands.push_back(command::ListLessons{});
    const ShownCourse& course = state.course;
    if (course.lessons.empty()) {
        if (!course.error.empty()) empty_state("learn/empty", kIconWarning, "No lessons", course.error);
        return;
    }
    if (course.lesson() == nullptr) {
        if (compat::begin_child("learn", {0, 0}, false)) draw_list(course, commands);
        ImGui::EndChild();
        return;
    }
    if (presents_) return draw_presentation(state, commands);
    draw_tools(state, commands);
    const bool is_hinted = course.kept().hints > hints_ && hinted_ == course.lesson()->name;
    const bool is_asked = course.asks_first && !std::exchange(asked_first_, course.asks_first);
    asked_first_ = course.asks_first;
    if (compat::begin_child("learn", {0, 0}, false)) {
        if (seen_ != course.said || is_hinted || is_asked) {
            seen_ = course.said;
            ImGui::SetScrollY(0);
        }
        if (course.asks_first) draw_first(course, commands);
        draw_hint(course);
        draw_result(state, commands);
        draw_story("learn/story", course.story, course.glossary);
        ImGui::Dummy({0, tokens().hair});
        draw_goals(course);
        draw_predictions(course, commands);
    }
    ImGui::EndChild();
    typing_.end_frame();
}

}  // namespace kwb::gui
