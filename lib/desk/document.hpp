// SPDX-License-Identifier: Apache-2.0
// A source file that is open in the window: its text, and its state compared with the file on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "editor/find.hpp"
#include "editor/highlight.hpp"
#include "editor/text_buffer.hpp"

namespace kwb {

using DocumentId = std::uint32_t;

/// A message at a line: a compiler error or a hint.
struct LineMark {
    enum class Kind { Error, Warning, Note, Hint };
    enum class Origin {
        Run,      ///< a hint, or a compiler's message: of a run, or an error in the edited text
        Reading,  ///< found when the file was read, before any run
        Xray,     ///< observed in a run or while the text was edited
    };
    Kind kind = Kind::Error;
    std::size_t line = 0;    ///< from 0
    std::size_t column = 0;  ///< from 0; unused for hints
    std::string text;
    std::string kernel;  ///< the contestant's label
    Origin origin = Origin::Run;
    /// The text of the line, if known, for finding the line again after edits. Set by Document.
    std::optional<std::string> line_text = {};
};

class Document {
public:
    enum class OnDisk {
        Same,     ///< as last read or saved
        Changed,  ///< on disk and in the editor: the user must choose
        Gone,
        Unread,  ///< could not be read; notice() gives the reason
    };

    /// Read a file. Does not throw if that fails: see on_disk() and notice().
    Document(DocumentId id, std::filesystem::path path, bool read_only);

    DocumentId id() const { return id_; }
    const std::filesystem::path& path() const { return path_; }
    std::string name() const { return path_.filename().string(); }
    bool read_only() const { return read_only_; }  ///< a shipped kernel: edits go to a copy, see save_as()
    OnDisk on_disk() const { return on_disk_; }
    /// A sentence about reading or saving; may be empty.
    const std::string& notice() const { return notice_; }

    /// The last attempt to save it failed, and notice() gives the reason.
    bool save_failed() const { return save_failed_; }

    /// The file's content, for comparison while on_disk() is Changed; otherwise empty.
    const std::vector<std::string>& disk_lines() const { return disk_lines_; }
    std::uint64_t disk_revision() const { return disk_revision_; }  ///< changes whenever disk_lines() does

    editor::TextBuffer& buffer() { return buffer_; }
    const editor::TextBuffer& buffer() const { return buffer_; }
    /// Updated by refresh().
    const editor::Highlighter& colors() const { return colors_; }
    bool is_modified() const { return buffer_.is_modified(); }

    /// Errors found when the file was read, errors and hints of the last run, and X-ray's findings; edits
    /// move them with their lines.
    const std::vector<LineMark>& marks() const { return marks_; }

    /// Replace all but those of reading.
    /// @param revision  of the text that the marks refer to, if it may have been edited since
    void set_marks(std::vector<LineMark> marks, std::optional<std::uint64_t> revision = {});
    /// Replace those of X-ray and compilers' errors by what was found in an edited text, likewise.
    void set_edited_marks(std::vector<LineMark> marks, std::uint64_t revision);
    /// Replace those of reading the present text.
    void set_reading_marks(std::vector<LineMark> marks);

    /// Update highlighting and marks. Call once after edits, before drawing.
    void refresh();

    /// Read the file again. An unmodified text is replaced with the new content (one undo step). A modified
    /// text becomes Changed, unless it equals the new content.
    /// @return  true if the text has changed
    bool look_at_disk();

    /// Write atomically (temporary file in the same folder, then rename). Keeps permissions and symbolic
    /// links. Creates the file again if it was deleted. Right before writing, the file's content is compared
    /// with the last known content: changes by others are not overwritten; the document becomes Changed
    /// instead.
    /// @param over_changes  the user knows that the file changed on disk, and wants to overwrite it
    /// @return  true if saved; otherwise notice() gives the reason, and nothing is lost
    bool save(bool over_changes = false);

    /// Write to another file, which becomes this document's file. For its own path, same as save().
    /// @param path  an existing file is replaced: the user interface has asked before
    /// @return  like save(); on failure, the document keeps its former file
    bool save_as(const std::filesystem::path& path);

    /// Discard the edits and load the file's text (one undo step). If the file cannot be read, the text
    /// stays, and notice() gives the reason.
    void take_from_disk();

private:
    void take_over(const std::string& bytes);
    bool write_to(const std::filesystem::path& path);
    bool refuse_to_save(OnDisk on_disk, std::string notice);
    void move_marks(const editor::LineChange& change);
    void tie_to_line(LineMark& mark) const;
    void keep_disk_lines(const std::string& bytes);

    DocumentId id_;
    std::filesystem::path path_;
    bool read_only_;
    OnDisk on_disk_ = OnDisk::Same;
    std::string notice_;
    bool save_failed_ = false;
    std::string known_bytes_sha256_;  ///< of the file's content when last read or written
    std::vector<std::string> disk_lines_;
    std::uint64_t disk_revision_ = 0;
    editor::TextBuffer buffer_;
    editor::Highlighter colors_;
    std::vector<LineMark> marks_;
    std::uint64_t marks_revision_ = 0;
};

/// Text from the clipboard that should become a kernel file (pasted_kernel.cpp).
struct PastedKernel {
    std::string name;  ///< of the file to propose: "blur.cl" for `__kernel void blur(…)`
    std::string flaw;  ///< a sentence: why the text cannot be a kernel file; empty if it can
};

/// @param text  at most kMostSourceBytes, with a word `kernel` or `__kernel` before `void`
PastedKernel look_at_pasted(std::string_view text);

}  // namespace kwb
