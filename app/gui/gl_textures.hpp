// Textures of OpenGL; a context must be current whenever one of these is used.
#pragma once

#include <cstdint>
#include <map>

#include "gui/textures.hpp"

namespace kwb::gui {

class GlTextures : public Textures {
public:
    GlTextures() = default;
    GlTextures(const GlTextures&) = delete;
    GlTextures& operator=(const GlTextures&) = delete;
    ~GlTextures() override;

    ImTextureID texture(const plot::Image& image) override;

    /// Before each frame: those that the last frames did not ask for are given back.
    void begin_frame();

    std::size_t count() const { return kept_.size(); }

private:
    struct Kept {
        unsigned name = 0;
        unsigned long last_used = 0;
    };
    std::map<std::uint64_t, Kept> kept_;  ///< by the picture's key
    unsigned long frame_ = 0;
};

}  // namespace kwb::gui
