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
    /// @throws BadInput  there is no such place, or the settings cannot be read
    explicit Conversation(const Options& options);

    /// @param wanted  once a device matches, does not wait for drivers that are still starting
    /// @throws EnvironmentError  the judge or its runners failed; Interrupted
    DeviceList list_devices(const std::optional<std::string>& wanted = {});

    /// @return  the snapshot after the run; `stopped` is true if Ctrl-C ended it, and `error` says why it
    ///          failed
    std::shared_ptr<const Snapshot> run(RunRequest request, const std::string& headline);

    /// @return  the snapshot after the X-ray; `error` says why it failed
    std::shared_ptr<const Snapshot> xray(XrayRequest request);

    const JudgePlace& place() const { return place_; }

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
    const JudgePlace place_;
    const bool wants_maps_;  ///< only reports show error maps
    Session session_;
    bool interrupted_ = false;
    std::chrono::steady_clock::time_point interrupted_at_;
};

}  // namespace kwb::cli
