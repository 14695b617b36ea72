// Removing folders that a stranger's code has filled.
#pragma once

#include <filesystem>

namespace kwb {

/// Remove a folder and everything in it, whatever it holds: folders nested deeper than descriptors or the
/// stack would last, folders without permissions, links (which are not followed).
/// @return  true if it is gone; false if something in it cannot be removed now
bool remove_tree(const std::filesystem::path& folder) noexcept;

}  // namespace kwb
