// SPDX-License-Identifier: Apache-2.0
// The files that a kernel may read: those in its own folder, unsaved texts from the editor that replace them,
// and arrays.
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
    NpyType type;
    std::vector<std::uint64_t> shape;  ///< as in NpyHeader
    BufferContent content;             ///< the elements, row-major
};

/// Reads .npy files and pictures, which are arrays of bytes: rows x columns of grey, or
/// rows x columns x 4 of red, green, blue and alpha. While an array is still in use, it is read again only if
/// its file has changed, so each new version of an edited declaration shares the arrays of the previous
/// version. Not thread-safe.
class ArrayFiles {
public:
    /// @param channels  of a picture: 1 (grey) or 4; colours become grey and grey becomes coloured
    /// @throws BadInput if the file cannot be read, is too large (kMostContentBytes), or is not of its kind
    ArrayFile read(const std::filesystem::path& path, unsigned channels);

private:
    struct Known {
        NpyType type;
        std::vector<std::uint64_t> shape;
        std::weak_ptr<const std::string> content;
        std::filesystem::file_time_type written;
        std::uintmax_t bytes = 0;
    };
    std::map<std::pair<std::filesystem::path, unsigned>, Known> known_;  ///< by path and channels
};

/// Unsaved texts from the editor, by file. The files need not exist yet.
class EditedTexts {
public:
    EditedTexts() : EditedTexts(std::make_shared<ArrayFiles>()) {}
    /// @param arrays  cache through which arrays are read
    explicit EditedTexts(std::shared_ptr<ArrayFiles> arrays) : arrays_(std::move(arrays)) {}

    /// @param path  absolute or relative, not necessarily normalized; a symbolic link and its target are
    ///         different files
    void put(const std::filesystem::path& path, std::string text);

    /// @return  nullptr if the file is not being edited
    const std::string* find(const std::filesystem::path& path) const;

    bool empty() const { return texts_.empty(); }

    /// Whether there is an edited text or a file on disk for this path.
    bool exists(const std::filesystem::path& path) const;

    /// The edited text, or else the content of the file; without a byte order mark.
    /// @param limit_bytes  a larger file is rejected
    /// @throws BadInput like read_file()
    std::string read(const std::filesystem::path& path, std::uintmax_t limit_bytes = 16u << 20) const;

    /// @throws BadInput like ArrayFiles::read()
    ArrayFile read_array(const std::filesystem::path& path, unsigned channels) const {
        return arrays_->read(path, channels);
    }

private:
    std::shared_ptr<ArrayFiles> arrays_;
    std::map<std::filesystem::path, std::string> texts_;  ///< the keys are absolute and normalized
};

/// Whether a path leads out of its folder. Looks at the text of the path only and does not resolve symbolic
/// links.
/// @param relative  normalized path, relative to the folder
bool leaves_folder(const std::filesystem::path& relative);

/// Whether a file named by another file is in the same folder or in a subfolder, after resolving symbolic
/// links. Kernels and their side-cars may have been downloaded, so they must not read anything else.
/// @param folder  of the file that contains the name; empty: the working directory
/// @param name    as written there; the file need not exist
bool lies_within(const std::filesystem::path& folder, const std::filesystem::path& name);

}  // namespace kwb
