// Changing one value of a named list.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/named.hpp"

namespace kwb::gui {

/// The value of `name` is `value` afterwards; a new name comes last.
template <class T>
void put_named(NamedList<T>& list, std::string_view name, T value) {
    for (Named<T>& item : list)
        if (item.name == name) {
            item.value = std::move(value);
            return;
        }
    list.push_back({std::string(name), std::move(value)});
}

}  // namespace kwb::gui
