// All drivers of this machine, each asked in a process of its own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/domain.hpp"
#include "judge/processes/compiler_cache.hpp"
#include "judge/processes/runner_process.hpp"
#include "model/device_info.hpp"

namespace kwb {

/// Files with a driver's name, as the ICD loader would find them.
/// @param setting  $OCL_ICD_VENDORS: a folder, or one file; null: the system's folder
/// @return  sorted paths; empty if there are none (the loader may know other ways)
std::vector<std::filesystem::path> find_driver_files(const char* setting);

struct PoolOptions {
    std::string runner_program;  ///< path of kwb-runner
    bool sandbox = true;         ///< false: --no-sandbox
};

/// How long a driver may take until it has listed or opened its devices. GPU servers without persistence
/// mode, or with eight GPUs, take some 5 to 20 s.
/// @param setting  $KWB_DRIVER_WAIT, in seconds; null or empty: 60
/// @throws EnvironmentError  no number of seconds from 1 to 3600
double driver_wait_ms(const char* setting);

/// Drivers, their devices, and runners for them: confined, each with a temporary folder of its own, and with
/// the compiler cache of its domain.
class DevicePool {
public:
    DevicePool(PoolOptions options, FaceLink& face);

    /// Ask every driver, all at once; or go on with those that are still starting since the last call.
    /// Forgets no device that is known in the latter case.
    /// @param domain  whose cache the runners asked get, so that they can serve it afterwards; shipped
    ///                kernels are what most first runs are about
    /// @throws EnvironmentError  no runner, or no cache folder
    void begin_probe(const Domain& domain = {Trust::Shipped, ""});

    /// After it has thrown anything but StopRequested: the next begin_probe() asks all drivers anew.
    void abandon_probe();

    /// Take the answers that come until then. A driver that crashes, or does not answer within the time that
    /// drivers have to start, becomes a failure and hides no other.
    /// @return  all that is known; whole if no driver is starting any more
    /// @throws StopRequested, FaceGone
    const DeviceList& collect_by(Deadline deadline);
    /// What is known now.
    const DeviceList& list();

    /// @return  what the last probe found, or nullptr
    const DeviceInfo* find(const std::string& id) const;

    /// A runner with the device's driver and nothing else loaded, the device opened: the one that was asked
    /// for its devices, the standby, or a new one. Where the driver refuses because it admits one context at
    /// a time (GPUs in exclusive mode), every other runner of ours that holds one is ended first, and from
    /// then on before each new one: whoever had it takes another when it needs one.
    /// @param id           of the last probe
    /// @param environment  what this runner needs besides; it is then a new one
    /// @throws EnvironmentError  none can be started
    Answer<std::shared_ptr<RunnerProcess>> take_runner(const std::string& id, const Domain& domain,
                                                       const NamedList<std::string>& environment = {});

    /// Start a standby for this device and domain, unless there is one: after a death its successor is there
    /// at once. Does not wait for it. None for strangers, whose domain ends with the run.
    void prepare(const std::string& id, const Domain& domain);

    /// Wait until whatever starts up in the background is idle, so that it disturbs no measurement.
    /// @throws StopRequested, FaceGone
    void settle();

    /// Called now and then during long work. @throws StopRequested, FaceGone
    void checkpoint() { face_.checkpoint(); }

    /// The compiler cache of a domain.
    CompilerCache& cache(const Domain& domain);

    /// No more kernels of this stranger come: its cache is removed. All its runners must have ended.
    void forget(const Domain& domain);

    /// Sentences on what went wrong in the background since the last call.
    std::vector<std::string> take_warnings();

private:
    struct Entry {
        std::string id;
        std::size_t driver = 0;
        std::uint32_t index = 0;
    };
    struct Driver {
        std::filesystem::path file;             ///< empty: whatever the loader finds by itself
        std::unique_ptr<RunnerProcess> runner;  ///< that was asked for its devices
        Clock::time_point asked_at = {};
        bool admits_one = false;   ///< a second context is refused
        bool is_starting = true;   ///< it has not listed its devices yet
        bool is_confined = false;  ///< what came of it stands in `sandbox`
        std::string sandbox;
        /// Why it cannot list its devices; a clause.
        std::optional<std::string> failure;

        std::string name() const;
    };
    struct Standby {
        std::string id;
        Domain domain;
        std::unique_ptr<RunnerProcess> runner;
        bool is_ready = false;
        bool is_second = false;  ///< the first one died
    };

    JudgeFolder& folder();
    std::unique_ptr<RunnerProcess> start(const Driver& driver, const Domain& domain,
                                         const NamedList<std::string>& environment = {});
    /// What came of the confinement, which was asked for when the runner was started.
    std::optional<Loss> receive_confinement(RunnerProcess& runner, std::string& sandbox);
    std::optional<Loss> finish_start(RunnerProcess& runner);
    bool start_standby(Standby& standby);
    std::optional<Loss> finish_standby(Standby& standby);
    Answer<std::shared_ptr<RunnerProcess>> open_runner(const Entry& device, const Domain& domain,
                                                       const NamedList<std::string>& environment);
    bool has_lent(std::size_t driver) const;
    /// @return  true if a runner that was alive held a context of this driver
    bool release_contexts(std::size_t driver);
    std::unique_ptr<RunnerProcess> take_standby(const std::string& id, const Domain& domain);
    /// Confined, then anything else that came until then. @return  false: still starting
    bool has_answered_by(Driver& driver, Deadline deadline);
    void collect(std::size_t driver);
    double left_ms(const Driver& driver) const;
    /// The drivers and devices of an answer that cannot be used, and why.
    void collect_unusable(const DeviceList& found, const std::filesystem::path& file);
    const Entry& entry(const std::string& id) const;
    /// The advice to try without a sandbox, where there is one.
    std::string sandbox_advice() const;

    PoolOptions options_;
    double start_timeout_ms_ = 0;  ///< as it was at the last probe
    FaceLink& face_;
    // In this order: runners end before their folders go, and what does not end is left to the graveyard.
    Graveyard graves_;
    std::unique_ptr<JudgeFolder> folder_;
    std::map<Domain, std::unique_ptr<CompilerCache>> caches_;
    Domain probed_for_;
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
