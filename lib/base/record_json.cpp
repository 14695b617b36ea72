// SPDX-License-Identifier: Apache-2.0
#include "base/record_json.hpp"

#include "base/text.hpp"

namespace kwb {

std::string JsonPlace::path() const {
    if (parent_ == nullptr) return std::string(name_);
    if (parent_->json.is_array()) return parent_->path() + "[" + std::to_string(index_) + "]";
    return parent_->path() + "." + std::string(name_);
}

void JsonPlace::refuse(std::string_view wanted) const {
    throw ProtocolError(path() + " must be " + std::string(wanted));
}

void JsonPlace::refuse(const Flaw& flaw) const {
    throw ProtocolError(path() + "." + flaw.key + " must be " + flaw.wanted);
}

const Json* JsonPlace::find(std::string_view key) const {
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

JsonPlace JsonPlace::at(std::string_view key) const {
    const Json* found = find(key);
    if (found == nullptr) throw ProtocolError(path() + "." + std::string(key) + " is missing");
    return {*this, key, *found};
}

void JsonPlace::require_object() const {
    if (!json.is_object()) refuse("an object");
}

void JsonPlace::require_array(const Limits& limits) const {
    if (!json.is_array() || !limits.allows_items(json.size()))
        refuse("an array of " + wanted_items(limits, "items"));
}

namespace detail {

void read_number(const JsonPlace& place, double& value, const Limits& limits) {
    const std::optional<double> number = number_from_json(place.json);
    if (!number || !limits.allows(*number)) place.refuse(wanted_number(limits));
    value = *number;
}

void read_text(const JsonPlace& place, std::string& value, const Limits& limits) {
    if (!place.json.is_string()) place.refuse("a text");
    const auto& text = place.json.get_ref<const std::string&>();
    if (!limits.allows_items(text.size())) place.refuse("a text of " + wanted_items(limits, "bytes"));
    value = text;
}

void refuse_word(const JsonPlace& place, std::vector<std::string> words) {
    place.refuse(enumerate(words, "or"));
}

}  // namespace detail
}  // namespace kwb
