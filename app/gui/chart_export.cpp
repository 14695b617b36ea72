#include "gui/chart_export.hpp"

#include <cctype>
#include <utility>

#include "base/text.hpp"
#include "plot/draw.hpp"

namespace kwb::gui {
namespace {

/// PNG files are for slides: twice the pixels of the screen at scale 1.
constexpr float kPngScale = 2;

}  // namespace

std::string extension(PictureForm form) {
    return form == PictureForm::Svg ? ".svg" : ".png";
}

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

void ChartExports::ask(ChartPicture picture, PictureForm form, std::string_view name, Commands& commands) {
    waiting_ = Waiting{std::move(picture), form};
    commands.push_back(command::OpenDialog{
        FolderListing::Purpose::ExportFile, file_name_of(name) + extension(form), {extension(form)}});
}

bool ChartExports::is_for(const FolderListing& dialog) const {
    return waiting_ && dialog.purpose == FolderListing::Purpose::ExportFile &&
           dialog.extensions == std::vector<std::string>{extension(waiting_->form)};
}

void ChartExports::finish(std::filesystem::path path, Commands& commands) {
    if (!waiting_) return;
    const Waiting wanted = *std::exchange(waiting_, std::nullopt);
    const std::string ending = extension(wanted.form);
    if (to_lower(path.extension().string()) != ending) path += ending;
    std::string bytes;
    if (wanted.form == PictureForm::Svg)
        bytes = plot::render_svg(wanted.picture.chart,
                                 {wanted.picture.size, 1, wanted.picture.dark, wanted.picture.view});
    else if (painter_ != nullptr)
        bytes = painter_->png(wanted.picture, kPngScale);
    commands.push_back(command::ExportBytes{std::move(bytes), std::move(path)});
}

}  // namespace kwb::gui
