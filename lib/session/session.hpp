// The state that both faces show: commands in, snapshots out.
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

/// kwb-judge beside the running program, or $KWB_JUDGE: words separated by blanks, "…" around words with
/// blanks.
JudgeCommand default_judge_command();

/// Owns one judge and a thread that talks to it. A judge that dies costs the command at hand; the next
/// command starts another. All functions return at once, except the destructor, which ends the judge.
class Session {
public:
    /// @param on_change  called on the session's thread after each new snapshot; must be quick
    /// SIGPIPE must be ignored in this process.
    Session(JudgeCommand judge, std::function<void()> on_change);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    std::shared_ptr<const Snapshot> snapshot() const;

    /// @return  the command's number: it is done when Snapshot::answered has reached it
    std::uint64_t list_devices();
    std::uint64_t run(RunRequest request);
    /// End the commands given so far, and none that comes later; what was measured comes as results.
    void stop();

private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace kwb
