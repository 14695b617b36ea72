#include "session/settings.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "session/settings_toml.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = 1u << 20;

/// "…; the old file is kept as <copy>", as far as it can be.
std::string keep_copy(const fs::path& path) {
    try {
        return "; the old file is kept as " + copy_damaged_aside(path).string();
    } catch (const BadInput&) {
        return "; the file is replaced when the settings are next saved";
    }
}

}  // namespace

void remember_file(Settings& settings, const fs::path& file) {
    std::vector<std::string>& files = settings.recent_files;
    const std::string name = fs::absolute(file).lexically_normal().string();
    std::erase(files, name);
    files.insert(files.begin(), name);
    files.resize(std::min(files.size(), kMostRecentFiles));
}

fs::path settings_path() {
    return config_folder() / "settings.toml";
}

LoadedSettings load_settings(const fs::path& path) {
    std::error_code error;
    if (fs::status(path, error).type() == fs::file_type::not_found) return {};
    std::string text;
    try {
        text = read_file(path, kMostBytes);
    } catch (const BadInput& refusal) {
        return {{}, std::string(refusal.what()) + "; the default settings are used"};
    }
    ParsedSettings parsed = parse_settings(text);
    if (parsed.findings.empty()) return {std::move(parsed.settings), std::nullopt};
    std::string notice = path.string() + ":" + parsed.findings.front();
    if (const std::size_t more = parsed.findings.size() - 1; more > 0)
        notice += ", and " + std::to_string(more) + " more like it";
    notice += parsed.whole ? "; defaults are used for that" : "; the default settings are used";
    return {std::move(parsed.settings), notice + keep_copy(path)};
}

std::optional<std::string> save_settings(const Settings& settings, const fs::path& path) {
    try {
        make_private_folders(path.parent_path());
        write_file(path, settings_to_toml(settings), {.sync = true});
        return std::nullopt;
    } catch (const BadInput& refusal) {
        return "the settings cannot be saved: " + std::string(refusal.what()) +
               "; the next start will not know of this one's";
    }
}

}  // namespace kwb
