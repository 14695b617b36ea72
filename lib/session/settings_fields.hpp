// The keys of settings.toml in the order in which they are written, with their ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/record.hpp"
#include "session/settings.hpp"

namespace kwb {

inline constexpr std::size_t kMostNamed = 64;   ///< entries of `splits`, `switches` and `tabs`
inline constexpr std::size_t kMostChosen = 8;   ///< kernels or sizes
inline constexpr std::size_t kMostText = 4096;  ///< bytes of a text: the maximum length of a Linux path

template <class Fields>
void describe(Fields& f, Settings& s) {
    constexpr Limits kSize = between(1, std::numeric_limits<std::int32_t>::max());
    f("theme", s.theme);
    f("scale", s.scale, between(0.5, 3));
    f("window_width", s.window_width, between(320, 16384));
    f("window_height", s.window_height, between(240, 16384));
    f("maximised", s.maximised);
    f("full_screen", s.full_screen);
    f("device", s.device);
    f("problem", s.problem);
    f("kernels", s.kernels, items(0, kMostChosen));
    f("baseline", s.baseline);
    f("local", s.local);
    f("locals", s.locals, items(0, kMostChosen));
    f("params", s.params, items(0, kMostChosen));
    f("seed", s.seed);
    f("time_budget_ms", s.time_budget_ms, between(10, 3'600'000));
    f("timeout_ms", s.timeout_ms, between(100, 3'600'000));
    f("live", s.live);
    f("recent_files", s.recent_files, items(0, kMostRecentFiles));
    f("last_folder", s.last_folder);
    f("sizes", s.sizes, kSize.items(0, kMostChosen));
    f("sweep", s.sweep, between(1, 1 << 30).items(0, 66));
    f("splits", s.splits, between(0.02, 0.98).items(0, kMostNamed));
    f("switches", s.switches, items(0, kMostNamed));
    f("tabs", s.tabs, items(0, kMostNamed));
}

}  // namespace kwb
