// SPDX-License-Identifier: Apache-2.0
// Pictures: textures and charts rendered to PNG, for which an OpenGL 3 context must be current; the icon; the
// clipboard.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gui/chart_widget.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

/// Creates the texture of each picture on first use, and keeps it while frames keep using it.
class GlTextures : Scope {
public:
    ~GlTextures();

    ImTextureID texture(const plot::Image& image);

    /// Call before each frame; deletes textures that the last frames did not use.
    void begin_frame();

private:
    struct Kept {
        unsigned name = 0;
        unsigned long last_used = 0;
    };
    std::map<std::uint64_t, Kept> kept_;  ///< by picture key
    unsigned long frame_ = 0;
};

/// Renders a chart for slides: two pixels per screen pixel at scale 1. Callable within an ImGui frame or
/// between two. Takes about as long as loading the fonts, because glyphs are rasterized for that scale.
/// @return  the bytes of a PNG file; empty if rendering failed
std::string paint_png(const ChartPicture& picture);

/// The pixels of the current framebuffer, rows from top to bottom.
std::vector<plot::Color> read_pixels(int columns, int rows);

/// The window's icon for task bars: a grid of work-groups, one of them highlighted, on a rounded square.
/// @param size  width and height in pixels, at least 16
/// @return  size x size pixels, RGBA, rows from top to bottom
std::vector<unsigned char> window_icon(int size);

/// Pictures in the desktop's clipboard, of which GLFW supports only text. picture_clipboard.cpp
/// Owns the clipboard of an X server (also Xwayland's) with its own window, and gives the picture to programs
/// that paste it, on its own thread. A copied picture is lost with this object, because X keeps no contents.
/// Source: X Consortium, Inter-Client Communication Conventions Manual 2.0, chapter 2.
class PictureClipboard {
public:
    /// Connects to the display that $DISPLAY names.
    PictureClipboard();
    PictureClipboard(const PictureClipboard&) = delete;
    PictureClipboard& operator=(const PictureClipboard&) = delete;
    ~PictureClipboard();

    /// Replaces what is in the clipboard.
    /// @param png  the bytes of a PNG file
    /// @return  why that failed, a sentence; empty if it did not
    std::string offer(std::string png);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kwb::gui
