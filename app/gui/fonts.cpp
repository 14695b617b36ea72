// SPDX-License-Identifier: Apache-2.0
#include "gui/fonts.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"

namespace kwb::gui {
namespace fs = std::filesystem;

namespace {

// Pairs of first and last code point, terminated by 0. Static, because ImGui keeps the pointer.
constexpr ImWchar kTextRanges[] = {
    0x0020, 0x017f,                                                  // Latin with diacritics
    0x0370, 0x03ff,                                                  // Greek, used in formulas and comments
    0x2010, 0x2027,                                                  // dashes, quotation marks, …
    0x2030, 0x2030, 0x2032, 0x2033, 0x2039, 0x203a, 0x2070, 0x208e,  // superscripts and subscripts
    0x2190, 0x2195, 0x21b5, 0x21b5,                                  // arrows
    0x2200, 0x2265,  // mathematical symbols: ∑ − √ ∞ ≈ ≠ ≤ ≥
    0x22c5, 0x22c5, 0x2308, 0x230b, 0x25b2, 0x25b2, 0x25b6, 0x25b6, 0x25bc,
    0x25bc, 0x25cf, 0x25cf, 0x2713, 0x2717, 0xfffd, 0xfffd, 0};
/// Additional characters found in source files: box drawing, symbols, Cyrillic. Without emoji and Chinese,
/// which none of the fonts contain.
constexpr ImWchar kSourceRanges[] = {0x0020, 0x024f, 0x0300, 0x045f, 0x1e00, 0x1fff, 0x2010, 0x205e,
                                     0x2070, 0x209c, 0x20a0, 0x20bf, 0x2100, 0x23cf, 0x2500, 0x2667,
                                     0x2713, 0x2718, 0x27e6, 0x27eb, 0xfffd, 0xfffd, 0};
/// Characters of headings and axes, with fewer accented letters.
constexpr ImWchar kShortRanges[] = {0x0020, 0x00ff, 0x0394, 0x0394, 0x03b1, 0x03c9, 0x2010, 0x2027, 0x2030,
                                    0x2030, 0x2070, 0x208e, 0x2190, 0x2195, 0x2211, 0x2212, 0x221a, 0x221e,
                                    0x2248, 0x2248, 0x2260, 0x2265, 0x22c5, 0x22c5, 0xfffd, 0xfffd, 0};
/// Symbols that some versions of Inter or JetBrains Mono lack.
constexpr ImWchar kSignRanges[] = {0x2070, 0x208e, 0x2190, 0x2195, 0x21b5, 0x21b5, 0x2200, 0x2265, 0x22c5,
                                   0x22c5, 0x2308, 0x230b, 0x25b2, 0x25b2, 0x25b6, 0x25b6, 0x25bc, 0x25bc,
                                   0x25cf, 0x25cf, 0x2713, 0x2717, 0xfffd, 0xfffd, 0};

constexpr auto kIconRanges = [] {
    std::array<ImWchar, 2 * std::size(kIconCodePoints) + 1> ranges{};
    for (std::size_t i = 0; i < std::size(kIconCodePoints); ++i)
        ranges[2 * i] = ranges[2 * i + 1] = static_cast<ImWchar>(kIconCodePoints[i]);
    return ranges;
}();

std::uint32_t big_endian(const std::string& bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// Whether this is a font whose tables lie within the file. For other files, ImGui asserts or reads past the
/// end.
/// Source: OpenType specification, "Organization of an OpenType Font".
bool looks_like_font(const std::string& bytes) {
    constexpr std::size_t kHeader = 12, kRecord = 16;
    if (bytes.size() < kHeader) return false;
    const std::uint32_t kind = big_endian(bytes, 0, 4);
    if (kind != 0x00010000 && kind != 0x4f54544f /* OTTO */ && kind != 0x74727565 /* true */) return false;
    const std::size_t tables = big_endian(bytes, 4, 2);
    if (tables == 0 || bytes.size() < kHeader + tables * kRecord) return false;
    for (std::size_t i = 0; i < tables; ++i) {
        const std::size_t record = kHeader + i * kRecord;
        const std::uint64_t offset = big_endian(bytes, record + 8, 4);
        if (offset + big_endian(bytes, record + 12, 4) > bytes.size()) return false;
    }
    return true;
}

/// The content of the first candidate that is a font.
std::optional<std::string> read_first(const std::vector<fs::path>& candidates) {
    for (const fs::path& candidate : candidates) {
        std::error_code missing;
        if (!fs::is_regular_file(candidate, missing)) continue;
        try {
            std::string bytes = read_file(candidate);
            if (looks_like_font(bytes)) return bytes;
        } catch (const BadInput&) {  // not readable: try the next one
        }
    }
    return std::nullopt;
}

/// Loads faces into the atlas; each file is read only once.
class Loader {
public:
    Loader(const FontFiles& files, float scale)
        : scale_(scale),
          regular_(read_first(files.regular)),
          strong_(read_first(files.strong)),
          mono_(read_first(files.mono)),
          icons_(read_first(files.icons)),
          signs_(read_first(files.signs)) {}

    Fonts load() {
        Fonts fonts;
        const std::optional<std::string>& strong = strong_ ? strong_ : regular_;
        fonts.body = face(regular_, 14, kTextRanges, kTextRanges, true);
        fonts.strong = face(strong, 14, kShortRanges, kSignRanges, true);
        fonts.title = face(strong, 18, kShortRanges, kSignRanges, true);
        fonts.lead = face(regular_, 18, kShortRanges, kSignRanges, true);
        fonts.headline = face(strong, 28, kShortRanges, kSignRanges, true);
        fonts.small = face(regular_, 12, kShortRanges, kSignRanges, true);
        fonts.mono = face(mono_ ? mono_ : regular_, 14, kSourceRanges, kSourceRanges, false);
        fonts.has_icons = icons_.has_value();
        if (!regular_) fonts.missing.push_back("the font for text (package fonts-inter)");
        if (!mono_) fonts.missing.push_back("the font for source (package fonts-jetbrains-mono)");
        if (!icons_) fonts.missing.push_back("the font of icons (package fonts-font-awesome)");
        return fonts;
    }

private:
    /// @param signs  ranges that the symbol font fills in if the face lacks them
    ImFont* face(const std::optional<std::string>& bytes, float size_at_1, const ImWchar* ranges,
                 const ImWchar* signs, bool with_icons) {
        const float size = std::round(size_at_1 * scale_);
        ImFontConfig config;
        // Horizontal oversampling is only useful at small sizes, and doubles the atlas.
        config.OversampleH = size < 24 ? 2 : 1;
        config.OversampleV = 1;
        config.PixelSnapH = !with_icons;  // the mono face: every character on whole pixels
        compat::set_leaves_icons(config, true);
        ImFont* font;
        if (bytes) {
            font = add(*bytes, size, config, ranges);
            config.MergeMode = true;
            if (signs_) add(*signs_, size, config, signs);
        } else {
            config.SizePixels = size;
            font = ImGui::GetIO().Fonts->AddFontDefault(&config);
            config.MergeMode = true;
        }
        if (icons_ && with_icons) {
            compat::set_leaves_icons(config, false);
            config.GlyphMinAdvanceX = std::round(size * 1.2f);  // icons in a column are aligned
            config.GlyphOffset.y = std::round(size * 0.06f);    // icons are centred higher than letters
            add(*icons_, size, config, kIconRanges.data());
        }
        return font;
    }

    ImFont* add(const std::string& bytes, float size, const ImFontConfig& config, const ImWchar* ranges) {
        void* copy = IM_ALLOC(bytes.size());  // the atlas frees it
        std::memcpy(copy, bytes.data(), bytes.size());
        return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(copy, static_cast<int>(bytes.size()), size, &config,
                                                          ranges);
    }

    float scale_;
    std::optional<std::string> regular_, strong_, mono_, icons_, signs_;
};

}  // namespace

FontFiles debian_font_files() {
    const fs::path fonts = "/usr/share/fonts";
    const fs::path dejavu = fonts / "truetype/dejavu";
    const fs::path mono = fonts / "truetype/jetbrains-mono";
    return {
        .regular = {fonts / "opentype/inter/Inter-Regular.otf", fonts / "truetype/inter/Inter-Regular.ttf",
                    dejavu / "DejaVuSans.ttf"},
        .strong = {fonts / "opentype/inter/Inter-SemiBold.otf", fonts / "truetype/inter/Inter-SemiBold.ttf",
                   dejavu / "DejaVuSans-Bold.ttf"},
        .mono = {mono / "JetBrainsMono-Regular.ttf", mono / "JetBrainsMono-Regular.otf",
                 dejavu / "DejaVuSansMono.ttf"},
        .icons = {fonts / "truetype/font-awesome/fontawesome-webfont.ttf",
                  fonts / "truetype/font-awesome/fa-solid-900.ttf",
                  "/usr/share/fonts-font-awesome/fonts/fontawesome-webfont.ttf",
                  "/usr/share/fonts-font-awesome/webfonts/fa-solid-900.ttf"},
        .signs = {dejavu / "DejaVuSans.ttf", dejavu / "DejaVuSansMono.ttf"},
    };
}

Fonts load_fonts(const FontFiles& files, float scale) {
    expects(scale >= 0.5f && scale <= 6, "load_fonts: scale out of range");
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    if (scale > 1.5f) compat::set_atlas_width(atlas, 2048);  // otherwise too tall for some drivers
    Fonts fonts = Loader(files, scale).load();
    ImGui::GetIO().FontDefault = fonts.body;
    return fonts;
}

}  // namespace kwb::gui
