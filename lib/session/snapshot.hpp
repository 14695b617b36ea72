// What a face shows: one immutable picture of the session at a time.
#pragma once

#include <cstdint>
#include <memory>
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

    /// The times of the run under way so far, none of them judged: a list for each contestant of the request,
    /// one sample a round in their order, empty as long as it was not timed. No lists when phase is Idle.
    std::vector<std::vector<double>> samples_ms;

    /// The verdicts of the run under way so far, one place a contestant, null: not known yet. No error maps.
    /// No places when phase is Idle.
    std::vector<std::shared_ptr<const KernelResult>> settled;

    // The last run; results in the order of its contestants, complete when phase is Idle again: where the run
    // came to a bad end (`error`), those that have no result are `skipped`, with the same words.
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< by contestant
    Environment environment;
    bool stopped = false;
};

}  // namespace kwb
