// SPDX-License-Identifier: Apache-2.0
// The fonts of the window: which files are used, how they are loaded, and the icons in them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Candidate files for each typeface in order of preference; the first one that exists is used.
struct FontFiles {
    std::vector<std::filesystem::path> regular;
    std::vector<std::filesystem::path> strong;
    std::vector<std::filesystem::path> mono;
    std::vector<std::filesystem::path> icons;
    std::vector<std::filesystem::path> signs;  ///< supplies arrows and symbols that `regular` and `mono` lack
};

/// Inter, JetBrains Mono and Font Awesome (4.7 or 7) at their Debian and Ubuntu paths, with DejaVu as a last
/// resort.
FontFiles debian_font_files();

/// Loaded fonts. The context's atlas owns them; they are valid until the next load. After a load none is
/// null.
struct Fonts {
    ImFont* body = nullptr;      ///< 14 px: controls and sentences; includes icons
    ImFont* strong = nullptr;    ///< 14 px semibold: panel headings, verdicts; includes icons
    ImFont* title = nullptr;     ///< 18 px semibold: program name, empty states; includes icons
    ImFont* lead = nullptr;      ///< 18 px: the sentence below the answer; includes icons
    ImFont* headline = nullptr;  ///< 28 px semibold: the answer; includes icons
    ImFont* small = nullptr;     ///< 12 px: chart axes, remarks; includes icons
    ImFont* mono = nullptr;      ///< 14 px, monospaced: source and numbers
    bool has_icons = false;
    std::vector<std::string> missing;  ///< typefaces replaced by a fallback, as words for a notice
};

/// Clears the current context's atlas and loads all fonts at `scale` times the sizes above. Only between
/// frames. A file that cannot be used is replaced by the next candidate, finally by ImGui's own font. The
/// renderer creates the atlas's texture.
/// @param scale  0.5 … 6: the monitor's content scale times the user's scale
Fonts load_fonts(const FontFiles& files, float scale);

/// Selects a font for the current scope.
class FontScope : Scope {
public:
    explicit FontScope(ImFont* font) { compat::push_font(font); }
    ~FontScope() { ImGui::PopFont(); }
};

inline constexpr const char* kIconPlay = "\xEF\x81\x8B";        // f04b
inline constexpr const char* kIconStop = "\xEF\x81\x8D";        // f04d
inline constexpr const char* kIconRefresh = "\xEF\x80\xA1";     // f021
inline constexpr const char* kIconFolderOpen = "\xEF\x81\xBC";  // f07c
inline constexpr const char* kIconFile = "\xEF\x85\x9B";        // f15b
inline constexpr const char* kIconSave = "\xEF\x83\x87";        // f0c7
inline constexpr const char* kIconExport = "\xEF\x80\x99";      // f019
inline constexpr const char* kIconCheck = "\xEF\x80\x8C";       // f00c
inline constexpr const char* kIconCross = "\xEF\x80\x8D";       // f00d
inline constexpr const char* kIconWarning = "\xEF\x81\xB1";     // f071
inline constexpr const char* kIconInfo = "\xEF\x81\x9A";        // f05a
inline constexpr const char* kIconQuestion = "\xEF\x81\x99";    // f059
inline constexpr const char* kIconGood = "\xEF\x81\x98";        // f058
inline constexpr const char* kIconBad = "\xEF\x81\x97";         // f057
inline constexpr const char* kIconForbidden = "\xEF\x81\x9E";   // f05e
inline constexpr const char* kIconChip = "\xEF\x8B\x9B";        // f2db
inline constexpr const char* kIconCode = "\xEF\x84\xA1";        // f121
inline constexpr const char* kIconBars = "\xEF\x82\x80";        // f080
inline constexpr const char* kIconLines = "\xEF\x88\x81";       // f201
inline constexpr const char* kIconGrid = "\xEF\x80\x8A";        // f00a
inline constexpr const char* kIconColumns = "\xEF\x83\x9B";     // f0db
inline constexpr const char* kIconHistory = "\xEF\x87\x9A";     // f1da
inline constexpr const char* kIconClock = "\xEF\x80\x97";       // f017
inline constexpr const char* kIconSun = "\xEF\x86\x85";         // f185
inline constexpr const char* kIconMoon = "\xEF\x86\x86";        // f186
inline constexpr const char* kIconSearch = "\xEF\x80\x82";      // f002
inline constexpr const char* kIconFilter = "\xEF\x82\xB0";      // f0b0
inline constexpr const char* kIconPlus = "\xEF\x81\xA7";        // f067
inline constexpr const char* kIconMinus = "\xEF\x81\xA8";       // f068
inline constexpr const char* kIconTrash = "\xEF\x87\xB8";       // f1f8
inline constexpr const char* kIconKeyboard = "\xEF\x84\x9C";    // f11c
inline constexpr const char* kIconBolt = "\xEF\x83\xA7";        // f0e7
inline constexpr const char* kIconEye = "\xEF\x81\xAE";         // f06e
inline constexpr const char* kIconMore = "\xEF\x85\x81";        // f141
inline constexpr const char* kIconPin = "\xEF\x82\x8D";         // f08d
inline constexpr const char* kIconFlag = "\xEF\x80\xA4";        // f024
inline constexpr const char* kIconUp = "\xEF\x81\xA2";          // f062
inline constexpr const char* kIconDown = "\xEF\x81\xA3";        // f063

/// All code points above, as ranges for the font atlas. Loading the whole block would make the atlas four
/// times as large.
inline constexpr unsigned kIconCodePoints[] = {
    0xf002, 0xf00a, 0xf00c, 0xf00d, 0xf017, 0xf019, 0xf021, 0xf024, 0xf04b, 0xf04d, 0xf057, 0xf058, 0xf059,
    0xf05a, 0xf05e, 0xf062, 0xf063, 0xf067, 0xf068, 0xf06e, 0xf071, 0xf07c, 0xf080, 0xf08d, 0xf0b0, 0xf0c7,
    0xf0db, 0xf0e7, 0xf11c, 0xf121, 0xf141, 0xf15b, 0xf185, 0xf186, 0xf1da, 0xf1f8, 0xf201, 0xf2db};

/// "<icon>  label", or only the label if there is no icon font (uses look() of the current context).
std::string with_icon(const char* icon, std::string_view label);

}  // namespace kwb::gui
