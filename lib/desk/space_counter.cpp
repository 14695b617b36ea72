// SPDX-License-Identifier: Apache-2.0
#include "desk/space_counter.hpp"

#include <stdexcept>
#include <utility>

#include "base/text.hpp"

namespace kwb {
namespace {

/// Counting more would take seconds, for which the end of the window would have to wait.
constexpr std::uint64_t kMostCounted = 10'000'000;

}  // namespace

std::shared_ptr<const ShownSpace> count_space(TuneKey key, SpaceInput input) {
    auto shown = std::make_shared<ShownSpace>();
    shown->key = std::move(key);
    shown->combinations = 1;
    for (const auto& [name, values] : input.params) {
        shown->combinations *= values.size();
        if (shown->combinations <= kMostCounted) continue;
        shown->error = "More than " + std::to_string(kMostCounted) +
                       " configurations are too many for the window; declare fewer values under [params], or "
                       "use kwb tune.";
        return shown;
    }
    try {
        Space space(std::move(input));
        shown->removing = removing_restrictions(space);
        if (space.size() > 0)
            shown->space = std::make_shared<const Space>(std::move(space));
        else
            shown->error = "No configuration is valid here; choose another size or device.";
    } catch (const std::runtime_error& error) {
        shown->error = error.what();
    }
    return shown;
}

void SpaceCounter::ask(TuneKey key, SpaceInput input) {
    const std::lock_guard lock(mutex_);
    question_ = Question{std::move(key), std::move(input)};
    asked_.notify_all();
}

std::shared_ptr<const ShownSpace> SpaceCounter::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, nullptr);
}

void SpaceCounter::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (asked_.wait(lock, stop, [&] { return question_.has_value(); }) && !stop.stop_requested()) {
        Question question = *std::exchange(question_, std::nullopt);
        lock.unlock();
        auto answer = count_space(std::move(question.key), std::move(question.input));
        lock.lock();
        answer_ = std::move(answer);
        lock.unlock();
        done_();
        lock.lock();
    }
}

}  // namespace kwb
