// SPDX-License-Identifier: Apache-2.0
#include "grade/submissions.hpp"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <ctime>
#include <initializer_list>
#include <iterator>
#include <map>
#include <regex>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFiles = 256;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::size_t kMostPackedBytes = 1u << 30;  ///< of all submissions in one archive
constexpr int kMostNesting = 2;                     ///< of archives in archives

/// Files that operating systems add by themselves.
bool is_rubbish(const fs::path& name) {
    return std::ranges::any_of(name, [](const fs::path& part) {
        const std::string text = part.string();
        return text == "__MACOSX" || text.starts_with("._") || text == ".DS_Store" || text == "Thumbs.db" ||
               text == ".git";
    });
}

/// Kernels, what they may include, and side-cars.
bool is_text(const fs::path& name) {
    const std::string ending = to_lower(name.extension().string());
    return ending == ".cl" || ending == ".h" || ending == ".clh" || ending == ".inc" || ending == ".toml";
}

bool has_ending(const fs::path& name, std::initializer_list<std::string_view> endings) {
    return std::ranges::find(endings, to_lower(name.extension().string())) != endings.end();
}

/// An archive that cannot be opened.
bool is_other_archive(const fs::path& name) {
    return !is_archive(name.string()) &&
           has_ending(name, {".rar", ".gz", ".bz2", ".xz", ".zst", ".lzma", ".tbz2", ".txz"});
}

const std::regex& moodle_name() {
    static const std::regex kName("(.+)_([0-9]+)_assignsubmission_.*");
    return kName;
}

const std::regex& canvas_name() {
    static const std::regex kName("([^_]+)(_LATE)?_([0-9]+)_([0-9]+)_.+", std::regex::icase);
    return kName;
}

/// Of a file; those in archives may be longer, and std::regex recurses.
constexpr std::size_t kMostNameLetters = 255;

/// What teachers keep beside submissions.
bool is_of_teacher(const fs::path& name) {
    if (name.string().size() <= kMostNameLetters && std::regex_match(name.string(), canvas_name()))
        return false;
    return name.string().starts_with('.') ||
           has_ending(name, {".csv", ".tsv", ".xlsx", ".ods", ".toml", ".json", ".jsonl", ".xml", ".yml",
                             ".yaml", ".md", ".txt", ".html", ".pdf", ".sh", ".log"});
}

bool leads_out(const fs::path& name) {
    return name.is_absolute() || std::ranges::find(name, "..") != name.end();
}

/// The texts of a submission, by path.
struct Files {
    NamedList<std::string> texts = {};
    std::string obstacle = {};
    bool is_folder = false;  ///< of the submission; it may have only one file
    std::size_t bytes = 0;
    std::optional<std::chrono::sys_seconds> changed = {};  ///< the newest, not of files in archives

    void refuse(std::string sentence) {
        if (obstacle.empty()) obstacle = std::move(sentence);
    }
    void note_change(std::optional<std::chrono::sys_seconds> time) { changed = std::max(changed, time); }
    void add(const fs::path& path, std::string text) {
        bytes += text.size();
        if (texts.size() == kMostFiles || bytes > kMostBytes)
            return refuse(
                fmt::format("it has more than {} files or {}", kMostFiles, format_bytes(kMostBytes)));
        texts.push_back({path.string(), decode_text(std::move(text))});
    }
};

void add_archive(Files& files, const fs::path& path, const std::string& bytes, int depth);

void refuse_other_archive(Files& files, const fs::path& name) {
    files.refuse(fmt::format("{} is an archive that cannot be opened. Ask for .zip, .tar, .tar.gz or .7z",
                             name.filename().string()));
}

/// Handles a file by its name: keeps a text, opens an archive, ignores anything else.
void add_file(Files& files, const fs::path& path, std::string bytes, int depth) {
    if (is_archive(path.string()))
        add_archive(files, path, bytes, depth + 1);
    else
        files.add(path, std::move(bytes));
}

void add_archive(Files& files, const fs::path& path, const std::string& bytes, int depth) {
    if (depth > kMostNesting)
        return files.refuse(fmt::format("{} is nested too deeply: an archive in an archive in an archive",
                                        path.filename().string()));
    try {
        read_archive(
            bytes,
            [&](const ArchiveEntry& entry) {
                const fs::path name = entry.name;
                if (is_rubbish(name)) return false;
                if (leads_out(name))
                    files.refuse(fmt::format("{} has the path {}, which leads out of the archive",
                                             path.filename().string(), entry.name));
                else if (entry.is_link)
                    files.refuse(fmt::format("{} in {} is a link, but only files count", entry.name,
                                             path.filename().string()));
                else if (entry.is_file && is_other_archive(name))
                    refuse_other_archive(files, name);
                else
                    return entry.is_file && (is_text(name) || is_archive(entry.name));
                return false;
            },
            [&](const ArchiveEntry& entry, std::string content) {
                add_file(files, path / fs::path(entry.name).lexically_normal(), std::move(content), depth);
            },
            kMostBytes);
    } catch (const BadInput& error) {
        files.refuse(path.filename().string() + ' ' + error.what());
    }
}

std::optional<std::chrono::sys_seconds> changed_at(const fs::path& file) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(file, error);
    if (error) return std::nullopt;
    return std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
}

/// The content of one entry of the teacher's folder.
Files read_entry(const fs::path& path) {
    Files files;
    const auto take = [&](const fs::path& file) {
        std::error_code error;
        if (is_rubbish(file.lexically_relative(path.parent_path()))) return;
        const fs::file_status status = fs::symlink_status(file, error);
        if (fs::is_symlink(status))
            return files.refuse(fmt::format("{} is a link, but only files count", file.filename().string()));
        if (fs::is_regular_file(status) && is_other_archive(file)) return refuse_other_archive(files, file);
        if (!fs::is_regular_file(status) || (!is_text(file) && !is_archive(file.string()))) return;
        try {
            files.note_change(changed_at(file));
            add_file(files, file.lexically_relative(path.parent_path()), read_file(file, kMostBytes), 0);
        } catch (const BadInput& unreadable) {
            files.refuse(unreadable.what());
        }
    };
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(path, error))) {
        take(path);
        return files;
    }
    std::vector<fs::path> found;
    for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        found.push_back(at->path());
        if (found.size() > 100 * kMostFiles) break;
    }
    if (error) files.refuse(fmt::format("{} cannot be read: {}", path.string(), error.message()));
    std::ranges::sort(found);
    std::ranges::for_each(found, take);
    return files;
}

/// The content of each submission, by the name of its entry.
using Entries = std::map<std::string, Files>;

/// The time of an archive's entry.
std::optional<std::chrono::sys_seconds> changed_at(const ArchiveEntry& entry, const TimeZone* zone) {
    if (!entry.changed || !entry.is_local_time || zone == nullptr) return entry.changed;
    const std::time_t time = std::chrono::system_clock::to_time_t(*entry.changed);
    std::tm local{};
    ::localtime_r(&time, &local);
    return zone->to_utc(std::chrono::local_seconds(std::chrono::seconds(::timegm(&local))));
}

Entries read_folder(const fs::path& folder) {
    Entries entries;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path name = entry.path().filename();
        std::error_code gone;
        const fs::file_status status = entry.symlink_status(gone);
        const bool counts = fs::is_directory(status) || fs::is_symlink(status) ||
                            (fs::is_regular_file(status) && !is_of_teacher(name));
        if (!counts || is_rubbish(name)) continue;
        Files& files = entries[name.string()] = read_entry(entry.path());
        files.is_folder = fs::is_directory(status);
    }
    if (error)
        throw BadInput(
            fmt::format("{}: {}. Give the folder with the submissions", folder.string(), error.message()));
    return entries;
}

/// The submissions of an archive.
Entries read_packed(const fs::path& path, const TimeZone* zone) {
    Entries entries;
    const auto files_of = [&](const fs::path& name) -> Files& { return entries[name.begin()->string()]; };
    try {
        read_archive(
            read_file(path, kMostPackedBytes),
            [&](const ArchiveEntry& entry) {
                const fs::path name = fs::path(entry.name).lexically_normal();
                if (is_rubbish(name)) return false;
                if (leads_out(entry.name) || name.empty())
                    throw BadInput(
                        fmt::format("has the path '{}', which leads out of the archive", entry.name));
                const bool is_folder = std::distance(name.begin(), name.end()) > 1;
                if (!is_folder && entry.is_file && is_of_teacher(name)) return false;
                Files& files = files_of(name);
                files.is_folder = is_folder;
                if (entry.is_link) files.refuse(entry.name + " is a link, but only files count");
                if (entry.is_file && is_other_archive(name)) refuse_other_archive(files, name);
                return entry.is_file && (is_text(name) || is_archive(entry.name));
            },
            [&](const ArchiveEntry& entry, std::string content) {
                const fs::path name = fs::path(entry.name).lexically_normal();
                files_of(name).note_change(changed_at(entry, zone));
                add_file(files_of(name), name, std::move(content), 0);
            },
            kMostPackedBytes);
    } catch (const BadInput& error) {
        throw BadInput(path.string() + ' ' + error.what());
    }
    return entries;
}

/// Takes apart what platforms call folders and files.
void name_person(Submission& submission, bool is_folder) {
    static const std::regex kAttempt("(.+?)[ _-]*attempt[ _-]*([0-9]{1,6})", std::regex::icase);
    std::smatch parts;
    if (submission.entry.size() > kMostNameLetters) {
        submission.name = submission.entry;
    } else if (std::regex_match(submission.entry, parts, moodle_name())) {
        submission.name = parts[1];
        submission.id = parts[2];
    } else if (std::regex_match(submission.entry, parts, canvas_name())) {
        submission.name = parts[1];
        submission.is_late = parts[2].matched;
        submission.id = parts[3];
    } else {
        submission.name = is_folder ? submission.entry : fs::path(submission.entry).stem().string();
        if (!is_folder && submission.name.ends_with(".tar"))
            submission.name.resize(submission.name.size() - 4);
        const std::string name = submission.name;  // what `parts` refer to
        if (std::regex_match(name, parts, kAttempt)) {
            submission.name = parts[1].str();
            submission.attempt = std::stoi(parts[2].str());
        }
    }
    submission.name = to_utf8(submission.name);
}

/// Finds the kernels, and the one that counts: the only one, whatever its name is.
void choose_kernel(Submission& submission, const Files& files, const std::optional<std::string>& wanted) {
    std::vector<std::string>& all = submission.kernels;
    std::vector<std::string> kernels, names;
    for (const auto& [path, text] : files.texts) {
        if (to_lower(fs::path(path).extension().string()) != ".cl") continue;
        all.push_back(path);
        names.push_back(fs::path(path).filename().string());
        if (!wanted || to_lower(names.back()) == to_lower(*wanted)) kernels.push_back(path);
    }
    submission.is_empty = all.empty() && submission.obstacle.empty();
    if (!submission.obstacle.empty()) return;
    if (all.size() == 1) kernels = all;
    if (kernels.size() == 1)
        submission.kernel = kernels.front();
    else if (names.empty())
        submission.obstacle = "no kernel, that is, no file whose name ends with .cl";
    else if (kernels.empty())
        submission.obstacle = fmt::format("{} is missing; found {}", *wanted, enumerate(names));
    else
        submission.obstacle =
            fmt::format("several kernels, so it is unclear which one counts: {}", enumerate(names));
}

Submission make_submission(const std::string& entry, Files files, const std::optional<std::string>& kernel) {
    Submission submission;
    submission.entry = entry;
    name_person(submission, files.is_folder);
    submission.obstacle = std::move(files.obstacle);
    submission.changed = files.changed;
    choose_kernel(submission, files, kernel);
    submission.files = std::move(files.texts);
    for (const auto& [path, text] : submission.files) submission.texts.put(path, text);
    return submission;
}

std::string convert(const std::string& text, const char* from) {
    const iconv_t converter = ::iconv_open("UTF-8", from);
    if (converter == reinterpret_cast<iconv_t>(-1)) return text;
    std::string converted(4 * text.size() + 16, '\0');
    char* input = const_cast<char*>(text.data());  // POSIX's iconv() takes no const
    char* output = converted.data();
    std::size_t left = text.size(), room = converted.size();
    ::iconv(converter, &input, &left, &output, &room);
    ::iconv_close(converter);
    converted.resize(converted.size() - room);
    return converted;
}

}  // namespace

std::string decode_text(std::string text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return decode_text(convert(text, "UTF-16"));
    if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
    return to_utf8(text) == text ? text : convert(text, "WINDOWS-1252");
}

Submission read_submission(const fs::path& path, const std::optional<std::string>& kernel) {
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);  // "." has no name
    if (error)
        throw BadInput(fmt::format("{}: {}. Give your folder or kernel", path.string(), error.message()));
    Files files = read_entry(whole);
    files.is_folder = fs::is_directory(whole, error);
    return make_submission(whole.filename().string(), std::move(files), kernel);
}

std::vector<Submission> find_submissions(const fs::path& folder, const std::optional<std::string>& kernel,
                                         const TimeZone* zone) {
    std::vector<Submission> submissions;
    std::error_code error;
    const bool is_packed = is_archive(folder.string()) && fs::is_regular_file(folder, error);
    for (auto& [entry, files] : is_packed ? read_packed(folder, zone) : read_folder(folder))
        submissions.push_back(make_submission(entry, std::move(files), kernel));
    if (submissions.empty())
        throw BadInput(folder.string() +
                       ": no submissions, that is, no folders, kernel files (.cl) or archives");
    std::ranges::stable_sort(submissions, {}, [](const Submission& each) { return to_lower(each.name); });
    return submissions;
}

}  // namespace kwb
