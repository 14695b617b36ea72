#include "session/session.hpp"

#include "session/worker.hpp"

namespace kwb {

Session::Session(JudgeCommand judge, std::function<void()> on_change)
    : worker_(std::make_unique<Worker>(std::move(judge), std::move(on_change))) {}

Session::~Session() = default;

std::shared_ptr<const Snapshot> Session::snapshot() const {
    return worker_->snapshot();
}

std::uint64_t Session::list_devices() {
    return worker_->submit(ListDevices{});
}

std::uint64_t Session::run(RunRequest request) {
    return worker_->submit(std::move(request));
}

void Session::stop() {
    worker_->stop();
}

}  // namespace kwb
