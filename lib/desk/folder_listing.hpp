// What the file dialog shows of a folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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
    std::string error;         ///< why the folder cannot be listed: a sentence; entries are then empty
    std::size_t left_out = 0;  ///< entries beyond kMostEntries
    std::vector<std::filesystem::path> places;  ///< home, present folder, the kernels, recent folders

    static constexpr std::size_t kMostEntries = 5000;
};

/// Never throws because of the folder.
/// @param folder      empty: the present one; "~" and "~/…" are the person's home. Of "/a//b"
///                    and "/a/~/b" the last whole path counts: it was pasted behind another
/// @param extensions  as in FolderListing; capitals and small letters are alike
/// @return  `folder` absolute, without "." and ".."; `places` are home and present folder, others are the
///          caller's to add. Left out: pipes, sockets and devices, for no text is read from them.
FolderListing list_folder(const std::filesystem::path& folder, FolderListing::Purpose purpose,
                          bool shows_hidden = false, std::vector<std::string> extensions = {});

/// Do people expect `a` before `b`? Numbers within names count as numbers, capitals as small letters.
bool sorts_before(std::string_view a, std::string_view b);

}  // namespace kwb
