// A desk over a judge of the test's choice, and a way to wait for its state without sleeping.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "desk/desk.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {

class WatchedDesk {
public:
    /// @param options  as for the desk; files of the desk's own belong into folder()
    explicit WatchedDesk(DeskOptions options);

    Desk& operator*() { return *desk_; }
    Desk* operator->() { return desk_.get(); }
    const DeskState& state() const { return desk_->state(); }

    /// Update the desk until `holds` is true of its state.
    /// @throws std::runtime_error after half a minute
    void wait_until(const std::function<bool(const DeskState&)>& holds);

    /// Devices are known, and nothing runs or is about to.
    void wait_for_rest();

    /// End the desk before the object does.
    void end() { desk_.reset(); }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool woken_ = false;
    std::unique_ptr<Desk> desk_;  ///< last: its threads use the above
};

}  // namespace kwb::test
