// SPDX-License-Identifier: Apache-2.0
#include "desk/document.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Follow symbolic links, so that writing does not replace a link. The target need not exist.
fs::path behind_links(fs::path path) {
    constexpr int kMostLinks = 40;  // Linux's limit
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const fs::path target = fs::read_symlink(path, error);
        if (error) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

bool is_gone(const fs::path& path) {
    std::error_code error;
    return fs::status(path, error).type() == fs::file_type::not_found;
}

/// What the user should know before saving a text that differs from the file's bytes.
std::string reading_notice(const std::string& name, const editor::CleanText& read) {
    std::vector<std::string> changes;
    if (read.replaced_bytes > 0)
        changes.push_back(counted(read.replaced_bytes, "byte") + " not allowed in UTF-8 text " +
                          (read.replaced_bytes == 1 ? "is" : "are") + " shown as \xEF\xBF\xBD");
    if (read.mixed_line_ends) changes.push_back("line ends are uniform now");
    return changes.empty() ? "" : name + ": " + enumerate(changes) + "; saving writes these changes.";
}

}  // namespace

Document::Document(DocumentId id, fs::path path, bool read_only)
    : id_(id), path_(std::move(path)), read_only_(read_only) {
    try {
        const std::string bytes = read_file(path_);
        notice_ = reading_notice(name(), buffer_.load(bytes));
        known_bytes_sha256_ = sha256_hex(bytes);
    } catch (const BadInput& error) {
        on_disk_ = OnDisk::Unread;
        notice_ = error.what();
    }
    refresh();
}

bool Document::look_at_disk() {
    std::string bytes;
    try {
        bytes = read_file(path_);
    } catch (const BadInput& error) {
        on_disk_ = is_gone(path_) ? OnDisk::Gone : OnDisk::Unread;
        notice_ = on_disk_ == OnDisk::Gone
                      ? name() + " is no longer on disk; the text is still here, and saving writes it again."
                      : error.what();
        return false;
    }
    if (sha256_hex(bytes) == known_bytes_sha256_) {
        if (on_disk_ != OnDisk::Same) notice_.clear();
        on_disk_ = OnDisk::Same;
        return false;
    }
    if (is_modified() && bytes != buffer_.file_text()) {
        on_disk_ = OnDisk::Changed;
        keep_disk_lines(bytes);
        notice_ = name() + " changed both on disk and here: keep your text, or load the file's.";
        return false;
    }
    const std::uint64_t before = buffer_.revision();
    take_over(bytes);
    return buffer_.revision() != before;
}

void Document::take_from_disk() {
    try {
        take_over(read_file(path_));
    } catch (const BadInput& error) {
        on_disk_ = is_gone(path_) ? OnDisk::Gone : OnDisk::Unread;
        notice_ = error.what() + std::string("; the text here is unchanged.");
    }
}

void Document::take_over(const std::string& bytes) {
    notice_ = reading_notice(name(), buffer_.replace_from_disk(bytes));
    known_bytes_sha256_ = sha256_hex(bytes);
    on_disk_ = OnDisk::Same;
    save_failed_ = false;
    disk_lines_.clear();
}

void Document::keep_disk_lines(const std::string& bytes) {
    disk_lines_ = split(editor::clean_text(bytes).text, '\n');
    ++disk_revision_;
}

bool Document::save(bool over_changes) {
    if (read_only_)
        return refuse_to_save(on_disk_, name() +
                                            " comes with the workbench and cannot be changed; save your "
                                            "text under another name.");
    if (!over_changes && !is_gone(path_)) {
        try {
            const std::string bytes = read_file(path_);
            if (sha256_hex(bytes) != known_bytes_sha256_) {
                keep_disk_lines(bytes);
                return refuse_to_save(OnDisk::Changed,
                                      name() +
                                          " changed on disk since it was read here. It was not "
                                          "overwritten; keep your text, or take the file's.");
            }
        } catch (const BadInput& error) {
            return refuse_to_save(OnDisk::Unread,
                                  error.what() + std::string("; saving could overwrite unknown changes. Save "
                                                             "your text under another name."));
        }
    }
    return write_to(path_);
}

bool Document::save_as(const fs::path& path) {
    std::error_code error;
    if (path == path_ || fs::equivalent(path, path_, error)) return save();
    if (!write_to(path)) return false;
    path_ = path;
    read_only_ = false;
    return true;
}

bool Document::write_to(const fs::path& path) {
    const std::string bytes = buffer_.file_text();
    try {
        write_file(behind_links(path), bytes, {.sync = true});
    } catch (const BadInput& error) {
        return refuse_to_save(on_disk_,
                              error.what() + std::string("; your text is still here. Free some space, get "
                                                         "permission, or save it in another place."));
    }
    known_bytes_sha256_ = sha256_hex(bytes);
    buffer_.mark_saved();
    save_failed_ = false;
    on_disk_ = OnDisk::Same;
    disk_lines_.clear();
    notice_.clear();
    return true;
}

bool Document::refuse_to_save(OnDisk on_disk, std::string notice) {
    on_disk_ = on_disk;
    notice_ = std::move(notice);
    save_failed_ = true;
    return false;
}

void Document::set_marks(std::vector<LineMark> marks, std::optional<std::uint64_t> revision) {
    std::vector<LineMark> of_reading;
    for (LineMark& mark : marks_)
        if (mark.origin == LineMark::Origin::Reading) of_reading.push_back(std::move(mark));
    marks_ = std::move(marks);
    marks_revision_ = revision.value_or(buffer_.revision());
    if (marks_revision_ == buffer_.revision())
        for (LineMark& mark : marks_) tie_to_line(mark);
    refresh();
    set_reading_marks(std::move(of_reading));
}

void Document::set_edited_marks(std::vector<LineMark> marks, std::uint64_t revision) {
    refresh();
    // Move the new ones, which may refer to an earlier text, as edits have moved the others.
    std::erase_if(marks_, [](const LineMark& mark) {
        return mark.origin == LineMark::Origin::Xray ||
               (mark.origin == LineMark::Origin::Run && mark.kind == LineMark::Kind::Error);
    });
    std::vector<LineMark> others = std::exchange(marks_, std::move(marks));
    marks_revision_ = revision;
    if (revision == buffer_.revision())
        for (LineMark& mark : marks_) tie_to_line(mark);
    refresh();
    marks_.insert(marks_.begin(), std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
}

void Document::set_reading_marks(std::vector<LineMark> marks) {
    refresh();
    std::erase_if(marks_, [](const LineMark& mark) { return mark.origin == LineMark::Origin::Reading; });
    for (LineMark& mark : marks) {
        mark.origin = LineMark::Origin::Reading;
        tie_to_line(mark);
    }
    marks_.insert(marks_.begin(), marks.begin(), marks.end());
}

void Document::tie_to_line(LineMark& mark) const {
    // Compilers may report a position after the last line.
    mark.line = std::min(mark.line, buffer_.line_count() - 1);
    mark.line_text = buffer_.line(mark.line);
}

void Document::refresh() {
    colors_.update(buffer_);
    if (marks_revision_ == buffer_.revision()) return;
    const std::size_t lines = buffer_.line_count();
    std::size_t lines_before = lines;
    for (const LineMark& mark : marks_) lines_before = std::max(lines_before, mark.line + 1);
    // If the revision is too old, treat every line as edited.
    move_marks(
        buffer_.changes_since(marks_revision_).value_or(editor::LineChange{0, lines_before, lines_before}));
    marks_revision_ = buffer_.revision();
}

namespace {

/// Find the new position of a line in the changed part.
/// @param at    its index among the removed lines
/// @param text  the line's former text, if known
/// @return  its line in the new text; empty if it was deleted
std::optional<std::size_t> find_line(std::span<const std::string> lines, const editor::LineChange& change,
                                     std::size_t at, const std::optional<std::string>& text) {
    const std::size_t end = std::min(change.first + change.inserted, lines.size());
    const auto nearest = [&](auto&& fits) {
        std::optional<std::size_t> best;
        const auto distance = [&](std::size_t line) {
            const std::size_t wanted = change.first + at;
            return line > wanted ? line - wanted : wanted - line;
        };
        for (std::size_t line = change.first; line < end; ++line)
            if (fits(lines[line]) && (!best || distance(line) < distance(*best))) best = line;
        return best;
    };
    if (text) {
        if (const auto same = nearest([&](const std::string& line) { return line == *text; })) return same;
    }
    // The line was edited in place, or split.
    if (change.inserted >= change.removed)
        return change.first + at < end ? std::optional(change.first + at) : std::nullopt;
    // The line was joined with an adjacent one, or deleted.
    if (!text || trim(*text).empty()) return std::nullopt;
    return nearest([&](const std::string& line) { return line.find(trim(*text)) != std::string::npos; });
}

}  // namespace

void Document::move_marks(const editor::LineChange& change) {
    std::vector<LineMark> moved;
    for (LineMark& mark : marks_) {
        if (mark.line >= change.first + change.removed) {
            mark.line = mark.line - change.removed + change.inserted;
        } else if (mark.line >= change.first) {
            const auto line = find_line(buffer_.lines(), change, mark.line - change.first, mark.line_text);
            if (!line) continue;
            mark.line = *line;
        }
        mark.line = std::min(mark.line, buffer_.line_count() - 1);
        mark.line_text = buffer_.line(mark.line);
        moved.push_back(std::move(mark));
    }
    marks_ = std::move(moved);
}

}  // namespace kwb
