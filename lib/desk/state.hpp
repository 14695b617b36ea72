// SPDX-License-Identifier: Apache-2.0
// The complete state of the window. Panels only read it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/document.hpp"
#include "desk/folder_listing.hpp"
#include "desk/preview.hpp"
#include "desk/shown_check.hpp"
#include "desk/shown_course.hpp"
#include "desk/shown_steps.hpp"
#include "desk/shown_tuning.hpp"
#include "desk/shown_xray.hpp"
#include "desk/window_settings.hpp"
#include "experiment/experiment.hpp"
#include "model/gpu_profile.hpp"
#include "store/history.hpp"
#include "task/ceilings.hpp"
#include "task/session.hpp"

namespace kwb {

/// An entry in the list of kernels.
struct KernelEntry {
    std::string name;     ///< used in Experiment::Contestant::kernel
    std::string title;    ///< empty if the file is broken
    std::string problem;  ///< empty: unknown, or cpu:blas, which solves several
    std::string error;    ///< why the file cannot be read; empty if it can
    std::filesystem::path path;
    bool shipped = false;

    /// Whether the kernel is offered for a problem: if it solves that problem, or if its own is unknown.
    bool may_solve(std::string_view wanted) const;
};

struct ProblemEntry {
    std::string name;
    std::string title;
    /// Types of numbers that the problem exists for, its own first: {"double", "matmul:double"}. Empty: it is
    /// declared by a kernel.
    NamedList<std::string> numbers = {};
};

struct RecentFile {
    std::filesystem::path path;
    bool is_there = true;  ///< at the last command::ListRecent
};

/// A message for the user that has no better place; shown until it is dismissed.
struct Notice {
    enum class Kind { Information, Warning, Error };
    Kind kind = Kind::Warning;
    std::uint64_t number = 0;  ///< identifies it for dismissal
    std::string sentence;
    std::filesystem::path written = {};  ///< the file that it is about, for command::OpenOutside; empty: none
};

/// A line that the user asked to see. A view scrolls there once: it remembers the last number it handled.
struct RevealedLine {
    std::uint64_t number = 0;  ///< from 1; increases with every request
    DocumentId document = 0;
    std::size_t line = 0;  ///< from 0; in the text at the time of the request
    /// From 0: lines to mark in a comparison of the document with DeskState::beside; both empty: only `line`.
    std::vector<std::size_t> lines = {}, beside = {};
};

// A run or sweep on display: the current one, or one from the history.

/// Immutable once shared: an update creates a new object.
struct ShownRun {
    PastRun run;                      ///< id 0: not in the history yet
    std::vector<std::string> labels;  ///< one for each of run.results: unique and short, for charts
    std::optional<RunKey> key;        ///< nullopt: unknown, of an earlier run from the history
    std::size_t baseline = 0;         ///< index into run.results
    bool finished = true;             ///< false: more rounds follow, and results are not judged yet
    bool stopped = false;             ///< by the user
    std::string error;                ///< a sentence: why the run failed; empty if it did not
};

/// The measurements of a sweep so far: results[i][k] is for sizes[i] and labels[k].
struct ShownSweep {
    std::int64_t id = 0;                         ///< in the history; 0: not added yet
    std::chrono::system_clock::time_point when;  ///< start time, UTC
    std::string problem;
    Environment environment;
    std::vector<std::string> labels;
    std::vector<Sizes> sizes;
    std::vector<std::vector<KernelResult>> results;  ///< one list for each size measured so far
    bool finished = false;
    std::string error;
    std::size_t planned = 0;  ///< number of sizes to measure that fit; 0: from the history
};

/// The sweep as it is stored in the history, without sources.
/// @param sweep  with results
PastRun to_past_run(const ShownSweep& sweep);

struct ProfileView;  // experiment/profile_view.hpp

struct DeskState {
    std::uint64_t revision = 0;  ///< increases with every change of any member below

    // The available choices.
    std::string place;                        ///< of the session: in Settings::places; empty: the default one
    std::shared_ptr<const Snapshot> session;  ///< phase, progress, devices; never nullptr
    /// By place: what is known of the others whose judges have been started; never nullptr.
    std::map<std::string, std::shared_ptr<const Snapshot>> elsewhere;
    std::vector<ProblemEntry> problems;
    std::vector<GpuProfile> gpus;  ///< that need not be installed
    std::vector<KernelEntry> kernels;
    Experiment choices;
    std::string
        size_cause;  ///< why the default size is not the usual one; empty: it is, or the size was chosen
    Preview preview;
    const DeviceInfo* device = nullptr;  ///< the chosen one in `session`; nullptr: none
    std::filesystem::path experiment;    ///< the file that was opened or saved last; empty: none
    bool has_former_choices = false;     ///< command::TakeFormerChoices has something to take
    /// A task is running or about to start; also true between the requests of a sweep or tuning.
    bool is_busy = false;
    bool runs_as_chosen = false;  ///< a run is in progress, and the choices have not changed since its start
    bool live_waits = false;      ///< a live run starts as soon as typing has paused

    // Documents. The view of a document edits its buffer directly, because a keystroke must be visible in the
    // same frame, and then sends command::Edited.
    std::vector<std::shared_ptr<Document>> documents;
    std::optional<DocumentId> front;   ///< the document being edited
    std::optional<DocumentId> beside;  ///< shown next to it, with the differences marked
    std::vector<DocumentId> unsaved;   ///< documents whose unsaved text the next run uses
    RevealedLine revealed;             ///< the last request; its document is then in `front`

    // Results.
    std::shared_ptr<const ShownRun> shown;  ///< nullptr: nothing has run
    /// `shown` is from the history and is not this session's last run; its `when` and environment give the
    /// time and the device.
    bool shows_earlier = false;
    /// `shown` is of this session, but was measured at another setting than the chosen one, or with a kernel,
    /// work-group, parameter or text that is no longer on the screen.
    bool is_outdated = false;
    /// For each of Experiment::contestants: the index of its result in `shown`; nullopt: it was not measured
    /// as it is now.
    std::vector<std::optional<std::size_t>> result_of;
    std::shared_ptr<const ShownRun> compared;  ///< an earlier run for comparison; nullptr: none
    std::size_t selected = 0;                  ///< index of the result in `shown` whose correctness is shown
    /// Index of the contestant that the panels show, in its source, X-ray, launch and tuning; its result is
    /// `selected` if it has one. Another one is compared with it.
    std::size_t kernel = 0;
    std::optional<std::size_t> other;
    std::shared_ptr<const ShownSweep> sweep;           ///< nullptr: none
    std::shared_ptr<const ShownSweep> compared_sweep;  ///< an earlier one of this problem; nullptr: none
    std::optional<Ceilings> ceilings;                  ///< of `device`, if measured
    std::string ceilings_error;
    bool measuring_ceilings = false;

    /// For each of Experiment::contestants, as it is now: at all sizes at which kernels tend to be wrong, or
    /// at those of them that are known so far; nullptr: not checked.
    std::vector<std::shared_ptr<const ShownCheck>> checks;

    // X-ray.
    std::vector<ContestantXray> xrays;     ///< for each of Experiment::contestants
    std::optional<std::size_t> observing;  ///< the contestant that is being observed
    /// What the window steps through; nullptr: nothing was recorded yet.
    std::shared_ptr<const ShownSteps> steps;
    bool steps_are_outdated = false;  ///< another text, size, group, …; or nothing was recorded yet
    bool is_recording = false;
    /// The result of `shown` whose kernel is being experimented with while nothing else is to be done.
    std::optional<std::size_t> explaining;

    // Tuning, of the contestant in command::ShowTuning.
    std::shared_ptr<const ShownSpace> space;    ///< nullptr: not counted yet
    std::shared_ptr<const ShownTuning> tuning;  ///< the newest one of its kernel; nullptr: none
    bool tuning_is_outdated = false;            ///< `tuning` is of another text, size, device or work-group

    ShownCourse course;

    // Persistent state.
    std::vector<RunSummary> history;  ///< newest first
    HistoryFilter history_filter;
    bool history_is_kept = true;  ///< false: lost when the program ends

    std::shared_ptr<const ProfileView>
        profile;                          ///< of a program, or a trace, that the user opened; may be null
    std::optional<FolderListing> dialog;  ///< the file dialog, if open
    std::vector<RecentFile> recent;       ///< most recent first, as of the last command::ListRecent
    Settings settings;
    NamedList<std::string> places;  ///< of the user's settings: name → command that starts a judge there
    std::vector<Notice> notices;

    /// Whether the judge is working for a task right now. Between the requests of a sweep or tuning it
    /// is not: see is_busy.
    bool is_running() const {
        return session->phase != Snapshot::Phase::Idle && session->phase != Snapshot::Phase::Observing;
    }
    const Document* find_document(DocumentId id) const;
    /// X-ray's observations of the lines of a document, for its current text; nullptr: none.
    const LineHeats* heat_of(const Document& document) const;
};

}  // namespace kwb
