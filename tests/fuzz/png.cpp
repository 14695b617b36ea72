// SPDX-License-Identifier: Apache-2.0
// Pictures: any bytes are either read, or rejected with the file's name; what was read can be written as
// PNG and read again.
#include "base/picture.hpp"

#include "base/error.hpp"
#include "properties.hpp"

namespace kwb::fuzz {
namespace {

void try_file(std::string_view bytes, unsigned channels) {
    constexpr std::uint64_t kMostBytes = 1u << 20;
    try {
        const DecodedPicture picture = decode_picture("x.png", bytes, channels, kMostBytes);
        must(picture.pixels.size() == std::uint64_t{channels} * picture.columns * picture.rows,
             "there are as many pixels as the picture says");
        must(picture.pixels.size() <= kMostBytes, "the limit holds");
        const auto* const pixels = reinterpret_cast<const std::uint8_t*>(picture.pixels.data());
        const std::string again =
            encode_png({pixels, picture.pixels.size()}, picture.columns, picture.rows, channels);
        must(decode_png("y.png", again, channels, kMostBytes).pixels == picture.pixels,
             "what is written is read");
    } catch (const BadInput& refusal) {
        must(std::string_view(refusal.what()).starts_with("x.png: "), "a refusal names the file");
    }
}

}  // namespace
}  // namespace kwb::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = kwb::fuzz::as_text(data, size);
    kwb::fuzz::try_file(bytes, 1);
    kwb::fuzz::try_file(bytes, 4);
    return 0;
}
