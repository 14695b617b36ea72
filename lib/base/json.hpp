// JSON as the workbench speaks it: strict when read, never a bare NaN when written.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kwb {

/// Objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// A number, or "nan", "inf", "-inf": JSON has no such numbers, and null means "not measured".
Json number_to_json(double value);

/// @return  nothing for what is neither
std::optional<double> number_from_json(const Json& json);

/// Compact text; bytes that are no UTF-8 were replaced.
std::string dump_json(const Json& json, int indent = -1);

/// @throws ProtocolError unless `text` is one JSON value, at most 64 levels deep
Json parse_json(std::string_view text);

/// What one message may carry besides its JSON: contents of buffers.
inline constexpr std::size_t kMostAttachmentBytes = std::size_t{256} << 20;

/// The text "type" of a message.
/// @throws ProtocolError  no object, or one without that
std::string message_type(const Json& message);

/// A described record as JSON: see base/record.hpp. Each room instantiates these for its own records.
template <class Record>
Json to_json(const Record& record);

/// @param name  of the whole, for messages: "result.launches[2].kernel must be a text"
/// @throws ProtocolError  a field is missing, of another type or out of range; the sender is not trusted
template <class Record>
Record from_json(const Json& json, std::string_view name = "message");

}  // namespace kwb
