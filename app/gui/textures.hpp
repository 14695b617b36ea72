// Pictures made of cells as textures.
#pragma once

#include "gui/imgui_compat.hpp"
#include "plot/canvas.hpp"

namespace kwb::gui {

class Textures {
public:
    virtual ~Textures() = default;

    /// The texture of a picture, made when it is first asked for and kept while frames ask for it; valid for
    /// this frame. Its cells have sharp borders.
    virtual ImTextureID texture(const plot::Image& image) = 0;
};

}  // namespace kwb::gui
