#include "model/image.hpp"

#include <algorithm>

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

}  // namespace kwb
