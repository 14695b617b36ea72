// SPDX-License-Identifier: Apache-2.0
// The event loop, which sleeps until something happens.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "gui/look.hpp"
#include "gui/window.hpp"

namespace kwb::test {
namespace {

using Clock = std::chrono::steady_clock;

/// Closes its window on request.
class Watched : public gui::Program {
public:
    explicit Watched(bool timing) : timing_(timing) {}
    void draw() override {
        if (in_frame) in_frame();
        ++frames;
    }
    bool timing_runs() const override { return timing_; }
    bool wants_to_end() const override { return ends; }

    std::function<void()> in_frame = {};
    std::atomic<unsigned long> frames{0};
    std::atomic<bool> ends{false};

private:
    bool timing_;
};

/// Run `deed` on another thread while the loop of `program` runs, then end the loop.
gui::Window::Counts run_beside(Watched& program, const std::function<void()>& deed) {
    gui::WindowOptions options;
    options.width = 320;
    options.height = 200;
    gui::Window window(options);
    std::thread other([&] {
        deed();
        program.ends = true;
        gui::wake();
    });
    window.run(program);
    other.join();
    return window.counts();
}

/// Wake the loop repeatedly until it has drawn `more` frames.
void wake_for(Watched& program, unsigned long more) {
    const unsigned long wanted = program.frames + more;
    while (program.frames < wanted) gui::wake();
}

TEST_CASE("a wake from another thread draws, and ends a loop that sleeps") {
    Watched program(false);
    const auto counts = run_beside(program, [&] { wake_for(program, 20); });
    CHECK(counts.shown + counts.unseen >= 20);
    CHECK(counts.unseen <= 1);  // only the first frame, which computes the layout
}

TEST_CASE("while a timed section runs few frames are shown, yet input is taken at once") {
    Watched program(true);
    const auto begin = Clock::now();
    const auto counts = run_beside(program, [&] { wake_for(program, 30); });
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    CHECK(static_cast<double>(counts.shown) <= 4 * seconds + 1);
    CHECK(counts.shown + counts.unseen >= 30);
}

TEST_CASE("animations continue without events") {
    Watched program(false);
    program.in_frame = [&] {
        if (program.frames < 50) gui::look().want_frame();
        program.ends = program.frames >= 50;
    };
    const auto counts = run_beside(program, [&] {
        while (!program.ends) std::this_thread::yield();
    });
    CHECK(counts.shown >= 50);
}

TEST_CASE("a new window size is saved once it is stable") {
    gui::WindowOptions options;
    options.width = 320;
    options.height = 200;
    options.stands_still_s = 2;  // much longer than the two frames below take on a busy machine
    std::vector<gui::WindowState> told;
    Watched program(false);
    options.remember = [&](const gui::WindowState& state) {
        told.push_back(state);
        program.ends = true;
        gui::wake();
    };
    gui::Window window(options);
    program.in_frame = [&] {
        if (program.frames == 1) window.resize(400, 300);
        if (program.frames == 2) window.resize(500, 350);
    };
    window.run(program);
    REQUIRE(told.size() == 1);
    CHECK(told.front() == gui::WindowState{500, 350, false, false});
}

TEST_CASE("on close the window's size is saved at once, and an unchanged one is not saved") {
    gui::WindowOptions options;
    options.width = 320;
    options.height = 200;
    options.stands_still_s = 1e6;
    for (const bool changes : {false, true}) {
        std::vector<gui::WindowState> told;
        Watched program(false);
        options.remember = [&](const gui::WindowState& state) { told.push_back(state); };
        gui::Window window(options);
        program.in_frame = [&] {
            if (changes && program.frames == 2) window.resize(400, 300);
            program.ends = program.frames >= 4;
            gui::look().want_frame();
        };
        window.run(program);
        CHECK(told.size() == (changes ? 1 : 0));
    }
}

TEST_CASE("a wake without a window reaches nobody") {
    glfwGetError(nullptr);  // forget those of other tests
    gui::wake();
    CHECK(glfwGetError(nullptr) == GLFW_NO_ERROR);  // GLFW, which has ended, is asked for nothing
}

}  // namespace
}  // namespace kwb::test
