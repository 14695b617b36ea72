// SPDX-License-Identifier: Apache-2.0
// Everything that the user can ask of the desk.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "desk/document.hpp"
#include "desk/folder_listing.hpp"
#include "desk/preview.hpp"
#include "desk/shown_steps.hpp"
#include "desk/shown_xray.hpp"
#include "desk/window_settings.hpp"
#include "experiment/experiment.hpp"
#include "store/history.hpp"
#include "tune/strategy.hpp"
#include "tune/tuning.hpp"

namespace kwb::command {

// Running.
/// Runs what is on the screen: the texts of open documents, saved or not, including those of shipped kernels
/// and of included files. No file is written; the results are marked as KernelResult::unsaved.
struct Run {
    std::optional<std::size_t> only = {};  ///< run only this contestant
    bool why = false;                      ///< also measure what-if experiments: see RunRequest::what_if
};
struct Stop {};
/// Measure the chosen contestants at several square sizes, smallest first. The results are added to the
/// history, even if the sweep was stopped before its end. Uses unsaved texts, like Run.
struct Sweep {
    std::vector<std::int64_t> edges;  ///< ascending, each at least 1; see sweep_steps()
};
/// Check the chosen contestants at all sizes at which kernels tend to be wrong, as 'kwb check' does. Uses
/// unsaved texts, like Run. The answers are in DeskState::checks.
struct CheckSizes {
    std::optional<std::size_t> only = {};  ///< only this contestant
};
struct MeasureCeilings {};
struct FindDevices {};  ///< query the drivers again; ignored while a task is running
/// Use the devices at another place, whose judge is started if it has not been; ignored while a task is
/// running.
struct UsePlace {
    std::string name;         ///< in Settings::places; empty: where the window began
    std::string device = {};  ///< empty: the usual one
};
/// Start the judges at all places whose devices are not known, and list these in DeskState::elsewhere; not
/// those of allocations. Ignored while a task is running.
struct ListPlaces {};

// Choosing.
/// A change during a run applies to the next one. While `live` is on, each change starts a run, a change of a
/// text after kTypingPause. Switching it on also starts a run, unless the same choices ran last. If `live`
/// was restored from the last session, the first change starts a run. Several changes are made one after the
/// other, so that none reverts another of the same frame: see change_between(). The source of a kernel that
/// was added comes to the front.
struct Edit {
    std::function<void(Experiment&)> change;
};
/// Write the choices to a file (experiment/preset.hpp): device, problem, sizes, kernels, sweep, time limits.
struct SaveExperiment {
    std::filesystem::path path;
};
/// Take the choices of such a file. A damaged file changes nothing; a kernel that is missing is left out,
/// with a notice. The former choices are kept: see TakeFormerChoices.
struct OpenExperiment {
    std::filesystem::path path;
};
/// Restore the choices of the very first start. The former choices are kept.
struct ResetExperiment {};
/// Restore the choices before the last OpenExperiment, ResetExperiment or TakeFormerChoices.
struct TakeFormerChoices {};

// Sources.
/// Write a new kernel file and open it. No file is replaced.
struct NewKernel {
    /// `Copy`: the simplest kernel of the problem, with explanations. `Blank`: its arguments and no body.
    enum class Start { Copy, Blank };

    std::filesystem::path path;
    std::optional<std::string> text = {};  ///< text to write instead: see look_at_pasted()
    std::string problem = {};              ///< empty: the chosen one; another one is then chosen
    Start start = Start::Copy;
};
/// Write the launch of a bare file, as it was completed, next to it: "mine.cl.toml". No file is replaced.
struct KeepLaunch {
    std::string kernel;  ///< like Experiment::Contestant::kernel
};
/// Also experiments (see OpenExperiment), and profiles and traces of programs, for DeskState::profile.
struct OpenFiles {
    std::vector<std::filesystem::path> files;
    bool compare = true;  ///< also add them as contestants
};
/// Check which of Settings::recent_files exist.
struct ListRecent {};
/// Open one of Settings::recent_files, or drop it from the list if it no longer exists.
struct OpenRecent {
    std::filesystem::path file;
};
struct CloseDocument {
    DocumentId document = 0;
    bool drop_edits = false;
};
/// If a line is given, the view scrolls to it: see DeskState::revealed.
struct BringToFront {
    DocumentId document = 0;
    std::optional<std::size_t> line = {};  ///< from 0, as in LineMark; beyond the text: its last line
};
struct PutBeside {
    std::optional<DocumentId> document;
};
/// Show two sources side by side, with these lines marked; of one file, only its first line.
struct CompareLines {
    struct Side {
        std::filesystem::path file;
        std::vector<std::size_t> lines;  ///< from 0, of which the front has at least one
    };
    Side front, beside;
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
/// A live run of an edited text starts when typing has paused for this long.
inline constexpr std::chrono::milliseconds kTypingPause{600};

/// The view has edited the text: highlighting, marks and the preview are updated now, live runs start after
/// kTypingPause.
struct Edited {
    DocumentId document = 0;
};

// X-ray.
/// Observe these contestants as they are now and as they will be, whenever nothing else runs and typing has
/// paused. The answers are in DeskState::xrays. Without contestants: stop observing.
struct Observe {
    XrayTarget target;
};
/// Record this work-group as it is now and as it will be, whenever nothing else runs. The answer is in
/// DeskState::steps.
struct StepThrough {
    std::optional<StepsTarget> target;  ///< nullopt: stop recording
};

// Tuning.
/// The contestant whose space and tuning are in DeskState::space and tuning; none: no panel shows them.
struct ShowTuning {
    std::optional<std::size_t> contestant;
};
/// Try the configurations of a contestant's parameters; command::Stop ends it. Results of an earlier tuning
/// of the same kernel, text, size, device and work-group count as tried.
struct Tune {
    std::size_t contestant = 0;
    StrategyKind strategy = StrategyKind::Exhaustive;
    TuneBudget budget = {};  ///< configurations: with those tried before; time: of this command
    bool afresh = false;     ///< discard the results of an earlier tuning
};

// The course.
/// List the lessons in DeskState::course, and read their progress again.
struct ListLessons {};
/// Open a lesson, and its exercise: the person's copy becomes the only contestant, at the lesson's size. The
/// former choices are kept: see TakeFormerChoices.
struct OpenLesson {
    std::size_t index = 0;  ///< in ShownCourse::lessons
};
struct LeaveLesson {};
/// Check the exercise as it is on the screen, saved or not. Saving it does the same.
/// The first time, the lesson's open predictions come first: see ShownCourse::asks_first.
struct CheckExercise {
    bool anyway = false;  ///< without predictions
};
/// Show the next stage of hints.
struct ShowHint {};
struct Predict {
    std::size_t prediction = 0;  ///< in Lesson::predictions
    std::string answer;
};
/// Show the solution next to the exercise.
struct ShowSolution {};

// Results.
/// Select a result of the shown run, and its kernel if that is still chosen as it was measured.
struct SelectContestant {
    std::size_t index = 0;
    bool compares = false;  ///< compare the selected kernel with this one instead; with it already: no longer
};
/// Select a contestant for all panels. Its source comes to the front; a source that comes to the front
/// selects its kernel, too.
struct SelectKernel {
    std::size_t contestant = 0;
    bool compares = false;  ///< as above
};
/// A sweep replaces DeskState::sweep, and its tab comes to the front.
struct ShowRun {
    std::int64_t id = 0;
};
struct CompareWith {
    std::optional<std::int64_t> id;  ///< empty: stop comparing
};
struct ForgetRun {
    std::int64_t id = 0;
};
struct FilterHistory {
    HistoryFilter filter;
};

enum class ExportForm { Json, Csv, Html };
/// Export a run or a sweep; as Html the whole session with its charts, that one first. The Json and Csv
/// formats are those of `kwb run` and `kwb sweep`.
struct ExportRun {
    ExportForm form = ExportForm::Json;
    std::filesystem::path path;
    std::optional<std::int64_t> run = {};  ///< id in the history; empty: the shown run
};
/// Data from the window: a chart as SVG or PNG.
struct ExportBytes {
    std::string bytes;
    std::filesystem::path path;
};

// The file dialog.
struct OpenDialog {
    FolderListing::Purpose purpose = FolderListing::Purpose::OpenKernels;
    std::string name;  ///< suggested file name
    std::vector<std::string> extensions;
};
struct GoToFolder {
    std::filesystem::path folder;
    bool shows_hidden = false;
};
struct CloseDialog {};
struct CloseProfile {};

/// Several changes are made one after the other.
struct ChangeSettings {
    std::function<void(Settings&)> change;
};
/// Open a file with the desktop's program for it: a report in the browser.
struct OpenOutside {
    std::filesystem::path file;
};
/// Open the first page of the documentation in the browser; if the site is not built, a notice
/// explains how to build it.
struct OpenDocumentation {
    std::string page = {};  ///< as find_page() takes it: "xray"; empty: the first page
};
/// Show a notice about something that only the window knows, e.g. the clipboard.
struct Tell {
    std::string sentence;
};
struct DismissNotice {
    std::uint64_t number = 0;
};

}  // namespace kwb::command

namespace kwb {

using Command =
    std::variant<command::Run, command::Stop, command::Sweep, command::MeasureCeilings, command::FindDevices,
                 command::UsePlace, command::ListPlaces, command::Edit, command::SaveExperiment,
                 command::OpenExperiment, command::ResetExperiment, command::TakeFormerChoices,
                 command::NewKernel, command::KeepLaunch, command::OpenFiles, command::CloseDocument,
                 command::BringToFront, command::PutBeside, command::SaveDocument, command::SaveDocumentAs,
                 command::TakeFromDisk, command::Edited, command::SelectContestant, command::ShowRun,
                 command::CompareWith, command::ForgetRun, command::FilterHistory, command::ExportRun,
                 command::ExportBytes, command::OpenOutside, command::OpenDocumentation, command::OpenDialog,
                 command::GoToFolder, command::CloseDialog, command::CloseProfile, command::ChangeSettings,
                 command::Tell, command::DismissNotice, command::ListRecent, command::OpenRecent,
                 command::Observe, command::StepThrough, command::ShowTuning, command::Tune,
                 command::ListLessons, command::OpenLesson, command::LeaveLesson, command::SelectKernel,
                 command::CompareLines, command::CheckExercise, command::ShowHint, command::Predict,
                 command::ShowSolution, command::CheckSizes>;

/// Collected while a frame is drawn, performed afterwards.
using Commands = std::vector<Command>;

// Changes for command::Edit.

/// Leaves out the contestants at whose index `stays` returns false. The baseline stays the same kernel; if it
/// is left out, the first one becomes the baseline.
void keep_contestants(Experiment& choices, const std::function<bool(std::size_t)>& stays);

/// Sets a parameter; a value that is the file's default is not stored.
void choose_param(Experiment::Contestant& contestant, const ParamPreview& param, const std::string& value);

}  // namespace kwb
