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
#include "history/past_run.hpp"
#include "session/settings.hpp"

namespace kwb::command {

// Running.
/// What was edited of the contestants' own files is saved first; shipped ones run as they came.
struct Run {};
struct Stop {};
/// Measure the chosen contestants over several sizes, square, the smallest first.
struct Sweep {
    std::vector<std::int64_t> edges;  ///< ascending, each at least 1
};
struct MeasureCeilings {};
struct FindDevices {};  ///< ask the drivers again; nothing while something runs

// Choosing. A change while a run is under way is for the next one.
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
struct BringToFront {
    DocumentId document = 0;
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
/// The shown run, or for Html the session with its charts.
struct ExportRun {
    ExportForm form = ExportForm::Json;
    std::filesystem::path path;
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
