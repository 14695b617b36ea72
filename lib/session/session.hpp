// The session behind both user interfaces: takes commands, publishes snapshots.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/request.hpp"
#include "session/snapshot.hpp"

namespace kwb {

/// The program and its arguments: the local kwb-judge, or e.g. {"ssh", "gpu-box", "kwb-judge"}.
using JudgeCommand = std::vector<std::string>;

/// $KWB_JUDGE if set: words separated by blanks, with quotes ("…") around words that contain blanks.
/// Otherwise kwb-judge in the folder of the running program.
JudgeCommand default_judge_command();

/// Owns one judge process and a thread that communicates with it. If the judge dies, the current command
/// fails and the next one starts a new judge. All functions return at once, except the destructor, which ends
/// the judge.
class Session {
public:
    /// SIGPIPE must be ignored in this process.
    /// @param on_change  called on the session's thread after each new snapshot; must return quickly
    Session(JudgeCommand judge, std::function<void()> on_change);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    std::shared_ptr<const Snapshot> snapshot() const;

    /// @return  the command's number; the command is done once Snapshot::answered reaches it
    std::uint64_t list_devices();
    std::uint64_t run(RunRequest request);
    /// Stop all commands given so far, but no later ones. Results measured until then are kept.
    void stop();

private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace kwb
