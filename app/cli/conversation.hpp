// Runs the commands of the terminal program in a session, one at a time, with progress display and Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.hpp"
#include "options.hpp"
#include "session/session.hpp"

namespace kwb::cli {

/// Thrown if Ctrl-C was pressed before there were any results.
struct Interrupted {};

class Conversation {
public:
    /// Does not start anything yet. Blocks SIGINT and SIGTERM; they then stop the current command.
    explicit Conversation(const Options& options);

    /// @param wanted  once a device matches, does not wait for drivers that are still starting
    /// @throws EnvironmentError  the judge or its runners failed; Interrupted
    DeviceList list_devices(const std::optional<std::string>& wanted = {});

    /// @return  the snapshot after the run; `stopped` is true if Ctrl-C ended it, and `error` says why it
    ///          failed
    std::shared_ptr<const Snapshot> run(RunRequest request, const std::string& headline);

    /// True once Ctrl-C was pressed: do not start more commands.
    bool interrupted() const { return interrupted_; }

private:
    using Look = std::function<void(const Snapshot&)>;
    /// @param look  called with each snapshot until the command is answered; may be empty
    std::shared_ptr<const Snapshot> wait_for(std::uint64_t command, const std::string& headline,
                                             const Look& look = {});
    void take_signal();

    Fd changed_;  ///< eventfd, signalled when there is a new snapshot
    Fd signals_;
    Session session_;
    bool interrupted_ = false;
    std::chrono::steady_clock::time_point interrupted_at_;
};

// A line on standard error that shows the progress of a run.

/// Draws only if standard error is a terminal; erases itself at the end.
class ProgressLine {
public:
    /// @param headline  printed first, e.g. "size 3 of 12"; may be empty
    explicit ProgressLine(std::string headline);
    ~ProgressLine() { clear(); }

    void show(const Snapshot& snapshot);
    void clear();

private:
    std::string headline_;
    bool enabled_;
    bool drawn_ = false;
};

/// "time: matmul/tiled, round 7, 63 runs, 12.3 ms (12.1 – 12.6)"
std::string describe_progress(const Snapshot& snapshot);

}  // namespace kwb::cli
