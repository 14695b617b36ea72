// SPDX-License-Identifier: Apache-2.0
// A desk with a judge chosen by the test, and a way to wait for its state without sleeping.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "desk/desk.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {

/// Replaces all choices.
inline command::Edit to_choices(Experiment choices) {
    return {[choices = std::move(choices)](Experiment& all) { all = choices; }};
}

class WatchedDesk {
public:
    /// @param options  as for Desk
    explicit WatchedDesk(DeskOptions options);

    Desk& operator*() { return *desk_; }
    Desk* operator->() { return desk_.get(); }
    const DeskState& state() const { return desk_->state(); }

    /// Update the desk until `holds` returns true for its state.
    /// @throws std::runtime_error after two minutes, which only a hang takes
    void wait_until(const std::function<bool(const DeskState&)>& holds);

    /// Wait until the devices are known and no run is in progress or pending.
    void wait_for_rest();

    /// Destroy the desk now, before the object's end.
    void end() { desk_.reset(); }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
    std::unique_ptr<Desk> desk_;  ///< declared last because its threads use the members above
};

}  // namespace kwb::test
