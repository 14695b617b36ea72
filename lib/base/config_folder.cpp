#include "base/config_folder.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

fs::path home() {
    if (fs::path own = path_from_environment("HOME"); !own.empty()) return own;
    const passwd* entry = ::getpwuid(::geteuid());
    return entry != nullptr && entry->pw_dir != nullptr && *entry->pw_dir == '/' ? fs::path(entry->pw_dir)
                                                                                 : fs::path();
}

fs::path folder(const char* variable, const char* below_home, const char* what) {
    if (fs::path own = path_from_environment(variable); !own.empty()) return own / "kwb";
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

void make_private_folders(const fs::path& folder) {
    std::error_code ignored;
    if (folder.empty() || fs::is_directory(folder, ignored)) return;
    make_private_folders(folder.parent_path());
    if (::mkdir(folder.c_str(), 0700) != 0 && (errno != EEXIST || !fs::is_directory(folder, ignored)))
        throw BadInput(folder.string() + ": the folder cannot be made: " + std::strerror(errno));
}

}  // namespace kwb
