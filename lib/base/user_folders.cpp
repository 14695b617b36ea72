// SPDX-License-Identifier: Apache-2.0
#include "base/user_folders.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace kwb {

namespace fs = std::filesystem;

fs::path path_from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
}

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
        throw BadInput(folder.string() + ": the folder cannot be created: " + std::strerror(errno));
}

namespace {

struct CacheFolder {
    fs::path path;
    bool among_strangers = false;  ///< other users can create files in its parent folder
};

CacheFolder choose_cache_folder() {
    const char* wanted = std::getenv("KWB_CACHE_DIR");
    if (wanted != nullptr && *wanted != '\0' && *wanted != '/')
        throw EnvironmentError("KWB_CACHE_DIR is '" + std::string(wanted) + "'; give an absolute path");
    if (fs::path own = path_from_environment("KWB_CACHE_DIR"); !own.empty()) return {own};
    if (fs::path xdg = path_from_environment("XDG_CACHE_HOME"); !xdg.empty()) return {xdg / "kwb"};
    const bool is_given = !path_from_environment("HOME").empty();
    // For users of services, the password database names folders that do not exist or are not theirs.
    if (const fs::path own = home(); is_given || (!own.empty() && ::access(own.c_str(), W_OK | X_OK) == 0))
        return {own / ".cache" / "kwb"};
    return {fs::temp_directory_path() / ("kwb-" + std::to_string(::getuid())), true};
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& finding) {
    throw EnvironmentError("the cache folder " + folder.string() + " " + finding +
                           "; set KWB_CACHE_DIR to one of your folders");
}

}  // namespace

fs::path cache_folder() {
    const auto [folder, among_strangers] = choose_cache_folder();
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        refuse(folder, std::string("cannot be created: ") + std::strerror(errno));
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0)
        refuse(folder, std::string("cannot be read: ") + std::strerror(errno));
    if (S_ISLNK(info.st_mode) && among_strangers) refuse(folder, "is a link that another user may have made");
    if (S_ISLNK(info.st_mode)) ::stat(folder.c_str(), &info);
    if (!S_ISDIR(info.st_mode)) refuse(folder, "is no folder");
    if (info.st_uid != ::getuid()) refuse(folder, "belongs to another user");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(folder, "cannot be written");
    return folder;
}

bool is_noexec(const fs::path& folder) {
    struct statvfs info {};
    return ::statvfs(folder.c_str(), &info) == 0 && (info.f_flag & ST_NOEXEC) != 0;
}

}  // namespace kwb
