// SPDX-License-Identifier: Apache-2.0
#include "gui/layouts.hpp"

#include <algorithm>
#include <string_view>

namespace kwb::gui {
namespace {

/// Other names in the settings do not concern panels, e.g. the chart in front.
bool is_of_layout(std::string_view name) {
    constexpr std::string_view kPrefixes[] = {"panel/", "area/", "columns/", "rows/"};
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class T>
NamedList<T> taken(const NamedList<T>& list, bool of_layout) {
    NamedList<T> found;
    for (const Named<T>& item : list)
        if (is_of_layout(item.name) == of_layout) found.push_back(item);
    return found;
}

template <class T>
void replace(NamedList<T>& list, const NamedList<T>& by) {
    list = taken(list, false);
    for (const Named<T>& item : taken(by, true)) list.push_back(item);
}

}  // namespace

PanelLayout layout_of(const Settings& settings) {
    return {taken(settings.splits, true), taken(settings.switches, true), taken(settings.tabs, true),
            settings.areas};
}

void apply_layout(Settings& settings, const PanelLayout& layout) {
    replace(settings.splits, layout.splits);
    replace(settings.switches, layout.switches);
    replace(settings.tabs, layout.tabs);
    settings.areas = layout.areas;
}

}  // namespace kwb::gui
