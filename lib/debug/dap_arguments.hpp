// SPDX-License-Identifier: Apache-2.0
// The arguments of a request of the Debug Adapter Protocol, which come from another program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"

namespace kwb::debug {

/// A JSON object whose values are read by name and type. All members that read throw BadInput if the value
/// has another type; those without `optional_` also if it is missing.
class DapArguments {
public:
    explicit DapArguments(Json json, std::string name = "arguments")
        : json_(std::move(json)), name_(std::move(name)) {
        if (json_.is_null()) json_ = Json::object();
        if (!json_.is_object()) throw BadInput(name_ + " must be an object");
    }

    std::optional<std::string> optional_text(const char* key) const {
        const Json* const found = find(key);
        if (found == nullptr) return std::nullopt;
        require(found->is_string(), key, "a text");
        return found->get<std::string>();
    }
    std::string text(const char* key) const { return given(optional_text(key), key); }

    std::optional<std::uint64_t> optional_whole(const char* key) const {
        const Json* const found = find(key);
        if (found == nullptr) return std::nullopt;
        const bool is_whole =
            found->is_number_unsigned() || (found->is_number_integer() && found->get<std::int64_t>() >= 0);
        require(is_whole && found->get<std::uint64_t>() <= INT32_MAX, key, "a whole number");
        return found->get<std::uint64_t>();
    }
    std::uint64_t whole(const char* key) const { return given(optional_whole(key), key); }

    /// A text, or a number as text.
    std::optional<std::string> optional_word(const char* key) const {
        const Json* const found = find(key);
        if (found != nullptr && found->is_number()) return std::to_string(*optional_whole(key));
        return optional_text(key);
    }

    bool flag(const char* key, bool otherwise) const {
        const Json* const found = find(key);
        if (found == nullptr) return otherwise;
        require(found->is_boolean(), key, "true or false");
        return found->get<bool>();
    }

    DapArguments part(const char* key) const {
        const Json* const found = find(key);
        return DapArguments(found == nullptr ? Json() : *found, name_ + "." + key);
    }
    /// Objects; none if it is missing.
    std::vector<DapArguments> list(const char* key) const {
        std::vector<DapArguments> parts;
        for (const Json& one : array(key)) parts.emplace_back(one, name_ + "." + key);
        return parts;
    }
    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> texts;
        for (const Json& one : array(key)) {
            require(one.is_string(), key, "a list of texts");
            texts.push_back(one.get<std::string>());
        }
        return texts;
    }

private:
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    Json array(const char* key) const {
        const Json* const found = find(key);
        if (found == nullptr) return Json::array();
        require(found->is_array(), key, "a list");
        return *found;
    }
    void require(bool holds, const char* key, const char* what) const {
        if (!holds) throw BadInput(name_ + "." + key + " must be " + what);
    }
    template <class T>
    T given(std::optional<T> value, const char* key) const {
        if (!value) throw BadInput(name_ + "." + key + " is missing");
        return std::move(*value);
    }

    Json json_;
    std::string name_;
};

}  // namespace kwb::debug
