// SPDX-License-Identifier: Apache-2.0
// The window's state and everything that the user can do with it, independent of drawing.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "catalog/edited_texts.hpp"
#include "desk/command.hpp"
#include "desk/file_watch.hpp"
#include "desk/space_counter.hpp"
#include "desk/state.hpp"
#include "desk/target_compiling.hpp"
#include "source/read.hpp"
#include "store/history.hpp"
#include "task/kept_ceilings.hpp"
#include "task/session.hpp"

namespace kwb {

struct DeskOptions {
    JudgePlace judge;
    std::vector<std::filesystem::path> kernel_folders;  ///< take precedence over the shipped ones
    std::vector<std::filesystem::path> files;           ///< to open at start
    std::filesystem::path settings_file = {};           ///< the user's, only read; empty: none
    std::filesystem::path window_file = {};             ///< empty: the window's settings are not kept
    std::filesystem::path history_folder;               ///< empty: the history is only kept in memory
    std::filesystem::path ceilings_file = {};           ///< empty: measured ceilings are only kept in memory
    std::filesystem::path lessons_folder = {};          ///< empty: the shipped lessons
    std::filesystem::path progress_file = {};           ///< empty: progress is only kept in memory
    std::filesystem::path exercise_folder = {};         ///< of new exercises; empty: the current folder
    std::filesystem::path documentation_folder = {};    ///< empty: the shipped documentation
    std::string opener = "xdg-open";                    ///< the desktop's program that opens a file
};

/// Owns session, documents, history and settings. Must be used from one thread. That thread must not block,
/// so nothing here takes longer than reading or writing a small file.
///
/// Each section of private members is one subject: its commands, what else it does, and the data that only it
/// changes. It is implemented in the file that is named there.
class Desk {
public:
    /// @param wake  called from any thread when update() has something to do; must be quick
    Desk(DeskOptions options, std::function<void()> wake);
    /// Terminates the judge and saves the settings.
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    const DeskState& state() const { return state_; }

    /// Process news from the session, the drivers and the file system.
    /// @return  true if the state has changed
    bool update();

    /// When update() has something to do that nothing else announces; nullopt: never.
    std::optional<std::chrono::steady_clock::time_point> due() const;

    /// Perform the user's command. If it is not possible, a sentence in the state gives the reason.
    void perform(const Command& command);
    void perform(const Commands& commands);

    /// Names of the documents with unsaved edits, for the question before the window closes.
    std::vector<std::string> unsaved() const;

private:
    DeskState state_;
    DeskOptions options_;
    std::filesystem::path shipped_;  ///< folder of the shipped kernels

    // ---- Notices, settings and the file dialog: desk.cpp ----
    void handle(const command::DismissNotice& command);
    void handle(const command::ChangeSettings& command);
    void handle(const command::OpenDialog& command);
    void handle(const command::GoToFolder& command);
    void handle(const command::CloseDialog&);
    void handle(const command::Tell& command);
    void notify(Notice::Kind kind, std::string sentence, std::filesystem::path written = {});
    void update_busy();
    void list_dialog(const std::filesystem::path& folder, bool shows_hidden);
    void save_settings_now();
    std::uint64_t last_notice_ = 0;
    std::optional<Settings> saved_settings_;

    // ---- Choices and their preview: desk_choices.cpp ----
    void handle(const command::Choose& command);
    void handle(const command::AddKernel& command);
    void handle(const command::RemoveContestant& command);
    void handle(const command::SelectContestant& command);
    void restore_choices();
    /// @param gone  gets the index of each kernel that no longer exists; it is left out
    Choices choices_of(const KeptExperiment& kept, const std::function<void(std::size_t)>& gone);
    /// Copy the choices into the settings.
    void remember_choices();
    void set_choices(Choices choices);
    /// The first kernels of the problem, unless one of its kernels is chosen already.
    void add_first_kernels(Choices& choices);
    /// Stop showing results of another problem; the history has them.
    void forget_shown();
    /// Corrects choices silently: sizes that do not belong to the problem, numbers out of range.
    void repair(Choices& choices);
    /// Look up the chosen device in the session's list.
    void find_device();
    Preview preview_of(const Choices& choices, const OpenedKernels& kernels,
                       PreviewFor purpose = PreviewFor::Screen) const;
    void refresh_preview();
    /// Add the local memory of each kernel to the preview once its source has been parsed with the chosen
    /// parameters.
    void add_local_arrays();
    /// The errors in the document's declarations.
    std::vector<LineMark> reading_marks(const Document& document) const;
    /// Start a run if live is on and the run would differ from the last one.
    void run_if_live();
    RunKey run_key(const OpenedKernels& kernels) const;
    std::string live_key() const;
    /// Update DeskState::is_outdated and result_of.
    void relate_results();
    RunKey key_;  ///< of the choices and texts on the screen
    std::optional<std::chrono::steady_clock::time_point> live_due_;  ///< of a live run after typing
    std::string last_live_key_;  ///< of the last run; empty: live was switched on, nothing ran since

    // ---- Experiments in files: desk_experiment.cpp ----
    void handle(const command::SaveExperiment& command);
    void handle(const command::OpenExperiment& command);
    void handle(const command::ResetExperiment&);
    void handle(const command::TakeFormerChoices&);
    /// Replaces all choices at once, and keeps the former ones.
    /// @return  false: they were the same
    bool replace_choices(Choices choices);
    std::optional<Choices> former_choices_;

    // ---- Kernels, problems, and files on disk: desk_kernels.cpp ----
    void handle(const command::KeepLaunch& command);
    void list_problems_and_kernels();
    /// A built-in problem, or one that a listed kernel declares; nullptr if there is none of this name.
    const Problem* problem_named(const std::string& name) const;
    void add_problem_of(const KernelFile& kernel);
    void take_edited_problems(const OpenedKernels& kernels);
    /// Describe the kernel in the list; adds the problem that it declares.
    void describe(KernelEntry& entry, const KernelFile& kernel);
    KernelEntry* find_entry(const std::string& kernel);
    /// Adds one of the user's own kernel files to the list.
    KernelEntry& add_entry(const std::string& kernel);
    std::filesystem::path path_of(const std::string& kernel) const;
    /// @param again  also read those that have been read already
    void read_kernels(bool again);
    OpenedKernel open_kernel(const std::string& name, const EditedTexts& edited);
    OpenedKernel open_bare(KernelFile file, OpenedKernel read, const std::string& name,
                           const EditedTexts& edited);
    /// All files of a kernel. If it cannot be read, those that are known.
    std::vector<std::filesystem::path> files_of_kernel(const std::string& name,
                                                       const OpenedKernel& opened) const;
    /// Of the documents that have been edited.
    EditedTexts texts_on_screen() const;
    /// The contestants with unsaved texts: what is on the screen is what runs.
    OpenedKernels kernels_on_screen();
    void watch_files();
    void take_file_changes();
    void after_files_changed();
    /// Update the kernels whose sources the background reader has parsed.
    void take_parsed_sources();
    using OwnProblems = std::vector<std::shared_ptr<const DeclaredProblem>>;
    OwnProblems own_problems_;  ///< with distinct names
    OpenedKernels kernels_;     ///< the contestants, as on disk
    std::shared_ptr<ArrayFiles> arrays_ = std::make_shared<ArrayFiles>();

    // ---- Documents: desk_documents.cpp ----
    void handle(const command::NewKernel& command);
    void handle(const command::OpenFiles& command);
    void handle(const command::ListRecent&);
    void handle(const command::OpenRecent& command);
    void handle(const command::CloseDocument& command);
    void handle(const command::BringToFront& command);
    void handle(const command::PutBeside& command);
    void handle(const command::SaveDocument& command);
    void handle(const command::SaveDocumentAs& command);
    void handle(const command::TakeFromDisk& command);
    void handle(const command::Edited& command);
    static std::filesystem::path absolute(const std::filesystem::path& file);
    bool is_shipped(const std::filesystem::path& file) const;
    std::shared_ptr<Document> document(DocumentId id) const;
    std::shared_ptr<Document> document_of(const std::filesystem::path& file) const;
    std::shared_ptr<Document> open_document(const std::filesystem::path& file);
    void open_document_of(const std::string& kernel);
    void remove_document(DocumentId id);
    bool is_contestants(const Document& document, const OpenedKernels& kernels) const;
    DocumentId last_document_ = 0;
    std::set<DocumentId> opened_by_choice_;  ///< not opened by the user: closed with their contestant

    // ---- Runs, sweeps, tunings and ceilings, one task at a time: desk_tasks.cpp ----
    enum class TaskKind { Run, Sweep, Tune, Ceilings };
    struct RequestedTask {
        TaskKind kind = TaskKind::Run;
        std::vector<std::int64_t> edges;       ///< Sweep
        std::optional<std::size_t> only = {};  ///< Run: only this contestant
        bool is_live = false;                  ///< Run: started by `live`, not by the user
        command::Tune tune = {};               ///< Tune
    };
    /// Its requests are submitted one after another.
    struct RunningTask {
        explicit RunningTask(TaskKind task) : kind(task) {}
        TaskKind kind;
        std::chrono::system_clock::time_point start = std::chrono::system_clock::now();
        RunRequest request;               ///< the current one
        std::uint64_t command = 0;        ///< its number in the session
        std::vector<RunRequest> further;  ///< not submitted yet
        bool stop_asked = false;
        bool is_live = false;                            ///< as in RequestedTask
        bool is_shown = true;                            ///< false: the problem changed meanwhile
        RunKey key;                                      ///< Run
        std::vector<Preview::Contestant> previews;       ///< at the start of the task
        std::shared_ptr<const ShownRun> before;          ///< Run: stays on display until this run has results
        bool before_is_earlier = false;                  ///< Run: former DeskState::shows_earlier
        std::shared_ptr<const ShownRun> partial;         ///< Run: its partial results, last shown
        std::map<DocumentId, std::uint64_t> revisions;   ///< Run: of the texts that are being run
        std::vector<std::string> left_out;               ///< Sweep: the sizes left out, and why
        std::shared_ptr<const ShownSweep> sweep;         ///< Sweep: results so far
        std::vector<SourceTexts> sources;                ///< Sweep: sources of all results
        std::vector<KernelResult> results;               ///< Ceilings
        OwnProblems own_problems = {};                   ///< Tune: keeps the tuner's problem
        std::unique_ptr<Tuner> tuner = {};               ///< Tune
        std::shared_ptr<const ShownTuning> tuning = {};  ///< Tune: found so far
    };
    void handle(const command::Run& command);
    void handle(const command::Sweep& command);
    void handle(const command::MeasureCeilings&);
    void handle(const command::Stop&);
    void handle(const command::FindDevices&);
    void handle(const command::UsePlace& command);
    void handle(const command::ListPlaces&);
    /// That of a place, which is started if it has not been. nullptr, with a notice: it cannot be.
    Session* session_at(const std::string& place);
    /// Take the news of the sessions at other places.
    void take_news_from_elsewhere();
    void list_devices();
    void stop_task();
    /// Request a task. The current task is stopped, but its results so far are kept.
    void request_task(RequestedTask next);
    void start_requested_task();
    void start_run(const RequestedTask& task);
    void start_sweep(const std::vector<std::int64_t>& edges);
    void start_ceilings();
    /// Submit the task's next request, or end the task.
    void submit_next();
    void take_session_news();
    void take_devices(const Snapshot& snapshot);
    std::shared_ptr<ShownRun> shown_run(std::vector<KernelResult> results) const;
    void show_partial_run(const Snapshot& snapshot);
    void end_request(const Snapshot& snapshot);
    void end_run(const Snapshot& snapshot);
    void end_sweep_step(const Snapshot& snapshot);
    void end_sweep();
    void end_ceilings_step(const Snapshot& snapshot);
    void add_preview_facts(std::vector<KernelResult>& results) const;
    /// Attach errors, hints and X-ray's findings to the lines of the documents that they refer to.
    /// @param revisions  of the texts that produced the results
    void put_marks(const std::vector<KernelResult>& results, const std::vector<std::string>& labels,
                   const std::map<DocumentId, std::uint64_t>& revisions);
    std::optional<RequestedTask> requested_;
    std::optional<RunningTask> running_;
    bool has_run_ = false;
    std::optional<std::uint64_t> listing_;  ///< the pending command that lists devices
    std::string devices_error_;
    CeilingsByDevice ceilings_;

    // ---- X-ray, while nothing else runs: desk_xray.cpp ----
    /// An X-ray under way.
    struct Observing {
        std::uint64_t command = 0;  ///< its number in the session
        std::string key;            ///< xray_key() of what the panel shows; empty: for the marks of a text
        std::function<void(const Snapshot&)> take;   ///< its answer
        std::shared_ptr<TargetCompiling> compiling;  ///< meanwhile, for a GPU; nullptr: nothing
    };
    void observe(XrayRequest request, std::string key, std::function<void(const Snapshot&)> take);
    /// Tasks come first: an interrupted observation is repeated later.
    void leave_observing();
    void observe_next();
    void take_xray(const Snapshot& snapshot);
    std::optional<Observing> observing_;
    std::optional<std::chrono::steady_clock::time_point> xray_due_;  ///< typing has paused then

    // For the panel.
    void handle(const command::Observe& command);
    std::string xray_key(std::size_t contestant) const;
    /// @return  nullptr if it is not kept
    const std::shared_ptr<const ShownXray>* find_xray(const std::string& key) const;
    void keep_xray(std::shared_ptr<const ShownXray> shown);
    void observe_target();
    void show_xray(const Snapshot& snapshot, std::shared_ptr<ShownXray> shown, const RunRequest& request,
                   const Contestant& contestant, const TargetCompiling* compiling,
                   const std::vector<GpuProfile>& gpus);
    void relate_xrays();
    XrayTarget xray_target_;
    std::vector<std::shared_ptr<const ShownXray>> xrays_;  ///< newest first

    // ---- Tunings: desk_tune.cpp ----
    void handle(const command::ShowTuning& command);
    void handle(const command::Tune& command);
    void handle(const command::LoadConfiguration& command);
    struct TuneSubject {
        Experiment experiment;
        const Problem* problem = nullptr;
        OwnProblems own_problems;  ///< keep `problem`
        const DeviceInfo* device = nullptr;
    };
    std::string tune_key(std::size_t contestant) const;
    TuneSubject tune_subject(std::size_t contestant);
    SpaceInput space_input(const TuneSubject& subject) const;
    void ask_space(std::size_t contestant, std::string key);
    /// @return  nullptr if it is not kept
    const std::shared_ptr<const ShownTuning>* find_tuning(const std::string& key) const;
    void keep_tuning(std::shared_ptr<const ShownTuning> shown);
    void start_tuning(const command::Tune& tune);
    void end_tune_step(const Snapshot& snapshot);
    void end_tuning();
    /// Update DeskState::space and tuning.
    void relate_tunings();
    std::optional<std::size_t> tune_target_;
    std::string space_asked_;  ///< key of the space that was asked for last
    std::shared_ptr<const ShownSpace> space_;
    std::vector<std::shared_ptr<const ShownTuning>> tunings_;  ///< newest first

    // ---- Marks of X-ray's findings, also while a text is edited: desk_squiggles.cpp ----
    using MarksByDocument = std::map<DocumentId, std::vector<LineMark>>;
    /// X-ray of an edited text, one contestant after the other.
    struct Squiggles {
        NamedList<XrayRequest> requests;                ///< by the contestants' labels; not answered yet
        std::map<DocumentId, std::uint64_t> revisions;  ///< of the texts that are observed
        MarksByDocument marks;
    };
    /// @param findings  of X-ray
    void add_marks(MarksByDocument& marks, const std::filesystem::path& kernel,
                   const std::vector<Finding>& findings, const std::string& label) const;
    void leave_squiggles();
    std::optional<Squiggles> squiggles_of(DocumentId edited);
    void observe_edited();
    std::optional<DocumentId> edited_;  ///< a contestant's, which nothing has observed since
    std::optional<Squiggles> squiggles_;

    // ---- The course: desk_course.cpp ----
    void handle(const command::ListLessons&);
    void handle(const command::OpenLesson& command);
    void handle(const command::LeaveLesson&);
    void handle(const command::CheckExercise&);
    void handle(const command::ShowHint&);
    void handle(const command::Predict& command);
    void handle(const command::ShowSolution&);
    /// Changes the stored progress of the open lesson.
    void keep_lesson(const std::function<void(LessonProgress&)>& change);
    /// An attempt under way.
    struct Checking {
        Attempt attempt;
        std::optional<std::uint64_t> revision;  ///< of the text; nullopt: it is not on the screen
        std::uint64_t command = 0;              ///< its number in the session; 0: compilers are waited for
    };
    /// Checks the exercise if it is this file.
    void check_saved(const std::filesystem::path& file);
    /// Tasks come first: the exercise is checked again later.
    void leave_check();
    void check_next();
    void ask_next();
    void take_check(const Snapshot& snapshot);
    void end_check();
    std::filesystem::path lessons_folder_;
    std::optional<Checking> checking_;
    bool is_check_wanted_ = false;

    // ---- The history: desk_history.cpp ----
    void handle(const command::ShowRun& command);
    void handle(const command::CompareWith& command);
    void handle(const command::ForgetRun& command);
    void handle(const command::FilterHistory& command);
    /// A null pointer if it no longer exists.
    using RunOrSweep = std::variant<std::shared_ptr<const ShownRun>, std::shared_ptr<const ShownSweep>>;
    RunOrSweep load_from_history(std::int64_t id);
    std::int64_t add_to_history(const PastRun& run);
    void list_history();
    void take_history_notices();
    /// Selects the tab among the charts of times.
    void bring_chart_to_front(const char* tab);
    std::int64_t last_run_ = 0;               ///< id of the run added last; 0: none yet
    RunKey last_key_;                         ///< of that run
    std::vector<std::int64_t> session_runs_;  ///< ids of the runs and sweeps added since the start

    // ---- Exports: desk_export.cpp ----
    void handle(const command::ExportRun& command);
    void handle(const command::ExportBytes& command);
    void handle(const command::OpenOutside& command);
    void handle(const command::OpenDocumentation& command);
    /// The requested run or sweep first, then the ones on display, then the others of this session.
    std::string session_page(const std::shared_ptr<const ShownRun>& first);
    /// A sweep becomes a run with steps; nullptr if it no longer exists.
    std::shared_ptr<const ShownRun> load_as_run(std::int64_t id);
    /// @return  false, with a notice, if it could not be written
    bool write_export(const std::filesystem::path& path, const std::function<std::string()>& make);

    // Last, because their threads call `wake`.
    History history_;
    const std::function<void()> wake_;
    std::map<std::string, std::unique_ptr<Session>> sessions_;  ///< by place; once used, kept until the end
    Session* session_;                                          ///< that of DeskState::place
    FileWatch watch_;
    BackgroundReader reader_;
    SpaceCounter spaces_;
};

}  // namespace kwb
