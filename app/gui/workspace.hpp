// SPDX-License-Identifier: Apache-2.0
// The complete window: all panels of one desk, dialogs, notices, and global shortcuts.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "desk/desk.hpp"
#include "gui/arrangement.hpp"
#include "gui/dialogs/file_dialog.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/profile_dialog.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/panels/correctness_panel.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/panels/history_panel.hpp"
#include "gui/panels/learn_panel.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/panels/source_panel.hpp"
#include "gui/panels/times_panel.hpp"
#include "gui/panels/tune_panel.hpp"
#include "gui/panels/xray_panel.hpp"
#include "gui/shell.hpp"

namespace kwb::gui {

struct WorkspaceOptions {
    std::function<void()> toggle_full_screen = {};  ///< provided by the window; empty if there is none
    PaintPng paint = {};                            ///< empty: charts can only be saved as SVG
    CopyPng copy = {};                              ///< empty: charts are not copied as pictures
    std::function<void()> wake = {};                ///< requests another frame; may be empty
    WallClock now = std::chrono::system_clock::now;
    bool follows_saved_look = true;  ///< take theme and scale from the settings; false: keep them as they are
};

/// Reads the desk's state while a frame is drawn, and sends the user's commands afterwards.
///
/// Stored in the settings: splits "columns/<name of the area left of the bar>", "rows/<name of the area below
/// the bar>"; tabs "area/<name>"; switches "panel/<name>" (false: hidden), "panel/experiment/lesson"; places
/// by place_key().
class Workspace : public Shell {
public:
    /// @param desk  must outlive this object
    explicit Workspace(Desk& desk, WorkspaceOptions options = {});

    void open_files(const std::vector<std::filesystem::path>& files) override;
    bool timing_runs() const override;
    std::optional<std::chrono::steady_clock::time_point> due() const override { return desk_.due(); }
    bool may_close() override { return unsaved_.may_close(state()); }
    bool wants_to_end() const override { return Shell::wants_to_end() || unsaved_.wants_to_close(); }

    /// Shows a panel, in front of those that share its area, and gives it keyboard focus.
    void focus(Panel panel);

protected:
    void begin_frame() override;
    void end_frame() override;
    void handle_keys() override;
    void draw_body() override;
    void draw_overlays() override;
    void draw_tools(float room) override;
    float tools_width() const override;
    std::string status() const override;

private:
    // workspace.cpp
    const DeskState& state() const { return desk_.state(); }
    void change_settings(std::function<void(Settings&)> change) {
        commands_.push_back(command::ChangeSettings{std::move(change)});
    }
    void remember_front(const Area& area, Panel panel);
    void follow_settings();
    void remember_look();
    void run();
    void show_relevant_panel();
    void show_proof();
    void show_race();
    void show_wrong();
    void show_step();
    void observe_shown();
    void sort_commands();
    /// Whether a key is pressed whose action uses the values of fields.
    static bool acts_on_typed();
    void handle_kernel_keys();
    /// Keys of the lesson that is open.
    void handle_lesson_keys();
    void save_front(bool under_another_name);
    std::string switch_of(Panel panel) const;
    bool is_shown(Panel panel) const;
    void show(Panel panel, bool shown);
    void bring_to_front(Panel panel);
    /// In each area of the presentation, what was brought to the front last.
    void keep_fronts();
    void step_focus(int by);
    /// Begin or end the presenter mode.
    void present(bool on);

    // workspace_body.cpp
    double share_of(const std::string& split, const SplitterOptions& options) const;
    void draw_split(const std::string& split, const ImRect& rect, const SplitterOptions& options);
    void draw_columns(const ImRect& room);
    void draw_column(const std::vector<Area>& column, const ImRect& room);
    void draw_area(const Area& area, const ImRect& rect);
    void draw_tabs(const Area& area);
    Panel front_of(const Area& area) const;
    void draw_panel(Panel panel);

    // workspace_layout.cpp
    struct AreaOnScreen {
        std::string_view name;
        ImRect rect;
    };
    std::vector<Area> areas() const;
    const Area* area_with(Panel panel) const;
    void move_panel(Panel panel, const Area& to);
    void take_hold(Panel panel, const ImRect& rect);
    void drag_panel();
    void draw_move_menu();
    void draw_layouts_menu(ImVec2 right_top);
    void draw_places();
    void draw_save_layout();

    // workspace_body.cpp: the heading bar
    static std::vector<float> button_widths(float room);
    void draw_presenter_tools(float room);
    void draw_view_menu(ImVec2 right_top);
    void draw_file_menu(ImVec2 right_top);

    Desk& desk_;
    WorkspaceOptions options_;
    Commands commands_;
    std::vector<std::filesystem::path> dropped_;
    bool follows_settings_ = true;  ///< in the next frame
    NamedList<double> shares_;      ///< of splits while they are dragged
    Arrangement arrangement_;
    ImVec2 body_size_{};                   ///< of the panels together, pixels at scale 1
    std::vector<AreaOnScreen> on_screen_;  ///< in this frame
    std::optional<Panel> held_;            ///< its tab or title was pressed, and the button is still down
    std::optional<Panel> opens_move_menu_of_;
    Panel move_menu_of_ = Panel::Experiment;
    bool opens_layouts_ = false;
    std::string layout_name_;  ///< as typed
    bool presents_ = false;
    bool has_file_button_ = true;              ///< false: its items are in the menu View
    float scale_before_ = 1;                   ///< while presenting: the user's own
    std::vector<Panel> brought_;               ///< to the front, the last one first
    std::optional<std::vector<Panel>> keeps_;  ///< when a presentation begins: what was in front
    std::uint64_t revealed_ = 0;    ///< number of the last DeskState::revealed that was brought to the front
    bool runs_next_ = false;        ///< as soon as the desk has received the typed values
    std::optional<Panel> focused_;  ///< the panel requested last
    std::optional<Panel> wants_keyboard_;
    XrayTarget xray_target_;                   ///< as the desk knows it
    std::optional<StepsTarget> steps_target_;  ///< the same
    std::optional<std::size_t> tune_target_;   ///< the same
    std::array<bool, kPanels> drawn_{};        ///< panels drawn in the last frame, indexed by Panel

    PendingSave pending_;
    ChartExports exports_;
    Hovered hovered_;
    ExperimentPanel experiment_;
    SourcePanel source_;
    TimesPanel times_;
    RunReasons found_;
    ReasonsPanel reasons_;
    CorrectnessPanel correctness_;
    HistoryPanel history_;
    XrayPanel xray_;
    TunePanel tune_;
    LearnPanel learn_;
    FileDialog files_;
    KeysDialog keys_;
    ProfileDialog profile_;
    UnsavedQuestion unsaved_;
};

}  // namespace kwb::gui
