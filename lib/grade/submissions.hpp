// SPDX-License-Identifier: Apache-2.0
// Submissions: folders, files and archives, as learning platforms give them to a teacher.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "catalog/edited_texts.hpp"
#include "grade/time_zone.hpp"

namespace kwb {

/// The submission of one student.
struct Submission {
    std::string name;                       ///< of the person, or of the folder or file
    std::string id = {};                    ///< as the platform has it, digits; empty: unknown
    std::optional<int> attempt = {};        ///< the number in its name
    bool is_late = false;                   ///< the platform marks it in the name
    std::string entry;                      ///< the folder, file or archive in the teacher's folder
    std::filesystem::path kernel = {};      ///< one of `files`
    std::vector<std::string> kernels = {};  ///< of `files`, those whose name ends with .cl
    /// Path from the teacher's folder → text. Nothing is read from disk again, and the paths need not exist:
    /// archives are not unpacked.
    NamedList<std::string> files = {};
    EditedTexts texts = {};     ///< the same, for reading kernels
    std::string obstacle = {};  ///< why there is nothing to grade: a sentence
    bool is_empty = false;      ///< it has no kernel, nor anything that could not be read
    std::optional<std::chrono::sys_seconds> changed = {};  ///< the newest of its files
};

/// Each folder, kernel file and archive in a folder (or in an archive, as platforms hand out) is a
/// submission. Names of Moodle ("Jane Doe_4711_assignsubmission_file_") and Canvas
/// ("doejane_LATE_123_456_matmul.cl") are taken apart; else the person is called like the folder or file.
/// Archives in a submission are opened, too. A submission with a link, with a path that leads out of it, with
/// an archive of another kind, or with more than 256 files or 64 MiB, has an obstacle. So has any other file,
/// unless it is of a kind that teachers keep beside submissions: a table, a text, a page.
/// @param kernel  of several kernels in a submission, the name of the one to grade
/// @param zone    of the times in .zip files that have only local ones; nullptr: that of this process
/// @return  by name
/// @throws BadInput  the folder cannot be read, or has no submissions
std::vector<Submission> find_submissions(const std::filesystem::path& folder,
                                         const std::optional<std::string>& kernel,
                                         const TimeZone* zone = nullptr);

/// The folder, kernel file or archive of one student, who tests it before handing in.
/// @throws BadInput  it does not exist
Submission read_submission(const std::filesystem::path& path, const std::optional<std::string>& kernel);

/// Text in UTF-8, of UTF-8 or, with a byte order mark, UTF-16. Bytes that are no UTF-8 are taken as Windows'
/// Western European letters.
std::string decode_text(std::string text);

/// True for a name with the ending of an archive: .zip, .tar, .tar.gz, .tgz, .7z.
bool is_archive(std::string_view name);

struct ArchiveEntry {
    std::string name;  ///< path in the archive, UTF-8
    bool is_file = false;
    bool is_link = false;
    std::optional<std::chrono::sys_seconds> changed = {};
    /// The archive has only a local time: `changed` takes it as one of this process's zone.
    bool is_local_time = false;
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
