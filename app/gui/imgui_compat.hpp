// What differs between the Dear ImGui of the distributions (1.86 in Debian 12 … 1.92). The only file that
// asks for ImGui's version: everything else includes this one instead of imgui.h.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <cstdint>

#include "gui/keys.hpp"

/// Up to 1.91 a renderer uploads the whole font atlas once; from 1.92 on it follows the atlas by itself.
#define KWB_IMGUI_UPLOADS_FONTS (IMGUI_VERSION_NUM < 19200)

namespace kwb::gui::compat {

/// From 1.87 on keys and buttons arrive as queued events, of which a frame takes one of a kind.
inline constexpr bool kQueuesInput = IMGUI_VERSION_NUM >= 18700;
/// From 1.87 on the GLFW backend knows what is printed on a key; before, keys are places on a US keyboard.
inline constexpr bool kBackendKnowsLayout = IMGUI_VERSION_NUM >= 18700;

/// SetKeyboardFocusHere() has no effect if the control that has the keyboard is drawn later in the same
/// frame: seen in 1.90, not in 1.86.
inline constexpr bool kWithdrawsFocus = IMGUI_VERSION_NUM >= 18900;

#if IMGUI_VERSION_NUM >= 19090
inline constexpr int kColTabSelected = ImGuiCol_TabSelected;
inline constexpr int kColTabDimmed = ImGuiCol_TabDimmed;
inline constexpr int kColTabDimmedSelected = ImGuiCol_TabDimmedSelected;
#else
inline constexpr int kColTabSelected = ImGuiCol_TabActive;
inline constexpr int kColTabDimmed = ImGuiCol_TabUnfocused;
inline constexpr int kColTabDimmedSelected = ImGuiCol_TabUnfocusedActive;
#endif
#if IMGUI_VERSION_NUM >= 19140
inline constexpr int kColFocusRing = ImGuiCol_NavCursor;
#else
inline constexpr int kColFocusRing = ImGuiCol_NavHighlight;
#endif

/// BeginChild with or without a frame around it; EndChild() always follows, as with ImGui's own. The arrow
/// keys move in and out of it as if its widgets were its parent's.
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

/// True if the last item is hovered; then the tooltip is open and EndTooltip() has to follow.
inline bool begin_item_tooltip() {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
    ImGui::BeginTooltip();
    return true;
}

/// Let later items lie on the next one: call before it, and allow_overlap_of_last() after it.
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

/// While the pointer is on the last item, the item gets the wheel: its window does not scroll.
inline void take_wheel_for_last() {
#if IMGUI_VERSION_NUM >= 18900
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
    ImGui::SetItemUsingMouseWheel();
#endif
}

/// Draw the focus ring around an item made by hand, if the keyboard acts on it.
inline void draw_focus_ring(const ImRect& rect, ImGuiID item) {
#if IMGUI_VERSION_NUM >= 19140
    ImGui::RenderNavCursor(rect, item);
#else
    ImGui::RenderNavHighlight(rect, item);
#endif
}

/// From now on show which widget has the keyboard.
inline void show_focus_ring() {
#if IMGUI_VERSION_NUM >= 19140
    GImGui->NavCursorVisible = true;
#else
    GImGui->NavDisableHighlight = false;
#endif
}

/// The focus scope that ImGui::SetNavID() needs for an item submitted now.
inline ImGuiID current_focus_scope() {
#if IMGUI_VERSION_NUM >= 18900
    return GImGui->CurrentFocusScopeId;
#else
    return GImGui->CurrentWindow->DC.NavFocusScopeIdCurrent;
#endif
}

/// Right after NewFrame(). Up to 1.87 Enter begins to write in fields, but presses no buttons.
inline void let_enter_press() {
#if IMGUI_VERSION_NUM < 18800
    ImGuiContext& context = *GImGui;
    if (context.NavActivateInputId == 0 || context.ActiveId != 0) return;
    const ImGuiID item = context.NavActivateInputId;
    context.NavActivateId = context.NavActivateDownId = context.NavActivatePressedId = item;
#endif
}

/// Add an item that takes the keyboard as text fields do.
/// @return  true if the Tab key, or Enter or Space where the focus ring is, asks it to
inline bool add_text_item(const ImRect& rect, ImGuiID item) {
    ImGui::ItemAdd(rect, item, nullptr, ImGuiItemFlags_Inputable);
#if IMGUI_VERSION_NUM < 18940
    const ImGuiItemStatusFlags status = GImGui->LastItemData.StatusFlags;
    if ((status & ImGuiItemStatusFlags_FocusedByTabbing) != 0 || GImGui->NavActivateInputId == item)
        return true;
#endif
    return GImGui->NavActivateId == item;
}

/// Call in each frame in which an item edits text, so that it gets the letters.
inline void want_text_input() {
    GImGui->WantTextInputNextFrame = 1;
#if IMGUI_VERSION_NUM >= 19200
    GImGui->PlatformImeData.WantTextInput = true;
#endif
}

/// A texture of OpenGL as ImGui names it: a pointer before 1.91.4, an integer since.
inline ImTextureID texture_id(unsigned gl_name) {
    return (ImTextureID)(std::intptr_t)gl_name;
}

/// The size in pixels that a font was loaded with.
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

/// Is there a picture for this character? (An atlas that loads on demand looks into the font file.)
inline bool has_glyph(const ImFont& font, unsigned code_point) {
#if IMGUI_VERSION_NUM >= 19200
    return const_cast<ImFont&>(font).IsGlyphInFont(static_cast<ImWchar>(code_point));
#else
    return font.FindGlyphNoFallback(static_cast<ImWchar>(code_point)) != nullptr;
#endif
}

/// Make the texture of all characters at least this wide, so that it does not grow too tall. Before
/// loading.
inline void set_atlas_width(ImFontAtlas& atlas, int width_px) {
#if IMGUI_VERSION_NUM >= 19200
    atlas.TexMinWidth = width_px;
#else
    atlas.TexDesiredWidth = width_px;
#endif
}

/// Does a font leave the range of private use, where icons are, to the next one? (An atlas that loads on
/// demand takes a character from the first font that has it, whatever ranges were asked for.)
inline void set_leaves_icons([[maybe_unused]] ImFontConfig& config, [[maybe_unused]] bool leaves) {
#if IMGUI_VERSION_NUM >= 19200
    static constexpr ImWchar kPrivateUse[] = {0xe000, 0xf8ff, 0};
    config.GlyphExcludeRanges = leaves ? kPrivateUse : nullptr;
#endif
}

/// The width of `text` set in `font`, in pixels.
inline ImVec2 text_size(ImFont& font, float size_px, const char* begin, const char* end, float wrap = 0) {
    return font.CalcTextSizeA(size_px, 3.4e38f, wrap, begin, end);
}

/// Is an item submitted now greyed out? Within BeginDisabled(true) … EndDisabled().
inline bool is_disabled() {
    return (GImGui->CurrentItemFlags & ImGuiItemFlags_Disabled) != 0;
}

/// Is there input that no frame has seen? An event-driven loop draws until it is gone.
inline bool has_queued_input() {
#if IMGUI_VERSION_NUM >= 18700
    return GImGui->InputEventsQueue.Size > 0;
#else
    return false;
#endif
}

/// Asked after a frame: will the next one look different without any input? A popup or a tooltip that
/// appears is hidden at first, and takes in one frame the size of what was drawn into it in the frame before.
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

/// A frame takes all events that came before it, as up to 1.86. For an InputQueue, which spreads them itself.
inline void take_input_at_once() {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().ConfigInputTrickleEventQueue = false;
#endif
}

// Keys and injected input.

#if IMGUI_VERSION_NUM >= 18900
inline constexpr ImGuiKey kModCtrl = ImGuiMod_Ctrl, kModShift = ImGuiMod_Shift, kModAlt = ImGuiMod_Alt;
#elif IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kModCtrl = ImGuiKey_ModCtrl, kModShift = ImGuiKey_ModShift,
                          kModAlt = ImGuiKey_ModAlt;
#endif

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey imgui_key(Key key) {
    const int code = static_cast<int>(key);
    const auto counted = [code](ImGuiKey first, Key from) {
        return static_cast<ImGuiKey>(static_cast<int>(first) + code - static_cast<int>(from));
    };
    if (key >= Key::Num0 && key <= Key::Num9) return counted(ImGuiKey_0, Key::Num0);
    if (key >= Key::A && key <= Key::Z) return counted(ImGuiKey_A, Key::A);
    if (key >= Key::F1 && key <= Key::F12) return counted(ImGuiKey_F1, Key::F1);
    switch (key) {
        case Key::Space:
            return ImGuiKey_Space;
        case Key::Comma:
            return ImGuiKey_Comma;
        case Key::Minus:
            return ImGuiKey_Minus;
        case Key::Period:
            return ImGuiKey_Period;
        case Key::Slash:
            return ImGuiKey_Slash;
        case Key::Equal:
            return ImGuiKey_Equal;
        case Key::Escape:
            return ImGuiKey_Escape;
        case Key::Enter:
            return ImGuiKey_Enter;
        case Key::Menu:
            return ImGuiKey_Menu;
        case Key::Tab:
            return ImGuiKey_Tab;
        case Key::Backspace:
            return ImGuiKey_Backspace;
        case Key::Insert:
            return ImGuiKey_Insert;
        case Key::Delete:
            return ImGuiKey_Delete;
        case Key::Right:
            return ImGuiKey_RightArrow;
        case Key::Left:
            return ImGuiKey_LeftArrow;
        case Key::Down:
            return ImGuiKey_DownArrow;
        case Key::Up:
            return ImGuiKey_UpArrow;
        case Key::PageUp:
            return ImGuiKey_PageUp;
        case Key::PageDown:
            return ImGuiKey_PageDown;
        case Key::Home:
            return ImGuiKey_Home;
        case Key::End:
            return ImGuiKey_End;
        case Key::KeypadMinus:
            return ImGuiKey_KeypadSubtract;
        case Key::KeypadPlus:
            return ImGuiKey_KeypadAdd;
        case Key::KeypadEnter:
            return ImGuiKey_KeypadEnter;
        default:
            return ImGuiKey_None;
    }
}
inline bool is_pressed(Key key, bool repeats) {
    return ImGui::IsKeyPressed(imgui_key(key), repeats);
}
inline void inject_key(Key key, bool down) {
    ImGui::GetIO().AddKeyEvent(imgui_key(key), down);
}
inline void inject_modifiers(bool ctrl, bool shift, bool alt) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(kModCtrl, ctrl);
    io.AddKeyEvent(kModShift, shift);
    io.AddKeyEvent(kModAlt, alt);
}
inline void inject_pointer(float x, float y) {
    ImGui::GetIO().AddMousePosEvent(x, y);
}
inline void inject_button(int button, bool down) {
    ImGui::GetIO().AddMouseButtonEvent(button, down);
}
inline void inject_wheel(float horizontal, float vertical) {
    ImGui::GetIO().AddMouseWheelEvent(horizontal, vertical);
}
inline void install_key_map() {}
#else
inline bool is_pressed(Key key, bool repeats) {
    return ImGui::IsKeyPressed(static_cast<int>(key), repeats);
}
inline void inject_key(Key key, bool down) {
    ImGui::GetIO().KeysDown[static_cast<int>(key)] = down;
}
inline void inject_modifiers(bool ctrl, bool shift, bool alt) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
}
inline void inject_pointer(float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
}
inline void inject_button(int button, bool down) {
    ImGui::GetIO().MouseDown[button] = down;
}
inline void inject_wheel(float horizontal, float vertical) {
    ImGui::GetIO().MouseWheelH += horizontal;
    ImGui::GetIO().MouseWheel += vertical;
}
/// ImGui acts on these 22 by name (moving the caret, copying …) and only reports the others.
inline void install_key_map() {
    constexpr struct {
        ImGuiKey_ name;
        Key key;
    } kNames[] = {{ImGuiKey_Tab, Key::Tab},
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
                  {ImGuiKey_KeyPadEnter, Key::KeypadEnter},
                  {ImGuiKey_A, Key::A},
                  {ImGuiKey_C, Key::C},
                  {ImGuiKey_V, Key::V},
                  {ImGuiKey_X, Key::X},
                  {ImGuiKey_Y, Key::Y},
                  {ImGuiKey_Z, Key::Z}};
    for (const auto& [name, key] : kNames) ImGui::GetIO().KeyMap[name] = static_cast<int>(key);
}
#endif

}  // namespace kwb::gui::compat
