// SPDX-License-Identifier: Apache-2.0
// Messages as text: one line of JSON; the bytes after its line break are the attachment.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/json.hpp"
#include "ipc/channel.hpp"
#include "properties.hpp"

namespace kwb::fuzz {

/// Parse a message as Channel::take() does.
/// @return  nullopt if Channel would reject it
inline std::optional<Message> read_message(std::string_view text) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    try {
        Message message{"", parse_json(text.substr(0, line_end)), ""};
        message.type = message_type(message.json);
        if (line_end < text.size()) message.attachment = text.substr(line_end + 1);
        return message;
    } catch (const ProtocolError&) {
        return std::nullopt;
    }
}

/// The text of a message in the format of read_message().
inline std::string write_message(const Json& json, const std::string& attachment = "") {
    std::string text = dump_json(json);
    must(text.find('\n') == std::string::npos, "a message is one line");
    return attachment.empty() ? text : text + "\n" + attachment;
}

/// Read a message, write it, and read the result again, which must be accepted and written identically.
/// @param read   Message → record, may throw ProtocolError
/// @param write  record → text, by write_message()
template <typename Read, typename Write>
void check_round_trip(const Message& message, const Read& read, const Write& write) {
    std::string once;
    try {
        once = write(read(message));
    } catch (const ProtocolError&) {
        return;  // rejecting the input is allowed
    }
    const std::optional<Message> again = read_message(once);
    must(again.has_value(), "what was written can be read");
    try {
        must(write(read(*again)) == once, "a message written and read again is the same");
    } catch (const ProtocolError& error) {
        std::fprintf(stderr, "%s\n%s\n", error.what(), once.c_str());
        must(false, "what was taken once is taken again");
    }
}

}  // namespace kwb::fuzz
