// All drivers of this machine, each in its own process.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/processes/compiler_cache.hpp"
#include "judge/processes/runner_process.hpp"
#include "model/device_info.hpp"

namespace kwb {

/// The .icd files of the drivers, as the ICD loader would find them.
/// @param setting  $OCL_ICD_VENDORS: a folder, or one file; null: the system's folder
/// @return  sorted paths; may be empty (the loader may find drivers in other ways)
std::vector<std::filesystem::path> find_driver_files(const char* setting);

struct PoolOptions {
    std::string runner_program;  ///< path of kwb-runner
    bool sandbox = true;         ///< false: --no-sandbox
};

/// How long a driver may take to list or open its devices. GPU servers without persistence mode, or with
/// eight GPUs, take 5 to 20 s.
/// @param setting  $KWB_DRIVER_WAIT, in seconds; null or empty: 60
/// @throws EnvironmentError  not a number of seconds from 1 to 3600
double driver_wait_ms(const char* setting);

/// Drivers, their devices and runners for them. Each runner is confined and has its own temporary folder and
/// the compiler cache of its trust domain.
class DevicePool {
public:
    DevicePool(PoolOptions options, FaceLink& face);

    /// Start asking all drivers at once. Does nothing while drivers of an earlier probe are still starting.
    /// @param domain  whose cache these runners get, so that they can serve it afterwards; most first runs
    ///                are of shipped kernels
    /// @throws EnvironmentError  no runner, or no cache folder
    void begin_probe(const TrustDomain& domain = {Trust::Shipped, ""});

    /// Forget the probe, so that the next begin_probe() asks all drivers again: after any exception but
    /// StopRequested.
    void abandon_probe();

    /// Collect the answers that arrive until then. A driver that crashes or does not answer in time becomes a
    /// failure and does not hide the others.
    /// @return  all that is known; whole once no driver is starting any more
    /// @throws StopRequested, FaceGone
    const DeviceList& collect_by(Deadline deadline);
    /// What is known now.
    const DeviceList& list();

    /// @return  what the last probe found, or nullptr
    const DeviceInfo* find(const std::string& id) const;

    /// A runner with only this device's driver loaded and the device opened: the one that listed the devices,
    /// the standby, or a new one. If the driver admits only one context at a time (GPUs in exclusive mode),
    /// our other runners with a context are ended first, now and before each new runner; their benches take
    /// another when they need one.
    /// @param id           of the last probe
    /// @param environment  further variables for this runner, which is then a new one
    /// @throws EnvironmentError  none can be started
    Answer<std::shared_ptr<RunnerProcess>> take_runner(const std::string& id, const TrustDomain& domain,
                                                       const NamedList<std::string>& environment = {});

    /// Start a standby for this device and domain unless there is one, so that a dead runner's successor is
    /// ready at once. Does not wait. Foreign domains get none, because they end with the run.
    void prepare(const std::string& id, const TrustDomain& domain);

    /// Wait until everything that starts in the background is idle, so that it disturbs no measurement.
    /// @throws StopRequested, FaceGone
    void settle();

    /// Call it now and then during long work. @throws StopRequested, FaceGone
    void checkpoint() { face_.checkpoint(); }

    /// The compiler cache of a domain.
    CompilerCache& cache(const TrustDomain& domain);

    /// Remove the cache of a foreign domain. All its runners must have ended.
    void forget(const TrustDomain& domain);

    /// Sentences on what went wrong in the background since the last call.
    std::vector<std::string> take_warnings();

private:
    struct Entry {
        std::string id;
        std::size_t driver = 0;
        std::uint32_t index = 0;
    };
    struct Driver {
        std::filesystem::path file;             ///< empty: the loader finds drivers by itself
        std::unique_ptr<RunnerProcess> runner;  ///< the one that listed the devices
        Clock::time_point asked_at = {};
        bool admits_one = false;   ///< a second context is refused
        bool is_starting = true;   ///< it has not listed its devices yet
        bool is_confined = false;  ///< the result is in `sandbox`
        std::string sandbox;
        /// Why it cannot list its devices; a clause.
        std::optional<std::string> failure;

        std::string name() const;
    };
    struct Standby {
        std::string id;
        TrustDomain domain;
        std::unique_ptr<RunnerProcess> runner;
        bool is_ready = false;
        bool is_second = false;  ///< the first one died
    };

    JudgeFolder& folder();
    std::unique_ptr<RunnerProcess> start(const Driver& driver, const TrustDomain& domain,
                                         const NamedList<std::string>& environment = {});
    /// Receive the reply to the confinement that was requested at the runner's start.
    std::optional<Failure> receive_confinement(RunnerProcess& runner, std::string& sandbox);
    std::optional<Failure> finish_start(RunnerProcess& runner);
    bool start_standby(Standby& standby);
    std::optional<Failure> finish_standby(Standby& standby);
    Answer<std::shared_ptr<RunnerProcess>> open_runner(const Entry& device, const TrustDomain& domain,
                                                       const NamedList<std::string>& environment);
    bool has_lent(std::size_t driver) const;
    /// @return  true if a live runner held a context of this driver
    bool release_contexts(std::size_t driver);
    std::unique_ptr<RunnerProcess> take_standby(const std::string& id, const TrustDomain& domain);
    /// Receive the confinement, then whatever arrives until the deadline. @return  false: still starting
    bool has_answered_by(Driver& driver, Deadline deadline);
    void collect(std::size_t driver);
    double left_ms(const Driver& driver) const;
    /// Note the unusable drivers and devices of an answer, with reasons.
    void collect_unusable(const DeviceList& found, const std::filesystem::path& file);
    const Entry& entry(const std::string& id) const;
    /// Advice to try without the sandbox, if it is on.
    std::string sandbox_advice() const;

    PoolOptions options_;
    double start_timeout_ms_ = 0;  ///< as it was at the last probe
    FaceLink& face_;
    // In this order: runners end before their folders are removed, and the reaper takes those that do not
    // end.
    Reaper reaper_;
    std::unique_ptr<JudgeFolder> folder_;
    std::map<TrustDomain, std::unique_ptr<CompilerCache>> caches_;
    TrustDomain probed_for_;
    std::vector<Driver> drivers_;
    std::vector<Entry> entries_;
    DeviceList list_;
    std::vector<Standby> standbys_;
    struct Lent {
        std::size_t driver = 0;
        std::weak_ptr<RunnerProcess> runner;
    };
    std::vector<Lent> lent_;
    std::vector<std::string> warnings_;
};

}  // namespace kwb
