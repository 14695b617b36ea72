// The implementation of Desk. Included only by the files that implement it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "catalog/catalogue.hpp"
#include "desk/desk.hpp"
#include "desk/file_watch.hpp"
#include "history/history.hpp"
#include "session/session.hpp"
#include "source/read.hpp"

namespace kwb {

class Desk::Parts {
public:
    Parts(DeskOptions options, std::function<void()> wake);
    ~Parts();

    bool update();
    void look_busy();

    // One overload for each command.
    void perform(const command::Run&);
    void perform(const command::Stop&);
    void perform(const command::Sweep& command);
    void perform(const command::MeasureCeilings&);
    void perform(const command::FindDevices&);
    void perform(const command::Choose& command);
    void perform(const command::AddKernel& command);
    void perform(const command::RemoveContestant& command);
    void perform(const command::OpenFiles& command);
    void perform(const command::CloseDocument& command);
    void perform(const command::BringToFront& command);
    void perform(const command::PutBeside& command);
    void perform(const command::SaveDocument& command);
    void perform(const command::SaveDocumentAs& command);
    void perform(const command::TakeFromDisk& command);
    void perform(const command::Edited& command);
    void perform(const command::SelectContestant& command);
    void perform(const command::ShowRun& command);
    void perform(const command::CompareWith& command);
    void perform(const command::ForgetRun& command);
    void perform(const command::FilterHistory& command);
    void perform(const command::ExportRun& command);
    void perform(const command::ExportBytes& command);
    void perform(const command::OpenDialog& command);
    void perform(const command::GoToFolder& command);
    void perform(const command::CloseDialog&);
    void perform(const command::ChangeSettings& command);
    void perform(const command::DismissNotice& command);

    DeskState state;

private:
    // desk.cpp
    void notify(Notice::Kind kind, std::string sentence);

    // choosing.cpp: choices and preview
    void open_kernels();
    void list_problems();
    /// A built-in problem, or one that a listed kernel declares; nullptr if there is none of this name.
    const Problem* problem_named(const std::string& name) const;
    void add_own_problem(const KernelFile& kernel);
    void take_edited_problems(const OpenedKernels& kernels);
    void restore_choices();
    void open_restored_documents();
    void remember_choices();
    void set_choices(Choices choices);
    void repair(Choices& choices);
    void add_contestant(const std::string& kernel);
    void find_device();
    /// Free memory of the judge's machine when devices were last listed; 0 if unknown.
    std::uint64_t free_memory_bytes() const;
    void refresh_preview();
    /// Start a run if live is on and the run would differ from the last one.
    void run_if_live();
    std::string live_key() const;

    // reading.cpp: kernels and files on disk
    KernelEntry* find_entry(const std::string& kernel);
    std::filesystem::path path_of(const std::string& kernel) const;
    /// @param again  also read those that have been read already
    void read_kernels(bool again);
    OpenedKernel open_kernel(const std::string& name, const EditedTexts& edited) const;
    /// All files of a kernel. If it cannot be read, those that are known.
    std::vector<std::filesystem::path> files_of_kernel(const std::string& name,
                                                       const OpenedKernel& opened) const;
    /// The unsaved texts of open documents, including those of shipped kernels.
    EditedTexts edited_texts() const;
    /// The contestants with unsaved texts: what is on the screen is what runs.
    OpenedKernels kernels_as_they_stand() const;
    void watch_files();
    void take_file_changes();
    /// Update the kernels whose sources the background reader has parsed.
    void take_readings();

    // opening.cpp: documents
    static std::filesystem::path absolute(const std::filesystem::path& file);
    bool is_shipped(const std::filesystem::path& file) const;
    std::shared_ptr<Document> document(DocumentId id) const;
    std::shared_ptr<Document> document_of(const std::filesystem::path& file) const;
    std::shared_ptr<Document> open_document(const std::filesystem::path& file);
    void open_document_of(const std::string& kernel);
    void remove_document(DocumentId id);
    bool is_contestants(const Document& document, const OpenedKernels& kernels) const;
    /// Call after a document was saved.
    void after_saving();

    // running.cpp: one task at a time
    enum class Task { Run, Sweep, Ceilings };
    struct Wish {
        Task task = Task::Run;
        std::vector<std::int64_t> edges;
    };
    struct Active {
        Active();  // declared because std::optional needs it before the default member initializers are known
        Task task = Task::Run;
        std::uint64_t command = 0;  ///< number of the session's command
        bool stop_asked = false;
        std::chrono::system_clock::time_point begun;
        RunRequest request;
        std::vector<std::string> labels;
        std::vector<Preview::Contestant> previews;      ///< at the start of the task
        std::shared_ptr<const ShownRun> before;         ///< Run: stays on display until this run has results
        bool before_is_earlier = false;                 ///< Run: former DeskState::shows_earlier
        std::shared_ptr<const ShownRun> grown;          ///< Run: its partial results, last shown
        std::map<DocumentId, std::uint64_t> revisions;  ///< of the texts that are being run
        std::vector<RunRequest> further;                ///< Sweep, Ceilings: requests not yet submitted
        std::vector<KernelResult> results;              ///< Ceilings
        std::vector<std::string> left_out;              ///< Sweep: the sizes left out, and why
        std::shared_ptr<const ShownSweep> sweep;        ///< Sweep: results so far
        std::vector<SourceTexts> sources;               ///< Sweep: sources of all results
    };
    void wish(Wish next);
    void begin_wish();
    void begin_run();
    void mark(std::vector<KernelResult>& results) const;
    void submit(RunRequest request);
    void take_session();
    void take_devices(const Snapshot& snapshot);
    std::shared_ptr<ShownRun> shown_run(std::vector<KernelResult> results) const;
    void grow_run(const Snapshot& snapshot);
    void end_task(const Snapshot& snapshot);
    void end_run(const Snapshot& snapshot);
    void put_marks(const ShownRun& run);

    // sweeping.cpp: tasks of several requests
    void begin_sweep(const std::vector<std::int64_t>& edges);
    void begin_ceilings();
    void end_sweep_step(const Snapshot& snapshot);
    void end_ceilings_step(const Snapshot& snapshot);
    void next_request();
    void end_sweep();
    void keep(ShownSweep& sweep);

    // keeping.cpp: history, settings, the file dialog
    /// An entry loaded from the history; a null pointer if it no longer exists.
    using Kept = std::variant<std::shared_ptr<const ShownRun>, std::shared_ptr<const ShownSweep>>;
    static std::vector<SourceTexts> sources_of(const RunRequest& request);
    void keep(ShownRun& run);
    std::int64_t add_to_history(const PastRun& run);
    void list_history();
    Kept load_kept(std::int64_t id);
    /// Selects the tab among the charts of times.
    void bring_chart_to_front(const char* tab);
    void take_history_notices();
    void list_dialog(const std::filesystem::path& folder, bool shows_hidden);
    void save_settings_now();

    // exporting.cpp
    std::string session_page(const Kept& first);
    void write_export(const std::filesystem::path& path, const std::function<std::string()>& make);

    DeskOptions options_;
    std::function<void()> wake_;
    std::filesystem::path shipped_;  ///< folder of the shipped kernels

    std::optional<Catalogue> catalogue_;
    std::vector<std::shared_ptr<const DeclaredProblem>> own_problems_;  ///< with distinct names
    OpenedKernels opened_;                                              ///< the contestants, as on disk
    DocumentId last_document_ = 0;
    std::set<DocumentId> opened_by_choice_;  ///< not opened by the user: closed with their contestant

    std::optional<Wish> wish_;
    std::optional<Active> active_;
    std::string last_key_;  ///< live_key() of the last run; empty: live was switched on, nothing ran since
    bool has_run_ = false;
    std::optional<std::uint64_t> listing_;  ///< the pending command that lists devices
    std::string devices_error_;
    std::map<std::string, Ceilings> ceilings_;  ///< by DeviceInfo::id

    std::optional<Settings> saved_settings_;
    std::int64_t last_run_ = 0;               ///< id of the run added last; 0: none yet
    std::vector<std::int64_t> session_runs_;  ///< ids of the runs added since the start
    std::uint64_t last_notice_ = 0;
    std::shared_ptr<ArrayFiles> arrays_ = std::make_shared<ArrayFiles>();
    History history_;
    Session session_;                  ///< its thread calls wake_
    FileWatch watch_;                  ///< its thread calls wake_
    mutable BackgroundReader reader_;  ///< its thread calls wake_; its requests are not part of the state
};

}  // namespace kwb
