// SPDX-License-Identifier: Apache-2.0
// Finds the valid configurations of a space in the background, because a large one takes a second.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "desk/shown_tuning.hpp"

namespace kwb {

class SpaceCounter {
public:
    /// @param done  called in the background thread after each answer
    explicit SpaceCounter(std::function<void()> done)
        : done_(std::move(done)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

    /// Replaces a question that has not been begun.
    void ask(TuneKey key, SpaceInput input);

    /// @return  the newest answer since the last call; nullptr: there is none
    std::shared_ptr<const ShownSpace> take();

private:
    struct Question {
        TuneKey key;
        SpaceInput input;
    };
    void run(const std::stop_token& stop);

    std::function<void()> done_;
    std::mutex mutex_;
    std::condition_variable_any asked_;
    std::optional<Question> question_;
    std::shared_ptr<const ShownSpace> answer_;
    std::jthread thread_;  ///< last, because the thread uses all of the above
};

/// Does not throw: a space that cannot be counted becomes an error.
std::shared_ptr<const ShownSpace> count_space(TuneKey key, SpaceInput input);

}  // namespace kwb
