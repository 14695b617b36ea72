// Texts that are being edited, in the place of what is on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace kwb {

/// What files will hold once they are saved. They need not be there yet.
class EditedTexts {
public:
    /// @param path  in any spelling; files reached over links are others
    void put(const std::filesystem::path& path, std::string text);

    /// @return  null: the file counts as it is on disk
    const std::string* find(const std::filesystem::path& path) const;

    bool empty() const { return texts_.empty(); }

    /// Is there a text for it, or something on disk?
    bool exists(const std::filesystem::path& path) const;

    /// The text, else the file's; without a byte order mark.
    /// @throws BadInput  as read_file()
    std::string read(const std::filesystem::path& path) const;
    /// @param limit_bytes  a larger file is refused
    std::string read(const std::filesystem::path& path, std::uintmax_t limit_bytes) const;

private:
    std::map<std::filesystem::path, std::string> texts_;  ///< absolute, without "." and ".." →
};

}  // namespace kwb
