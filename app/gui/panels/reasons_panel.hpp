// SPDX-License-Identifier: Apache-2.0
// Why the answer of the shown run is what it is: the bars of the experiments, and all reasons with links to
// their evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_widget.hpp"
#include "model/reason.hpp"
#include "report/answer.hpp"

namespace kwb::gui {

/// The answer and the reasons of the shown run, found and worded when it changes.
class RunReasons {
public:
    struct Item {
        Reason reason;
        std::string words;
        std::string evidence;
    };
    /// Evidence that a click asks for.
    struct Proof {
        Reason reason;
        bool wants_map = false;  ///< of its buffer, instead
    };

    /// Call in each frame.
    void follow(const DeskState& state);

    const Answer& answer() const { return answer_; }
    /// What the reasons are about: without the CPU's library, so not always the headline's answer.
    const Answer& explained() const { return explained_; }
    /// Of the two kernels of explained(): measured, then counted, then computed.
    const std::vector<Item>& items() const { return items_; }
    /// The line below the headline; empty if there is none.
    const std::string& line() const { return line_; }
    /// Indices of items, the first of each basis: the evidence for the line.
    const std::vector<std::size_t>& chips() const { return chips_; }

    std::optional<Proof> asked;               ///< in this frame
    std::optional<std::size_t> asked_race;    ///< in this frame: of this result, step by step
    std::optional<std::size_t> asked_wrong;   ///< in this frame: the steps to this result's wrong element
    std::optional<std::size_t> asked_errors;  ///< in this frame: of this result, in Correctness

private:
    std::shared_ptr<const ShownRun> of_;
    std::uint64_t cache_bytes_ = 0;
    Answer answer_, explained_;
    std::vector<Item> items_;
    std::string line_;
    std::vector<std::size_t> chips_;
};

/// Whether experiments can add something to the answer, and nobody has asked for them.
bool can_ask_why(const DeskState& state, const Answer& answer);

/// The button that asks for them.
constexpr const char* kWhy = "Why?";
void draw_why(const std::string& id, Commands& commands);

/// Of the small buttons of evidence.
class ChipStyle : Scope {
public:
    ChipStyle() : font_(fonts().small) {
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(tokens().gap_small, tokens().hair / 2));
    }
    ~ChipStyle() { ImGui::PopStyleVar(); }

private:
    FontScope font_;
};

/// A small button for the evidence of a reason.
/// @param is_short  only its basis: "measured"
void draw_evidence(const std::string& id, const RunReasons::Item& item, bool is_short, RunReasons& reasons);
float evidence_width(const RunReasons::Item& item, bool is_short);

/// Draws into the remaining space of the current window, and scrolls there.
class ReasonsPanel {
public:
    /// @param exports, hovered, reasons  must outlive this object
    ReasonsPanel(ChartExports& exports, Hovered& hovered, RunReasons& reasons)
        : exports_(exports), hovered_(hovered), reasons_(reasons) {}

    void draw(const DeskState& state, Commands& commands);

    /// Points at the bars of the experiment of a measured reason.
    void point_at(const Reason& reason);

    const ChartWidget& chart() const { return widget_; }

private:
    void draw_tools(const DeskState& state, Commands& commands);
    void draw_card_menu(Commands& commands);
    void make(const DeskState& state);
    void draw_list(const DeskState& state);

    ChartExports& exports_;
    Hovered& hovered_;
    RunReasons& reasons_;
    ChartWidget widget_;
    std::shared_ptr<const ShownRun> made_of_;
    plot::Chart chart_;
    std::uint64_t chart_key_ = 0;
    std::vector<std::string> remarks_;  ///< what was not measured, and why
    std::optional<Reason> pointed_;
};

}  // namespace kwb::gui
