// SPDX-License-Identifier: Apache-2.0
#include "desk/window_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/toml_record.hpp"
#include "base/user_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 64;  ///< entries of tables

template <class Fields>
void describe(Fields& f, PanelLayout& layout) {
    f("splits", layout.splits, between(0.02, 0.98).items(0, kMostNamed));
    f("switches", layout.switches, items(0, kMostNamed));
    f("tabs", layout.tabs, items(0, kMostNamed));
    f("areas", layout.areas, items(0, kMostNamed));
}

/// The keys of the file in the order in which they are written, with their ranges.
template <class Fields>
void describe(Fields& f, Settings& s) {
    f("theme", s.theme);
    f("scale", s.scale, between(0.5, 3));
    f("window_width", s.window_width, between(320, 16384));
    f("window_height", s.window_height, between(240, 16384));
    f("maximised", s.maximised);
    f("full_screen", s.full_screen);
    f("live", s.live);
    f("explains", s.explains);
    f("recent_files", s.recent_files, items(0, kMostRecentFiles));
    f("last_folder", s.last_folder);
    describe(f, static_cast<PanelLayout&>(s));
    f("layouts", s.layouts, items(0, kMostLayouts));
    describe(f, s.experiment);
}

namespace {

constexpr std::uintmax_t kMostBytes = 1u << 20;

/// Copy the file aside.
/// @return  the end of the notice: where the copy is, or that there is none
std::string keep_copy(const fs::path& path) {
    try {
        return ". The old file is kept as " + copy_damaged_aside(path).string();
    } catch (const BadInput&) {
        return ". The file is replaced when the settings are next saved";
    }
}

constexpr const char* kHeading =
    "# What the window keeps between sessions. An open window rewrites it at any time. Your own settings are "
    "in\n"
    "# settings.toml.\n";

}  // namespace

void remember_file(Settings& settings, const fs::path& file) {
    std::vector<std::string>& files = settings.recent_files;
    const std::string name = fs::absolute(file).lexically_normal().string();
    std::erase(files, name);
    files.insert(files.begin(), name);
    files.resize(std::min(files.size(), kMostRecentFiles));
}

LoadedSettings load_settings(const fs::path& path) {
    std::error_code error;
    if (fs::status(path, error).type() == fs::file_type::not_found) return {};
    std::string text;
    try {
        text = read_file(path, kMostBytes);
    } catch (const BadInput& refusal) {
        return {{}, std::string(refusal.what()) + ". The default settings are used"};
    }
    ParsedSettings parsed = parse_settings(text);
    if (parsed.findings.empty()) return {std::move(parsed.settings), std::nullopt};
    std::string notice = path.string() + ":" + parsed.findings.front();
    if (const std::size_t more = parsed.findings.size() - 1; more > 0)
        notice += ", and " + std::to_string(more) + " more like it";
    notice += parsed.whole ? ". Defaults are used instead" : ". The default settings are used";
    return {std::move(parsed.settings), notice + keep_copy(path)};
}

std::optional<std::string> save_settings(const Settings& settings, const fs::path& path) {
    try {
        make_private_folders(path.parent_path());
        write_file(path, settings_to_toml(settings), {.sync = true});
        return std::nullopt;
    } catch (const BadInput& refusal) {
        return "the settings cannot be saved: " + std::string(refusal.what()) +
               ". Changes will be lost at the next start";
    }
}

ParsedSettings parse_settings(std::string_view text) {
    ParsedSettings parsed;
    try {
        const toml::table root = parse_toml(text);
        TomlRecordReader reader(root, parsed.findings);
        describe(reader, parsed.settings);
    } catch (const toml::parse_error& error) {
        parsed = {
            {}, false, {fmt::format("{}: invalid TOML: {}", error.source().begin.line, error.description())}};
    }
    return parsed;
}

std::string settings_to_toml(const Settings& settings) {
    TomlRecordWriter writer(kHeading);
    Settings copy = settings;  // describe() takes a mutable object
    describe(writer, copy);
    return writer.text();
}

}  // namespace kwb
