#include "gui/chart_export.hpp"

#include <cctype>
#include <utility>

#include "plot/draw.hpp"

namespace kwb::gui {
namespace {

/// PNG files are for slides: two pixels per screen pixel at scale 1.
constexpr float kPngScale = 2;

}  // namespace

std::string file_name_of(std::string_view text) {
    std::string name;
    for (const char character : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(character)) != 0;
        if (plain)
            name += character;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "chart" : name;
}

void ChartExports::ask(const ChartPicture& picture, PictureForm form, std::string_view name,
                       Commands& commands) {
    std::string bytes;
    if (form == PictureForm::Svg)
        bytes = plot::render_svg(picture.chart, {picture.size, picture.dark, picture.view});
    else if (painter_ != nullptr)
        bytes = painter_->png(picture, kPngScale);
    pending_.ask_bytes(std::move(bytes), form == PictureForm::Svg ? ".svg" : ".png", file_name_of(name),
                       commands);
}

}  // namespace kwb::gui
