// SPDX-License-Identifier: Apache-2.0
#include "gui/gl_pictures.hpp"

#include <xcb/xcb.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace kwb::gui {

struct PictureClipboard::State {
    xcb_connection_t* server = xcb_connect(nullptr, nullptr);
    xcb_window_t window = XCB_NONE;
    xcb_atom_t clipboard = XCB_NONE, targets = XCB_NONE, picture = XCB_NONE, end = XCB_NONE;
    std::thread thread;
    std::mutex mutex;
    std::string png;  ///< guarded by the mutex

    State();
    ~State();
    bool is_connected() const { return xcb_connection_has_error(server) == 0; }
    xcb_atom_t atom(std::string_view name) const;
    void serve();
    void answer(const xcb_selection_request_event_t& asked);
};

PictureClipboard::State::State() {
    if (!is_connected()) return;
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(server)).data;
    window = xcb_generate_id(server);
    xcb_create_window(server, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
    clipboard = atom("CLIPBOARD");
    targets = atom("TARGETS");
    picture = atom("image/png");
    end = atom("KWB_END");
    thread = std::thread([this] { serve(); });
}

PictureClipboard::State::~State() {
    if (thread.joinable()) {
        xcb_client_message_event_t message{};
        message.response_type = XCB_CLIENT_MESSAGE;
        message.format = 32;
        message.window = window;
        message.type = end;
        xcb_send_event(server, 0, window, 0, reinterpret_cast<const char*>(&message));
        xcb_flush(server);
        thread.join();
    }
    xcb_disconnect(server);
}

xcb_atom_t PictureClipboard::State::atom(std::string_view name) const {
    const auto cookie = xcb_intern_atom(server, 0, static_cast<std::uint16_t>(name.size()), name.data());
    xcb_intern_atom_reply_t* reply = xcb_intern_atom_reply(server, cookie, nullptr);
    const xcb_atom_t found = reply != nullptr ? reply->atom : static_cast<xcb_atom_t>(XCB_NONE);
    std::free(reply);
    return found;
}

void PictureClipboard::State::serve() {
    constexpr std::uint8_t kKind = 0x7f;  // the highest bit marks events that another program sent
    bool ends = false;
    while (!ends) {
        xcb_generic_event_t* event = xcb_wait_for_event(server);
        if (event == nullptr) return;  // the server is gone
        switch (event->response_type & kKind) {
            case XCB_SELECTION_REQUEST:
                answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event));
                break;
            case XCB_SELECTION_CLEAR: {  // another program has copied something
                const std::lock_guard lock(mutex);
                png.clear();
                break;
            }
            case XCB_CLIENT_MESSAGE:
                ends = reinterpret_cast<const xcb_client_message_event_t*>(event)->type == end;
                break;
            default:  // errors too: a program that asked may have gone
                break;
        }
        std::free(event);
    }
}

void PictureClipboard::State::answer(const xcb_selection_request_event_t& asked) {
    xcb_selection_notify_event_t reply{};
    reply.response_type = XCB_SELECTION_NOTIFY;
    reply.time = asked.time;
    reply.requestor = asked.requestor;
    reply.selection = asked.selection;
    reply.target = asked.target;
    // Old programs name no property: then it is that of the target.
    const xcb_atom_t property = asked.property != XCB_NONE ? asked.property : asked.target;
    const std::array<xcb_atom_t, 2> kinds = {targets, picture};
    const std::lock_guard lock(mutex);
    if (asked.target == targets) {
        xcb_change_property(server, XCB_PROP_MODE_REPLACE, asked.requestor, property, XCB_ATOM_ATOM, 32,
                            kinds.size(), kinds.data());
        reply.property = property;
    } else if (asked.target == picture && !png.empty()) {
        xcb_change_property(server, XCB_PROP_MODE_REPLACE, asked.requestor, property, picture, 8,
                            static_cast<std::uint32_t>(png.size()), png.data());
        reply.property = property;
    }
    xcb_send_event(server, 0, asked.requestor, 0, reinterpret_cast<const char*>(&reply));
    xcb_flush(server);
}

PictureClipboard::PictureClipboard() : state_(std::make_unique<State>()) {}

PictureClipboard::~PictureClipboard() = default;

std::string PictureClipboard::offer(std::string png) {
    State& state = *state_;
    if (!state.is_connected()) return "No X server offers a clipboard for pictures; save it as PNG.";
    // A request is counted in words of four bytes; the rest of it is far smaller than this margin.
    constexpr std::size_t kMargin = 1024;
    if (png.size() + kMargin > std::size_t{4} * xcb_get_maximum_request_length(state.server))
        return "The picture is too large for the clipboard; save it as PNG.";
    {
        const std::lock_guard lock(state.mutex);
        state.png = std::move(png);
    }
    xcb_set_selection_owner(state.server, state.window, state.clipboard, XCB_CURRENT_TIME);
    xcb_flush(state.server);
    return "";
}

}  // namespace kwb::gui
