// Parses sources in a background thread, for callers that must not block.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "source/text.hpp"

namespace kwb {

class BackgroundReader {
public:
    /// @param done  called in the background thread after each source; recall_source() then returns its
    ///              result
    explicit BackgroundReader(std::function<void()> done);
    /// Waits for the source that is being parsed, at most five seconds.
    ~BackgroundReader();
    BackgroundReader(const BackgroundReader&) = delete;
    BackgroundReader& operator=(const BackgroundReader&) = delete;

    /// Queues a source for parsing, once for each key.
    void ask(const std::string& key, SourceText text);

    /// True if any source was parsed since the last call.
    bool take_finished();

private:
    void run();

    std::function<void()> done_;
    std::mutex mutex_;
    std::condition_variable asked_;
    std::deque<SourceText> waiting_;
    std::set<std::string> keys_;
    bool finished_ = false;
    bool ends_ = false;
    std::thread thread_;  ///< last, because the thread uses all of the above
};

}  // namespace kwb
