// SPDX-License-Identifier: Apache-2.0
// A file of described records (base/record.hpp), each under a key. Include this only in .cpp files that
// instantiate the template, as record_json.hpp.
//
// The first line names the content and its version; each further line is the JSON of one entry. A change adds
// a line, and the last line of a key counts, so a crash costs at most the line being written. Several
// processes may share a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/record_json.hpp"
#include "base/user_folders.hpp"

namespace kwb {

/// The right to change the files of a folder. Held by one process at a time, while the object exists. Also
/// works in a folder that cannot be written.
class FolderLock {
public:
    /// Waits up to two seconds for other processes. On a file system without locks (flock), does nothing.
    /// @param folder  empty: the current one
    /// @throws BadInput  the folder cannot be opened, or another process holds the lock
    explicit FolderLock(const std::filesystem::path& folder);

private:
    Fd folder_;
};

struct KeyedFormat {
    std::string content;  ///< of the file, e.g. "ceilings"
    std::string version;  ///< files of any other version are refused
    bool sync = true;     ///< fsync each change, so that it survives a power failure
};

/// The file has other content, or is of another version.
struct OtherContent : BadInput {
    using BadInput::BadInput;
};

/// The text of a keyed file.
class KeyedLines {
public:
    struct Line {
        std::string place;  ///< "path:line", for messages
        std::string text;
    };
    /// Whole lines that other processes or this one have added since the last call.
    struct News {
        bool is_all = false;  ///< the file is another one than before: forget what was read
        std::vector<Line> lines;
    };

    KeyedLines(std::filesystem::path path, KeyedFormat format)
        : path_(std::move(path)), format_(std::move(format)) {}

    const std::filesystem::path& path() const { return path_; }
    std::size_t count() const { return count_; }
    /// A missing or empty file has no lines.
    /// @throws OtherContent; BadInput  unreadable
    News read();
    /// Call after read(), under a lock of the folder. @throws BadInput  it cannot be written
    void append(std::string_view line);
    void replace(const std::vector<std::string>& lines);

private:
    std::string first_line() const;

    std::filesystem::path path_;
    KeyedFormat format_;
    std::pair<std::uint64_t, std::uint64_t>
        file_id_;            ///< of the file that was read: device, and number on it
    std::uint64_t end_ = 0;  ///< of its last whole line
    std::size_t count_ = 0;  ///< its lines
};

template <class Record>
struct KeyedEntry {
    std::string key;
    Record record;
};

template <class Fields, class Record>
void describe(Fields& f, KeyedEntry<Record>& entry) {
    f("key", entry.key);
    f("record", entry.record);
}

template <class Record>
class KeyedFile {
public:
    using Entries = std::map<std::string, Record>;

    KeyedFile(std::filesystem::path path, KeyedFormat format) : lines_(std::move(path), std::move(format)) {}

    /// All entries, including those that other processes have added. A missing file has none. Lines that are
    /// not entries are left out: see damage().
    /// @throws OtherContent; BadInput  the file is unreadable
    const Entries& read() {
        const KeyedLines::News news = lines_.read();
        if (news.is_all) entries_.clear(), damage_.clear();
        for (const auto& [place, text] : news.lines) try {
                const Json json = parse_json(text);
                auto entry = kwb::from_json<KeyedEntry<Record>>(json, "entry");
                entries_.insert_or_assign(std::move(entry.key), std::move(entry.record));
            } catch (const ProtocolError& error) {
                damage_.push_back(place + ": " + error.what());
            }
        return entries_;
    }

    /// As of the last call of a function that reads or writes.
    const Entries& entries() const { return entries_; }

    /// What the file contains besides entries, each with its line.
    const std::vector<std::string>& damage() const { return damage_; }

    /// Change the record of a key, a new one if it is missing, while no other process does.
    /// @throws BadInput  as read(); or the file cannot be written, and nothing has changed
    template <class Change>
    void change(const std::string& key, const Change& change) {
        make_folder();
        const FolderLock lock(lines_.path().parent_path());
        const auto known = read().find(key);
        Record record = known != entries_.end() ? known->second : Record{};
        change(record);
        append(key, std::move(record));
    }

    void put(const std::string& key, Record record) {
        change(key, [&](Record& kept) { kept = std::move(record); });
    }

    /// As put(), under a lock of the folder that the caller holds.
    void put(const FolderLock&, const std::string& key, Record record) {
        read();
        append(key, std::move(record));
    }

    /// Remove all entries but those that `keep` wants, under a lock of the folder.
    template <class Keep>
    void keep_only(const FolderLock&, const Keep& keep) {
        read();
        std::erase_if(entries_, [&](const auto& entry) { return !keep(entry.first); });
        rewrite();
    }

    /// Replace the file, whatever it is, with an empty one.
    /// @throws BadInput  it cannot be written
    void clear() {
        make_folder();
        clear(FolderLock(lines_.path().parent_path()));
    }
    void clear(const FolderLock&) {
        entries_.clear();
        rewrite();
    }

private:
    static std::string line_of(const std::string& key, const Record& record) {
        return dump_json(write_json(KeyedEntry<Record>{key, record}));
    }

    void append(const std::string& key, Record record) {
        lines_.append(line_of(key, record));
        entries_.insert_or_assign(key, std::move(record));
        if (lines_.count() > 2 * entries_.size() + 100) try {
                rewrite();
            } catch (const BadInput&) {  // the next change tries again
            }
    }

    void rewrite() {
        std::vector<std::string> lines;
        for (const auto& [key, record] : entries_) lines.push_back(line_of(key, record));
        lines_.replace(lines);
        damage_.clear();
    }

    void make_folder() const { make_private_folders(lines_.path().parent_path()); }

    KeyedLines lines_;
    Entries entries_;
    std::vector<std::string> damage_;
};

}  // namespace kwb
