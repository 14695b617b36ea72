// The keys of settings.toml: each once, with its range, for reading and for writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "session/settings.hpp"

namespace kwb {

inline constexpr std::size_t kMostNamed = 64;   ///< entries of a table of the window's parts
inline constexpr std::size_t kMostChosen = 8;   ///< kernels, sizes
inline constexpr std::size_t kMostText = 4096;  ///< bytes of a text: the longest path that Linux takes
inline constexpr std::int64_t kMostSize = std::numeric_limits<std::int32_t>::max();

/// Show every setting to `visitor`, which reads or writes it:
///   visitor.choice(key, Theme&) · truth(key, bool&) · number(key, value&, least, most) · seed(key, value&) ·
///   text(key, string&) · texts(key, strings&, most) · table(key, list&, most[, least, most value])
template <class Visitor, class AnySettings>
void visit_settings(Visitor& visitor, AnySettings& s) {
    visitor.choice("theme", s.theme);
    visitor.number("scale", s.scale, 0.5, 3.0);
    visitor.number("window_width", s.window_width, 320, 16384);
    visitor.number("window_height", s.window_height, 240, 16384);
    visitor.truth("maximised", s.maximised);
    visitor.truth("full_screen", s.full_screen);
    visitor.text("device", s.device);
    visitor.text("problem", s.problem);
    visitor.texts("kernels", s.kernels, kMostChosen);
    visitor.text("baseline", s.baseline);
    visitor.text("local", s.local);
    visitor.texts("locals", s.locals, kMostChosen);
    visitor.texts("params", s.params, kMostChosen);
    visitor.seed("seed", s.seed);
    visitor.number("time_budget_ms", s.time_budget_ms, 10.0, 3'600'000.0);
    visitor.number("timeout_ms", s.timeout_ms, 100.0, 3'600'000.0);
    visitor.truth("live", s.live);
    visitor.texts("recent_files", s.recent_files, kMostRecentFiles);
    visitor.text("last_folder", s.last_folder);
    visitor.table("sizes", s.sizes, kMostChosen, std::int64_t{1}, kMostSize);
    visitor.table("sweep", s.sweep, std::size_t{66}, std::int64_t{1}, std::int64_t{1} << 30);
    visitor.table("splits", s.splits, kMostNamed, 0.02, 0.98);
    visitor.table("switches", s.switches, kMostNamed);
    visitor.table("tabs", s.tabs, kMostNamed);
}

}  // namespace kwb
