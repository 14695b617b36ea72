// SPDX-License-Identifier: Apache-2.0
// What X-ray observed of a kernel: traffic, each access of the source, what is undefined, and the memory of a
// work-group step by step.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/panels/step_values.hpp"
#include "gui/panels/xray_maps.hpp"
#include "gui/table.hpp"

namespace kwb::gui {

/// A table of X-ray's report, laid out once (xray_table.cpp). Only visible rows are drawn. Heads wrap where
/// there is little room.
class XrayTableView {
public:
    /// @param file      of the kernel, whose folder the places are relative to
    /// @param glossary  explains the heads
    /// @param coloured  instructions: rows have the colour of their line, as in the margin of the source
    XrayTableView(XrayTable table, std::string file, const std::vector<Term>& glossary,
                  bool coloured = false);

    /// In pixels, in the current scale.
    float width();
    /// Draws its title and the table into `room` pixels. A click on a row with a place goes to its line.
    void draw(const std::string& id, float room, const DeskState& state, Commands& commands);

private:
    /// Monospaced for instructions.
    ImFont* font() const { return is_coloured_ ? fonts().mono : fonts().small; }
    void measure();

    XrayTable table_;
    std::string file_;
    std::vector<std::string> help_;  ///< of each column
    bool is_coloured_ = false;
    float measured_at_ = 0;  ///< font size
    std::vector<TableColumn> columns_;
};

/// Shows the selected kernel in its current state, and the one to compare with next to it. Draws into the
/// remaining space of the current window, and scrolls there.
class XrayPanel {
public:
    void draw(const DeskState& state, Commands& commands);

    // Evidence of a reason, about the selected contestants.
    void show_numbers() { view_ = View::Numbers; }
    void show_maps() { view_ = View::Memory; }
    void show_code(const std::string& gpu) {
        gpu_ = gpu;
        view_ = View::Code;
    }
    /// The steps of the work-group that a finding is about, from its first alarming step on.
    void show_race(const Finding& finding, const std::string& kernel);

    /// The steps to the first wrong element of a contestant.
    void show_wrong(std::size_t contestant) {
        view_ = View::Values;
        values_.find_wrong(contestant);
    }

    /// The step of a lesson's exercise.
    void show_step(std::size_t contestant, const LessonStep& step) {
        view_ = View::Values;
        values_.begin_at(contestant, step);
    }

    /// What to observe while the panel is on the screen.
    const XrayTarget& target() const { return target_; }
    const XrayMaps& maps() const { return maps_; }
    /// What to record while the panel is on the screen; nullopt: nothing.
    std::optional<StepsTarget> steps_target() const {
        return view_ == View::Values ? std::optional(values_.target()) : std::nullopt;
    }
    const StepValues& values() const { return values_; }

private:
    using Shown = std::shared_ptr<const ShownXray>;

    /// The values of the access that the maps show, unless they have shown it before.
    void keep_moment();
    void draw_choices(const DeskState& state, Commands& commands);
    /// The GPU whose machine code is shown.
    void choose_gpu(const DeskState& state);
    /// Shows what is missing or outdated. @return  false: there is no report to show
    bool draw_status(const DeskState& state, Commands& commands);
    void make_tables(const DeskState& state, const Shown& shown, const Shown& other);
    void draw_numbers(const DeskState& state, Commands& commands);
    void make_code(const DeskState& state, const Shown& shown);
    void draw_code(const DeskState& state, Commands& commands);
    void draw_findings(const DeskState& state, Commands& commands);

    std::size_t chosen_ = 0;  ///< the contestant that is shown, and whose work-group is traced
    XrayTarget target_;
    enum class View { Numbers, Memory, Values, Code };
    View view_ = View::Numbers;
    std::string gpu_;  ///< chosen; empty: the first one whose compiler reports registers
    XrayMaps maps_;
    StepValues values_;
    std::optional<TracedAccess> shown_access_;  ///< of keep_moment()
    std::array<Shown, 2> made_of_;              ///< what the tables were made of
    std::vector<XrayTableView> tables_;
    std::string terms_, marks_;
    struct FindingView {
        Shown of;
        XrayPlace place;
        std::string head, sentence;
    };
    std::vector<FindingView> findings_;
    std::vector<std::string> remarks_;
    Shown code_made_of_;
    std::vector<XrayTableView> code_tables_;
    std::vector<std::string> code_remarks_;
};

}  // namespace kwb::gui
