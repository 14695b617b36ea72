// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/source_panel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "editor/columns.hpp"
#include "gui/dialogs/modal.hpp"

namespace kwb::gui {
namespace {

constexpr std::size_t kMostMarkRows = 4, kMostPresented = 1;  ///< more of them scroll

std::shared_ptr<Document> front_of(const DeskState& state) {
    for (const auto& document : state.documents)
        if (document->id() == state.front) return document;
    return nullptr;
}

float mark_row_height() {
    return ImGui::GetTextLineHeight() + tokens().gap_small;
}

float marks_height(const Document& document, bool presents) {
    const std::size_t most = presents ? kMostPresented : kMostMarkRows;
    const auto rows = static_cast<float>(std::min(document.marks().size(), most));
    return rows * mark_row_height() + tokens().border;
}

}  // namespace

void SourcePanel::draw(const DeskState& state, Commands& commands) {
    forget_closed(state);
    if (state.documents.empty()) {
        empty_state(
            "source/empty", kIconCode, "No source is open",
            "Choose a kernel on the left, open a file with Ctrl+O, or drag a .cl file onto the window.");
        return;
    }
    const std::shared_ptr<Document> document = front_of(state);
    if (document && !modal_is_open()) act_on_keys(state, *document, commands);
    if (!document) {
        draw_tabs(state, 0, commands);
        empty_state("source/none", kIconCode, "No source is selected", "Choose one of the tabs above.");
        return;
    }
    draw_document(state, *document, commands);
    has_keyboard_ = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) &&
                    !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

void SourcePanel::draw_document(const DeskState& state, Document& document, Commands& commands) {
    if (spotlight_)
        draw_tabs(state, 0, commands);  // an audience needs no tools
    else
        draw_tools(state, document, commands);
    draw_question(state, commands);
    draw_banner(document, commands);
    go_to_revealed(state, document, commands);
    views_[document.id()].surface.set_heat(state.heat_of(document));
    if (!draw_comparison(state, document, commands)) draw_text(document, commands);
    draw_status(state, document);
}

void SourcePanel::forget_closed(const DeskState& state) {
    const auto is_open = [&](DocumentId id) { return state.find_document(id) != nullptr; };
    std::erase_if(views_, [&](const auto& view) { return !is_open(view.first); });
    if (asks_about_ && !is_open(*asks_about_)) asks_about_.reset();
    if (shows_disk_ && !is_open(*shows_disk_)) shows_disk_.reset();
}

/// Goes to a finding that was selected elsewhere. Ends a comparison, which shows lines of two texts.
void SourcePanel::go_to_revealed(const DeskState& state, Document& document, Commands& commands) {
    if (state.revealed.number == revealed_ || state.revealed.document != document.id()) return;
    revealed_ = state.revealed.number;
    marks_lines_ = !state.revealed.lines.empty();
    if (marks_lines_) return shows_disk_.reset();
    if (shows_comparison_) {
        shows_disk_.reset();
        commands.push_back(command::PutBeside{});
    }
    // Go to the column if a message on that line has one.
    const LineMark* worst = nullptr;
    for (const LineMark& mark : document.marks())
        if (mark.line == state.revealed.line && (worst == nullptr || is_worse(mark.kind, worst->kind)))
            worst = &mark;
    if (worst != nullptr)
        go_to_mark(document, *worst);
    else
        go_to_line(document, state.revealed.line);
}

void SourcePanel::act_on_keys(const DeskState& state, Document& document, Commands& commands) {
    editor::TextBuffer& buffer = document.buffer();
    TextSurface& surface = views_[document.id()].surface;
    if (pressed(Action::SaveAs)) pending_.ask_document(document.id(), document.name(), commands);
    if (pressed(Action::Save)) save(document, commands);
    if (pressed(Action::CloseFile)) close(document, commands);
    if (pressed(Action::NextFile, true)) step_document(state, +1, commands);
    if (pressed(Action::FileBefore, true)) step_document(state, -1, commands);
    if (pressed(Action::CompareFiles) && (state.documents.size() > 1 || shows_comparison_))
        opens_compare_ = true;
    if (pressed(Action::Find)) find_.open_find(buffer);
    if (pressed(Action::GoToLine)) find_.open_go_to();
    // Uses the focus before this key, because ImGui moves the focus from a child window to its parent on
    // Escape. Without focus in this panel, Escape belongs to lists, text fields, and the run.
    const bool is_free = !state.is_busy && state.notices.empty() && !ImGui::GetIO().WantTextInput &&
                         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if ((has_keyboard_ || is_free) && pressed(plain(Key::Escape))) {
        if (shows_comparison_) {
            end_comparison(document, commands);
        } else if (find_.is_open()) {
            find_.close();
            surface.take_keyboard();
        }
    }
    for (const bool back : {false, true}) {
        if (pressed(back ? Action::FindPrevious : Action::FindNext, true) &&
            find_.step(buffer, back ? -1 : +1))
            surface.reveal_caret();
        if (pressed(back ? Action::MarkBefore : Action::NextMark, true)) step_mark(document, back ? -1 : +1);
    }
}

void SourcePanel::draw_text(Document& document, Commands& commands) {
    View& view = views_[document.id()];
    editor::TextBuffer& buffer = document.buffer();
    bool edited = false;
    if (find_.is_open()) {
        const FindBarEvents events = find_.draw("source/bar", buffer);
        if (events.moved) view.surface.reveal_caret();
        if (events.closed) view.surface.take_keyboard();
        if (events.edited) document.refresh();
        edited = events.edited;
    }
    if (document.on_disk() == Document::OnDisk::Unread && buffer.line_count() == 1 &&
        buffer.line(0).empty()) {
        empty_state("source/unread", kIconWarning, "This file cannot be read", document.notice());
        return;
    }
    if (keyboard_for_ == document.id()) {
        keyboard_for_.reset();
        wants_keyboard_ = true;
    }
    if (std::exchange(wants_keyboard_, false)) view.surface.take_keyboard();

    if (std::exchange(shows_line_, false)) show_line_in_question(document, view);
    if (!spotlight_ && view.before) return_from_presentation(document, view);
    draw_front_matter(document, view);
    // Reserve the room for the parts below the text first.
    const float gap = ImGui::GetStyle().ItemSpacing.y;
    float below = gap + status_height();
    if (!document.marks().empty()) below += marks_height(document, spotlight_) + gap;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float height = std::max(3 * code_grid().line_height, room.y - below);
    view.surface.set_spotlight(spotlight_);
    const TextSurfaceEvents events =
        view.surface.draw("source/text", document, {room.x, height}, find_.found(buffer));
    if (events.left_by_escape && find_.is_open()) {
        find_.close();
        view.surface.take_keyboard();
    }
    if (edited || events.edited) commands.push_back(command::Edited{document.id()});
    draw_marks(document);
}

namespace {

/// The line that a reader wants to see first: that after the front matter if the kernel function follows
/// soon, otherwise the kernel function.
std::size_t first_line_of(const editor::Landmarks& landmarks, std::size_t page) {
    if (!landmarks.kernel || *landmarks.kernel < landmarks.front_matter + page / 2)
        return landmarks.front_matter;
    return *landmarks.kernel;
}

}  // namespace

/// Summarises the front matter in one line, and lets the text begin below it. A click shows the front
/// matter, or the kernel again.
void SourcePanel::draw_front_matter(const Document& document, View& view) {
    const editor::TextBuffer& buffer = document.buffer();
    const auto page = static_cast<std::size_t>(ImGui::GetContentRegionAvail().y / code_grid().line_height);
    const bool opens = !view.landmarks_of;
    if (view.landmarks_of != buffer.revision()) {
        view.landmarks = editor::find_landmarks(buffer, document.colors());
        view.landmarks_of = buffer.revision();
    }
    const std::size_t lines = view.landmarks.front_matter;
    const std::size_t begin = first_line_of(view.landmarks, page);
    // A text that was opened at one of its lines stays there.
    if (opens && buffer.caret() == editor::Position{}) view.surface.scroll_to_line(begin);
    if (lines == 0) return;
    const bool is_shown = !opens && view.surface.first_line() < lines;
    const FontScope font(fonts().small);
    const std::string label = counted(lines, "line") + " of front matter";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, side = width_of(label) + tokens().gap;
    if (ImGui::Selectable("##source/front_matter", false, 0, {width, ImGui::GetTextLineHeight()}))
        view.surface.scroll_to_line(is_shown ? begin : 0);
    probe("source/front_matter", {.container = true});
    tooltip(is_shown ? "Go to the kernel" : "Show the front matter: problem, parameters and launch");
    const std::string title = with_icon(is_shown ? kIconDown : kIconUp, view.landmarks.title);
    paint_text("source/front_matter/title", at, shortened(title, width - side), Tone::Muted);
    paint_text("source/front_matter/lines", {at.x + width - side + tokens().gap, at.y}, label, Tone::Muted);
}

void SourcePanel::go_to_line(Document& document, std::size_t number) {
    editor::TextBuffer& buffer = document.buffer();
    number = std::min(number, buffer.line_count() - 1);
    const std::string& line = buffer.line(number);
    buffer.set_caret({number, editor::blank_prefix(line)});
    views_[document.id()].surface.take_keyboard();
}

void SourcePanel::go_to_mark(Document& document, const LineMark& mark) {
    editor::TextBuffer& buffer = document.buffer();
    go_to_line(document, mark.line);
    const std::size_t indent = buffer.caret().column;
    if (mark.kind != LineMark::Kind::Hint) buffer.set_caret({mark.line, std::max(mark.column, indent)});
}

/// Switches to the next or previous document; wraps around at both ends.
void SourcePanel::step_document(const DeskState& state, int by, Commands& commands) {
    ImGui::NavMoveRequestCancel();  // otherwise the page keys would also scroll
    const auto count = static_cast<int>(state.documents.size());
    for (int i = 0; i < count; ++i)
        if (state.documents[static_cast<std::size_t>(i)]->id() == state.front)
            return bring_to_front(*state.documents[static_cast<std::size_t>((i + by + count) % count)],
                                  commands);
}

/// The caret's, if it has a mark or there is none; else that of the worst mark.
void SourcePanel::show_line_in_question(Document& document, View& view) {
    const std::vector<LineMark>& marks = document.marks();
    const editor::Position caret = document.buffer().caret();
    const std::size_t here = caret.line;
    if (std::ranges::find(marks, here, &LineMark::line) == marks.end() && !marks.empty()) {
        const auto worst = std::ranges::min_element(
            marks, [](const LineMark& one, const LineMark& other) { return is_worse(one.kind, other.kind); });
        document.buffer().set_caret({worst->line, worst->column});
    }
    if (document.buffer().caret() != editor::Position{}) view.surface.reveal_caret();
    view.before = Stand{caret, view.surface.first_line(), document.buffer().caret()};
}

void SourcePanel::return_from_presentation(Document& document, View& view) {
    const Stand before = *std::exchange(view.before, std::nullopt);
    if (document.buffer().caret() != before.shown) return;
    document.buffer().set_caret(before.caret);
    view.surface.scroll_to_line(before.first_line);
}

void SourcePanel::step_mark(Document& document, int by) {
    if (shows_comparison_) {
        diff_.step(by);
        return;
    }
    const std::size_t here = document.buffer().caret().line;
    const LineMark* best = nullptr;
    const LineMark* around = nullptr;  // the first mark, for wrapping around
    const auto before = [by](const LineMark& one, const LineMark& other) {
        return by > 0 ? one.line < other.line : one.line > other.line;
    };
    for (const LineMark& mark : document.marks()) {
        if ((by > 0 ? mark.line > here : mark.line < here) && (best == nullptr || before(mark, *best)))
            best = &mark;
        if (around == nullptr || before(mark, *around)) around = &mark;
    }
    if (best == nullptr) best = around;
    if (best != nullptr) go_to_mark(document, *best);
}

void SourcePanel::draw_marks(Document& document) {
    const std::vector<LineMark>& marks = document.marks();
    if (marks.empty()) return;
    std::vector<std::size_t> order(marks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::size_t here = document.buffer().caret().line;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        // An audience sees one: that of the line in question.
        if (spotlight_ && (marks[a].line == here) != (marks[b].line == here)) return marks[a].line == here;
        if (marks[a].kind != marks[b].kind) return is_worse(marks[a].kind, marks[b].kind);
        return marks[a].line < marks[b].line;
    });

    const float row_height = mark_row_height();
    const bool visible = compat::begin_child("source/marks", {0, marks_height(document, spotlight_)}, false);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const LineMark* chosen = nullptr;
    for (const std::size_t index : order) {
        if (!visible) break;
        const LineMark& mark = marks[index];
        const std::string id = "source/mark/" + std::to_string(index);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const bool is_here = mark.line == here;
        ImGui::PushStyleColor(ImGuiCol_Header, colors().raised.vec());
        if (ImGui::Selectable(("###" + id).c_str(), is_here, 0, {width, row_height})) chosen = &mark;
        ImGui::PopStyleColor();
        const bool is_visible = ImGui::IsItemVisible();
        probe(id);
        std::string whole = mark_name(mark.kind) + std::string(" in line ") + std::to_string(mark.line + 1);
        if (!mark.kernel.empty()) whole += ", " + mark.kernel;
        message_tooltip(whole + ":", mark.text);
        if (!is_visible) continue;  // rows outside the list are not drawn

        // Sign, line, text; the kernel's name at the right if there is room.
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float y = std::round(at.y + (row_height - ImGui::GetTextLineHeight()) / 2);
        const float line_column = ImGui::CalcTextSize("00000").x;
        const float sign = row_height / 2;
        draw_mark_sign(list, {at.x + sign, at.y + row_height / 2}, std::round(row_height * 0.19f), mark.kind,
                       mark_color(mark.kind).u32());
        const std::string number = std::to_string(mark.line + 1);
        const float number_right = at.x + 2 * sign + line_column;
        list.AddText({number_right - ImGui::CalcTextSize(number.c_str()).x, y}, colors().text_muted.u32(),
                     number.c_str());
        const float text_x = number_right + tokens().gap;
        float right = at.x + width - tokens().gap_small;
        const float kernel_width = ImGui::CalcTextSize(mark.kernel.c_str()).x;
        if (!mark.kernel.empty() && kernel_width < width / 4) {
            list.AddText({right - kernel_width, y}, colors().text_muted.u32(), mark.kernel.c_str());
            right -= kernel_width + tokens().gap;
        }
        const std::string first_line = mark.text.substr(0, mark.text.find('\n'));
        const std::string words = shortened(first_line, right - text_x);
        list.AddText({text_x, y}, colors().text.u32(), words.c_str());
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (chosen != nullptr) go_to_mark(document, *chosen);
}

}  // namespace kwb::gui
