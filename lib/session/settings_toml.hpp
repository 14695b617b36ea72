// Settings as TOML text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/settings.hpp"

namespace kwb {

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
