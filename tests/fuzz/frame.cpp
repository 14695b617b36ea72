// SPDX-License-Identifier: Apache-2.0
// Frames: for any bytes in any pieces, the decoder either returns what an encoder put in, or rejects them.
//
// The first byte of the input selects the size of the pieces in which the rest is fed.
#include "ipc/channel.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

constexpr FrameLimits kLimits{1u << 10, 1u << 12};  // small, so that the fuzzer can exceed them

struct Outcome {
    std::string frames;  ///< all decoded frames, encoded again
    bool refused = false;
    bool in_frame = false;
};

/// Feed `bytes` in pieces, and take every frame as soon as it is complete.
Outcome decode(std::string_view bytes, std::size_t piece_bytes) {
    Outcome outcome;
    FrameDecoder decoder(kLimits);
    try {
        while (!bytes.empty()) {
            decoder.feed(bytes.substr(0, piece_bytes));
            bytes.remove_prefix(std::min(piece_bytes, bytes.size()));
            while (const auto frame = decoder.next()) {
                must(frame->json.size() <= kLimits.json_bytes, "JSON stays within the limit");
                must(frame->attachment.size() <= kLimits.attachment_bytes,
                     "an attachment stays within the limit");
                outcome.frames += frame_header(frame->json.size(), frame->attachment.size()) + frame->json +
                                  frame->attachment;
            }
        }
        outcome.in_frame = decoder.in_frame();
    } catch (const ProtocolError&) {
        outcome.refused = true;
    }
    return outcome;
}

void try_bytes(std::string_view bytes) {
    if (bytes.empty()) return;
    const std::size_t piece_bytes = 1 + static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    const Outcome whole = decode(bytes, bytes.size());
    const Outcome pieces = decode(bytes, piece_bytes);
    must(whole.frames == pieces.frames, "the pieces in which bytes come change no frame");
    must(whole.refused == pieces.refused, "the pieces in which bytes come change no refusal");
    must(bytes.starts_with(whole.frames), "frames encoded again are the bytes that came");
    if (!whole.refused)
        must(whole.in_frame == (whole.frames.size() < bytes.size()), "what is left is a cut frame");
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    kwb::fuzz::try_bytes(kwb::fuzz::as_text(data, size));
    return 0;
}
