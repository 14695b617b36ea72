// SPDX-License-Identifier: Apache-2.0
// The workbench's JSON: parsed strictly, with NaN and infinities written as strings.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kwb {

/// Objects keep the insertion order of their keys.
using Json = nlohmann::ordered_json;

/// A number, or one of the strings "nan", "inf", "-inf". JSON has no such numbers, and null already means
/// "not measured".
Json number_to_json(double value);

/// Inverse of number_to_json().
/// @return  nullopt if `json` is neither a number nor one of these strings
std::optional<double> number_from_json(const Json& json);

/// Serialize; invalid UTF-8 is replaced by U+FFFD.
/// @param indent  spaces per level; -1: one line without whitespace
std::string dump_json(const Json& json, int indent = -1);

/// Upper limit for the values in one text, unless the reader sets a lower one: each takes up to 100 bytes of
/// memory.
inline constexpr std::size_t kMostJsonValues = 4'000'000;

/// @throws ProtocolError unless `text` is one JSON value, at most 64 levels deep, of at most `most_values`
Json parse_json(std::string_view text, std::size_t most_values = kMostJsonValues);

/// Upper limit for the binary attachments (buffer contents) of one message.
inline constexpr std::size_t kMostAttachmentBytes = std::size_t{256} << 20;

/// The value of a message's "type" key.
/// @throws ProtocolError  not an object, or it has no string "type"
std::string message_type(const Json& message);

/// A described record (base/record.hpp) as JSON. Each library instantiates this and from_json() for its own
/// records.
template <class Record>
Json to_json(const Record& record);

/// Read a record from an untrusted sender. With a name, call it as kwb::from_json(): nlohmann/json 3.11 has
/// templates of this name and as many arguments, which argument-dependent lookup finds and which do not
/// compile.
/// @param name  of the whole value, for error messages: "result.launches[2].kernel must be a text"
/// @throws ProtocolError  a field is missing, has the wrong type or is out of range
template <class Record>
Record from_json(const Json& json, std::string_view name = "message");

}  // namespace kwb
