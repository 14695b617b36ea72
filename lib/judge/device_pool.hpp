// All drivers of this machine, each asked in a process of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/domain.hpp"
#include "judge/runner_process.hpp"
#include "model/device_info.hpp"

namespace kwb {

/// Files with a driver's name, as the ICD loader would find them.
/// @param setting  $OCL_ICD_VENDORS: a folder, or one file; null: the system's folder
/// @return  sorted paths; empty if there are none (the loader may know other ways)
std::vector<std::filesystem::path> find_driver_files(const char* setting);

class DevicePool {
public:
    /// @param runner_program  path of kwb-runner
    DevicePool(std::string runner_program, FaceLink& face);

    /// Ask every driver, all at once; a driver that crashes or hangs becomes a failure and hides no other.
    /// @throws EnvironmentError  no runner, or no cache folder
    const DeviceList& probe();

    /// @return  what the last probe() knows, or nullptr
    const DeviceInfo* find(const std::string& id) const;

    /// A runner with the device's driver and nothing else loaded; the one that was asked, if it is still
    /// there.
    /// @param id           of the last probe()
    /// @param environment  what this runner needs besides; it is then a new one
    /// @throws EnvironmentError  none can be started
    std::unique_ptr<RunnerProcess> take_runner(const std::string& id, const Domain& domain,
                                               const NamedList<std::string>& environment = {});

    /// Wait until whatever starts up in the background is idle, so that it disturbs no measurement.
    /// @throws StopRequested, FaceGone
    void settle() {}

    /// The device's number within its runner.
    std::uint32_t index_of(const std::string& id) const;

private:
    struct Entry {
        std::string id;
        std::size_t driver = 0;
        std::uint32_t index = 0;
    };
    struct Driver {
        std::filesystem::path file;  ///< empty: whatever the loader finds by itself
        std::unique_ptr<RunnerProcess> runner;
    };

    std::unique_ptr<RunnerProcess> start(const Driver& driver,
                                         const NamedList<std::string>& environment = {});
    void collect(std::size_t driver);
    const Entry& entry(const std::string& id) const;

    std::string runner_program_;
    FaceLink& face_;
    std::vector<Driver> drivers_;
    std::vector<Entry> entries_;
    DeviceList list_;
};

}  // namespace kwb
