// SPDX-License-Identifier: Apache-2.0
// Manages all drivers of this machine, each in its own process.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/processes/runner_folders.hpp"
#include "judge/processes/runner_process.hpp"
#include "model/device_info.hpp"

namespace kwb {

/// Finds the .icd files of the drivers as the ICD loader would.
/// @param setting  $OCL_ICD_VENDORS: a folder, or one file; null: the system's folder
/// @return  sorted paths; may be empty (the loader may find drivers in other ways)
std::vector<std::filesystem::path> find_driver_files(const char* setting);

struct PoolOptions {
    std::string runner_program;     ///< path of kwb-runner
    bool sandbox = true;            ///< false: --no-sandbox
    std::string xray_program = {};  ///< path of kwb-xray
};

/// How long kwb-xray may take to start.
inline constexpr double kXrayStartMs = 10'000;

/// How long a driver may take to list or open its devices. GPU servers without persistence mode, or with
/// eight GPUs, take 5 to 20 s.
/// @param setting  $KWB_DRIVER_WAIT, in seconds; null or empty: 60
/// @throws EnvironmentError  not a number from 1 to 3600
double driver_wait_ms(const char* setting);

/// Holds drivers, their devices and their runners. Each runner is confined and has its own temporary folder
/// and the compiler cache of its trust domain.
class DevicePool {
public:
    DevicePool(PoolOptions options, FaceLink& face);

    /// Starts a runner for each driver and asks all of them at once for their devices. Does nothing while
    /// drivers of an earlier probe are still starting.
    /// @param domain  these runners get its cache, so that they can serve it afterwards; most first runs are
    ///                of shipped kernels
    /// @throws EnvironmentError  a runner or a cache folder cannot be created
    void begin_probe(const TrustDomain& domain = {Trust::Shipped, ""});

    /// Discards the probe, so that the next begin_probe() asks all drivers again. Call this after any
    /// exception except StopRequested.
    void abandon_probe();

    /// Collects the answers that arrive until `deadline`. A driver that crashes or does not answer in time is
    /// listed as a failure; the others are not affected.
    /// @return  all that is known; `is_whole` once no driver is starting any more
    /// @throws StopRequested, FaceGone
    const DeviceList& collect_by(Deadline deadline);
    /// What is known now.
    const DeviceList& list();

    /// @return  what the last probe found, or nullptr
    const DeviceInfo* find(const std::string& id) const;

    /// Returns a runner with only this device's driver loaded and the device opened: the one that listed the
    /// devices, the standby, or a new one. If the driver admits only one context at a time (GPUs in exclusive
    /// mode), first ends our other runners that hold a context, now and before each new runner; their benches
    /// take another runner when they need one.
    /// @param id  from the last probe
    /// @param environment  additional variables for this runner; if not empty, the runner is always new
    /// @throws EnvironmentError  no runner can be started
    Answer<std::shared_ptr<RunnerProcess>> take_runner(const std::string& id, const TrustDomain& domain,
                                                       const NamedList<std::string>& environment = {});

    /// Starts another runner for this device, with one worker thread, and does not wait for it. It is not
    /// paused during turns, so end it before.
    /// @return  nullptr: the driver admits one context at a time
    /// @throws EnvironmentError  it cannot be started
    std::unique_ptr<RunnerProcess> start_helper(const std::string& id, const TrustDomain& domain);

    /// Starts a kwb-xray, which may run this compiler. If there is a sandbox, its confinement is pending.
    /// @throws EnvironmentError  it cannot be started
    std::unique_ptr<RunnerProcess> start_xray(const std::string& compiler);
    bool has_sandbox() const { return options_.sandbox; }

    /// Starts a standby runner for this device and domain unless there is one, so that a dead runner can be
    /// replaced at once. Does not wait. Only the domain that several kernels share gets one.
    void prepare(const std::string& id, const TrustDomain& domain);

    /// From now on keep_ready() has a runner ready on this device for the first run of a text that is new:
    /// an unused one, with its own compiler cache, which becomes that of the text's domain.
    void expect_runs(const std::string& id);
    bool expects_runs() const { return expected_.has_value(); }
    /// Starts that runner unless there is one, and has it warm up. Does not wait. Call this only between
    /// requests, because a warm-up takes a processor for more than a second: again after a moment while it
    /// returns true.
    bool keep_ready();

    /// Waits until all standby runners that start in the background are idle, and holds one that warms up
    /// until keep_ready() or take_runner(), so that they do not disturb a measurement.
    /// @throws StopRequested, FaceGone
    void settle();

    /// Stops all runners in use but this one, so that it has the machine for its turn. Those that wait to be
    /// used have run no kernel.
    void pause_others(const RunnerProcess* at_turn);

    /// Call this regularly during long work. @throws StopRequested, FaceGone
    void checkpoint() { face_.checkpoint(); }

    /// The compiler cache of a domain.
    CompilerCache& cache(const TrustDomain& domain);

    /// Closes the cache of a domain, and removes it if it is foreign. All its runners must have ended.
    void forget(const TrustDomain& domain);

    /// Sentences about failures in the background since the last call.
    std::vector<std::string> take_warnings();

private:
    struct Entry {
        std::string id;
        std::size_t driver = 0;
        std::uint32_t index = 0;
    };
    struct Driver {
        std::filesystem::path file;             ///< empty: the ICD loader finds the drivers
        std::unique_ptr<RunnerProcess> runner;  ///< the runner that listed the devices
        Clock::time_point asked_at = {};
        bool admits_one = false;   ///< the driver refuses a second context
        bool is_starting = true;   ///< it has not listed its devices yet
        bool is_confined = false;  ///< confinement was answered; the result is in `sandbox`
        SandboxReport sandbox;
        /// Why it cannot list its devices; a clause.
        std::optional<std::string> failure;

        std::string name() const;
    };
    struct Standby {
        std::string id;
        TrustDomain domain;
        std::unique_ptr<RunnerProcess> runner;
        bool is_ready = false;
        bool is_second = false;  ///< it replaces one that died
    };

    /// A runner that is not yet of any domain.
    struct Blank {
        std::string id;  ///< of its device
        std::filesystem::path cache;
        std::unique_ptr<RunnerProcess> runner;
        Deadline patience;
        bool is_confined = false;
        bool is_open = false;
    };

    JudgeFolder& folder();
    std::unique_ptr<RunnerProcess> start(const Driver& driver, const TrustDomain& domain,
                                         const NamedList<std::string>& environment = {});
    RunnerOptions runner_options();
    std::unique_ptr<RunnerProcess> start(const Driver& driver, RunnerOptions options,
                                         const std::filesystem::path& compiled,
                                         const NamedList<std::string>& environment);
    bool start_blank(const std::string& id);
    /// @param answer  to the first of the pending requests
    std::optional<Failure> take_reply(Blank& blank, Answer<RunnerReply> answer);
    std::optional<Failure> finish_blank(Blank& blank);
    void note_loss(const std::string& id, const Failure& failure);
    std::unique_ptr<RunnerProcess> take_blank(const std::string& id, const TrustDomain& domain);
    /// Receives the reply to the confinement request that was sent when the runner started.
    std::optional<Failure> receive_confinement(RunnerProcess& runner, SandboxReport& sandbox);
    std::optional<Failure> finish_start(RunnerProcess& runner);
    std::vector<Standby>::iterator find_standby(const std::string& id, const TrustDomain& domain);
    bool start_standby(Standby& standby);
    std::optional<Failure> finish_standby(Standby& standby);
    Answer<std::shared_ptr<RunnerProcess>> open_runner(const Entry& device, const TrustDomain& domain,
                                                       const NamedList<std::string>& environment);
    bool has_lent(std::size_t driver) const;
    /// @return  true if a live runner held a context of this driver
    bool release_contexts(std::size_t driver);
    std::unique_ptr<RunnerProcess> take_standby(const std::string& id, const TrustDomain& domain);
    /// Receives the confinement reply, then whatever arrives until the deadline. @return  false if still
    /// starting
    bool has_answered_by(Driver& driver, Deadline deadline);
    void collect(std::size_t driver);
    double left_ms(const Driver& driver) const;
    /// Records the unusable drivers and devices of an answer, with reasons.
    void collect_unusable(const DeviceList& found, const std::filesystem::path& file);
    const Entry& entry(const std::string& id) const;
    /// Advice to try without the sandbox; empty if the sandbox is off.
    std::string sandbox_advice() const;

    PoolOptions options_;
    double start_timeout_ms_ = 0;  ///< as of the last probe
    FaceLink& face_;
    // The order of these members matters: runners end before their folders are removed, and the reaper takes
    // the runners that do not end.
    Reaper reaper_;
    std::unique_ptr<JudgeFolder> folder_;
    std::map<TrustDomain, std::unique_ptr<CompilerCache>> caches_;
    TrustDomain probed_for_;
    std::vector<Driver> drivers_;
    std::vector<Entry> entries_;
    DeviceList list_;
    std::vector<Standby> standbys_;
    std::optional<std::string> expected_;  ///< the device of expect_runs()
    std::optional<Blank> blank_;
    std::map<std::string, int> lost_blanks_;  ///< by device, how many died or hung before they were used
    struct Lent {
        std::size_t driver = 0;
        std::weak_ptr<RunnerProcess> runner;
    };
    std::vector<Lent> lent_;
    std::vector<std::string> warnings_;
};

}  // namespace kwb
