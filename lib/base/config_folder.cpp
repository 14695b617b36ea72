#include "base/config_folder.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// An absolute path, or nothing.
fs::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
}

fs::path home() {
    if (fs::path own = from_environment("HOME"); !own.empty()) return own;
    const passwd* entry = ::getpwuid(::geteuid());
    return entry != nullptr && entry->pw_dir != nullptr && *entry->pw_dir == '/' ? fs::path(entry->pw_dir)
                                                                                 : fs::path();
}

fs::path folder(const char* variable, const char* below_home, const char* what) {
    if (fs::path own = from_environment(variable); !own.empty()) return own / "kwb";
    if (const fs::path here = home(); !here.empty()) return here / below_home / "kwb";
    throw EnvironmentError("this user has no home folder in which " + std::string(what) +
                           " could be kept; set HOME or " + variable + " to an absolute path");
}

}  // namespace

fs::path config_folder() {
    return folder("XDG_CONFIG_HOME", ".config", "settings");
}

fs::path data_folder() {
    return folder("XDG_DATA_HOME", ".local/share", "data");
}

}  // namespace kwb
