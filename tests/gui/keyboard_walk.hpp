// A person without a mouse: goes everywhere that the arrow keys and Tab lead to.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gui/gui_driver.hpp"

namespace kwb::test {

/// Explores the window as a maze: widgets are places, keys the ways between them. Nothing is pressed.
class KeyboardWalk {
public:
    explicit KeyboardWalk(GuiDriver& driver) : driver_(driver) {}

    /// From where the keyboard is now, every key at every place that can be got to.
    void explore();

    /// Remember what is on the screen now, and what has the focus ring.
    void look() { note(); }

    /// The ids of the widgets that had the focus ring.
    const std::set<std::string>& reached() const { return reached_; }
    /// Widgets in the last frame whose id begins with `prefix` that can be used now and had no ring yet.
    std::vector<std::string> missed(const std::string& prefix = "") const;
    /// Everything that could be used at any time of the walk and never had the ring.
    std::vector<std::string> never_reached() const;

    /// The widget that has the keyboard; "" if none has.
    std::string here() const;

private:
    static constexpr std::size_t kWays = 6;
    using Ways = std::array<std::string, kWays>;  ///< where each key leads to; "?": not tried

    std::string press(std::size_t way);
    std::string arrive();
    void note();
    /// The first key on the way from `from` to the nearest place with an untried key; kWays: none
    std::size_t way_to_news(const std::string& from) const;

    GuiDriver& driver_;
    std::map<std::string, Ways> maze_;
    std::set<std::string> reached_, usable_;
};

}  // namespace kwb::test
