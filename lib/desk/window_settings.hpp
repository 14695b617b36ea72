// SPDX-License-Identifier: Apache-2.0
// Settings that the window keeps between sessions, in a file that only the window writes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "experiment/experiment.hpp"

namespace kwb {

enum class Theme { Dark, Light };

template <>
inline constexpr auto kEnumNames<Theme> = std::to_array<std::string_view>({"dark", "light"});

/// The places and sizes of the window's panels.
struct PanelLayout {
    NamedList<double> splits;      ///< splitter → share of its first part, 0.02 … 0.98; at most 64
    NamedList<bool> switches;      ///< by name: true if shown; at most 64
    NamedList<std::string> tabs;   ///< tab bar → the active tab; at most 64
    NamedList<std::string> areas;  ///< panel → area, where it is not the usual one; at most 64

    friend bool operator==(const PanelLayout&, const PanelLayout&) = default;
};

inline constexpr std::size_t kMostLayouts = 16;

/// The defaults are used at the first start. load_settings() rejects values out of range; save_settings()
/// clamps numbers to their ranges and cuts lists to their maximum length.
struct Settings : PanelLayout {
    // Appearance.
    Theme theme = Theme::Dark;
    double scale = 1;          ///< of the whole interface, on top of the screen's scale; 0.5 … 3
    int window_width = 1600;   ///< 320 … 16384, pixels
    int window_height = 1000;  ///< 240 … 16384, pixels
    bool maximised = false;
    bool full_screen = false;
    NamedList<PanelLayout> layouts;  ///< that the user saved under names; at most kMostLayouts

    Experiment experiment;  ///< the last one
    bool live = false;      ///< run again after every change
    bool explains = true;   ///< after a run, experiments while nothing else is to be done

    // Files.
    std::vector<std::string> recent_files;  ///< absolute paths, most recent first; at most 20
    std::string last_folder;                ///< of the file dialog; empty: the current folder

    friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr std::size_t kMostRecentFiles = 20;

/// Move a file to the front of `recent_files`, or insert it there.
void remember_file(Settings& settings, const std::filesystem::path& file);

struct LoadedSettings {
    Settings settings;
    /// A sentence for the user: what was wrong, and where the old file is.
    std::optional<std::string> notice;
};

/// Read settings. A missing file gives the defaults, without a notice. A file that is not valid TOML gives
/// the defaults; a value of the wrong type or out of range is replaced by the default of its key. In both
/// cases there is a notice, and the file is copied to `<path>.damaged-N`. An unreadable file gives the
/// defaults with a notice. Unknown keys are ignored. Never throws because of the file.
LoadedSettings load_settings(const std::filesystem::path& path);

/// Write settings atomically: after a crash or power failure there is either the old file or the new one.
/// Missing folders are created (mode 0700).
/// @return  nothing on success, else a sentence for the user
std::optional<std::string> save_settings(const Settings& settings, const std::filesystem::path& path);

// Settings as TOML text.

struct ParsedSettings {
    Settings settings;
    bool whole = true;  ///< false: the text is not valid TOML, and all settings are defaults
    /// "line: key must be …", in the order of the settings in describe() (window_settings.cpp)
    std::vector<std::string> findings;
};

/// Read as much as possible: a value of the wrong type or out of range becomes the default of its key, an
/// invalid entry of a table or list is left out. Unknown keys are ignored. Never throws because of the text.
ParsedSettings parse_settings(std::string_view text);

/// @return  text from which parse_settings() reads `settings`, with numbers clamped to their ranges, lists
///          cut to their maximum length, and texts that are too long replaced by empty ones
std::string settings_to_toml(const Settings& settings);

}  // namespace kwb
