// The list of keys is the whole list: what the window reacts to is in it, and F1 shows it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "gui/arrangement.hpp"
#include "gui/dialogs/keys_dialog.hpp"
#include "gui/gui_driver.hpp"
#include "gui/keys.hpp"

namespace kwb::test {
namespace {

namespace fs = std::filesystem;
using namespace kwb::gui;

/// Draws the dialog of keys alone.
class KeysProgram : public Program {
public:
    void draw() override {
        Commands commands;
        dialog.draw(state_, commands);
    }
    std::string title() const override { return "Keys"; }
    KeysDialog dialog;

private:
    DeskState state_;
};

TEST_CASE("F1 lists each action with its key, and each gesture") {
    WindowlessStage stage;
    KeysProgram program;
    GuiDriver driver(stage, program);
    driver.key(plain(Key::F1));
    std::vector<std::pair<std::string, std::string>> rows;  // keys, words
    for (std::size_t row = 0; driver.has("keys/row/" + std::to_string(row) + "/keys"); ++row) {
        const std::string id = "keys/row/" + std::to_string(row);
        rows.emplace_back(driver.at(id + "/keys").label, driver.at(id + "/words").label);
    }
    const auto is_listed = [&](const std::string& keys, std::string_view words) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
            return row.first.starts_with(keys) && row.second == words;
        });
    };
    for (const KeyEntry& entry : key_table()) {
        CAPTURE(std::string(entry.words));
        CHECK(is_listed(keys_of(entry.action), entry.words));
    }
    for (const GestureEntry& entry : gesture_table()) {
        CAPTURE(std::string(entry.words));
        CHECK(is_listed(std::string(entry.gesture), entry.words));
    }
}

/// Names of keys as the sources write them, and as people read them.
std::string read_name(const std::string& written) {
    if (written.size() == 1 || std::regex_match(written, std::regex("F[0-9]+"))) return written;
    static const std::map<std::string, std::string> kNames = {
        {"Slash", "/"},          {"Equal", "+"},        {"KeypadPlus", "+"},       {"Minus", "\u2212"},
        {"Left", "\u2190"},      {"Right", "\u2192"},   {"Up", "\u2191"},          {"Down", "\u2193"},
        {"Escape", "Esc"},       {"PageUp", "Page up"}, {"PageDown", "Page down"}, {"KeypadMinus", "\u2212"},
        {"KeypadEnter", "Enter"}};
    if (written.starts_with("Num")) return written.substr(3);
    const auto found = kNames.find(written);
    return found == kNames.end() ? written : found->second;
}

TEST_CASE("no key is handled anywhere in the window that the list of keys leaves out") {
    std::vector<std::string> listed;
    for (const KeyEntry& entry : key_table())
        for (const Chord& chord : entry.chords()) listed.push_back(to_string(chord));
    std::string gestures;
    for (const GestureEntry& entry : gesture_table()) gestures += std::string(entry.gesture) + "; ";

    // Key::X as an argument, with what holds it: plain(, ctrl(, …
    const std::regex pattern(R"((\w+)\(Key::(\w+)|\.key = Key::(\w+)|[({ ]Key::(\w+))");
    std::size_t found = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(KWB_GUI_SOURCES)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".cpp" || name == "keys.cpp" || name == "key_table.cpp") continue;
        const std::string text = read_file(entry.path(), 1u << 20);
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at, ++found) {
            const std::string maker = (*at)[1];
            std::string key;
            for (const std::size_t group : {2u, 3u, 4u})
                if ((*at)[group].matched) key = read_name((*at)[group]);
            const std::string held = maker == "ctrl"         ? "Ctrl+"
                                     : maker == "ctrl_shift" ? "Ctrl+Shift+"
                                     : maker == "alt"        ? "Alt+"
                                     : maker == "shift"      ? "Shift+"
                                                             : "";
            CAPTURE(entry.path().string());
            CAPTURE(held + key);
            const bool is_caret_key = held.empty() || held == "Shift+";
            const bool is_gesture =
                is_caret_key && (gestures.find(key) != std::string::npos ||
                                 std::string("\u2190\u2192\u2191\u2193").find(key) != std::string::npos);
            CHECK((is_gesture || std::find(listed.begin(), listed.end(), held + key) != listed.end()));
        }
    }
    CHECK(found > 40);
}

TEST_CASE("each panel has its key") {
    CHECK(keys_of(focus_action(Panel::Experiment)) == "Ctrl+1");
    CHECK(keys_of(focus_action(Panel::History)) == "Ctrl+5");
    for (const Panel panel : kAllPanels) CHECK(entry_of(focus_action(panel)).words == title_of(panel));
}

}  // namespace
}  // namespace kwb::test
