// Collects the files that a kernel includes, so that the kernel can be sent to a process that has no access
// to its folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/named.hpp"
#include "catalog/edited_texts.hpp"

namespace kwb {

/// Read every file that `source` includes with quotes, and the files that those include, in the order of
/// their first #include. `#include <…>` and commented-out directives are ignored.
/// @param path    of the kernel file; only its folder and subfolders are read
/// @param source  the kernel's text
/// @param edited  unsaved texts, used instead of files
/// @return  path relative to the kernel's folder ("tile.h", "parts/load.h") → text
/// @throws BadInput "file:line:column: …" for an absolute path, one that leaves the folder, a file that
///          cannot be read, more than 64 files or 4 MiB
NamedList<std::string> collect_includes(const std::filesystem::path& path, std::string_view source,
                                        const EditedTexts& edited = {});

/// Find the first #include that leads back to a file that is already being included. Ignores include guards,
/// so call this only if the preprocessor reported that the includes of `source` are nested too deeply.
/// @param includes  from collect_includes()
/// @return  "file:line: includes itself …"; empty if there is none
std::optional<std::string> find_self_inclusion(const std::filesystem::path& path, std::string_view source,
                                               const NamedList<std::string>& includes);

}  // namespace kwb
