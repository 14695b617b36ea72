// SPDX-License-Identifier: Apache-2.0
// Reads submitted archives without writing anything to disk.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kwb {

/// True for a name with the ending of an archive: .zip, .tar, .tar.gz, .tgz, .7z.
bool is_archive(std::string_view name);

struct ArchiveEntry {
    std::string name;  ///< path in the archive, UTF-8
    bool is_file = false;
    bool is_link = false;
};

/// Gives each entry but folders, in order.
/// @param bytes    of the archive
/// @param visit    returns whether it wants the file's content
/// @param content  receives it
/// @param most_bytes  that all wanted files may have together
/// @throws BadInput  half a sentence without the archive's name: damaged, encrypted, too large
void read_archive(const std::string& bytes, const std::function<bool(const ArchiveEntry&)>& visit,
                  const std::function<void(const ArchiveEntry&, std::string)>& content,
                  std::size_t most_bytes);

}  // namespace kwb
