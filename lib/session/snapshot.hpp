// What a face shows: one immutable picture of the session at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// What a contestant wrote into a buffer, of a run that keeps outputs.
struct WrittenOutput {
    std::uint32_t contestant = 0;  ///< of the request
    BufferSpec buffer;
    BufferContent content;
};

struct Snapshot {
    enum class Phase {
        Idle,      ///< waiting for a command
        Listing,   ///< asking the drivers for their devices
        Running,   ///< a run is under way
        Stopping,  ///< told to stop, not yet at rest
    };
    Phase phase = Phase::Idle;
    std::uint64_t revision = 0;  ///< grows with every snapshot
    std::uint64_t answered = 0;  ///< commands (but stop) that came to their end, well or badly
    /// Why the last command came to nothing: a sentence for the person. Empty if it went well.
    std::string error;

    std::optional<DeviceList> devices;  ///< once listed
    std::optional<Progress> progress;   ///< of the run under way

    /// Of the last run, in the order of its contestants. While it goes on they grow: samples come in, and
    /// `judged` is false until a contestant's verdict is known. All are judged when phase is Idle again:
    /// where the run failed (`error`), the rest is `skipped` for that reason.
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< by contestant
    Environment environment;
    bool stopped = false;
};

}  // namespace kwb
