#include "gui/panels/ceilings_controls.hpp"

#include "base/text.hpp"
#include "gui/banner.hpp"
#include "gui/widgets.hpp"
#include "plot/numbers.hpp"

namespace kwb::gui {

void draw_ceilings_controls(const DeskState& state, Commands& commands) {
    const bool known = state.ceilings && (state.ceilings->gflops || state.ceilings->gbytes_s);
    const std::string label = known ? "Measure again" : "Measure ceilings";
    std::string obstacle;
    if (state.is_running()) obstacle = "Something is running; stop it, or wait for its end.";
    if (state.device == nullptr) obstacle = "No device has been found to measure.";
    const std::string hint =
        obstacle.empty() ? "Two small kernels find out how fast the device computes and moves data at best: "
                           "some ten seconds"
                         : obstacle;
    if (button("times/ceilings/measure", label,
               {.icon = kIconBolt,
                .kind = known || state.measuring_ceilings ? ButtonKind::Normal : ButtonKind::Primary,
                .enabled = obstacle.empty(),
                .tooltip = hint}))
        commands.push_back(command::MeasureCeilings{});
    std::string words = "The ceilings of this device have not been measured yet.";
    if (known) {
        std::vector<std::string> parts;
        if (state.ceilings->gflops)
            parts.push_back(plot::format_number(state.ceilings->gflops->value) + " GFLOP/s");
        if (state.ceilings->gbytes_s)
            parts.push_back(plot::format_number(state.ceilings->gbytes_s->value) + " GB/s");
        words = "At best " + enumerate(parts) + ", measured on this device";
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    if (state.measuring_ceilings)
        text("times/ceilings/state", "Measuring the device's ceilings: some ten seconds\u2026",
             {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    else
        text("times/ceilings/state", words, {.tone = Tone::Muted, .shortens = true});
    if (!state.ceilings_error.empty())
        notice("times/ceilings/error", Tone::Danger, kIconWarning, "The ceilings could not be measured",
               state.ceilings_error);
}

}  // namespace kwb::gui
