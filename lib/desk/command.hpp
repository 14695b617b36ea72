// All that a person can ask of the desk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "desk/choices.hpp"
#include "desk/document.hpp"
#include "desk/folder_listing.hpp"
#include "history/history.hpp"
#include "session/settings.hpp"

namespace kwb::command {

// Running.
/// What is on the screen runs: the texts of open documents as they stand, saved or not, also of shipped
/// kernels and of neighbours that are included. Nothing is written; results say so: KernelResult::unsaved.
struct Run {};
struct Stop {};
/// Measure the chosen contestants over several sizes, square, the smallest first. What was measured goes into
/// the history, also if it was stopped half-way. Texts are taken as by Run.
struct Sweep {
    std::vector<std::int64_t> edges;  ///< ascending, each at least 1; see sweep_steps()
};
struct MeasureCeilings {};
struct FindDevices {};  ///< ask the drivers again; nothing while something runs

// Choosing.
/// A change while a run is under way is for the next one. Where `live` is on, a change runs at once;
/// switching it on runs at once, too, unless what is chosen is what ran last. A `live` remembered from the
/// last session waits for the first change.
struct Choose {
    Choices choices;
};
struct AddKernel {
    std::string kernel;  ///< as in ContestantChoice
};
struct RemoveContestant {
    std::size_t index = 0;
};

// Sources.
struct OpenFiles {
    std::vector<std::filesystem::path> files;
    bool compare = true;  ///< make them contestants, too
};
struct CloseDocument {
    DocumentId document = 0;
    bool drop_edits = false;
};
/// With a line the surface goes there: see DeskState::revealed.
struct BringToFront {
    DocumentId document = 0;
    std::optional<std::size_t> line = {};  ///< from 0, as in LineMark; beyond the text: its last one
};
struct PutBeside {
    std::optional<DocumentId> document;
};
struct SaveDocument {
    DocumentId document = 0;
    bool over_changes = false;
};
struct SaveDocumentAs {
    DocumentId document = 0;
    std::filesystem::path path;
};
struct TakeFromDisk {
    DocumentId document = 0;
};
/// The text was edited by the surface that shows it: colours, marks and the preview follow; live
/// runs follow when it is saved.
struct Edited {
    DocumentId document = 0;
};

// Results.
struct SelectContestant {
    std::size_t index = 0;
};
/// A sweep takes the place of DeskState::sweep, and its tab comes to the front.
struct ShowRun {
    std::int64_t id = 0;
};
struct CompareWith {
    std::optional<std::int64_t> id;  ///< none: compare with nothing
};
struct ForgetRun {
    std::int64_t id = 0;
};
struct FilterHistory {
    HistoryFilter filter;
};

enum class ExportForm { Json, Csv, Html };
/// A run or a sweep, or for Html the session with its charts, that one first. Json and Csv are as `kwb run`
/// and `kwb sweep` write them.
struct ExportRun {
    ExportForm form = ExportForm::Json;
    std::filesystem::path path;
    std::optional<std::int64_t> run = {};  ///< of the history; none: the shown run
};
/// Bytes made by the window: a chart as SVG or PNG.
struct ExportBytes {
    std::string bytes;
    std::filesystem::path path;
};

// The file dialog.
struct OpenDialog {
    FolderListing::Purpose purpose = FolderListing::Purpose::OpenKernels;
    std::string name;  ///< proposed
    std::vector<std::string> extensions;
};
struct GoToFolder {
    std::filesystem::path folder;
    bool shows_hidden = false;
};
struct CloseDialog {};

struct ChangeSettings {
    Settings settings;
};
struct DismissNotice {
    std::uint64_t number = 0;
};

}  // namespace kwb::command

namespace kwb {

using Command =
    std::variant<command::Run, command::Stop, command::Sweep, command::MeasureCeilings, command::FindDevices,
                 command::Choose, command::AddKernel, command::RemoveContestant, command::OpenFiles,
                 command::CloseDocument, command::BringToFront, command::PutBeside, command::SaveDocument,
                 command::SaveDocumentAs, command::TakeFromDisk, command::Edited, command::SelectContestant,
                 command::ShowRun, command::CompareWith, command::ForgetRun, command::FilterHistory,
                 command::ExportRun, command::ExportBytes, command::OpenDialog, command::GoToFolder,
                 command::CloseDialog, command::ChangeSettings, command::DismissNotice>;

/// Filled while a frame is drawn, performed after it.
using Commands = std::vector<Command>;

}  // namespace kwb
