// SPDX-License-Identifier: Apache-2.0
#include "gui/gl_pictures.hpp"

// Includes OpenGL 1.1, as in the window.
#include <GLFW/glfw3.h>
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "gui/draw_list_canvas.hpp"
#include "plot/draw.hpp"
#include "plot/png.hpp"

namespace kwb::gui {
namespace {

/// Keep textures for some frames, so that switching back to a tab does not recreate them.
constexpr unsigned long kKeptFrames = 120;
constexpr int kClampToEdge = 0x812F;  // GL_CLAMP_TO_EDGE of OpenGL 1.2, which old headers lack

}  // namespace

GlTextures::~GlTextures() {
    for (const auto& [key, kept] : kept_) glDeleteTextures(1, &kept.name);
}

void GlTextures::begin_frame() {
    ++frame_;
    std::erase_if(kept_, [this](const auto& entry) {
        if (frame_ - entry.second.last_used <= kKeptFrames) return false;
        glDeleteTextures(1, &entry.second.name);
        return true;
    });
}

ImTextureID GlTextures::texture(const plot::Image& image) {
    Kept& kept = kept_[image.key];
    kept.last_used = frame_;
    if (kept.name == 0) {
        const std::vector<plot::Color> pixels = image.pixels();
        expects(
            pixels.size() == static_cast<std::size_t>(image.columns) * static_cast<std::size_t>(image.rows),
            "texture: as many pixels as columns times rows");
        static_assert(sizeof(plot::Color) == 4);
        int bound = 0;
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        glGenTextures(1, &kept.name);
        glBindTexture(GL_TEXTURE_2D, kept.name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, kClampToEdge);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, kClampToEdge);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, image.columns, image.rows, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels.data());
        glBindTexture(GL_TEXTURE_2D, static_cast<unsigned>(bound));
    }
    return compat::texture_id(kept.name);
}

namespace {

// Framebuffer objects are OpenGL 3.0, which the headers do not guarantee, so load the functions by name.
constexpr GLenum kFramebuffer = 0x8D40, kColorAttachment = 0x8CE0, kComplete = 0x8CD5;
constexpr GLenum kFramebufferBinding = 0x8CA6;

struct FramebufferCalls {
    void (*generate)(GLsizei, GLuint*);
    void (*bind)(GLenum, GLuint);
    void (*attach)(GLenum, GLenum, GLenum, GLuint, GLint);
    GLenum (*check)(GLenum);
    void (*remove)(GLsizei, const GLuint*);

    FramebufferCalls() {
        load(generate, "glGenFramebuffers");
        load(bind, "glBindFramebuffer");
        load(attach, "glFramebufferTexture2D");
        load(check, "glCheckFramebufferStatus");
        load(remove, "glDeleteFramebuffers");
    }
    bool all() const { return generate && bind && attach && check && remove; }

private:
    template <class Call>
    static void load(Call& call, const char* name) {
        call = reinterpret_cast<Call>(glfwGetProcAddress(name));
    }
};

}  // namespace

std::vector<plot::Color> read_pixels(int columns, int rows) {
    std::vector<plot::Color> pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, columns, rows, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    // OpenGL's rows go from bottom to top.
    for (int top = 0, below = rows - 1; top < below; ++top, --below)
        std::swap_ranges(pixels.begin() + top * columns, pixels.begin() + (top + 1) * columns,
                         pixels.begin() + below * columns);
    return pixels;
}

std::string paint_png(const ChartPicture& picture) {
    constexpr float kScale = 2, kMostSide = 8192;
    const FramebufferCalls calls;
    if (!calls.all()) return "";
    const float width = std::clamp(std::round(picture.size.width * kScale), 1.0f, kMostSide);
    const float height = std::clamp(std::round(picture.size.height * kScale), 1.0f, kMostSide);
    const int columns = static_cast<int>(width), rows = static_cast<int>(height);
    const plot::Theme& theme = picture.dark ? plot::dark_theme() : plot::light_theme();

    // A separate context, with fonts of that scale.
    ImGuiContext* const context_before = ImGui::GetCurrentContext();
    const AtExit restore([&] { ImGui::SetCurrentContext(context_before); });
    Look look({.content_scale = kScale});
    ImGui_ImplOpenGL3_Init("#version 130");
    const AtExit shut_down([] { ImGui_ImplOpenGL3_Shutdown(); });
    GlTextures textures;
    look.texture_of = [&](const plot::Image& image) { return textures.texture(image); };
    install_key_map();  // there is no input, but ImGui asserts that the map is set
    ImGui::GetIO().DisplaySize = {width, height};
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    DrawListCanvas canvas(*ImGui::GetBackgroundDrawList(), {0, 0});
    const plot::Rect all = {0, 0, width, height};
    canvas.fill_rect(all, theme.panel, 0);
    plot::draw(picture.chart, plot::lay_out(picture.chart, picture.view, {all, kScale}, canvas), theme,
               canvas);
    ImGui::Render();

    // A texture as render target.
    int target_before = 0, texture_before = 0, viewport[4] = {};
    glGetIntegerv(kFramebufferBinding, &target_before);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture_before);
    glGetIntegerv(GL_VIEWPORT, viewport);
    GLuint target = 0, texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture_before));
    calls.generate(1, &target);
    calls.bind(kFramebuffer, target);
    calls.attach(kFramebuffer, kColorAttachment, GL_TEXTURE_2D, texture, 0);
    const AtExit restore_target([&] {
        calls.bind(kFramebuffer, static_cast<GLuint>(target_before));
        calls.remove(1, &target);
        glDeleteTextures(1, &texture);
        glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    });
    if (calls.check(kFramebuffer) != kComplete) return "";
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    std::vector<plot::Color> pixels = read_pixels(columns, rows);
    for (plot::Color& color : pixels) color.a = 255;  // OpenGL's alpha has no meaning here
    return plot::encode_png(pixels, columns, rows);
}

namespace {

/// Signed distance to a rounded square around (cx, cy), negative inside; lengths are fractions of the
/// picture.
double outside(double x, double y, double cx, double cy, double half, double radius) {
    const double dx = std::max(std::abs(x - cx) - half + radius, 0.0);
    const double dy = std::max(std::abs(y - cy) - half + radius, 0.0);
    return std::hypot(dx, dy) - radius;
}

}  // namespace

std::vector<unsigned char> window_icon(int size) {
    expects(size >= 16, "window_icon: at least 16 pixels a side");
    const auto side = static_cast<std::size_t>(size);
    std::vector<unsigned char> pixels(side * side * 4);
    const auto covered = [&](double distance) { return std::clamp(0.5 - distance * size, 0.0, 1.0); };
    const auto blend = [](unsigned char* pixel, std::uint32_t rgb, double share) {
        for (int channel = 0; channel < 3; ++channel) {
            const double over = rgb >> (16 - 8 * channel) & 0xff;
            pixel[channel] =
                static_cast<unsigned char>(std::lround(pixel[channel] * (1 - share) + over * share));
        }
        pixel[3] = static_cast<unsigned char>(std::lround(pixel[3] * (1 - share) + 255 * share));
    };
    for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t column = 0; column < side; ++column) {
            unsigned char* pixel = &pixels[(row * side + column) * 4];
            const double x = (static_cast<double>(column) + 0.5) / size;
            const double y = (static_cast<double>(row) + 0.5) / size;
            const double ground = covered(outside(x, y, 0.5, 0.5, 0.48, 0.2));
            blend(pixel, 0x1d3f86, 1);
            for (int cell = 0; cell < 9; ++cell) {
                const double cx = 0.26 + 0.24 * (cell % 3), cy = 0.26 + 0.24 * (cell / 3);
                blend(pixel, cell == 4 ? 0xf5c063 : 0x8ab4ff, covered(outside(x, y, cx, cy, 0.095, 0.03)));
            }
            pixel[3] = static_cast<unsigned char>(std::lround(255 * ground));
        }
    }
    return pixels;
}

}  // namespace kwb::gui
