// SPDX-License-Identifier: Apache-2.0
// The window of a simulated user who finds widgets by their names: `kwb-gui --probes` says where they are.
#pragma once

#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "gui/x_seat.hpp"

namespace kwb::test {

/// A visible widget, in window pixels.
struct Seen {
    int left = 0, top = 0, right = 0, bottom = 0;
    bool enabled = false;
    bool hovered = false;  ///< a press would reach it
    std::string label;

    bool holds(const Seen& other) const {
        return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
    }
};

/// The program from its start to its end. Whatever acts on a widget waits until it is there.
class ProbedWindow {
public:
    ProbedWindow(const XSeat& seat, const Home& home)
        : seat_(seat),
          file_(home.file("probes")),
          program_(home.window({"--probes", file_.string()})),
          window_(wait_for_window(seat)) {
        seat.focus(window_);
        wait_until("its widgets are told", [&] { return fs::exists(file_); });
    }

    ProbedWindow(const ProbedWindow&) = delete;
    ProbedWindow& operator=(const ProbedWindow&) = delete;
    ~ProbedWindow() {
        if (std::uncaught_exceptions() > 0) MESSAGE("The window showed at last:\n" << read_file(file_));
    }

    ::Window window() const { return window_; }

    std::optional<Seen> find(const std::string& id) const {
        for (const std::string& line : split_lines(read_file(file_))) {
            if (!line.starts_with(id + "\t")) continue;
            const std::vector<std::string> parts = split(line, '\t');
            Seen seen;
            std::vector<int> edges;
            for (const std::string& edge : split(parts.at(1), ' ')) edges.push_back(std::stoi(edge));
            seen.left = edges.at(0), seen.top = edges.at(1), seen.right = edges.at(2),
            seen.bottom = edges.at(3);
            seen.enabled = parts.at(2).find("enabled") != std::string::npos;
            seen.hovered = parts.at(2).find("hovered") != std::string::npos;
            seen.label = parts.at(3);
            return seen;
        }
        return std::nullopt;
    }

    bool has(const std::string& id) const { return find(id).has_value(); }

    bool says(const std::string& id, const std::string& words) const {
        const auto seen = find(id);
        return seen && seen->label.find(words) != std::string::npos;
    }

    Seen wait_for(const std::string& id) const {
        std::optional<Seen> seen;
        wait_until("there is " + id, [&] { return (seen = find(id)).has_value(); });
        return *seen;
    }
    void wait_for(const std::string& id, const std::string& words) const {
        wait_until(id + " says " + words, [&] { return says(id, words); });
    }
    void wait_until_gone(const std::string& id) const {
        wait_until("there is no more " + id, [&] { return !has(id); });
    }

    /// Move to a place in the widget's rectangle, 0 … 1 each way, until a press would reach it there.
    void hover(const std::string& id, double across = 0.5, double down = 0.5) const {
        std::optional<std::array<int, 2>> at;
        wait_until(id + " can be pressed", [&] {
            const auto seen = find(id);
            if (!seen) return false;
            const std::array<int, 2> wanted = {place(seen->left, seen->right, across),
                                               place(seen->top, seen->bottom, down)};
            if (at != wanted) {  // also where it has moved since
                at = wanted;
                seat_.move_pointer(window_, wanted[0], wanted[1]);
                return false;
            }
            return seen->hovered && seen->enabled;
        });
    }

    void click(const std::string& id, double across = 0.5, double down = 0.5) const {
        hover(id, across, down);
        seat_.button(true);
        seat_.button(false);
    }

    void drag(const std::string& id, const std::string& to) const {
        const Seen target = wait_for(to);
        const Seen start = wait_for(id);
        hover(id);
        seat_.button(true);
        constexpr int kSteps = 4;
        for (int step = 1; step <= kSteps; ++step) {
            const auto between = [&](int from, int until) {
                return place(from, until, static_cast<double>(step) / kSteps);
            };
            seat_.move_pointer(window_,
                               between((start.left + start.right) / 2, (target.left + target.right) / 2),
                               between((start.top + start.bottom) / 2, (target.top + target.bottom) / 2));
        }
        seat_.button(false);
    }

    /// Turn the wheel over the widget.
    void wheel(const std::string& id, int steps_up) const {
        hover(id);
        const unsigned button = steps_up > 0 ? 4 : 5;
        for (int i = 0; i < std::abs(steps_up); ++i) {
            seat_.button(true, button);
            seat_.button(false, button);
        }
    }

    /// Click into a field, replace its text and press Enter.
    void fill(const std::string& field, const std::string& text) const {
        click(field);
        seat_.type(text);
        press(XK_Return);
    }

    void press(KeySym sym) const {
        seat_.key(sym, true);
        seat_.key(sym, false);
    }

    void close() {
        seat_.ask_to_close(window_);
        const Finished finished = program_.finish();
        CHECK(finished.exit_code == 0);
        CHECK(finished.err == "");
    }

private:
    static int place(int from, int to, double share) {
        return from + static_cast<int>(std::lround(share * (to - from - (to > from ? 1 : -1))));
    }

    const XSeat& seat_;
    fs::path file_;
    Process program_;
    ::Window window_;
};

}  // namespace kwb::test
