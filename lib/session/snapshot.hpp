// The state of a session, published to the user interface as immutable snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// The contents of an output buffer, from a run that keeps outputs.
struct WrittenOutput {
    std::uint32_t contestant = 0;  ///< index into the contestants of the request
    BufferSpec buffer;
    BufferContent content;
};

struct Snapshot {
    enum class Phase {
        Idle,      ///< waiting for a command
        Listing,   ///< listing the devices of all drivers
        Running,   ///< a run is under way
        Stopping,  ///< asked to stop, but not idle yet
    };
    Phase phase = Phase::Idle;
    std::uint64_t revision = 0;  ///< increases with every snapshot
    std::uint64_t answered = 0;  ///< number of commands that have ended, successfully or not, except stop
    /// Why the last command failed: a sentence for the user. Empty on success.
    std::string error;

    std::optional<DeviceList> devices;  ///< once listed
    std::optional<Progress> progress;   ///< of the current run

    /// Results of the last run, in the order of its contestants. During the run samples are added, and
    /// `judged` is false until the verdict of a contestant is known. All are judged once phase is Idle again:
    /// if the run failed (`error`), the remaining ones are `skipped` for that reason.
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< by contestant
    Environment environment;
    bool stopped = false;
};

}  // namespace kwb
