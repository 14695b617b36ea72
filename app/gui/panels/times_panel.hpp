// How long it took: the table of results, and charts of their times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_export.hpp"
#include "gui/chart_widget.hpp"

namespace kwb::gui {

/// Draws into the room that is left in the current window. The tab in front is remembered in the settings as
/// tabs "times".
class TimesPanel {
public:
    /// @param exports  outlives this
    explicit TimesPanel(ChartExports& exports) : exports_(exports) {}

    void draw(const DeskState& state, Commands& commands);

    /// Of the tab in front.
    const ChartWidget& chart() const { return widgets_[static_cast<std::size_t>(tab_.value_or(Tab::Times))]; }

private:
    enum class Tab { Times, Distribution, Rounds, Speedup, Phases, Sweep, Roofline };
    static constexpr std::size_t kTabs = 7;
    struct TabText;
    static const TabText& text_of(Tab tab);

    /// What a chart was made of. Pointers, not numbers: they are kept alive by what was made, so that an
    /// equal address is the same run.
    struct Made {
        std::shared_ptr<const ShownRun> shown, compared;
        std::shared_ptr<const ShownSweep> sweep;
        std::optional<double> gflops, gbytes_s;
        friend bool operator==(const Made&, const Made&) = default;
    };

    void draw_state_of_run(const DeskState& state);
    void draw_warnings(const std::shared_ptr<const ShownRun>& run);
    void draw_tabs(const DeskState& state, Commands& commands);
    void draw_sweep_controls(const DeskState& state, Commands& commands);
    void draw_roofline_controls(const DeskState& state, Commands& commands);
    void draw_chart(const DeskState& state, Commands& commands);
    void fit_to_subject(const DeskState& state);
    plot::Chart make_chart(const DeskState& state) const;

    ChartExports& exports_;
    std::optional<Tab> tab_;
    ChartWidget widgets_[kTabs];
    plot::Chart chart_;
    std::optional<Tab> chart_tab_;
    Made made_;
    std::uint64_t chart_key_ = 0;
    std::string subject_;                                 ///< problem and sizes that the zooms are about
    std::array<char, 512> edges_{"64 128 256 512 1024"};  ///< of the next sweep, as typed
    std::shared_ptr<const ShownRun> warnings_of_;
    std::vector<std::string> warnings_;
};

/// Edges of a sweep as typed: whole numbers behind blanks or commas.
struct Edges {
    std::vector<std::int64_t> values;  ///< ascending, each once
    std::string problem;               ///< why they cannot be taken: a sentence; empty if they can
};
Edges read_edges(std::string_view text);

}  // namespace kwb::gui
