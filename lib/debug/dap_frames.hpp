// SPDX-License-Identifier: Apache-2.0
// The framing of the Debug Adapter Protocol: a header with the length of the JSON text that follows it.
// Source: https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace kwb::debug {

/// A message with its header.
std::string dap_frame(const Json& message);

/// Finds the messages in a stream of bytes. After something that is none, it continues at the next header.
class DapFrames {
public:
    static constexpr std::size_t kMostBytes = std::size_t{8} << 20;  ///< of one message

    void add(std::string_view bytes) { input_ += bytes; }
    /// @return  nullopt: more bytes are needed
    /// @throws ProtocolError  what came was no message, and is skipped
    std::optional<Json> next();

private:
    /// The length of the message after the header; nullopt: it has none that can be used.
    static std::optional<std::size_t> length_in(std::string_view header);
    [[noreturn]] void skip(std::size_t bytes, const std::string& why);

    std::string input_;
    bool is_skipping_ = false;  ///< up to the next header
};

}  // namespace kwb::debug
