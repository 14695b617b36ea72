// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/story_view.hpp"

#include <algorithm>
#include <cmath>

#include "gui/panels/line_art.hpp"

namespace kwb::gui {
namespace {

std::string words_of(std::span<const StorySpan> spans) {
    std::string words;
    for (const StorySpan& span : spans) words += span.words;
    return words;
}

/// From `at` to the wrap position, or else to the right edge of the window.
float room_from(ImVec2 at) {
    const float wrap = ImGui::GetCurrentWindow()->DC.TextWrapPos;
    return wrap > 0 ? ImGui::CalcWrapWidthForPos(at, wrap) : ImGui::GetContentRegionAvail().x;
}

ImFont* font_of(const StorySpan& span, ImFont* usual) {
    return span.look == StorySpan::Look::Code     ? fonts().mono
           : span.look == StorySpan::Look::Strong ? fonts().strong
                                                  : usual;
}

/// Words in several looks, wrapped like one text.
class Flow {
public:
    Flow(float indent, ImFont* usual, Tone tone = Tone::Normal)
        : usual_(usual),
          color_(ImGui::GetColorU32(text_color(tone))),
          corner_(ImGui::GetCursorScreenPos()),
          right_(corner_.x + room_from(corner_)),
          line_(std::ceil(compat::size_of(*usual) + tokens().hair)),
          left_(corner_.x + indent),
          at_{left_, corner_.y} {}

    void add(const StorySpan& span, const std::string& id, const std::vector<Term>& glossary) {
        const FontScope font(font_of(span, usual_));
        const float height = ImGui::GetFontSize();
        if (!span.term.empty()) return add_term(span, id, glossary);
        const std::string_view words = span.words;
        for (std::size_t begin = 0; begin < words.size();) {
            const bool is_blank = words[begin] == ' ';
            std::size_t end = is_blank ? words.find_first_not_of(' ', begin) : words.find(' ', begin);
            end = std::min(end, words.size());
            const std::string_view piece = words.substr(begin, end - begin);
            begin = end;
            const float width = width_of(piece);
            if (is_blank) {
                if (at_.x > left_) at_.x += width;
                continue;
            }
            break_before(width);
            const float top = at_.y + (line_ - tokens().hair - height) / 2;
            ImDrawList& list = *ImGui::GetWindowDrawList();
            if (span.look == StorySpan::Look::Code)
                list.AddRectFilled({at_.x - tokens().border, top},
                                   {at_.x + width + tokens().border, top + height}, colors().raised.u32(),
                                   tokens().hair / 2);
            list.AddText({at_.x, top}, color_, piece.data(), piece.data() + piece.size());
            at_.x += width;
        }
    }

    /// @param words  all of them, for probes
    void end(const std::string& id, const std::string& words) {
        const float bottom = at_.y + line_;
        ImGui::SetCursorScreenPos(corner_);
        ImGui::Dummy({right_ - corner_.x, bottom - corner_.y});
        probe_rect(id, {corner_.x, corner_.y, right_, bottom},
                   {.label = words, .container = true, .wraps = true});
    }

private:
    void break_before(float width) {
        if (at_.x + width <= right_ || at_.x <= left_) return;
        at_ = {left_, at_.y + line_};
    }

    void add_term(const StorySpan& span, const std::string& id, const std::vector<Term>& glossary) {
        const float width = width_of(span.words), height = ImGui::GetFontSize();
        break_before(width);
        std::string meaning = explain(glossary, span.term);
        if (meaning.empty()) meaning = span.term;
        ImGui::SetCursorScreenPos(at_);
        if (ImGui::InvisibleButton(("##" + id).c_str(), {width, line_})) ImGui::OpenPopup(id.c_str());
        probe(id, {.label = span.words});
        compat::draw_focus_ring({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
        if (!ImGui::IsPopupOpen(id.c_str())) tooltip(meaning);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImU32 color = colors().accent_text.u32();
        list.AddText(at_, color, span.words.data(), span.words.data() + span.words.size());
        list.AddLine({at_.x, at_.y + height}, {at_.x + width, at_.y + height}, color, tokens().border);
        const FontScope body(fonts().body);
        ImGui::SetNextWindowPos({at_.x, at_.y + line_}, ImGuiCond_Appearing);
        const float most = 26 * ImGui::GetFontSize();
        ImGui::SetNextWindowSizeConstraints({0, 0}, {most + 2 * tokens().gap, ImGui::GetIO().DisplaySize.y});
        if (const Popup popup(id.c_str()); popup.open) {
            ImGui::PushTextWrapPos(most);
            text(id + "/meaning", meaning, {.wraps = true});
            ImGui::PopTextWrapPos();
        }
        at_.x += width;
    }

    ImFont* usual_;
    ImU32 color_;
    ImVec2 corner_;
    float right_, line_, left_;
    ImVec2 at_;
};

/// @param corner  of the first line, whose characters have this size
void draw_strokes(const std::vector<Stroke>& strokes, ImVec2 corner, ImVec2 cell) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 thin = colors().text_muted.u32(), thick = colors().accent_text.u32();
    const float width = std::max(1.0f, tokens().border);
    for (const Stroke& stroke : strokes) {
        const ImVec2 from = {corner.x + stroke.x0 * cell.x, corner.y + stroke.y0 * cell.y};
        const ImVec2 to = {corner.x + stroke.x1 * cell.x, corner.y + stroke.y1 * cell.y};
        list.AddLine(from, to, stroke.is_thick ? thick : thin, stroke.is_thick ? 2 * width : width);
        if (!stroke.is_arrow) continue;
        const float side = 0.4f * cell.x;
        const ImVec2 along = {to.x > from.x   ? 1.0f
                              : to.x < from.x ? -1.0f
                                              : 0.0f,
                              to.y < from.y ? -1.0f : 0.0f};
        const ImVec2 back = {to.x - 2 * side * along.x, to.y - 2 * side * along.y};
        list.AddTriangleFilled(to, {back.x + side * along.y, back.y + side * along.x},
                               {back.x - side * along.y, back.y - side * along.x}, thin);
    }
}

void draw_code(const std::string& id, const std::vector<std::string>& lines) {
    const FontScope font(fonts().mono);
    float width = 0;
    for (const std::string& line : lines) width = std::max(width, width_of(line));
    const float pad = tokens().gap_small, line_height = ImGui::GetTextLineHeight();
    const float room = ImGui::GetContentRegionAvail().x;
    const bool scrolls = width + 2 * pad > room;
    const float height = static_cast<float>(lines.size()) * line_height + 2 * pad +
                         (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, colors().raised.vec());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    // The border makes ImGui use the padding.
    if (compat::begin_child(
            id.c_str(), {0, height}, true,
            (scrolls ? ImGuiWindowFlags_HorizontalScrollbar : 0) | ImGuiWindowFlags_NoScrollWithMouse)) {
        const LineArt art = line_art(lines);
        draw_strokes(art.strokes, ImGui::GetCursorScreenPos(), {width_of("0"), line_height});
        for (std::size_t i = 0; i < lines.size(); ++i) {
            ImGui::TextUnformatted(art.words[i].c_str());
            probe(id + "/" + std::to_string(i), {.label = lines[i]});
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

}  // namespace

void draw_story(std::string_view id, std::span<const StoryBlock> blocks, const std::vector<Term>& glossary) {
    using Kind = StoryBlock::Kind;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const StoryBlock& block = blocks[i];
        const std::string name = std::string(id) + "/" + std::to_string(i);
        if (i > 0 && block.kind != Kind::Item)
            ImGui::Dummy({0, block.kind == Kind::Heading ? tokens().gap_small : tokens().hair / 2});
        if (block.kind == Kind::Code) {
            draw_code(name, block.lines);
            continue;
        }
        const bool is_item = block.kind == Kind::Item;
        const float indent = is_item ? 1.6f * ImGui::GetFontSize() : 0;
        if (is_item) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::GetWindowDrawList()->AddText(at, colors().text_muted.u32(), block.lead.c_str());
        }
        Flow flow(indent, block.kind == Kind::Heading ? fonts().strong : fonts().body);
        for (std::size_t k = 0; k < block.spans.size(); ++k)
            flow.add(block.spans[k], name + "/" + std::to_string(k), glossary);
        flow.end(name, words_of(block.spans));
    }
}

void draw_sentence(std::string_view id, std::string_view sentence, ImFont* font, Tone tone) {
    const std::string name(id);
    const std::vector<StorySpan> spans = sentence_spans(sentence);
    Flow flow(0, font != nullptr ? font : fonts().body, tone);
    for (std::size_t i = 0; i < spans.size(); ++i) flow.add(spans[i], name + "/" + std::to_string(i), {});
    flow.end(name, words_of(spans));
}

}  // namespace kwb::gui
