#include "gui/window_icon.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"

namespace kwb::gui {
namespace {

/// Signed distance to a rounded square around (cx, cy), negative inside; lengths are fractions of the
/// picture.
double outside(double x, double y, double cx, double cy, double half, double radius) {
    const double dx = std::max(std::abs(x - cx) - half + radius, 0.0);
    const double dy = std::max(std::abs(y - cy) - half + radius, 0.0);
    return std::hypot(dx, dy) - radius;
}

}  // namespace

std::vector<unsigned char> window_icon(int size) {
    expects(size >= 16, "window_icon: at least 16 pixels a side");
    const auto side = static_cast<std::size_t>(size);
    std::vector<unsigned char> pixels(side * side * 4);
    const auto covered = [&](double distance) { return std::clamp(0.5 - distance * size, 0.0, 1.0); };
    const auto blend = [](unsigned char* pixel, std::uint32_t rgb, double share) {
        for (int channel = 0; channel < 3; ++channel) {
            const double over = rgb >> (16 - 8 * channel) & 0xff;
            pixel[channel] =
                static_cast<unsigned char>(std::lround(pixel[channel] * (1 - share) + over * share));
        }
        pixel[3] = static_cast<unsigned char>(std::lround(pixel[3] * (1 - share) + 255 * share));
    };
    for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t column = 0; column < side; ++column) {
            unsigned char* pixel = &pixels[(row * side + column) * 4];
            const double x = (static_cast<double>(column) + 0.5) / size;
            const double y = (static_cast<double>(row) + 0.5) / size;
            const double ground = covered(outside(x, y, 0.5, 0.5, 0.48, 0.2));
            blend(pixel, 0x1d3f86, 1);
            for (int cell = 0; cell < 9; ++cell) {
                const double cx = 0.26 + 0.24 * (cell % 3), cy = 0.26 + 0.24 * (cell / 3);
                blend(pixel, cell == 4 ? 0xf5c063 : 0x8ab4ff, covered(outside(x, y, cx, cy, 0.095, 0.03)));
            }
            pixel[3] = static_cast<unsigned char>(std::lround(255 * ground));
        }
    }
    return pixels;
}

}  // namespace kwb::gui
