// The files that a kernel may read: those of its own folder, texts being edited that replace them, and
// arrays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/npy.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

struct ArrayFile {
    NpyHeader header;
    BufferContent content;  ///< without the header
};

/// Arrays of .npy files. One that somebody still holds is read again only if its file changed: so each new
/// version of an edited declaration takes the arrays of the one before. For one thread at a time.
class ArrayFiles {
public:
    /// @throws BadInput  it cannot be read, is too large (kMostContentBytes), or is not a .npy file
    ArrayFile read(const std::filesystem::path& path);

private:
    struct Known {
        NpyHeader header;
        std::weak_ptr<const std::string> content;
        std::filesystem::file_time_type written;
        std::uintmax_t bytes = 0;
    };
    std::map<std::filesystem::path, Known> known_;
};

/// What files will hold once they are saved. They need not exist yet.
class EditedTexts {
public:
    EditedTexts() : EditedTexts(std::make_shared<ArrayFiles>()) {}
    /// @param arrays  where arrays are read
    explicit EditedTexts(std::shared_ptr<ArrayFiles> arrays) : arrays_(std::move(arrays)) {}

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

    /// @throws BadInput  as ArrayFiles::read()
    ArrayFile read_array(const std::filesystem::path& path) const { return arrays_->read(path); }

private:
    std::shared_ptr<ArrayFiles> arrays_;
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
