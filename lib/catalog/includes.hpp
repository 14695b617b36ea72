// The files that a kernel includes, so that its text can travel without its folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/named.hpp"
#include "catalog/edited_texts.hpp"

namespace kwb {

/// Read every file that `source` includes with quotes, and what those include, in the order in which they
/// are met. `#include <…>` and comments are left alone.
/// @param path    of the kernel file; only its folder and folders below are read
/// @param source  its text
/// @param edited  stands in for files
/// @return  path from the kernel's folder ("tile.h", "parts/load.h") → text
/// @throws BadInput "file:line:column: …" for an absolute path, one that leaves the folder, a file that
///         cannot be read, more than 64 files or 4 MiB
NamedList<std::string> collect_includes(const std::filesystem::path& path, std::string_view source,
                                        const EditedTexts& edited = {});

/// The first #include that leads back to a file that is being included. Guards are not considered: call this
/// only for a source whose includes the preprocessor found too deep.
/// @param includes  from collect_includes()
/// @return  "file:line: includes itself …"; nothing if there is none
std::optional<std::string> find_self_inclusion(const std::filesystem::path& path, std::string_view source,
                                               const NamedList<std::string>& includes);

}  // namespace kwb
