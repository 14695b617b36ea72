#include "gui/keyboard_walk.hpp"

#include <deque>

#include "gui/look.hpp"

namespace kwb::test {
namespace {

using gui::Key;

constexpr gui::Chord kKeys[] = {gui::plain(Key::Down), gui::plain(Key::Right), gui::plain(Key::Up),
                                gui::plain(Key::Left), gui::plain(Key::Tab),   gui::shift(Key::Tab)};
const std::string kUntried = "?";

bool is_usable(const gui::Probed& probed) {
    return probed.acts && probed.enabled && probed.visible;
}

}  // namespace

std::string KeyboardWalk::here() const {
    for (const auto& [id, probed] : driver_.stage().look().probes().all())
        if (probed.focused) return id;
    return "";
}

void KeyboardWalk::note() {
    for (const auto& [id, probed] : driver_.stage().look().probes().all()) {
        if (is_usable(probed)) usable_.insert(id);
        if (probed.focused) reached_.insert(id);
    }
}

/// Text fields keep the arrows for themselves: Escape gives them back.
std::string KeyboardWalk::arrive() {
    for (const auto& [id, probed] : driver_.stage().look().probes().all())
        if (probed.focused && probed.active) {
            driver_.key(gui::plain(Key::Escape));
            break;
        }
    note();
    const std::string place = here();
    if (const auto [at, is_new] = maze_.try_emplace(place); is_new) at->second.fill(kUntried);
    return place;
}

std::string KeyboardWalk::press(std::size_t way) {
    const gui::Chord& chord = kKeys[way];
    gui::inject_modifiers(chord.ctrl, chord.shift, chord.alt);
    gui::inject_key(chord.key, true);
    driver_.pump();
    gui::inject_key(chord.key, false);
    gui::inject_modifiers(false, false, false);
    driver_.pump(2);
    return arrive();
}

std::size_t KeyboardWalk::way_to_news(const std::string& from) const {
    std::map<std::string, std::size_t> first;  // key with which each place is got to
    std::deque<std::string> next = {from};
    first[from] = kWays;
    while (!next.empty()) {
        const std::string place = next.front();
        next.pop_front();
        const auto known = maze_.find(place);
        if (known == maze_.end()) continue;
        for (std::size_t way = 0; way < kWays; ++way) {
            const std::size_t start = place == from ? way : first.at(place);
            const std::string& to = known->second[way];
            if (to == kUntried) return start;
            if (first.try_emplace(to, start).second) next.push_back(to);
        }
    }
    return kWays;
}

void KeyboardWalk::explore() {
    std::string place = arrive();
    // A walk that goes on for ever is a fault of the test: far more steps than there are ways.
    for (int step = 0; step < 6000; ++step) {
        const std::size_t way = way_to_news(place);
        if (way == kWays) return;
        const std::string to = press(way);
        maze_[place][way] = to;
        place = to;
    }
    throw CannotAct("the walk found no end");
}

std::vector<std::string> KeyboardWalk::missed(const std::string& prefix) const {
    std::vector<std::string> ids;
    for (const auto& [id, probed] : driver_.stage().look().probes().all())
        if (is_usable(probed) && id.starts_with(prefix) && !reached_.contains(id)) ids.push_back(id);
    return ids;
}

std::vector<std::string> KeyboardWalk::never_reached() const {
    std::vector<std::string> ids;
    for (const std::string& id : usable_)
        if (!reached_.contains(id)) ids.push_back(id);
    return ids;
}

}  // namespace kwb::test
