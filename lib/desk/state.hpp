// Everything that the window shows, in one place. Panels read it, and change nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/choices.hpp"
#include "desk/document.hpp"
#include "desk/folder_listing.hpp"
#include "desk/preview.hpp"
#include "desk/shown_run.hpp"
#include "history/history.hpp"
#include "session/ceilings.hpp"
#include "session/settings.hpp"
#include "session/snapshot.hpp"

namespace kwb {

/// A line of the list from which kernels are chosen.
struct KernelEntry {
    std::string name;     ///< what ContestantChoice::kernel says
    std::string title;    ///< empty if the file is broken
    std::string problem;  ///< empty: not known, or the library's, which solves several
    std::string error;    ///< why it cannot be read; empty if it can
    std::filesystem::path path;
    bool shipped = false;

    /// Whether it is offered for a problem: it solves it, or its own is not known.
    bool may_solve(std::string_view wanted) const;
};

struct ProblemEntry {
    std::string name;
    std::string title;
    std::vector<std::string> size_names;
    Sizes default_sizes;
};

/// Something that a person should know and that has no better place; goes when it is dismissed.
struct Notice {
    enum class Kind { Information, Warning, Error };
    Kind kind = Kind::Warning;
    std::uint64_t number = 0;  ///< for dismissing
    std::string sentence;
};

/// A line that a person asked to see. A surface goes there once: it remembers the number that it has obeyed.
struct RevealedLine {
    std::uint64_t number = 0;  ///< from 1; grows with every wish
    DocumentId document = 0;
    std::size_t line = 0;  ///< from 0; in the text as it was when it was asked for
};

struct DeskState {
    std::uint64_t revision = 0;  ///< grows with every change of anything below

    // What there is to choose from.
    std::shared_ptr<const Snapshot> session;  ///< phase, progress, devices; never null
    std::vector<ProblemEntry> problems;
    std::vector<KernelEntry> kernels;
    Choices choices;
    Preview preview;
    const DeviceInfo* device = nullptr;  ///< in `session`: the chosen one; null: none
    /// Something is under way or about to begin, also between the requests of a sweep.
    bool is_busy = false;

    // Sources. The surface that shows a document edits its buffer at once, for a keystroke must be seen in
    // the very frame, and then says command::Edited.
    std::vector<std::shared_ptr<Document>> documents;
    std::optional<DocumentId> front;   ///< the one being edited
    std::optional<DocumentId> beside;  ///< shown beside it, with the differences marked
    std::vector<DocumentId> unsaved;  ///< whose text is in no file, and which the next run takes as it stands
    RevealedLine revealed;            ///< the last one; its document is `front` when it is asked for

    // Results.
    std::shared_ptr<const ShownRun> shown;  ///< null: nothing has run
    /// `shown` was called up from the history and is not this session's last run: its `when` and its
    /// environment say of what day and device it is.
    bool shows_earlier = false;
    std::shared_ptr<const ShownRun> compared;          ///< an earlier run to compare with; null: none
    std::size_t selected = 0;                          ///< contestant whose correctness is shown
    std::shared_ptr<const ShownSweep> sweep;           ///< null: none
    std::shared_ptr<const ShownSweep> compared_sweep;  ///< an earlier one of the same problem; null: none
    std::optional<Ceilings> ceilings;                  ///< of `device`, once measured
    std::string ceilings_error;
    bool measuring_ceilings = false;

    // Keeping.
    std::vector<RunSummary> history;  ///< the newest first
    HistoryFilter history_filter;
    bool history_is_kept = true;  ///< false: only until the program ends

    std::optional<FolderListing> dialog;  ///< the file dialog, while it is open
    Settings settings;
    std::vector<Notice> notices;

    /// The judge is at work right now. Between the requests of a sweep it is not: see is_busy.
    bool is_running() const { return session->phase != Snapshot::Phase::Idle; }
    const Document* find_document(DocumentId id) const;
};

}  // namespace kwb
