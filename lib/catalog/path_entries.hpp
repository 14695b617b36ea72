// Which folders decide what a path leads to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kwb {

struct PathEntry {
    std::filesystem::path folder;  ///< without symbolic links, as far as it exists
    std::string name;              ///< in it: of a link on the way, or, last of all, of the file

    friend bool operator==(const PathEntry&, const PathEntry&) = default;
};

/// Follow a path as the system does: an entry for each symbolic link on the way, of folders too, and at last
/// one for the file. When none of these entries changes, the path leads to the same file.
/// @param path  absolute; nothing of it needs to exist
/// @return      what was met before the 40th link, if links lead in a circle; empty for "/"
std::vector<PathEntry> entries_of(const std::filesystem::path& path);

}  // namespace kwb
