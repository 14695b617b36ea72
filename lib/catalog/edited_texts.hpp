// The files that a kernel may read: those of its own folder, and texts being edited that replace them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace kwb {

/// What files will hold once they are saved. They need not exist yet.
class EditedTexts {
public:
    /// @param path  in any spelling; a symbolic link and its target are different files
    void put(const std::filesystem::path& path, std::string text);

    /// @return  nullptr: the file is not being edited
    const std::string* find(const std::filesystem::path& path) const;

    bool empty() const { return texts_.empty(); }

    /// Whether there is a text for it, or something on disk.
    bool exists(const std::filesystem::path& path) const;

    /// The edited text, else the content of the file; without a byte order mark.
    /// @throws BadInput  as read_file()
    std::string read(const std::filesystem::path& path) const;
    /// @param limit_bytes  a larger file is refused
    std::string read(const std::filesystem::path& path, std::uintmax_t limit_bytes) const;

private:
    std::map<std::filesystem::path, std::string> texts_;  ///< absolute, without "." and ".." →
};

/// Whether a path leads out of the folder, judged by its text alone, as if there were no symbolic links.
/// @param relative  to a folder, in its normal form
bool leaves_folder(const std::filesystem::path& relative);

/// Whether a file that another one names lies next to it or in a folder below, after following symbolic
/// links. A kernel from elsewhere, and the side-car that came with it, may read nothing else.
/// @param folder  of the naming file; empty: the working folder
/// @param name    as it is written there; it need not exist
bool lies_within(const std::filesystem::path& folder, const std::filesystem::path& name);

}  // namespace kwb
