// SPDX-License-Identifier: Apache-2.0
#include "base/picture.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

/// Reads numbers of a picture file, and refuses one that ends too early.
class PictureBytes {
public:
    PictureBytes(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    [[noreturn]] void refuse(const std::string& what) const { throw BadInput(name_ + ": " + what); }
    [[noreturn]] void refuse_damaged() const { refuse("damaged picture; save it again"); }

    /// Bytes from `offset` on, little-endian.
    std::uint32_t number(std::size_t offset, std::size_t length) const {
        if (offset + length > bytes_.size()) refuse_damaged();
        std::uint32_t value = 0;
        for (std::size_t i = length; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes_[offset + i]);
        return value;
    }

    /// Netpbm's: decimal digits after white space and comments.
    std::uint32_t next_number() {
        while (at_ < bytes_.size() && (is_space() || bytes_[at_] == '#'))
            at_ = bytes_[at_] == '#' ? std::min(bytes_.find('\n', at_), bytes_.size()) : at_ + 1;
        std::uint32_t value = 0;
        const std::size_t begin = at_;
        for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
            value = 10 * value + static_cast<std::uint32_t>(bytes_[at_] - '0');
            if (value > 1u << 24) refuse_damaged();
        }
        if (at_ == begin) refuse_damaged();
        return value;
    }

    void skip(std::size_t count) { at_ += count; }
    std::string_view rest() const { return bytes_.substr(std::min(at_, bytes_.size())); }

    /// @return  a picture of so many black pixels
    DecodedPicture make(std::uint32_t columns, std::uint32_t rows, unsigned channels,
                        std::uint64_t most_bytes) const {
        if (columns == 0 || rows == 0) refuse_damaged();
        const std::uint64_t pixels = std::uint64_t{columns} * rows;
        if (pixels > most_bytes / channels)
            refuse("its pixels take more than " + format_bytes(most_bytes) + "; choose a smaller picture");
        return {columns, rows, std::string(pixels * channels, '\0')};
    }

private:
    bool is_space() const { return std::isspace(static_cast<unsigned char>(bytes_[at_])) != 0; }

    const std::string& name_;
    std::string_view bytes_;
    std::size_t at_ = 0;
};

void set_pixel(DecodedPicture& picture, std::uint64_t index, unsigned char red, unsigned char green,
               unsigned char blue) {
    const unsigned char pixel[] = {red, green, blue, 255};
    std::copy_n(reinterpret_cast<const char*>(pixel), 4, picture.pixels.begin() + std::ptrdiff_t(4 * index));
}

DecodedPicture decode_netpbm(PictureBytes& file, char kind, std::uint64_t most_bytes) {
    const bool is_text = kind == '2' || kind == '3', has_colours = kind == '3' || kind == '6';
    file.skip(2);
    const std::uint32_t columns = file.next_number(), rows = file.next_number(), most = file.next_number();
    if (most == 0 || most > 65535) file.refuse_damaged();
    DecodedPicture picture = file.make(columns, rows, 4, most_bytes);
    file.skip(1);  // one character of white space
    const std::uint64_t samples = std::uint64_t{columns} * rows * (has_colours ? 3 : 1);
    const std::size_t sample_bytes = most > 255 ? 2 : 1;
    const std::string_view data = file.rest();
    if (!is_text && data.size() / sample_bytes < samples) file.refuse_damaged();
    std::uint64_t index = 0;
    const auto next = [&] {
        std::uint32_t value = 0;
        if (is_text)
            value = file.next_number();
        else
            for (std::size_t i = 0; i < sample_bytes; ++i)
                value = value << 8 | static_cast<unsigned char>(data[index * sample_bytes + i]);
        ++index;
        if (value > most) file.refuse_damaged();
        return static_cast<unsigned char>((value * 255 + most / 2) / most);
    };
    for (std::uint64_t i = 0; i < std::uint64_t{columns} * rows; ++i) {
        const unsigned char red = next();
        const unsigned char green = has_colours ? next() : red;
        set_pixel(picture, i, red, green, has_colours ? next() : red);
    }
    return picture;
}

DecodedPicture decode_bmp(const PictureBytes& file, std::uint64_t most_bytes) {
    const std::size_t data = file.number(10, 4), header = file.number(14, 4);
    const auto columns = static_cast<std::int32_t>(file.number(18, 4));
    const auto height = static_cast<std::int32_t>(file.number(22, 4));
    const std::uint32_t bits = file.number(28, 2), compression = file.number(30, 4);
    constexpr std::size_t kInfoHeaderBytes = 40;
    if (header < kInfoHeaderBytes || compression != 0 || (bits != 8 && bits != 24 && bits != 32))
        file.refuse(
            "a BMP picture must have 8, 24 or 32 bits per pixel, without compression; save it so, or as PNG");
    if (columns <= 0 || height == 0 || height == INT32_MIN) file.refuse_damaged();
    const auto rows = static_cast<std::uint32_t>(height < 0 ? -height : height);
    DecodedPicture picture = file.make(static_cast<std::uint32_t>(columns), rows, 4, most_bytes);
    const std::size_t pixel_bytes = bits / 8;
    const std::size_t row_bytes = (picture.columns * pixel_bytes + 3) / 4 * 4;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::size_t from = data + row_bytes * (height < 0 ? row : rows - 1 - row);
        for (std::uint32_t column = 0; column < picture.columns; ++column) {
            std::size_t at = from + column * pixel_bytes;
            if (bits == 8) at = 14 + header + 4 * file.number(at, 1);  // in the table of colours
            const std::uint32_t colour = file.number(at, 3);
            set_pixel(picture, std::uint64_t{row} * picture.columns + column,
                      static_cast<unsigned char>(colour >> 16), static_cast<unsigned char>(colour >> 8),
                      static_cast<unsigned char>(colour));
        }
    }
    return picture;
}

}  // namespace

bool is_picture_file(std::string_view name) {
    return std::ranges::any_of(std::to_array<std::string_view>({".png", ".pgm", ".ppm", ".bmp"}),
                               [name](std::string_view ending) { return name.ends_with(ending); });
}

DecodedPicture decode_picture(const std::string& name, std::string_view bytes, unsigned channels,
                              std::uint64_t most_bytes) {
    PictureBytes file(name, bytes);
    const bool is_netpbm = bytes.size() > 2 && bytes[0] == 'P' &&
                           std::string_view("2356").find(bytes[1]) != std::string_view::npos;
    if (!is_netpbm && !bytes.starts_with("BM")) return decode_png(name, bytes, channels, most_bytes);
    const std::uint64_t most = channels == 1 ? std::min(4 * most_bytes, kMostPngBytes) : most_bytes;
    DecodedPicture picture = is_netpbm ? decode_netpbm(file, bytes[1], most) : decode_bmp(file, most);
    if (channels == 4) return picture;
    // libpng knows the luminance of a colour.
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(picture.pixels.data());
    return decode_png(name, encode_png({pixels, picture.pixels.size()}, picture.columns, picture.rows, 4),
                      channels, most_bytes);
}

}  // namespace kwb
