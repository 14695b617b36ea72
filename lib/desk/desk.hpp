// SPDX-License-Identifier: Apache-2.0
// The window's state and everything that the user can do with it, independent of drawing.
#pragma once

#include <algorithm>
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
#include "source/read.hpp"
#include "store/history.hpp"
#include "task/kept_ceilings.hpp"
#include "task/scheduler.hpp"
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

/// Answers about contestants, newest first, so that going back to a kernel, size or text shows its own at
/// once.
template <class Shown>
class KeptAnswers {
public:
    explicit KeptAnswers(std::size_t most) : most_(most) {}

    /// @return  nullptr if it is not kept
    template <class Key>
    std::shared_ptr<const Shown> find(const Key& key) const {
        return find_if([&](const Shown& shown) { return shown.key == key; });
    }
    template <class Fits>
    std::shared_ptr<const Shown> find_if(const Fits& fits) const {
        const auto found = std::ranges::find_if(all_, [&](const auto& shown) { return fits(*shown); });
        return found != all_.end() ? *found : nullptr;
    }
    /// The newest one of a kernel, which stays on display until there is another.
    std::shared_ptr<const Shown> newest_of(const std::string& kernel) const {
        return find_if([&](const Shown& shown) { return shown.key.kernel.chosen.kernel == kernel; });
    }
    void keep(std::shared_ptr<const Shown> shown) {
        std::erase_if(all_, [&](const auto& known) { return known->key == shown->key; });
        all_.insert(all_.begin(), std::move(shown));
        if (all_.size() > most_) all_.pop_back();
    }

private:
    std::size_t most_;
    std::vector<std::shared_ptr<const Shown>> all_;
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

    /// Perform the user's commands, in order. If one is not possible, a sentence in the state gives the
    /// reason.
    void perform(const Commands& commands);
    void perform(const Command& command) { perform(Commands{command}); }

private:
    DeskState state_;
    DeskOptions options_;
    std::filesystem::path shipped_;  ///< folder of the shipped kernels

    // ---- Notices, settings and the file dialog: desk.cpp ----
    void handle(const command::DismissNotice& command);
    void handle(const command::ChangeSettings& command) { command.change(state_.settings); }
    void handle(const command::OpenDialog& command);
    void handle(const command::GoToFolder& command) {
        if (state_.dialog) list_dialog(command.folder, command.shows_hidden);
    }
    void handle(const command::CloseDialog&) { state_.dialog.reset(); }
    void handle(const command::CloseProfile&) { state_.profile.reset(); }
    void handle(const command::Tell& command) { notify(Notice::Kind::Warning, command.sentence); }
    void notify(Notice::Kind kind, std::string sentence, std::filesystem::path written = {});
    void update_busy();
    void list_dialog(const std::filesystem::path& folder, bool shows_hidden);
    void save_settings_now();
    std::uint64_t last_notice_ = 0;
    std::optional<Settings> saved_settings_;

    // ---- Experiment and their preview: desk_choices.cpp ----
    void handle(const command::Edit& command);
    void handle(const command::SelectContestant& command);
    void handle(const command::SelectKernel& command);
    void select(std::size_t contestant);
    /// Of the selected contestant.
    void select_its_result();
    /// Keep the same kernels selected where the choices have changed; select that of a source which has come
    /// to the front.
    void relate_selection();
    std::vector<Experiment::Contestant> selected_of_;  ///< the choices that the selection refers to
    std::optional<DocumentId> selected_front_;         ///< that the selection has followed
    std::shared_ptr<const ShownRun> selected_in_;      ///< the run that the selection has followed
    void restore_choices();
    /// Leave out kernels that no longer exist; without any kernel, choose the first ones of the problem.
    /// @param gone  gets the index of each that is left out
    void drop_missing(Experiment& choices, const std::function<void(std::size_t)>& gone);
    /// Copy the choices into the settings.
    void remember_choices();
    void set_choices(Experiment choices);
    /// The first kernels of the problem, unless one of its kernels is chosen already.
    void add_first_kernels(Experiment& choices);
    /// Stop showing results of another problem; the history has them.
    void forget_shown();
    /// Corrects choices silently: sizes that do not belong to the problem, numbers out of range.
    void repair(Experiment& choices);
    /// Look up the chosen device in the session's list.
    void find_device();
    Preview preview_of(const Experiment& choices, const OpenedKernels& kernels,
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
    /// What a live run depends on.
    struct LiveKey {
        RunKey run;
        std::optional<std::uint64_t> seed;
        std::size_t baseline;
        double time_budget_ms, timeout_ms;
        bool unreadable_pages, xray;
        friend bool operator==(const LiveKey&, const LiveKey&) = default;
    };
    LiveKey live_key() const;
    /// Update DeskState::is_outdated and result_of.
    void relate_results();
    Sizes default_sizes_;  ///< that nobody chose, so another device may change them
    RunKey key_;           ///< of the choices and texts on the screen
    std::optional<std::chrono::steady_clock::time_point> live_due_;  ///< of a live run after typing
    std::optional<LiveKey>
        last_live_key_;  ///< of the last run; none: live was switched on, nothing ran since

    // ---- Experiments in files: desk_experiment.cpp ----
    void handle(const command::SaveExperiment& command);
    void handle(const command::OpenExperiment& command);
    void handle(const command::ResetExperiment&);
    void handle(const command::TakeFormerChoices&) {
        if (former_choices_) replace_choices(*former_choices_);
    }
    /// Replaces all choices at once. @return  false: they were the same
    bool take_choices(Experiment choices);
    /// The same, and keeps the former ones for TakeFormerChoices.
    /// @return  false: they were the same
    bool replace_choices(Experiment choices);
    std::optional<Experiment> former_choices_;

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
    void handle(const command::CompareLines& command);
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

    // ---- What the judge does, and at which place: desk_tasks.cpp ----
    enum class TaskKind { Run, Sweep, Check, Tune, Ceilings };
    struct RequestedTask {
        TaskKind kind = TaskKind::Run;
        std::vector<std::int64_t> edges = {};  ///< Sweep
        std::optional<std::size_t> only = {};  ///< Run, Check: only this contestant
        bool why = false;                      ///< Run: with experiments
        bool is_live = false;                  ///< Run: started by `live`, not by the user
        command::Tune tune = {};               ///< Tune
    };
    /// What the user asked for; one at a time.
    class AskedTask : public Task {
    public:
        AskedTask(Desk& desk, TaskKind of_kind) : kind(of_kind), desk_(desk) {}
        void stop() override { is_stopped = true; }
        /// After the last answer.
        virtual void end() {}

        const TaskKind kind;
        bool is_stopped = false;  ///< by the user, or for another task
        bool is_shown = true;     ///< false: the problem changed meanwhile

    protected:
        Desk& desk_;
        const std::chrono::system_clock::time_point start_ = std::chrono::system_clock::now();
    };
    /// Requests that are known from the beginning, one after the other.
    class RequestsTask : public AskedTask {
    public:
        using AskedTask::AskedTask;
        std::optional<Request> next(std::size_t place) override;
        void take(std::size_t place, const Snapshot& answer) override;

    protected:
        virtual void answered(const RunRequest& request, const Snapshot& answer) = 0;
        std::vector<RunRequest> requests_;  ///< not answered yet; the first is in progress
    };
    class RunTask;       // desk_run.cpp
    class SweepTask;     // desk_run.cpp
    class CeilingsTask;  // desk_run.cpp
    class CheckTask;     // desk_check.cpp
    class TuneTask;      // desk_tune.cpp
    class MarksTask;     // desk_marks.cpp
    class PanelTask;     // desk_xray.cpp
    class StepsTask;     // desk_steps.cpp
    class ReasonsTask;   // desk_reasons.cpp
    class LessonTask;    // desk_course.cpp
    void handle(const command::Run& command) {
        request_task({.kind = TaskKind::Run, .only = command.only, .why = command.why});
    }
    void handle(const command::Sweep& command) { request_task({TaskKind::Sweep, command.edges}); }
    void handle(const command::CheckSizes& command) {
        request_task({.kind = TaskKind::Check, .only = command.only});
    }
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
    void take_devices(const Snapshot& snapshot);
    AskedTask* asked_task() const { return static_cast<AskedTask*>(scheduler_.task(Scheduler::Rank::Asked)); }
    /// Request a task. The current task is stopped, but its results so far are kept.
    void request_task(RequestedTask next);
    void start_requested_task();
    void begin_task(std::unique_ptr<AskedTask> task);
    void end_task(AskedTask& task);
    void take_session_news();
    /// Nothing else runs or is about to, and typing has paused.
    bool is_idle() const;
    void advance_tasks();
    Scheduler scheduler_;
    std::optional<std::chrono::steady_clock::time_point> look_due_;  ///< at the threads of a task that waits
    std::optional<RequestedTask> requested_;
    std::optional<std::uint64_t> listing_;  ///< the pending command that lists devices
    std::string devices_error_;

    // ---- Runs, sweeps and ceilings: desk_run.cpp ----
    std::unique_ptr<AskedTask> make_run(const RequestedTask& task);
    std::unique_ptr<AskedTask> make_sweep(const std::vector<std::int64_t>& edges);
    std::unique_ptr<AskedTask> make_ceilings();
    /// Of the run in progress; nullptr: there is none.
    const RunKey* running_key() const;
    /// Attach errors, hints and X-ray's findings to the lines of the documents that they refer to.
    /// @param revisions  of the texts that produced the results
    void put_marks(const std::vector<KernelResult>& results, const std::vector<std::string>& labels,
                   const std::map<DocumentId, std::uint64_t>& revisions);
    bool has_run_ = false;
    CeilingsByDevice ceilings_;

    // ---- Checks at all sizes: desk_check.cpp ----
    std::unique_ptr<AskedTask> make_check(const std::optional<std::size_t>& only);
    CheckKey check_key(std::size_t contestant) const;
    /// Update DeskState::checks.
    void relate_checks();
    KeptAnswers<ShownCheck> checks_{16};

    // ---- X-ray of what the panel shows, while nothing else runs: desk_xray.cpp ----
    void handle(const command::Observe& command) { xray_target_ = command.target; }
    XrayKey xray_key(std::size_t contestant) const;
    /// Counts do not depend on the GPU.
    std::shared_ptr<const ShownXray> counts_of(XrayKey key) const;
    void begin_observing();
    void relate_xrays();
    std::optional<std::chrono::steady_clock::time_point> xray_due_;  ///< typing has paused then
    XrayTarget xray_target_;
    KeptAnswers<ShownXray> xrays_{16};

    // ---- The recording of a work-group that is stepped through, while nothing else runs: desk_steps.cpp
    // ----
    void handle(const command::StepThrough& command) { steps_target_ = command.target; }
    StepsKey steps_key(const StepsTarget& target) const;
    void begin_recording();
    void relate_steps();
    std::optional<StepsTarget> steps_target_;  ///< nullopt: nothing is
    KeptAnswers<ShownSteps> steps_{2};         ///< up to some 250 MB each

    // ---- What-if experiments after a run, while nothing else is to be done: desk_reasons.cpp ----
    struct KnownEffects {
        XrayKey key;
        std::optional<std::vector<Effect>> effects;  ///< nullopt: the experiments failed
        std::optional<HotLoop> hot_loop = {};
    };
    static XrayKey effects_key(const RunKey& key, std::size_t contestant);
    /// The kernel of the shown run to experiment with next, those of the answer first; nullopt: none.
    std::optional<std::size_t> next_to_explain() const;
    /// Begin the experiments, or stop them if they are no longer wanted.
    void begin_explaining();
    /// Keep the effects of the run, and add those that are known of the same texts, sizes and device.
    /// @return  whether any were added
    bool add_effects(ShownRun& shown);
    /// Update DeskState::explaining.
    void relate_reasons();
    KeptAnswers<KnownEffects> effects_{32};

    // ---- Tunings: desk_tune.cpp ----
    void handle(const command::ShowTuning& command) { tune_target_ = command.contestant; }
    void handle(const command::Tune& command);
    struct TuneSubject {
        OpenedExperiment experiment;
        const Problem* problem = nullptr;
        OwnProblems own_problems;  ///< keep `problem`
        const DeviceInfo* device = nullptr;
    };
    TuneKey tune_key(std::size_t contestant) const;
    TuneSubject tune_subject(std::size_t contestant);
    SpaceInput space_input(const TuneSubject& subject) const;
    void ask_space(std::size_t contestant, TuneKey key);
    std::unique_ptr<AskedTask> make_tuning(const command::Tune& tune);
    /// Update DeskState::space and tuning.
    void relate_tunings();
    std::optional<std::size_t> tune_target_;
    std::optional<TuneKey> space_asked_;  ///< of the space that was asked for last
    std::shared_ptr<const ShownSpace> space_;
    KeptAnswers<ShownTuning> tunings_{8};

    // ---- Marks of X-ray's findings, also while a text is edited: desk_marks.cpp ----
    using MarksByDocument = std::map<DocumentId, std::vector<LineMark>>;
    /// @param findings  of X-ray
    void add_marks(MarksByDocument& marks, const std::filesystem::path& kernel,
                   const std::vector<Finding>& findings, const std::string& label) const;
    void begin_marks(DocumentId edited);
    void leave_marks();
    std::optional<DocumentId> edited_;  ///< a contestant's, which nothing has observed since

    // ---- The course: desk_course.cpp ----
    void handle(const command::ListLessons&);
    void handle(const command::OpenLesson& command);
    void handle(const command::LeaveLesson&);
    void handle(const command::CheckExercise& command);
    void handle(const command::ShowHint&);
    void handle(const command::Predict& command);
    void handle(const command::ShowSolution&);
    /// The glossary, which tables use before any lesson is listed.
    void read_terms();
    void close_lesson();
    void give_back_experiment();
    std::optional<Experiment> before_lesson_;  ///< while a lesson is open, with its own choices
    bool skips_predictions_ = false;           ///< as the person asked in this lesson
    /// Checks the exercise if it is this file.
    void check_saved(const std::filesystem::path& file);
    void begin_check();
    /// Begin the check again if another device is chosen now.
    void check_on_device();
    void end_check(const LessonTask& task);
    void leave_check();
    std::filesystem::path lessons_folder_;
    bool is_check_wanted_ = false;  ///< once a device is known

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
    /// @return  whether there were any
    bool take_history_notices();
    /// Selects the tab among the charts of times.
    void bring_chart_to_front(const char* tab);
    std::int64_t last_run_ = 0;               ///< id of the run added last; 0: none yet
    std::optional<RunKey> last_key_;          ///< of that run
    std::vector<std::int64_t> session_runs_;  ///< ids of the runs and sweeps added since the start

    // ---- Exports: desk_export.cpp ----
    void handle(const command::ExportRun& command);
    void handle(const command::ExportBytes& command) {
        write_export(command.path, [&] { return command.bytes; });
    }
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
