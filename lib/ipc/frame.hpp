// Length-prefixed frames: JSON text, each with an optional binary attachment.
//
//   'K' 'W' 'B' 1 | u32 JSON bytes | u64 attachment bytes | JSON | attachment      (little-endian)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace kwb {

struct Frame {
    std::string json;
    std::string attachment;
};

/// What a reader is ready to take; a frame that announces more ends the conversation before it is read.
struct FrameLimits {
    std::size_t json_bytes = 32u << 20;
    std::size_t attachment_bytes = kMostAttachmentBytes;
};

/// The bytes that go before `json` and `attachment`.
std::string frame_header(std::size_t json_bytes, std::size_t attachment_bytes);

/// Puts frames together from bytes as they come.
class FrameDecoder {
public:
    explicit FrameDecoder(FrameLimits limits = {}) : limits_(limits) {}

    void feed(std::string_view bytes) { buffer_ += bytes; }

    /// @return  the next whole frame, or nothing yet
    /// @throws  ProtocolError  bytes that are no frame, or a frame above the limits
    std::optional<Frame> next();

    /// True if next() would return a frame, or throw.
    bool has_frame() const;

    /// True if the end of input now would cut a frame.
    bool in_frame() const { return read_ < buffer_.size(); }

private:
    struct Sizes {
        std::uint64_t json_bytes = 0;
        std::uint64_t attachment_bytes = 0;
    };
    /// Of the next frame, once all of it is there. @throws ProtocolError  as next()
    std::optional<Sizes> next_sizes() const;

    FrameLimits limits_;
    std::string buffer_;
    std::size_t read_ = 0;  ///< bytes of buffer_ already handed out
};

}  // namespace kwb
