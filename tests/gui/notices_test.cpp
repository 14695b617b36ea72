// Notices in the corner, without any window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/notices.hpp"
#include "gui/gui_driver.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

struct NoticeScene {
    DeskState state = make_state();
    Notices notices;
    std::string words;
    DeskProgram program{state,
                        [](const DeskState&, Commands&) { button("stage/below", "Below", {.width = -1}); },
                        [this](const DeskState& s, Commands& c) { notices.draw(s, c); }};
    WindowlessStage stage{1024, 640};
    GuiDriver driver{stage, program};

    explicit NoticeScene(int count) {
        using Kind = Notice::Kind;
        const Kind kinds[] = {Kind::Information, Kind::Warning, Kind::Error};
        for (int i = 1; i <= count; ++i)
            state.notices.push_back({kinds[i % 3], static_cast<std::uint64_t>(i),
                                     "Something happened to file number " + std::to_string(i) +
                                         " that a person should know; go to another folder."});
        program.perform = [this](const Command& command) {
            if (const auto* dismiss = std::get_if<command::DismissNotice>(&command))
                std::erase_if(state.notices,
                              [&](const Notice& notice) { return notice.number == dismiss->number; });
        };
        driver.settle();
    }
};

TEST_CASE("the newest notice is at the bottom, none covers the status bar, and the × dismisses one") {
    NoticeScene scene(2);
    CHECK(scene.driver.at("notice/2").full.min_y > scene.driver.at("notice/1").full.max_y);
    CHECK(scene.driver.at("notice/2").full.max_y <= 640 - scene.stage.look().tokens().status_height);
    CHECK(scene.driver.at("notice/2/sentence").label == scene.state.notices[1].sentence);
    scene.driver.click("notice/1/dismiss");
    REQUIRE(scene.state.notices.size() == 1);
    CHECK(scene.state.notices[0].number == 2);
}

TEST_CASE("Escape dismisses the newest notice, but not while something runs") {
    NoticeScene scene(2);
    auto running = std::make_shared<Snapshot>();
    running->phase = Snapshot::Phase::Running;
    scene.state.session = running;
    scene.driver.key(plain(Key::Escape));
    CHECK(scene.state.notices.size() == 2);
    scene.state.session = std::make_shared<Snapshot>();
    scene.driver.key(plain(Key::Escape));
    REQUIRE(scene.state.notices.size() == 1);
    CHECK(scene.state.notices[0].number == 1);
}

TEST_CASE("more notices than there is room for are counted, and all can be dismissed") {
    NoticeScene scene(30);
    CHECK(scene.driver.has("notice/30"));
    CHECK_FALSE(scene.driver.has("notice/1"));
    CHECK(scene.driver.at("notice/more").label.starts_with("and "));
    CHECK(scene.driver.at("notice/more").full.min_y > 640 * 0.4);
    scene.driver.click("notice/all");
    CHECK(scene.state.notices.empty());
}

TEST_CASE("a new notice takes the keyboard from nobody") {
    NoticeScene scene(0);
    scene.driver.click("stage/below");
    scene.driver.key(plain(Key::Down));
    scene.driver.key(plain(Key::Up));
    REQUIRE(scene.driver.at("stage/below").focused);
    scene.state.notices.push_back({Notice::Kind::Error, 5, "The disk is full; free some space."});
    scene.driver.settle();
    CHECK(scene.driver.has("notice/5"));
    CHECK(scene.driver.at("stage/below").focused);
}

TEST_CASE("the notices' layout stands at every size, also with a very long sentence") {
    NoticeScene scene(9);
    at_every_size(scene.stage, [&](int width, int height, float scale) {
        for (const std::size_t length : {std::size_t{10}, std::size_t{3000}}) {
            scene.state.notices.back().sentence.clear();
            while (scene.state.notices.back().sentence.size() < length)
                scene.state.notices.back().sentence += "words and more ";
            scene.driver.settle();
            CAPTURE(width);
            CAPTURE(scale);
            CAPTURE(length);
            for (const std::string& fault : check_layout(
                     scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                FAIL_CHECK(fault);
        }
    });
}

}  // namespace
}  // namespace kwb::test
