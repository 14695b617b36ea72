// What the window remembers from one session to the next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/problem.hpp"

namespace kwb {

enum class Theme { Dark, Light };

template <>
inline constexpr auto kEnumNames<Theme> = std::to_array<std::string_view>({"dark", "light"});

/// Defaults are those of a first start. Ranges are held by load_settings(), and by save_settings(), which
/// brings a number into its range and cuts a list to its length.
struct Settings {
    // Looks.
    Theme theme = Theme::Dark;
    double scale = 1;          ///< 0.5 … 3, of everything; besides the screen's own
    int window_width = 1600;   ///< 320 … 16384, pixels
    int window_height = 1000;  ///< 240 … 16384, pixels
    bool maximised = false;
    bool full_screen = false;
    NamedList<double> splits;     ///< panel split → share of its first part, 0.02 … 0.98; at most 64
    NamedList<bool> switches;     ///< what is shown or hidden, by name; at most 64
    NamedList<std::string> tabs;  ///< tab bar → the tab that is in front; at most 64

    // The last experiment.
    std::string device;                ///< DeviceInfo::id; empty: the best one
    std::string problem = "matmul";    ///< a problem's name
    std::vector<std::string> kernels;  ///< names or paths, at most 8
    Sizes sizes;                       ///< empty: the problem's own; each 1 … 2^31 - 1, at most 8
    std::string baseline;              ///< a contestant's name; empty: the first one
    std::string local;                 ///< work-group as typed, "16x16", "auto"; empty: the kernel's own
    std::vector<std::string> locals;   ///< the same of each of `kernels`, before `local`; may be shorter
    std::vector<std::string> params;   ///< of each of `kernels`, "TILE=8 PAD=1"; may be shorter
    NamedList<std::int64_t> sweep;     ///< "from", "to", "sizeN": edges where they were chosen, 1 … 2^30
    std::uint64_t seed = 1;
    double time_budget_ms = 1000;  ///< a kernel; 10 … 3,600,000
    double timeout_ms = 30'000;    ///< of each build and each launch; 100 … 3,600,000
    bool live = false;             ///< run again on every change

    // Files.
    std::vector<std::string> recent_files;  ///< absolute paths, the last one first; at most 20
    std::string last_folder;                ///< of the file dialog; empty: the present one

    friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr std::size_t kMostRecentFiles = 20;

/// Put a file at the head of `recent_files`, once.
void remember_file(Settings& settings, const std::filesystem::path& file);

struct LoadedSettings {
    Settings settings;
    std::optional<std::string>
        notice;  ///< a sentence for the person: what was wrong, and where the old file is
};

/// settings.toml in config_folder().
/// @throws EnvironmentError  this user has no home folder
std::filesystem::path settings_path();

/// Read settings. A missing file gives the defaults, without a notice. One that is no TOML gives the
/// defaults; a value of another type or out of range gives the default of its key alone: both with a notice,
/// and a copy of the file at `<path>.damaged-N`. Unknown keys are passed over. Never throws because of the
/// file.
LoadedSettings load_settings(const std::filesystem::path& path);

/// Write settings in one step: after a crash or power failure there is the old file or the new one. Folders
/// are made if missing (mode 0700).
/// @return  nothing if it went well, else a sentence for the person
std::optional<std::string> save_settings(const Settings& settings, const std::filesystem::path& path);

// Settings as TOML text.

struct ParsedSettings {
    Settings settings;
    bool whole = true;  ///< false: the text is no TOML, and all settings are the defaults
    /// "line: what was found", in the order of the keys of settings_fields.hpp
    std::vector<std::string> findings;
};

/// Read what can be read: a value of another type or out of range becomes the default of its key, an entry of
/// a table or list that is wrong is left out. Unknown keys are passed over. Never throws because of the text.
ParsedSettings parse_settings(std::string_view text);

/// @return  text that parse_settings() reads as `settings`, once numbers are in their ranges and lists cut
std::string settings_to_toml(const Settings& settings);

}  // namespace kwb
