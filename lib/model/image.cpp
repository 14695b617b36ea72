// SPDX-License-Identifier: Apache-2.0
#include "model/image.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr std::string_view kNormalized = "_normalized";

}  // namespace

std::string to_string(const Sampler& sampler) {
    return std::string(to_string(sampler.filter)) + "_" + std::string(to_string(sampler.addressing)) +
           std::string(sampler.is_normalized ? kNormalized : "");
}

std::optional<Sampler> parse_sampler(std::string_view name) {
    Sampler sampler;
    sampler.is_normalized = name.ends_with(kNormalized);
    if (sampler.is_normalized) name.remove_suffix(kNormalized.size());
    const std::size_t between = name.find('_');
    if (between == std::string_view::npos) return std::nullopt;
    const auto filter = parse_enum<SamplerFilter>(name.substr(0, between));
    const auto addressing = parse_enum<SamplerAddressing>(name.substr(between + 1));
    if (!filter || !addressing) return std::nullopt;
    if (*addressing >= SamplerAddressing::Repeat && !sampler.is_normalized) return std::nullopt;
    sampler.filter = *filter;
    sampler.addressing = *addressing;
    return sampler;
}

std::optional<ImageShape> image_shape(const BufferSpec& buffer) {
    ImageShape image{buffer.type, buffer.is_normalized, 0, 0};
    const bool has_components = buffer.shape.size() == 3 && buffer.type.width == 1;
    if (buffer.shape.size() != 2 && !has_components) return std::nullopt;
    if (has_components)
        image.pixel.width = static_cast<unsigned>(std::min<std::uint64_t>(buffer.shape[2], 16));
    image.height = buffer.shape[0];
    image.width = buffer.shape[1];
    const unsigned components = image.pixel.width;
    if (scalar_bytes(image.pixel.scalar) > 4 || (components != 1 && components != 2 && components != 4))
        return std::nullopt;
    return image;
}

bool is_picture(const BufferSpec& buffer) {
    const auto image = image_shape(buffer);
    return image && image->pixel.scalar == Scalar::UInt8 && image->pixel.width != 2;
}

Picture make_picture(const BufferSpec& buffer, std::span<const std::byte> content) {
    expects(is_picture(buffer) && content.size() == buffer.bytes(), "make_picture: not a picture");
    const ImageShape image = *image_shape(buffer);
    const std::uint64_t longest = std::max<std::uint64_t>({image.width, image.height, kMostPicturePixels});
    const auto fitted = [&](std::uint64_t extent) {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, extent * kMostPicturePixels / longest));
    };
    Picture picture{buffer.name, fitted(image.height), fitted(image.width), {}};
    const auto byte = [&](std::uint64_t at) { return std::to_integer<std::uint32_t>(content[at]); };
    for (std::uint64_t row = 0; row < picture.rows; ++row)
        for (std::uint64_t column = 0; column < picture.columns; ++column) {
            const std::uint64_t pixel =
                row * image.height / picture.rows * image.width + column * image.width / picture.columns;
            const std::uint64_t at = pixel * image.pixel.width;
            const std::uint32_t colour = image.pixel.width == 1
                                             ? 0x010101u * byte(at)
                                             : byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16;
            picture.pixels.push_back(0xFF000000u | colour);
        }
    return picture;
}

}  // namespace kwb
