#include "source/background_reader.hpp"

#include <utility>

#include "source/read.hpp"

namespace kwb {

BackgroundReader::BackgroundReader(std::function<void()> done)
    : done_(std::move(done)), thread_([this] { run(); }) {}

BackgroundReader::~BackgroundReader() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    asked_.notify_all();
    thread_.join();
}

void BackgroundReader::ask(const std::string& key, SourceText text) {
    {
        const std::lock_guard lock(mutex_);
        if (!keys_.insert(key).second) return;
        waiting_.push_back(std::move(text));
    }
    asked_.notify_all();
}

bool BackgroundReader::take_finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, false);
}

void BackgroundReader::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        asked_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
        if (ends_) return;
        const SourceText text = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        read_source(text);
        lock.lock();
        finished_ = true;
        lock.unlock();
        if (done_) done_();
        lock.lock();
    }
}

}  // namespace kwb
