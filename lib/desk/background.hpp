// SPDX-License-Identifier: Apache-2.0
// Work in a thread that a task of the desk starts and waits for.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

namespace kwb {

/// Its end is polled: a task waits() until is_done(). The destructor requests a stop and joins. The work must
/// not throw.
template <class Result>
class Background {
public:
    explicit Background(std::function<Result(const std::stop_token&)> work)
        : thread_([this, work = std::move(work)](const std::stop_token& stop) {
              result_ = work(stop);
              is_done_ = true;
          }) {}

    bool is_done() const { return is_done_; }
    /// Once is_done().
    const Result& result() const { return result_; }

private:
    Result result_;
    std::atomic<bool> is_done_ = false;
    std::jthread thread_;  ///< last, because the thread uses the others
};

}  // namespace kwb
