// SPDX-License-Identifier: Apache-2.0
// The content of a folder, for the file dialog.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

struct FolderEntry {
    std::string name;  ///< valid UTF-8; for display
    std::filesystem::path path;
    bool is_folder = false;
};

struct FolderListing {
    enum class Purpose { OpenKernels, SaveSource, ExportFile, OpenExperiment, SaveExperiment };
    Purpose purpose = Purpose::OpenKernels;
    std::filesystem::path folder;
    std::vector<FolderEntry> entries;  ///< folders first, each group sorted by sorts_before() (2 before 10)
    std::vector<std::string> extensions;  ///< list only files with these, e.g. ".cl"; empty: all
    std::string name;                     ///< name of the file to write
    std::string error;         ///< a sentence: why the folder cannot be listed; `entries` is then empty
    std::size_t left_out = 0;  ///< number of entries beyond kMostEntries
    std::vector<std::filesystem::path> places;  ///< home, working directory, the kernels, recent folders

    static constexpr std::size_t kMostEntries = 5000;
};

/// Does not throw if the folder cannot be read.
/// @param folder  empty: the working directory; "~" and "~/…" refer to the user's home. In "/a//b" and
///         "/a/~/b", the last complete path counts, because it was pasted after another one
/// @param extensions  as in FolderListing; case-insensitive
/// @return  `folder` is absolute and normalized; `places` contains home and the working directory, and the
///          caller adds others. Pipes, sockets and devices are left out, because they cannot be opened as
///          text
FolderListing list_folder(const std::filesystem::path& folder, FolderListing::Purpose purpose,
                          bool shows_hidden = false, std::vector<std::string> extensions = {});

/// Natural sort order: numbers within names are compared as numbers, and case is ignored.
bool sorts_before(std::string_view a, std::string_view b);

}  // namespace kwb
