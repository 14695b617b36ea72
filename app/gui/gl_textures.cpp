#include "gui/gl_textures.hpp"

// Brings OpenGL 1.1, as the window does.
#include <GLFW/glfw3.h>

#include <vector>

#include "base/error.hpp"

namespace kwb::gui {
namespace {

/// A tab that is left and come back to soon finds its pictures again.
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

}  // namespace kwb::gui
