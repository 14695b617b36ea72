// SPDX-License-Identifier: Apache-2.0
// The only parser of OpenCL C: returns the compiler's syntax tree of a source.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "model/plan.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// A kernel's source with its included files, macros and build options.
SourceText source_text_of(const KernelPlan& plan);

/// The result of parsing a source.
struct Reading {
    std::shared_ptr<const source::Program> program;  ///< null if the source could not be parsed
    std::string failure;                             ///< the reason, as a clause
};

/// Runs the compiler, or returns the cached result: the compiler runs once for each combination of source,
/// included files, macros and compiler. Starts a process for about 65 ms (at most five seconds), so do not
/// call this in the UI thread. Thread-safe. Never throws because of the text.
/// @param stop  ends the compiler early; that failure is not cached, and other callers that wait for the same
///              source ask again
Reading read_source(const SourceText& text, const std::stop_token& stop = {});

/// The cached result; does not run the compiler. @return  neither program nor failure if there is none yet
Reading recall_source(const SourceText& text);

/// Parses sources in a background thread, for callers that must not block.
class BackgroundReader {
public:
    /// @param done  called in the background thread after each source; recall_source() then returns its
    ///              result
    explicit BackgroundReader(std::function<void()> done)
        : done_(std::move(done)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

    /// Queues a source for parsing, once for each key.
    void ask(const std::string& key, SourceText text);

    /// True if any source was parsed since the last call.
    bool take_finished();

private:
    void run(const std::stop_token& stop);

    std::function<void()> done_;
    std::mutex mutex_;
    std::condition_variable_any asked_;
    std::deque<SourceText> waiting_;
    std::set<std::string> keys_;
    bool finished_ = false;
    std::jthread thread_;  ///< last, because the thread uses all of the above; its end stops the reading
};

}  // namespace kwb
