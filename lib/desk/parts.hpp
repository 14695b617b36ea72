// What a desk is made of. Only the files that implement it include this.
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
#include "source/background_reader.hpp"

namespace kwb {

class Desk::Parts {
public:
    Parts(DeskOptions options, std::function<void()> wake);
    ~Parts();

    bool update();
    void look_busy();

    // One for each command.
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

    // choosing.cpp: what is chosen, and what a run of it would be
    void open_kernels();
    void list_problems();
    /// A problem of the workbench, or one that a kernel in sight declares; null: none has this name.
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
    /// Of the judge's machine, when devices were listed last; 0: not known.
    std::uint64_t free_memory_bytes() const;
    void refresh_preview();
    /// The next run, if it is wanted on every change and would not be the same as the last one.
    void run_if_live();
    std::string live_key() const;

    // reading.cpp: kernels and files on disk
    KernelEntry* find_entry(const std::string& kernel);
    std::filesystem::path path_of(const std::string& kernel) const;
    /// @param again  also those that have been read
    void read_kernels(bool again);
    OpenedKernel open_kernel(const std::string& name, const EditedTexts& edited) const;
    /// As far as they are known of one that cannot be read.
    std::vector<std::filesystem::path> files_of_kernel(const std::string& name,
                                                       const OpenedKernel& opened) const;
    /// Of open documents, also of shipped ones: what runs until it is saved.
    EditedTexts edited_texts() const;
    /// The contestants with the texts that are being edited: what is seen is what runs.
    OpenedKernels kernels_as_they_stand() const;
    void watch_files();
    void take_file_changes();
    /// Look again at the kernels whose sources have been read.
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
    /// After a document's file was written or another.
    void after_saving();

    // running.cpp: one thing after the other
    enum class Task { Run, Sweep, Ceilings };
    struct Wish {
        Task task = Task::Run;
        std::vector<std::int64_t> edges;
    };
    struct Active {
        Active();  // std::optional asks for it before the members' defaults are known
        Task task = Task::Run;
        std::uint64_t command = 0;  ///< of the session
        bool stop_asked = false;
        std::chrono::system_clock::time_point begun;
        RunRequest request;
        std::vector<std::string> labels;
        std::vector<ContestantPreview> previews;        ///< as it was begun
        std::shared_ptr<const ShownRun> before;         ///< Run: shown until there was something of this one
        bool before_is_earlier = false;                 ///< DeskState::shows_earlier
        std::shared_ptr<const ShownRun> grown;          ///< Run: of this one, last
        std::map<DocumentId, std::uint64_t> revisions;  ///< of the texts that run
        std::vector<RunRequest> further;                ///< Sweep, Ceilings: still to be asked
        std::vector<KernelResult> results;              ///< Ceilings
        std::vector<std::string> left_out;              ///< Sweep: sizes, and why
        std::shared_ptr<const ShownSweep> sweep;        ///< Sweep: so far
        std::vector<SourceTexts> sources;               ///< Sweep: of all its results
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

    // sweeping.cpp: several requests that belong together
    void begin_sweep(const std::vector<std::int64_t>& edges);
    void begin_ceilings();
    void end_sweep_step(const Snapshot& snapshot);
    void end_ceilings_step(const Snapshot& snapshot);
    void next_request();
    void end_sweep();
    void keep(ShownSweep& sweep);

    // keeping.cpp: history, settings, the file dialog
    /// What the history holds; null pointers: it is not there any more.
    using Kept = std::variant<std::shared_ptr<const ShownRun>, std::shared_ptr<const ShownSweep>>;
    static std::vector<SourceTexts> sources_of(const RunRequest& request);
    void keep(ShownRun& run);
    std::int64_t add_to_history(const PastRun& run);
    void list_history();
    Kept load_kept(std::int64_t id);
    /// Which of the charts of times is in front.
    void bring_chart_to_front(const char* tab);
    void take_history_notices();
    void list_dialog(const std::filesystem::path& folder, bool shows_hidden);
    void save_settings_now();

    // exporting.cpp
    std::string session_page(const Kept& first);
    void write_export(const std::filesystem::path& path, const std::function<std::string()>& make);

    DeskOptions options_;
    std::function<void()> wake_;
    std::filesystem::path shipped_;  ///< folder of the kernels that came with the workbench

    std::optional<Catalogue> catalogue_;
    std::vector<std::shared_ptr<const DeclaredProblem>> own_problems_;  ///< of different names
    OpenedKernels opened_;                                              ///< of the contestants, as on disk
    DocumentId last_document_ = 0;
    std::set<DocumentId> opened_by_choice_;  ///< nobody asked for them: they go with their contestant

    std::optional<Wish> wish_;
    std::optional<Active> active_;
    std::string last_key_;  ///< live_key() of the last run; empty: live was switched on and nothing ran
    bool has_run_ = false;
    std::optional<std::uint64_t> listing_;  ///< the command that asks for devices, under way
    std::string devices_error_;
    std::map<std::string, Ceilings> ceilings_;  ///< DeviceInfo::id →

    std::optional<Settings> saved_settings_;
    std::int64_t last_run_ = 0;               ///< id of the run that was kept last; 0: none yet
    std::vector<std::int64_t> session_runs_;  ///< ids of runs kept since the start
    std::uint64_t last_notice_ = 0;
    std::shared_ptr<ArrayFiles> arrays_ = std::make_shared<ArrayFiles>();
    History history_;
    Session session_;                  ///< its thread calls wake_
    FileWatch watch_;                  ///< its thread calls wake_
    mutable BackgroundReader reader_;  ///< its thread calls wake_; what is asked for is not part of the state
};

}  // namespace kwb
