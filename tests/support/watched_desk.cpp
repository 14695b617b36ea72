// SPDX-License-Identifier: Apache-2.0
#include "support/watched_desk.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "support/patience.hpp"

namespace kwb::test {

WatchedDesk::WatchedDesk(DeskOptions options) {
    ::signal(SIGPIPE, SIG_IGN);
    desk_ = std::make_unique<Desk>(std::move(options), [this] {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        changed_.notify_all();
    });
}

void WatchedDesk::wait_until(const std::function<bool(const DeskState&)>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            woken_ = false;
        }
        desk_->update();
        if (holds(desk_->state())) return;
        std::unique_lock lock(mutex_);
        // As the window does, look again when the desk has something to do.
        const auto until = std::min(end, desk_->due().value_or(end));
        if (!changed_.wait_until(lock, until, [&] { return woken_; }) && until == end)
            throw std::runtime_error("the desk did not come to the state that was waited for");
    }
}

void WatchedDesk::wait_for_rest() {
    wait_until([&](const DeskState& state) {
        return state.session->answered > 0 && !state.is_busy && !state.is_running();
    });
}

}  // namespace kwb::test
