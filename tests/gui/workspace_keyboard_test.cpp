// SPDX-License-Identifier: Apache-2.0
// Keyboard-only use of the whole window.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gui/contrast.hpp"
#include "gui/gui_driver.hpp"
#include "gui/look.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

/// Explores the window with the arrow keys and Tab as a graph: widgets are the nodes, keys the edges. No
/// widget is activated.
class KeyboardWalk {
public:
    explicit KeyboardWalk(GuiDriver& driver) : driver_(driver) {}

    /// Starting at the focused widget, try every key at every reachable widget.
    void explore();

    /// Record the widgets on the screen and the one with the focus ring.
    void look() { note(); }

    /// IDs of all widgets that have had the focus ring.
    const std::set<std::string>& reached() const { return reached_; }
    /// Enabled widgets in the last frame whose ID begins with `prefix` and that have not had the focus ring
    /// yet.
    std::vector<std::string> missed(const std::string& prefix = "") const;
    /// All widgets that were enabled at any time during the walk and never had the focus ring.
    std::vector<std::string> never_reached() const;

    /// ID of the focused widget; "" if there is none.
    std::string here() const;

private:
    static constexpr std::size_t kWays = 6;
    using Ways = std::array<std::string, kWays>;  ///< the widget that each key leads to; "?": not tried yet

    std::string press(std::size_t way);
    std::string arrive();
    void note();
    /// Breadth-first search. The first key on the shortest path from `from` to a widget with an untried key;
    /// kWays if there is none.
    std::size_t way_to_news(const std::string& from) const;

    GuiDriver& driver_;
    std::map<std::string, Ways> maze_;
    std::set<std::string> reached_, usable_;
};

constexpr gui::Chord kKeys[] = {gui::plain(Key::Down), gui::plain(Key::Right), gui::plain(Key::Up),
                                gui::plain(Key::Left), gui::plain(Key::Tab),   gui::shift(Key::Tab)};
const std::string kUntried = "?";

bool is_usable(const gui::Probed& probed) {
    return probed.acts && probed.enabled && probed.visible;
}

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

/// An active text field consumes the arrow keys; Escape deactivates it.
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
    std::map<std::string, std::size_t> first;  // widget → first key of the path to it
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
    // Bounds the walk, should it never end: far more steps than there are edges.
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
    // The walk moves splitters, and what is drawn depends on the room.
    for (const std::string& id : usable_)
        if (!reached_.contains(id) && driver_.has(id)) ids.push_back(id);
    return ids;
}

std::string listed(const std::vector<std::string>& ids) {
    std::string words;
    for (const std::string& id : ids) words += "\n  " + id;
    return words;
}

void check_reached(const KeyboardWalk& walk) {
    const std::vector<std::string> never = walk.never_reached();
    INFO("never reached: ", listed(never));
    CHECK(never.empty());
}

/// Press Tab until the widget has the focus ring.
void tab_to(Scene& scene, const std::string& id) {
    for (int i = 0; i < 200 && !scene.driver->at(id).focused; ++i) scene.driver->key(plain(Key::Tab));
    REQUIRE(scene.driver->at(id).focused);
}

TEST_CASE("the keyboard gets to every control of every panel before and after runs") {
    Scene scene("lesson,lesson", {.kernels = {"good", "slow", "wrong"}});
    for (int runs = 0; runs < 2; ++runs) {
        for (const Key digit : {Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6}) {
            KeyboardWalk walk(*scene.driver);
            scene.driver->key(ctrl(digit));
            walk.explore();
            CAPTURE(runs);
            CAPTURE(to_string(plain(digit)));
            check_reached(walk);
        }
        scene.run();
        scene.run();
    }
}

TEST_CASE("Tab alone goes through the whole window and comes back, with Shift the other way") {
    Scene scene("lesson", {.kernels = {"good", "slow", "wrong"}});
    scene.run();
    for (const bool back : {false, true}) {
        scene.driver->key(ctrl(Key::Num1));
        const KeyboardWalk walk(*scene.driver);
        const std::string start = walk.here();
        std::set<std::string> reached;
        for (int i = 0; i < 200; ++i) {
            scene.driver->key(back ? shift(Key::Tab) : plain(Key::Tab));
            reached.insert(walk.here());
            if (walk.here() == start) break;
        }
        for (const std::string id : {"workspace/view", "experiment/run", "source/text", "source/save",
                                     "times/chart", "workspace/split/rows/right", "correctness/map"})
            CHECK_MESSAGE((reached.contains(id) || !scene.driver->at(id).enabled), id);
        CHECK(walk.here() == start);
    }
    CHECK(scene.front().buffer().text() == matmul_source("good"));  // Tab did not indent the source
}

TEST_CASE("Tab shows the tooltip of the control that it reaches; Escape and the way to a panel show none") {
    Scene scene("good");
    const auto explains = [&] {
        scene.driver->settle();
        return scene.driver->has("tooltip");
    };
    tab_to(scene, "workspace/view");
    CHECK(explains());
    scene.driver->key(plain(Key::Escape));
    CHECK_FALSE(explains());
    tab_to(scene, "experiment/run");
    CHECK(explains());
    scene.driver->key(ctrl(Key::Num1));
    CHECK_FALSE(explains());
    scene.driver->key(plain(Key::Tab));
    scene.driver->hover("workspace/view");
    CHECK(explains());
}

TEST_CASE("Enter presses what has the focus ring, as Space does") {
    Scene scene("good");
    for (const Key key : {Key::Enter, Key::Space}) {
        const bool live = scene.state().choices.live;
        tab_to(scene, "experiment/live");
        scene.driver->key(plain(key));
        CHECK(scene.state().choices.live != live);
        scene.rest();
    }
    tab_to(scene, "workspace/view");
    scene.driver->key(plain(Key::Enter));
    CHECK(scene.driver->has("workspace/view/theme"));
    KeyboardWalk walk(*scene.driver);
    walk.explore();
    CHECK(walk.missed("workspace/view/").empty());
    scene.driver->key(plain(Key::Escape));
    CHECK_FALSE(scene.driver->has("workspace/view/theme"));
}

TEST_CASE("files are brought to the front, compared and closed by keys") {
    Scene scene("good", {.kernels = {"mine", "other", "third"}});
    scene.driver->key(ctrl(Key::Num2));
    std::vector<std::string> fronts;
    for (int i = 0; i < 3; ++i) {
        fronts.push_back(scene.front().name());
        scene.driver->key(ctrl(Key::PageDown));
    }
    CHECK(std::set<std::string>(fronts.begin(), fronts.end()).size() == 3);
    CHECK(scene.front().name() == fronts[0]);
    scene.driver->key(ctrl(Key::PageUp));
    CHECK(scene.front().name() == fronts[2]);

    scene.driver->key(ctrl_shift(Key::C));
    const ImRect opener = scene.driver->at("source/compare").rect;
    const std::string first = KeyboardWalk(*scene.driver).here();
    CHECK(first.starts_with("source/compare/"));
    CHECK(scene.driver->at(first).rect.Min.y >= opener.Max.y - 1);  // below its button
    CHECK(scene.driver->at(first).rect.Min.x < opener.Max.x);
    scene.driver->key(plain(Key::Enter));
    CHECK(scene.driver->has("source/diff"));
    CHECK(scene.driver->at("source/diff/next").focused);
    KeyboardWalk walk(*scene.driver);
    walk.explore();
    check_reached(walk);
    scene.driver->key(plain(Key::Escape));
    CHECK_FALSE(scene.driver->has("source/diff"));

    scene.driver->key(ctrl(Key::W));
    CHECK(scene.state().documents.size() == 2);
}

TEST_CASE("a run of the history is shown, compared, exported and forgotten by keys") {
    Scene scene("timed,timed");
    scene.run();
    scene.run();
    const std::string earlier = "history/row/" + std::to_string(scene.history()[1].id);
    scene.driver->key(ctrl(Key::Num5));
    tab_to(scene, earlier);
    scene.driver->key(shift(Key::F10));
    CHECK(scene.driver->has("history/export/csv"));
    KeyboardWalk walk(*scene.driver);
    walk.explore();
    CHECK(walk.missed("history/compare").empty());
    CHECK(walk.missed("history/export").empty());
    CHECK(walk.missed("history/forget").empty());
    scene.driver->key(plain(Key::Escape));
    CHECK_FALSE(scene.driver->has("history/export/csv"));

    scene.driver->key(ctrl(Key::Num5));
    tab_to(scene, earlier);
    scene.driver->key(plain(Key::Menu));
    CHECK(scene.driver->has("history/export/csv"));
    scene.driver->key(plain(Key::Escape));
    tab_to(scene, earlier + "/more");
    scene.driver->key(plain(Key::Enter));
    CHECK(scene.driver->has("history/export/csv"));
    scene.driver->key(plain(Key::Escape));
    tab_to(scene, earlier);
    scene.driver->key(plain(Key::C));
    CHECK(scene.state().compared != nullptr);
    scene.driver->key(plain(Key::Delete));
    CHECK(scene.driver->has("question/yes"));
    scene.driver->key(plain(Key::Right));
    scene.driver->key(plain(Key::Enter));
    CHECK(scene.history().size() == 1);
}

TEST_CASE("results are exported from the bar by keys") {
    Scene scene("timed");
    scene.run();
    tab_to(scene, "experiment/export");
    scene.driver->key(plain(Key::Enter));
    REQUIRE(scene.driver->has("experiment/export/csv"));
    KeyboardWalk walk(*scene.driver);
    walk.explore();
    CHECK(walk.missed("experiment/export/").empty());
    tab_to(scene, "experiment/export/csv");
    scene.driver->key(plain(Key::Enter));
    scene.driver->settle();
    REQUIRE(scene.driver->has("files/title"));
    CHECK(scene.state().dialog->name.ends_with(".csv"));
}

TEST_CASE("every dialog is gone through and closed by keys") {
    Scene scene("timed");
    for (const Chord& chord : {plain(Key::F1), ctrl(Key::O), ctrl_shift(Key::S)}) {
        CAPTURE(to_string(chord));
        const auto modal = [] { return ImGui::GetTopMostPopupModal() != nullptr; };
        scene.driver->key(chord);
        CHECK(modal());
        KeyboardWalk walk(*scene.driver);
        for (int i = 0; i < 30; ++i) {
            scene.driver->key(plain(Key::Tab));
            walk.look();
        }
        std::vector<std::string> never = walk.never_reached();
        // While the name field has the keyboard, the arrow keys move the list's own cursor; letters filter
        // the rows.
        const unsigned layer = ImGui::GetTopMostPopupModal()->ID;
        std::erase_if(never, [&](const std::string& id) {
            return !scene.driver->has(id) || scene.driver->at(id).layer != layer ||
                   id.starts_with("files/row");
        });
        INFO("never reached: ", listed(never));
        CHECK(never.empty());
        scene.driver->key(plain(Key::Escape));
        if (modal()) scene.driver->key(plain(Key::Escape));
        CHECK_FALSE(modal());
    }
}

TEST_CASE("the arrow keys leave a splitter perpendicular to it, and the text upwards to its tabs") {
    Scene scene("good");
    tab_to(scene, "workspace/split/columns/left");
    const float before = scene.driver->at("workspace/area/left").full.GetWidth();
    scene.driver->key(plain(Key::Right));
    CHECK(scene.driver->at("workspace/area/left").full.GetWidth() > before);
    CHECK(scene.driver->at("workspace/split/columns/left").focused);
    scene.driver->key(plain(Key::Up));
    CHECK_FALSE(scene.driver->at("workspace/split/columns/left").focused);

    scene.driver->key(ctrl(Key::Num2));
    scene.driver->key(plain(Key::Escape));
    CHECK(scene.driver->at("source/text").focused);
    scene.driver->key(plain(Key::Up));
    CHECK(KeyboardWalk(*scene.driver).here().starts_with("source/"));
    CHECK_FALSE(scene.driver->at("source/text").focused);
}

TEST_CASE("the focus ring can be told from everything that it is drawn on") {
    for (const gui::Theme theme : {gui::Theme::Dark, gui::Theme::Light}) {
        const Palette& colors = palette(theme);
        for (const Color under : {colors.window, colors.surface, colors.popup, colors.raised})
            CHECK(contrast_ratio(colors.focus_ring, under) >= 3);  // WCAG 2.1, 1.4.11
    }
}

}  // namespace
}  // namespace kwb::test
