// What the file dialog shows of a folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kwb {

struct FolderEntry {
    std::string name;  ///< valid UTF-8; for people
    std::filesystem::path path;
    bool is_folder = false;
    std::uint64_t bytes = 0;
    std::optional<std::chrono::system_clock::time_point> changed;
};

struct FolderListing {
    enum class Purpose { OpenKernels, SaveSource, ExportFile };
    Purpose purpose = Purpose::OpenKernels;
    std::filesystem::path folder;
    std::vector<FolderEntry> entries;  ///< folders first, each sorted by name as people do (2 before 10)
    bool shows_hidden = false;
    std::vector<std::string> extensions;  ///< only such files, ".cl"; empty: all
    std::string name;                     ///< of the file to write
    std::string error;  ///< why the folder cannot be listed: a sentence; entries are then empty
    std::vector<std::filesystem::path> places;  ///< home, present folder, the kernels, recent folders
};

/// Never throws because of the folder.
FolderListing list_folder(const std::filesystem::path& folder, FolderListing::Purpose purpose,
                          bool shows_hidden = false);

}  // namespace kwb
