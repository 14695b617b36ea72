// A source file on the desk: its text, and how it stands with the file on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "editor/find.hpp"
#include "editor/highlight.hpp"
#include "editor/text_buffer.hpp"

namespace kwb {

using DocumentId = std::uint32_t;

/// A remark at a line: an error of the compiler, a hint.
struct LineMark {
    enum class Kind { Error, Warning, Note, Hint };
    Kind kind = Kind::Error;
    std::size_t line = 0;    ///< from 0
    std::size_t column = 0;  ///< from 0; of no meaning for hints
    std::string text;
    std::string kernel;  ///< the contestant's label
};

class Document {
public:
    enum class OnDisk {
        Same,     ///< as read or saved last
        Changed,  ///< by somebody else, and here too: the person must choose
        Gone,
        Unread,  ///< it could not be read; `notice` says why
    };

    /// Read a file. Never throws because of it: see on_disk() and notice().
    Document(DocumentId id, std::filesystem::path path, bool read_only);

    DocumentId id() const { return id_; }
    const std::filesystem::path& path() const { return path_; }
    std::string name() const { return path_.filename().string(); }
    bool read_only() const { return read_only_; }  ///< a shipped kernel: edits go to a copy, see save_as()
    OnDisk on_disk() const { return on_disk_; }
    const std::string& notice() const {
        return notice_;
    }  ///< a sentence about reading or saving; may be empty

    /// The last attempt to save it failed, and notice() says why.
    bool save_failed() const { return save_failed_; }

    /// What the file holds, for comparing while on_disk() is Changed; else empty.
    const std::vector<std::string>& disk_lines() const { return disk_lines_; }
    std::uint64_t disk_revision() const { return disk_revision_; }  ///< grows whenever disk_lines() changes

    editor::TextBuffer& buffer() { return buffer_; }
    const editor::TextBuffer& buffer() const { return buffer_; }
    /// Brought up to date by refresh().
    const editor::Highlighter& colors() const { return colors_; }
    bool is_modified() const { return buffer_.is_modified(); }

    /// Errors and hints of the last run, moved along with edits.
    const std::vector<LineMark>& marks() const { return marks_; }

    /// @param revision  of the text that they are about, if it may have been edited since then
    void set_marks(std::vector<LineMark> marks, std::optional<std::uint64_t> revision = {});

    /// Read the text's colours, move marks: once after edits, before drawing.
    void refresh();

    /// Look at the file again: an unmodified text takes the new one over (one step of undo), a modified one
    /// becomes Changed, unless it is what the file holds now.
    /// @return  true if the text is another now
    bool look_at_disk();

    /// Write in one step (temporary file beside it, rename), keeping its permissions; a link stays one. A
    /// file that is gone is made again. The file's bytes are compared with the known ones right before: what
    /// somebody else wrote is not replaced, and the document becomes Changed.
    /// @param over_changes  the person has seen that the file changed on disk, and wants theirs
    /// @return  true if it is saved; else notice() says why, and nothing is lost
    bool save(bool over_changes = false);

    /// Write to another file, and be that file's document from then on. Its own path means save().
    /// @param path  a file that is there is replaced: the face has asked
    /// @return  as save(); where it fails, the document stays that of its former file
    bool save_as(const std::filesystem::path& path);

    /// Drop the edits and take the file's text (one step of undo). Where the file cannot be read the text
    /// stays, and notice() says why.
    void take_from_disk();

private:
    /// A mark's place must be found again after edits: the text that its line had, if that is known.
    using MarkedText = std::optional<std::string>;

    void take_over(const std::string& bytes);
    bool write_to(const std::filesystem::path& path);
    bool refuse_to_save(OnDisk on_disk, std::string notice);
    void move_marks(const editor::LineChange& change);
    void keep_disk_lines(const std::string& bytes);

    DocumentId id_;
    std::filesystem::path path_;
    bool read_only_;
    OnDisk on_disk_ = OnDisk::Same;
    std::string notice_;
    bool save_failed_ = false;
    std::string known_bytes_sha256_;  ///< of the file as last read or written
    std::vector<std::string> disk_lines_;
    std::uint64_t disk_revision_ = 0;
    editor::TextBuffer buffer_;
    editor::Highlighter colors_;
    std::vector<LineMark> marks_;
    std::vector<MarkedText> marked_texts_;  ///< one a mark
    std::uint64_t marks_revision_ = 0;
};

}  // namespace kwb
