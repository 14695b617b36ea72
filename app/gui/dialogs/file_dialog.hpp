// SPDX-License-Identifier: Apache-2.0
// File dialog for opening and saving. Shows DeskState::dialog; never accesses the disk itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/saving.hpp"

namespace kwb::gui {

/// Modal; open while the state has a listing. Its field has the keyboard: the name of the file to save, or
/// part of the name of a file to open; also a path. Up and Down move in the list, Enter opens or saves,
/// Backspace in an empty field goes to the parent folder, Escape clears the filter, then closes.
class FileDialog {
public:
    /// @param pending  must outlive this object
    explicit FileDialog(PendingSave& pending) : pending_(pending) {}

    void draw(const DeskState& state, Commands& commands);

private:
    // Behaviour.
    bool saves() const {
        return purpose_ != FolderListing::Purpose::OpenKernels &&
               purpose_ != FolderListing::Purpose::OpenExperiment;
    }
    void begin(const FolderListing& listing);
    void close(Commands& commands);
    void go_to(const std::filesystem::path& folder, bool shows_hidden, Commands& commands);
    void aim_at(const std::filesystem::path& file, Commands& commands);
    void resolve_aim(const FolderListing& listing, Commands& commands);
    void save_to(const FolderListing& listing, const std::filesystem::path& path, bool is_there,
                 Commands& commands);
    void open_file(std::filesystem::path file, Commands& commands);
    void accept(const FolderListing& listing, Commands& commands);
    void list_rows(const FolderListing& listing);
    void choose(const FolderEntry& entry);
    void move_cursor(int rows);
    void handle_keys(Commands& commands);

    // Appearance.
    void draw_head(const FolderListing& listing, Commands& commands);
    void draw_places(const FolderListing& listing, Commands& commands);
    void draw_list(const FolderListing& listing, Commands& commands);
    void draw_foot(const FolderListing& listing, Commands& commands);

    PendingSave& pending_;
    QuestionDialog question_;  ///< whether to replace a file

    bool is_open_ = false;
    FolderListing::Purpose purpose_ = FolderListing::Purpose::OpenKernels;
    std::string typed_;               ///< in the field
    std::string message_;             ///< why the last request failed
    std::optional<std::string> aim_;  ///< a name to look for in the requested listing
    int keyboard_frames_ = 0;         ///< remaining frames in which the field requests focus
    bool has_keyboard_ = false;       ///< the field, in the last frame

    std::vector<const FolderEntry*> rows_;  ///< entries of this frame's listing that match the filter
    std::filesystem::path chosen_;          ///< of the row that the arrow keys start from; empty: none
    bool scrolls_to_chosen_ = false;
};

}  // namespace kwb::gui
