// Reads sources on a thread of its own, for those who must not wait.
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
    /// @param done  called on the reader's thread after each source; recall_source() then knows it
    explicit BackgroundReader(std::function<void()> done);
    /// Waits for the source that is being read, five seconds at most.
    ~BackgroundReader();
    BackgroundReader(const BackgroundReader&) = delete;
    BackgroundReader& operator=(const BackgroundReader&) = delete;

    /// Have a source read, once for each key.
    void ask(const std::string& key, SourceText text);

    /// True if any source has been read since this was last asked.
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
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace kwb
