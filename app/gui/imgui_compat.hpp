// SPDX-License-Identifier: Apache-2.0
// Differences between the Dear ImGui versions of the distributions (1.86 in Debian 12 … 1.92), and other code
// that depends on ImGui's internals: scopes and injected input. Only this file checks ImGui's version; all
// others include it instead of imgui.h.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <cstdint>
#include <utility>

#include "gui/keys.hpp"

/// Up to 1.91 a renderer uploads the whole font atlas once; from 1.92 on it updates the atlas itself.
#define KWB_IMGUI_UPLOADS_FONTS (IMGUI_VERSION_NUM < 19200)

namespace kwb::gui {

/// Base of scopes: the destructor ends what the constructor began.
class Scope {
public:
    Scope() = default;
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
};

/// Calls a function at the end of the scope.
template <class Function>
class AtExit : Scope {
public:
    explicit AtExit(Function function) : function_(std::move(function)) {}
    ~AtExit() { function_(); }

private:
    Function function_;
};

}  // namespace kwb::gui

namespace kwb::gui::compat {

/// From 1.87 on, keys and buttons are queued events, and a frame takes one event per key or button.
inline constexpr bool kQueuesInput = IMGUI_VERSION_NUM >= 18700;
/// From 1.87 on, the GLFW backend knows what is printed on a key; before, keys are positions on a US
/// keyboard.
inline constexpr bool kBackendKnowsLayout = IMGUI_VERSION_NUM >= 18700;

/// SetKeyboardFocusHere() has no effect if the control that has keyboard focus is drawn later in the same
/// frame: observed in 1.90, not in 1.86.
inline constexpr bool kWithdrawsFocus = IMGUI_VERSION_NUM >= 18900;

#if IMGUI_VERSION_NUM >= 19100
inline constexpr ImGuiSelectableFlags kKeepsPopupOpen = ImGuiSelectableFlags_NoAutoClosePopups;
#else
inline constexpr ImGuiSelectableFlags kKeepsPopupOpen = ImGuiSelectableFlags_DontClosePopups;
#endif
#if IMGUI_VERSION_NUM >= 19140
inline constexpr int kColFocusRing = ImGuiCol_NavCursor;
#else
inline constexpr int kColFocusRing = ImGuiCol_NavHighlight;
#endif

/// BeginChild with or without a border. As with ImGui's own, EndChild() must always be called. Arrow keys
/// move in and out of the child as if its widgets belonged to the parent.
inline bool begin_child(const char* id, ImVec2 size, bool border, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19110
    return ImGui::BeginChild(
        id, size, ImGuiChildFlags_NavFlattened | (border ? ImGuiChildFlags_Borders : ImGuiChildFlags_None),
        flags);
#elif IMGUI_VERSION_NUM >= 19090
    return ImGui::BeginChild(
        id, size, ImGuiChildFlags_NavFlattened | (border ? ImGuiChildFlags_Border : ImGuiChildFlags_None),
        flags);
#elif IMGUI_VERSION_NUM >= 19000
    return ImGui::BeginChild(id, size, border ? ImGuiChildFlags_Border : ImGuiChildFlags_None,
                             flags | ImGuiWindowFlags_NavFlattened);
#else
    return ImGui::BeginChild(id, size, border, flags | ImGuiWindowFlags_NavFlattened);
#endif
}

/// Lets arrow keys move in and out of a table that scrolls, as begin_child() does. Call right after
/// BeginTable().
inline void flatten_table() {
    ImGuiWindow& rows = *GImGui->CurrentTable->InnerWindow;
    if (&rows == GImGui->CurrentTable->OuterWindow) return;
#if IMGUI_VERSION_NUM >= 19090
    rows.ChildFlags |= ImGuiChildFlags_NavFlattened;
#else
    rows.Flags |= ImGuiWindowFlags_NavFlattened;
#endif
    rows.RootWindowForNav = rows.ParentWindow->RootWindowForNav;
#if IMGUI_VERSION_NUM >= 18960
    // Begin() opens a focus scope for a window that is not flattened, and End() closes it for the same one.
    ImGui::PopFocusScope();
    rows.NavRootFocusScopeId = GImGui->CurrentFocusScopeId;
#endif
}

/// TableSetupColumn() for a column that takes this width again when the width differs from that of the last
/// frame; ImGui itself takes it only once.
inline void setup_column(const char* name, ImGuiTableColumnFlags flags, float width) {
    ImGuiTable& table = *GImGui->CurrentTable;
    ImGuiTableColumn& column = table.Columns[table.DeclColumnsCount];
    const bool has_changed = column.InitStretchWeightOrWidth != width;
    ImGui::TableSetupColumn(name, flags | ImGuiTableColumnFlags_WidthFixed, width);
    if (has_changed) column.WidthRequest = width;
}

/// Lets later items overlap the next one. Call this before it, and allow_overlap_of_last() after it; a custom
/// item also needs the flag for its ButtonBehavior().
#if IMGUI_VERSION_NUM >= 18970
inline constexpr ImGuiButtonFlags kAllowsOverlap = 0;
#else
inline constexpr ImGuiButtonFlags kAllowsOverlap = ImGuiButtonFlags_AllowItemOverlap;
#endif
inline void allow_overlap_of_next() {
#if IMGUI_VERSION_NUM >= 18970
    ImGui::SetNextItemAllowOverlap();
#endif
}
inline void allow_overlap_of_last() {
#if IMGUI_VERSION_NUM < 18970
    ImGui::SetItemAllowOverlap();
#endif
}

/// While the pointer is over the last item, the item receives the wheel and its window does not scroll.
inline void take_wheel_for_last() {
#if IMGUI_VERSION_NUM >= 18900
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
    ImGui::SetItemUsingMouseWheel();
#endif
}

/// Draws the focus ring around a custom item if it has keyboard focus.
inline void draw_focus_ring(const ImRect& rect, ImGuiID item) {
#if IMGUI_VERSION_NUM >= 19140
    ImGui::RenderNavCursor(rect, item);
#else
    ImGui::RenderNavHighlight(rect, item);
#endif
}

/// Shows the focus ring from now on.
inline void show_focus_ring() {
#if IMGUI_VERSION_NUM >= 19140
    GImGui->NavCursorVisible = true;
#else
    GImGui->NavDisableHighlight = false;
#endif
}

/// From now on, the item with keyboard focus counts as hovered, until the pointer moves.
inline void hover_focus() {
#if IMGUI_VERSION_NUM >= 19140
    GImGui->NavHighlightItemUnderNav = true;
#else
    GImGui->NavDisableMouseHover = true;
#endif
}

/// Whether ImGui reports the item with keyboard focus as hovered, instead of the one under the pointer.
inline bool keyboard_hovers() {
#if IMGUI_VERSION_NUM >= 19140
    return GImGui->NavHighlightItemUnderNav && GImGui->NavCursorVisible;
#else
    return GImGui->NavDisableMouseHover && !GImGui->NavDisableHighlight;
#endif
}

/// The visible part of the current table, as high as in the last frame; empty: no table is open.
inline ImRect current_table_rect() {
    ImGuiTable* const table = GImGui->CurrentTable;
    if (table == nullptr) return {};
#if IMGUI_VERSION_NUM >= 18800
    const float height = ImGui::TableGetInstanceData(table, table->InstanceCurrent)->LastOuterHeight;
#else
    const float height = table->LastOuterHeight;
#endif
    ImRect rect = table->OuterRect;
    rect.Max.y = rect.Min.y + height;
    rect.ClipWith(table->OuterWindow->InnerClipRect);
    return rect;
}

/// The focus scope that ImGui::SetNavID() needs for the current item.
inline ImGuiID current_focus_scope() {
#if IMGUI_VERSION_NUM >= 18900
    return GImGui->CurrentFocusScopeId;
#else
    return GImGui->CurrentWindow->DC.NavFocusScopeIdCurrent;
#endif
}

/// Call right after NewFrame(). Up to 1.87, Enter starts editing fields but does not press buttons.
inline void let_enter_press() {
#if IMGUI_VERSION_NUM < 18800
    ImGuiContext& context = *GImGui;
    if (context.NavActivateInputId == 0 || context.ActiveId != 0) return;
    const ImGuiID item = context.NavActivateInputId;
    context.NavActivateId = context.NavActivateDownId = context.NavActivatePressedId = item;
#endif
}

/// Adds an item that takes keyboard focus like a text field.
/// @return  true if Tab, or Enter or Space while it has the focus ring, activates it
inline bool add_text_item(const ImRect& rect, ImGuiID item) {
    ImGui::ItemAdd(rect, item, nullptr, ImGuiItemFlags_Inputable);
#if IMGUI_VERSION_NUM < 18940
    const ImGuiItemStatusFlags status = GImGui->LastItemData.StatusFlags;
    if ((status & ImGuiItemStatusFlags_FocusedByTabbing) != 0 || GImGui->NavActivateInputId == item)
        return true;
#endif
    return GImGui->NavActivateId == item;
}

/// Call in each frame in which an item edits text, so that it receives characters.
inline void want_text_input() {
    GImGui->WantTextInputNextFrame = 1;
#if IMGUI_VERSION_NUM >= 19200
    GImGui->PlatformImeData.WantTextInput = true;
#endif
}

/// An OpenGL texture as ImGui's type: a pointer before 1.91.4, an integer since.
inline ImTextureID texture_id(unsigned gl_name) {
    return (ImTextureID)(std::intptr_t)gl_name;
}

/// The size in pixels at which a font was loaded.
inline float size_of(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
    return font.LegacySize;
#else
    return font.FontSize;
#endif
}

inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font, font->LegacySize);
#else
    ImGui::PushFont(font);
#endif
}

/// Whether the font has a glyph for this character. (An atlas that loads glyphs on demand checks the font
/// file.)
inline bool has_glyph(const ImFont& font, unsigned code_point) {
#if IMGUI_VERSION_NUM >= 19200
    return const_cast<ImFont&>(font).IsGlyphInFont(static_cast<ImWchar>(code_point));
#else
    return font.FindGlyphNoFallback(static_cast<ImWchar>(code_point)) != nullptr;
#endif
}

/// Sets the minimum width of the font texture, so that it does not become too tall. Call before loading.
inline void set_atlas_width(ImFontAtlas& atlas, int width_px) {
#if IMGUI_VERSION_NUM >= 19200
    atlas.TexMinWidth = width_px;
#else
    atlas.TexDesiredWidth = width_px;
#endif
}

/// Whether a font excludes the private use range, so that icons come from the next font. (An atlas that loads
/// glyphs on demand takes a character from the first font that has it, regardless of the requested ranges.)
inline void set_leaves_icons([[maybe_unused]] ImFontConfig& config, [[maybe_unused]] bool leaves) {
#if IMGUI_VERSION_NUM >= 19200
    static constexpr ImWchar kPrivateUse[] = {0xe000, 0xf8ff, 0};
    config.GlyphExcludeRanges = leaves ? kPrivateUse : nullptr;
#endif
}

/// The size of `text` in `font`, in pixels.
inline ImVec2 text_size(ImFont& font, float size_px, const char* begin, const char* end, float wrap = 0) {
    return font.CalcTextSizeA(size_px, 3.4e38f, wrap, begin, end);
}

/// Whether there is input that no frame has processed. An event-driven loop draws until there is none.
inline bool has_queued_input() {
#if IMGUI_VERSION_NUM >= 18700
    return GImGui->InputEventsQueue.Size > 0;
#else
    return false;
#endif
}

/// Call after a frame. Returns whether the next frame will differ even without input: a new popup or tooltip
/// is hidden at first, and its size follows the content of the previous frame.
inline bool is_settling() {
    for (const ImGuiWindow* window : GImGui->Windows) {
        if (!window->Active) continue;
        if (window->Appearing || window->HiddenFramesCannotSkipItems > 0 || window->AutoFitFramesX > 0 ||
            window->AutoFitFramesY > 0)
            return true;
        if (window->SkipItems || window->Collapsed) continue;
        const ImVec2 told = window->ContentSizeExplicit, known = window->ContentSize;
        const ImVec2 begin = window->DC.CursorStartPos, end = window->DC.CursorMaxPos;
        const float wider = told.x != 0 ? 0 : end.x - begin.x - known.x;
        const float higher = told.y != 0 ? 0 : end.y - begin.y - known.y;
        if (ImFabs(wider) > 1 || ImFabs(higher) > 1) return true;
    }
    return false;
}

}  // namespace kwb::gui::compat

// Keys and injected input.
namespace kwb::gui {
namespace compat {

#if IMGUI_VERSION_NUM >= 18900
inline constexpr ImGuiKey kModCtrl = ImGuiMod_Ctrl, kModShift = ImGuiMod_Shift, kModAlt = ImGuiMod_Alt;
#elif IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kModCtrl = ImGuiKey_ModCtrl, kModShift = ImGuiKey_ModShift,
                          kModAlt = ImGuiKey_ModAlt;
#endif

/// Up to 1.86, ImGui handles these keys by name (moving the caret, copying …) and only reports the others.
inline constexpr struct {
    ImGuiKey name;
    Key key;
} kNamedKeys[] = {{ImGuiKey_Tab, Key::Tab},
                  {ImGuiKey_LeftArrow, Key::Left},
                  {ImGuiKey_RightArrow, Key::Right},
                  {ImGuiKey_UpArrow, Key::Up},
                  {ImGuiKey_DownArrow, Key::Down},
                  {ImGuiKey_PageUp, Key::PageUp},
                  {ImGuiKey_PageDown, Key::PageDown},
                  {ImGuiKey_Home, Key::Home},
                  {ImGuiKey_End, Key::End},
                  {ImGuiKey_Insert, Key::Insert},
                  {ImGuiKey_Delete, Key::Delete},
                  {ImGuiKey_Backspace, Key::Backspace},
                  {ImGuiKey_Space, Key::Space},
                  {ImGuiKey_Enter, Key::Enter},
                  {ImGuiKey_Escape, Key::Escape},
#if IMGUI_VERSION_NUM >= 18700
                  {ImGuiKey_Comma, Key::Comma},
                  {ImGuiKey_Minus, Key::Minus},
                  {ImGuiKey_Period, Key::Period},
                  {ImGuiKey_Slash, Key::Slash},
                  {ImGuiKey_Equal, Key::Equal},
                  {ImGuiKey_Menu, Key::Menu},
                  {ImGuiKey_KeypadSubtract, Key::KeypadMinus},
                  {ImGuiKey_KeypadAdd, Key::KeypadPlus},
                  {ImGuiKey_KeypadEnter, Key::KeypadEnter}};
#else
                  {ImGuiKey_KeyPadEnter, Key::KeypadEnter},
                  {ImGuiKey_A, Key::A},
                  {ImGuiKey_C, Key::C},
                  {ImGuiKey_V, Key::V},
                  {ImGuiKey_X, Key::X},
                  {ImGuiKey_Y, Key::Y},
                  {ImGuiKey_Z, Key::Z}};
#endif

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey imgui_key(Key key) {
    const auto counted = [key](ImGuiKey first, Key from) {
        return static_cast<ImGuiKey>(static_cast<int>(first) + static_cast<int>(key) -
                                     static_cast<int>(from));
    };
    if (key >= Key::Num0 && key <= Key::Num9) return counted(ImGuiKey_0, Key::Num0);
    if (key >= Key::A && key <= Key::Z) return counted(ImGuiKey_A, Key::A);
    if (key >= Key::F1 && key <= Key::F12) return counted(ImGuiKey_F1, Key::F1);
    for (const auto& named : kNamedKeys)
        if (named.key == key) return named.name;
    return ImGuiKey_None;
}
#else
inline int imgui_key(Key key) {
    return static_cast<int>(key);
}
#endif

inline bool is_pressed(Key key, bool repeats) {
    return ImGui::IsKeyPressed(imgui_key(key), repeats);
}

}  // namespace compat

/// For contexts without the GLFW backend (tests, pictures, hidden windows): sets ImGui's key map. No effect
/// since 1.87.
inline void install_key_map() {
#if IMGUI_VERSION_NUM < 18700
    for (const auto& [name, key] : compat::kNamedKeys) ImGui::GetIO().KeyMap[name] = compat::imgui_key(key);
#endif
}

/// Adds a key event, or the modifiers held now, to ImGui's input.
inline void inject_key(Key key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(compat::imgui_key(key), down);
#else
    ImGui::GetIO().KeysDown[compat::imgui_key(key)] = down;
#endif
}
inline void inject_modifiers(bool ctrl, bool shift, bool alt) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(compat::kModCtrl, ctrl);
    io.AddKeyEvent(compat::kModShift, shift);
    io.AddKeyEvent(compat::kModAlt, alt);
#else
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
#endif
}
inline void inject_character(unsigned code_point) {
    ImGui::GetIO().AddInputCharacter(code_point);
}

/// Pointer position in window pixels, buttons 0 (left) 1 (right) 2 (middle), wheel steps.
inline void inject_pointer(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMousePosEvent(x, y);
#else
    ImGui::GetIO().MousePos = {x, y};
#endif
}
inline void inject_button(int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
    ImGui::GetIO().MouseDown[button] = down;
#endif
}
inline void inject_wheel(float horizontal, float vertical) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(horizontal, vertical);
#else
    ImGui::GetIO().MouseWheelH += horizontal;
    ImGui::GetIO().MouseWheel += vertical;
#endif
}

}  // namespace kwb::gui
