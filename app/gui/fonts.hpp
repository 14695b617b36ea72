// The typefaces of the window: which files, and what is made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Candidates for each typeface, best first; the first that exists is taken.
struct FontFiles {
    std::vector<std::filesystem::path> regular;
    std::vector<std::filesystem::path> strong;
    std::vector<std::filesystem::path> mono;
    std::vector<std::filesystem::path> icons;
    std::vector<std::filesystem::path>
        signs;  ///< fills what `regular` and `mono` lack of arrows and the like
};

/// Inter, JetBrains Mono and Font Awesome (4.7 or 7) where Debian and Ubuntu put them, DejaVu behind them.
FontFiles debian_font_files();

/// Loaded fonts; owned by the context's atlas, valid until the next load. None is null after a load.
struct Fonts {
    ImFont* body = nullptr;    ///< 15 px: controls and sentences; with icons
    ImFont* strong = nullptr;  ///< 15 px semibold: headings of panels, verdicts; with icons
    ImFont* title = nullptr;   ///< 20 px semibold: the name of the program, empty states; with icons
    ImFont* small = nullptr;   ///< 13 px: axes of charts, remarks; with icons
    ImFont* mono = nullptr;    ///< 14 px, every character as wide as the others: source and numbers
    bool has_icons = false;
    std::vector<std::string> missing;  ///< typefaces that a fallback stands for, in words for a notice
};

/// Throw away what the current context's atlas holds and load everything anew, for `scale` times the sizes
/// above. Between frames only. A file that cannot be used falls back to the next one, at last to ImGui's own
/// font. The atlas's picture is made by whoever draws it.
/// @param scale  0.5 … 6: content scale of the monitor times the scale that the person chose
Fonts load_fonts(const FontFiles& files, float scale);

/// Uses a font for a scope.
class FontScope {
public:
    explicit FontScope(ImFont* font) { compat::push_font(font); }
    FontScope(const FontScope&) = delete;
    FontScope& operator=(const FontScope&) = delete;
    ~FontScope() { ImGui::PopFont(); }
};

}  // namespace kwb::gui
