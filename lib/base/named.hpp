// SPDX-License-Identifier: Apache-2.0
// Short lists of named values in insertion order.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kwb {

template <class T>
struct Named {
    std::string name;
    T value;

    friend bool operator==(const Named&, const Named&) = default;
};

template <class T>
using NamedList = std::vector<Named<T>>;

/// @return  the value of `name`, or nullptr if there is none
template <class T>
const T* find_named(const NamedList<T>& list, std::string_view name) {
    for (const Named<T>& item : list)
        if (item.name == name) return &item.value;
    return nullptr;
}

/// Set the value of `name`; a new name is appended.
template <class T>
void put_named(NamedList<T>& list, std::string_view name, T value) {
    for (Named<T>& item : list)
        if (item.name == name) {
            item.value = std::move(value);
            return;
        }
    list.push_back({std::string(name), std::move(value)});
}

template <class T>
std::vector<std::string> names_of(const NamedList<T>& list) {
    std::vector<std::string> names;
    for (const Named<T>& item : list) names.push_back(item.name);
    return names;
}

}  // namespace kwb
