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

/// Largest frame that a reader accepts; a larger one is rejected before it is read.
struct FrameLimits {
    std::size_t json_bytes = 32u << 20;
    std::size_t attachment_bytes = kMostAttachmentBytes;
};

/// The header that precedes `json` and `attachment`.
std::string frame_header(std::size_t json_bytes, std::size_t attachment_bytes);

/// Assembles frames from bytes as they arrive.
class FrameDecoder {
public:
    explicit FrameDecoder(FrameLimits limits = {}) : limits_(limits) {}

    void feed(std::string_view bytes) { buffer_ += bytes; }

    /// @return  the next complete frame, or nullopt if it has not arrived yet
    /// @throws  ProtocolError  the bytes are not a frame, or the frame exceeds the limits
    std::optional<Frame> next();

    /// True if next() would return a frame or throw.
    bool has_frame() const;

    /// True if the input so far ends within a frame.
    bool in_frame() const { return read_ < buffer_.size(); }

private:
    struct Sizes {
        std::uint64_t json_bytes = 0;
        std::uint64_t attachment_bytes = 0;
    };
    /// The sizes of the next frame, once it has arrived completely. @throws ProtocolError  like next()
    std::optional<Sizes> next_sizes() const;

    FrameLimits limits_;
    std::string buffer_;
    std::size_t read_ = 0;  ///< number of bytes of buffer_ already returned
};

}  // namespace kwb
