#include "ipc/frame.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::string_view kMagic = "KWB\x01";
constexpr std::size_t kHeaderBytes = 16;

void put_number(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFu);
}

std::uint64_t get_number(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// The start of invalid input, for an error message.
std::string quote_start(std::string_view bytes) {
    return "'" + to_utf8(trim(bytes.substr(0, 40))) + "'";
}

}  // namespace

std::string frame_header(std::size_t json_bytes, std::size_t attachment_bytes) {
    std::string header(kMagic);
    put_number(header, json_bytes, 4);
    put_number(header, attachment_bytes, 8);
    return header;
}

std::optional<FrameDecoder::Sizes> FrameDecoder::next_sizes() const {
    const std::string_view rest = std::string_view(buffer_).substr(read_);
    const std::size_t known = std::min(rest.size(), kMagic.size());
    if (rest.substr(0, known) != kMagic.substr(0, known))
        throw ProtocolError("not a message of this protocol: " + quote_start(rest));
    if (rest.size() < kHeaderBytes) return std::nullopt;

    const std::uint64_t json_bytes = get_number(rest.substr(4, 4));
    const std::uint64_t attachment_bytes = get_number(rest.substr(8, 8));
    if (json_bytes > limits_.json_bytes || attachment_bytes > limits_.attachment_bytes)
        throw ProtocolError("a message of " + format_bytes(json_bytes) + " with an attachment of " +
                            format_bytes(attachment_bytes) + " is larger than allowed");
    if (rest.size() - kHeaderBytes < json_bytes + attachment_bytes) return std::nullopt;
    return Sizes{json_bytes, attachment_bytes};
}

bool FrameDecoder::has_frame() const {
    try {
        return next_sizes().has_value();
    } catch (const ProtocolError&) {
        return true;
    }
}

std::optional<Frame> FrameDecoder::next() {
    const std::optional<Sizes> sizes = next_sizes();
    if (!sizes) return std::nullopt;
    const std::string_view rest = std::string_view(buffer_).substr(read_ + kHeaderBytes);
    Frame frame{std::string(rest.substr(0, sizes->json_bytes)),
                std::string(rest.substr(sizes->json_bytes, sizes->attachment_bytes))};
    read_ += kHeaderBytes + sizes->json_bytes + sizes->attachment_bytes;
    if (read_ == buffer_.size() || read_ > (1u << 20)) {
        buffer_.erase(0, read_);
        read_ = 0;
    }
    return frame;
}

}  // namespace kwb
