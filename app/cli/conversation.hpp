// The terminal's use of a session: one command at a time, progress on the way, Ctrl-C at any time.
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

/// Ctrl-C came before there was anything to show.
struct Interrupted {};

class Conversation {
public:
    /// Starts nothing yet. Blocks SIGINT and SIGTERM, which then stop the command at hand.
    explicit Conversation(const Options& options);

    /// @param wanted  does not wait for drivers that are still starting once a device answers to this
    /// @throws EnvironmentError  the judge or its runners cannot do it; Interrupted
    DeviceList list_devices(const std::optional<std::string>& wanted = {});

    /// @return  the snapshot after the run; its `stopped` tells whether Ctrl-C ended it, its `error` why it
    ///          came to a bad end
    std::shared_ptr<const Snapshot> run(RunRequest request, const std::string& headline);

    /// True once Ctrl-C was pressed: ask for no more.
    bool interrupted() const { return interrupted_; }

private:
    using Look = std::function<void(const Snapshot&)>;
    /// @param look  takes each snapshot until then; may be empty
    std::shared_ptr<const Snapshot> wait_for(std::uint64_t command, const std::string& headline,
                                             const Look& look = {});
    void take_signal();

    Fd changed_;  ///< eventfd: there is a new snapshot
    Fd signals_;
    Session session_;
    bool interrupted_ = false;
    std::chrono::steady_clock::time_point interrupted_at_;
};

}  // namespace kwb::cli
