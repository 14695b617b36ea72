// SPDX-License-Identifier: Apache-2.0
// Runs the commands of the terminal program in sessions, one at a time in each, with progress display and
// Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/fd.hpp"
#include "options.hpp"
#include "report/documents.hpp"
#include "task/slurm_allocation.hpp"
#include "task/task.hpp"

namespace kwb::cli {

/// Judges on this machine that check at the same time. X-ray and the checks use a core each; a GPU's memory
/// must suffice for all.
std::size_t judges_here();

/// Thrown if Ctrl-C was pressed before there were any results.
struct Interrupted {};

/// Talks to one judge, or to several at different places.
class Conversation {
public:
    /// Waits for allocations, but starts no judge yet. Blocks SIGINT and SIGTERM; they then stop the current
    /// commands.
    /// @throws BadInput the place does not exist, or the settings cannot be read; EnvironmentError: an
    ///                   allocation is refused; Interrupted
    /// @param judges number of judges on this machine, if the options name no place
    explicit Conversation(const JudgeOptions& options, std::size_t judges = 1);

    /// As the constructor does.
    static void block_signals();

    /// Also receive error maps, which only HTML pages show.
    void receive_maps() { receives_maps_ = true; }

    std::size_t places() const { return places_.size(); }
    const JudgePlace& place(std::size_t i = 0) const { return places_[i].judge; }

    /// For messages.
    std::string place_name(std::size_t i) const;
    /// An error at a place, with the place's name.
    std::string at_place(std::size_t i, const std::string& error) const;
    /// The names of all places, for headlines; empty if there is only this machine.
    std::string place_names() const;
    /// @param environments  by place
    std::vector<PlacedEnvironment> placed(std::vector<Environment> environments) const;

    /// The devices of the first place.
    /// @param wanted  once a device matches, does not wait for drivers that are still starting
    /// @throws EnvironmentError  the judge or its runners failed; Interrupted
    DeviceList list_devices(const std::optional<std::string>& wanted = {});

    /// At the first place: see Session::expect_runs().
    void expect_runs(const DeviceInfo& device) { places_.front().session->expect_runs(device.id); }

    /// The device of each place, as choose_device() finds it.
    /// @param is_spread  the work is shared: the devices must be of one kind, and a place that cannot be used
    ///                   is left out, with a message, if there is another one
    /// @throws EnvironmentError, BadInput, Interrupted
    std::vector<DeviceInfo> choose_devices(const std::optional<std::string>& wanted, bool is_spread);

    /// Performs a task at all places at the same time, until it ends, or Ctrl-C.
    /// @param taken  called after each answer, with its place
    void perform(Task& task, const std::function<void(std::size_t place)>& taken = {});

    /// Asks the judge of the first place.
    /// @return the snapshot after it; `stopped` is true if Ctrl-C ended it, and `error` holds the reason of a
    ///          failure
    std::shared_ptr<const Snapshot> ask(Task::Request request);

    /// Waits this long, or until Ctrl-C is pressed.
    void pause(std::chrono::milliseconds time);

    /// True once Ctrl-C was pressed: do not start more commands.
    bool interrupted() const { return interrupted_; }

private:
    struct Place {
        JudgePlace judge;
        std::unique_ptr<Session> session;
        std::uint64_t command = 0;  ///< in progress; 0: none
        bool told_restart = false;  ///< of that command
    };
    using Look = std::function<void(Place&, const Snapshot&)>;

    /// Stop listing devices once this one is found.
    static Look stop_at_device(const std::optional<std::string>& wanted);

    /// The places, with the tasks of an allocation instead of each that is one.
    std::vector<JudgePlace> with_allocations(const std::vector<JudgePlace>& wanted);
    std::uint64_t start(Place& place, Task::Request request);
    /// @param look  called with each snapshot until the command is answered; may be empty
    std::shared_ptr<const Snapshot> wait_for(Place& place, std::uint64_t command, const std::string& headline,
                                             const Look& look = {});
    /// Wait until a command in progress is answered. @return  the places where one is
    std::vector<std::size_t> wait_for_any(const std::function<std::string()>& headline,
                                          const Look& look = {});
    void take_signal();

    Fd changed_;  ///< eventfd, signalled when there is a new snapshot
    Fd signals_;
    bool receives_maps_ = false;
    bool interrupted_ = false;
    std::chrono::steady_clock::time_point interrupted_at_;
    std::vector<std::unique_ptr<SlurmAllocation>> allocations_;  ///< given back after the judges' end
    std::vector<Place> places_;
};

/// The version, the commit that it was built from (if it was built in a clone, with Git), and the OpenCL
/// drivers of this machine, a line for each: what a bug report needs. Starts a judge to find the drivers; if
/// that fails, a line states the reason.
std::string version_text();

}  // namespace kwb::cli
