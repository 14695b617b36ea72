// SPDX-License-Identifier: Apache-2.0
// How kernels see buffers as images, and the samplers with which they read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.hpp"
#include "model/problem.hpp"

namespace kwb {

enum class SamplerFilter { Nearest, Linear };
enum class SamplerAddressing { None, Clamp, Edge, Repeat, Mirror };

template <>
inline constexpr auto kEnumNames<SamplerFilter> = std::to_array<std::string_view>({"nearest", "linear"});
template <>
inline constexpr auto kEnumNames<SamplerAddressing> =
    std::to_array<std::string_view>({"none", "clamp", "edge", "repeat", "mirror"});

/// A sampler_t argument, as clCreateSampler makes it.
struct Sampler {
    SamplerFilter filter = SamplerFilter::Nearest;
    SamplerAddressing addressing = SamplerAddressing::Edge;
    bool is_normalized = false;  ///< coordinates from 0 to 1; required for Repeat and Mirror
};

inline constexpr const char* kSamplerNames =
    "their names are nearest or linear, then none, clamp or edge, then _normalized or not, or "
    "repeat_normalized or "
    "mirror_normalized: e.g. nearest_edge, linear_repeat_normalized";

/// "nearest_edge", "linear_repeat_normalized"
std::string to_string(const Sampler& sampler);
std::optional<Sampler> parse_sampler(std::string_view name);

/// The only image type that kernels can take.
inline constexpr const char* kImage = "image2d_t";

/// A buffer as such an image: its rows without padding.
struct ImageShape {
    ElementType pixel;           ///< 1, 2 or 4 components of at most 32 bits: channels R, RG or RGBA
    bool is_normalized = false;  ///< integers stand for 0 … 1, signed ones for -1 … 1
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

/// @param buffer  rows and columns of pixels; a third extent of 2 or 4 scalars are a pixel's components
/// @return  nullopt: it has another shape
std::optional<ImageShape> image_shape(const BufferSpec& buffer);

inline constexpr std::uint32_t kMostPicturePixels = 128;  ///< per side of a picture

/// An output that is a picture, with pixels left out if it is larger than kMostPicturePixels.
struct Picture {
    std::string buffer;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<std::uint32_t> pixels;  ///< row-major: red + 2^8 green + 2^16 blue + 2^24 alpha, opaque
};

/// Rows and columns of bytes that are grey, or red, green, blue and alpha.
bool is_picture(const BufferSpec& buffer);
/// Opaque, because kernels often leave alpha at 0.
/// @param buffer   with is_picture()
/// @param content  BufferSpec::bytes() long
Picture make_picture(const BufferSpec& buffer, std::span<const std::byte> content);

}  // namespace kwb
