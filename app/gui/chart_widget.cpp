// SPDX-License-Identifier: Apache-2.0
#include "gui/chart_widget.hpp"
#include "gui/tooltip.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/fields.hpp"
#include "plot/table.hpp"

namespace kwb::gui {
namespace {

constexpr double kZoomStep = 1.2;
constexpr float kPanShare = 0.1f;      // fraction of the plot per press of an arrow key
constexpr float kLeastChartSide = 24;  // in pixels at scale 1; nothing is drawn below it

constexpr const char* kLog = "Log";

bool lies_on(const plot::ChartLayout& layout, const plot::Rect& rect) {
    if (layout.plot.overlaps(rect)) return true;
    for (const plot::PlacedText& text : layout.texts)
        if (text.box.overlaps(rect)) return true;
    return std::any_of(layout.legend.begin(), layout.legend.end(),
                       [&](const plot::LegendEntry& entry) { return entry.rect.overlaps(rect); });
}

/// The colour slot of the kernel whose mark or legend entry is at this position.
std::optional<std::size_t> slot_at(const plot::Chart& chart, const plot::ChartLayout& layout,
                                   const std::optional<plot::Hover>& found, plot::Point at) {
    if (const plot::LegendEntry* entry = plot::find_legend_entry(layout, at))
        return entry->color_slot == plot::kNeutralSlot ? std::nullopt : std::optional(entry->color_slot);
    if (!found || found->series >= chart.series.size()) return {};
    const plot::Series& series = chart.series[found->series];
    if (std::holds_alternative<plot::Rule>(series.data)) return {};
    return series.color_slot;
}

void tell(const std::string& id, const std::vector<std::string>& lines) {
    const auto font_of = [](std::size_t line) { return line == 0 ? fonts().strong : fonts().body; };
    ImVec2 content = {0, 0};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FontScope font(font_of(i));
        const ImVec2 line = ImGui::CalcTextSize(lines[i].c_str());
        content.x = std::max(content.x, line.x);
        content.y += line.y + (i > 0 ? ImGui::GetStyle().ItemSpacing.y : 0);
    }
    const Tooltip box(explained_part(), content);
    for (std::size_t i = 0; i < lines.size(); ++i)
        text(id + "/tooltip/" + std::to_string(i), lines[i],
             {.tone = i == 0 ? Tone::Normal : Tone::Muted, .font = font_of(i)});
}

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
    const bool svg = form == PictureForm::Svg;
    expects(svg || can_paint(), "ChartExports: PNG is not supported here");
    pending_->ask_bytes(
        svg ? plot::render_svg(picture.chart, {picture.size, picture.dark, picture.view}) : paint_(picture),
        svg ? ".svg" : ".png", file_name_of(name), commands);
}

void ChartExports::copy(const ChartPicture& picture, Commands& commands) {
    expects(can_copy(), "ChartExports: copying is not supported here");
    std::string png = paint_(picture);
    const std::string flaw = png.empty() ? "The picture could not be drawn." : copy_(std::move(png));
    if (!flaw.empty()) commands.push_back(command::Tell{flaw});
}

void ChartWidget::lay_out(const plot::Chart& chart, std::uint64_t chart_key, bool notes, float corner_px,
                          const plot::Canvas& canvas) {
    const LaidOut wanted = {chart_key, {{0, 0, size_.x, size_.y}, look().pixels(), notes}, view_};
    if (laid_out_ == wanted) return;
    layout_ = plot::lay_out(chart, view_, wanted.frame, canvas);
    // Move the chart down if the controls in the corner would cover part of it.
    const float height = ImGui::GetFrameHeight();
    if (lies_on(layout_, {size_.x - corner_px, 0, corner_px, height})) {
        plot::Frame lower = wanted.frame;
        lower.rect.y = height;
        lower.rect.height = std::max(1.0f, size_.y - height);
        layout_ = plot::lay_out(chart, view_, lower, canvas);
    }
    laid_out_ = wanted;
    ++layouts_made_;
}

void ChartWidget::act_on_pointer(plot::Point at, bool hovered, bool held, bool clicked) {
    const ImGuiIO& io = ImGui::GetIO();
    const plot::LegendEntry* entry = hovered ? plot::find_legend_entry(layout_, at) : nullptr;
    if (hovered && io.KeyCtrl && io.MouseWheel != 0)
        view_.zoom(layout_, at, std::pow(kZoomStep, io.MouseWheel));
    if (held && (drags_ || ImGui::IsMouseDragging(0))) {
        // Include the distance that the pointer moved before the drag was recognized.
        const ImVec2 moved = drags_ ? io.MouseDelta : ImGui::GetMouseDragDelta(0);
        view_.pan(layout_, moved.x, moved.y);
        drags_ = true;
    }
    if (clicked && !drags_ && entry != nullptr)
        view_.toggle(entry->name);
    else if (hovered && entry == nullptr && ImGui::IsMouseDoubleClicked(0))
        view_.fit();
    if (!held) drags_ = false;
}

void ChartWidget::act_on_keys() {
    const auto any = [](std::initializer_list<Chord> chords) {
        return std::any_of(chords.begin(), chords.end(),
                           [](const Chord& chord) { return pressed(chord, true); });
    };
    const plot::Point middle = layout_.plot.center();
    const Chord shifted_equal = {.key = Key::Equal, .shift = true};
    if (any({plain(Key::Equal), shifted_equal, plain(Key::KeypadPlus)}))
        view_.zoom(layout_, middle, kZoomStep);
    if (any({plain(Key::Minus), plain(Key::KeypadMinus)})) view_.zoom(layout_, middle, 1 / kZoomStep);
    const float across = kPanShare * layout_.plot.width, down = kPanShare * layout_.plot.height;
    if (view_.is_zoomed()) {
        ImGui::NavMoveRequestCancel();  // arrows pan the chart instead of moving the focus
        if (any({plain(Key::Left)})) view_.pan(layout_, across, 0);
        if (any({plain(Key::Right)})) view_.pan(layout_, -across, 0);
        if (any({plain(Key::Up)})) view_.pan(layout_, 0, down);
        if (any({plain(Key::Down)})) view_.pan(layout_, 0, -down);
        if (any({plain(Key::Home)})) view_.fit();
    }
}

void ChartWidget::draw_menu(const std::string& id, const plot::Chart& chart, const ChartOptions& options,
                            ChartExports& exports, Commands& commands) {
    ImGui::SetNextWindowSizeConstraints({14 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup((id + "/menu").c_str());
    if (!popup.open) return;
    const plot::Size size_at_1 = {size_.x / look().pixels(), size_.y / look().pixels()};
    const bool is_dark = look().theme() == Theme::Dark;
    const ChartPicture picture{chart, view_, size_at_1, is_dark};
    const auto save = [&](PictureForm form) {
        exports.ask(picture, form, options.file_name.empty() ? chart.title : options.file_name, commands);
    };
    const bool can_save = !layout_.empty;
    if (option(id + "/save_svg", "Save as SVG\u2026", {.enabled = can_save})) save(PictureForm::Svg);
    if (option(id + "/save_png", "Save as PNG\u2026", {.enabled = can_save && exports.can_paint()}))
        save(PictureForm::Png);
    if (option(id + "/copy_picture", "Copy as picture",
               {.enabled = can_save && exports.can_copy(),
                .tooltip = exports.can_copy() ? "For a document or slides, while this window is open"
                                              : "No X server to copy to; save it as PNG"}))
        exports.copy(picture, commands);
    if (option(id + "/copy_svg", "Copy as SVG",
               {.enabled = can_save, .tooltip = "As text, for a vector editor"}))
        ImGui::SetClipboardText(plot::render_svg(chart, {size_at_1, is_dark, view_}).c_str());
    if (option(id + "/copy_table", "Copy as table", {.enabled = can_save, .tooltip = "For a spreadsheet"}))
        ImGui::SetClipboardText(plot::to_table(chart, view_).c_str());
    ImGui::Separator();
    const plot::Point middle = layout_.plot.center();
    if (option(id + "/zoom_in", "Zoom in", {.enabled = can_save, .remark = "+"}))
        view_.zoom(layout_, middle, kZoomStep);
    if (option(id + "/zoom_out", "Zoom out", {.enabled = can_save, .remark = "-"}))
        view_.zoom(layout_, middle, 1 / kZoomStep);
    if (option(id + "/fit", "Show all", {.enabled = view_.is_zoomed(), .remark = "Home"})) view_.fit();
    if (!layout_.legend.empty()) ImGui::Separator();
    for (const plot::LegendEntry& entry : layout_.legend)
        if (option(id + "/series/" + entry.name, ticked(!entry.hidden, entry.name))) view_.toggle(entry.name);
}

void ChartWidget::draw(std::string_view name, const plot::Chart& chart, std::uint64_t chart_key,
                       const ChartOptions& options, ChartExports& exports, Commands& commands) {
    const std::string id(name);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    size_ = {std::floor(options.size.x > 0 ? options.size.x : room.x),
             std::floor(options.size.y > 0 ? options.size.y : room.y)};
    if (std::min(size_.x, size_.y) < kLeastChartSide * look().pixels()) return;
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const ImVec2 corner = {std::round(cursor.x), std::round(cursor.y)};
    const ImRect box(cursor, {cursor.x + size_.x, cursor.y + size_.y});

    // A custom item, because ImGui's button leaves wheel and arrow keys to the window.
    const ImGuiID item = ImGui::GetID(id.c_str());
    compat::allow_overlap_of_next();
    bool hovered = false, held = false, clicked = false;
    if (ImGui::ItemAdd(box, item)) {
        clicked = ImGui::ButtonBehavior(box, item, &hovered, &held, compat::kAllowsOverlap);
        compat::allow_overlap_of_last();
        if (ImGui::GetIO().KeyCtrl) compat::take_wheel_for_last();
    }
    probe(id, {.container = true});
    const bool focused = ImGui::IsItemFocused();
    const bool by_key = GImGui->NavActivateId == item && clicked;

    ImDrawList& list = *ImGui::GetWindowDrawList();
    DrawListCanvas canvas(list, corner);
    const float more = button_width("More", kIconMore);
    const float log = options.logarithmic != nullptr ? tick_width(kLog) + tokens().gap_small : 0;
    lay_out(chart, chart_key, options.notes, more + log, canvas);
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const plot::Point at = {pointer.x - corner.x, pointer.y - corner.y};
    act_on_pointer(at, hovered, held, clicked && !by_key);
    if (focused) act_on_keys();
    lay_out(chart, chart_key, options.notes, more + log, canvas);

    ImGui::PushClipRect(box.Min, box.Max, true);
    plot::draw(chart, layout_, chart_theme(), canvas,
               options.hovered != nullptr ? options.hovered->lit() : std::nullopt);
    const bool seeks = hovered && !drags_ && ImGui::IsMousePosValid();
    const auto found = seeks ? plot::find_mark(chart, layout_, at) : std::nullopt;
    if (const auto slot = seeks ? slot_at(chart, layout_, found, at) : std::nullopt)
        if (options.hovered != nullptr) options.hovered->point_at(*slot);
    if (found) {
        plot::draw_highlight(*found, layout_, chart_theme(), canvas);
        std::vector<std::string> lines = found->lines;
        if (options.tell_more) options.tell_more(*found, lines);
        tell(id, lines);
    }
    ImGui::PopClipRect();
    compat::draw_focus_ring(box, item);
    for (const plot::LegendEntry& entry : layout_.legend)
        probe_rect(id + "/legend/" + entry.name,
                   {corner.x + entry.rect.left(), corner.y + entry.rect.top(), corner.x + entry.rect.right(),
                    corner.y + entry.rect.bottom()});

    if (options.logarithmic != nullptr) {
        ImGui::SetCursorScreenPos({cursor.x + size_.x - more - log, cursor.y});
        if (tick(id + "/log", kLog, *options.logarithmic,
                 "Logarithmic axis: equal distances are equal ratios"))
            *options.logarithmic = !*options.logarithmic;
    }
    ImGui::SetCursorScreenPos({cursor.x + size_.x - more, cursor.y});
    const bool wants_menu = button(id + "/more", "More",
                                   {.icon = kIconMore,
                                    .kind = ButtonKind::Quiet,
                                    .tooltip = "Save, copy or zoom this chart; hide series"});
    if (wants_menu || by_key || (focused && pressed(Action::OpenMenu)) ||
        (hovered && ImGui::IsMouseReleased(1)))
        ImGui::OpenPopup((id + "/menu").c_str());
    draw_menu(id, chart, options, exports, commands);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::ItemSize(box);
}

}  // namespace kwb::gui
