// SPDX-License-Identifier: Apache-2.0
#include "source/read.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "base/named.hpp"
#include "base/sha256.hpp"
#include "source/builder.hpp"
#include "source/compiler.hpp"

namespace kwb {
namespace {

/// Collects "-DNAME=VALUE", "-D NAME=VALUE" and "-DNAME" (value 1) from build options; does not handle
/// quotes.
void add_option_macros(const std::string& options, NamedList<std::string>& macros) {
    std::istringstream words(options);
    for (std::string word; words >> word;) {
        if (!word.starts_with("-D")) continue;
        if (word == "-D" && !(words >> word)) return;
        if (word.starts_with("-D")) word.erase(0, 2);
        const std::size_t equals = word.find('=');
        macros.push_back(
            {word.substr(0, equals), equals == std::string::npos ? "1" : word.substr(equals + 1)});
    }
}

constexpr std::size_t kMostRemembered = 64;

Reading ask(const std::string& compiler, const SourceText& text, const std::stop_token& stop) {
    const source::CompilerAnswer answer = source::read_syntax_tree(compiler, text, {}, stop);
    if (!answer.failure.empty()) return {nullptr, answer.failure};
    if (answer.output.empty()) return {nullptr, "the compiler printed no syntax tree"};
    std::optional<source::Program> program = source::build_program(text, answer);
    if (!program) return {nullptr, "its syntax tree is too large, too deep or truncated"};
    return {std::make_shared<const source::Program>(std::move(*program)), ""};
}

/// Hash of everything that affects the result, each part with its length, so that different inputs cannot
/// produce the same text.
std::string key_of(const std::string& compiler, const SourceText& text) {
    std::string all;
    const auto add = [&](const std::string& part) { all += std::to_string(part.size()) + ':' + part; };
    add(compiler);
    add(text.text);
    for (const auto* list : {&text.includes, &text.macros}) {
        add(std::to_string(list->size()));
        for (const auto& [name, value] : *list) add(name), add(value);
    }
    add(text.options);
    return sha256_hex(all);
}

/// The most recent results. A result depends only on its key, so a cached one equals a new one. A stopped
/// reading has none.
struct Memory {
    using Future = std::shared_future<std::optional<Reading>>;
    std::mutex mutex;
    NamedList<Future> readings;
};

Memory& memory() {
    static Memory memory;
    return memory;
}

/// A reading of one key in progress. Without a call of keep() it is discarded, and a caller that waits for it
/// starts another.
class Unfinished {
public:
    /// Requires the memory's mutex.
    explicit Unfinished(std::string key) : key_(std::move(key)) {
        auto& readings = memory().readings;
        readings.push_back({key_, promise_.get_future().share()});
        if (readings.size() > kMostRemembered) readings.erase(readings.begin());
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished() {
        if (kept_) return;
        auto& [mutex, readings] = memory();
        const std::lock_guard lock(mutex);
        std::erase_if(readings, [&](const auto& known) { return known.name == key_; });
        promise_.set_value(std::nullopt);
    }

    void keep(const Reading& reading) {
        promise_.set_value(reading);
        kept_ = true;
    }

private:
    std::string key_;
    std::promise<std::optional<Reading>> promise_;
    bool kept_ = false;
};

/// Waits for another caller's reading; nothing if that caller was stopped, or this one is.
std::optional<Reading> wait_for(const Memory::Future& reading, const std::stop_token& stop) {
    while (reading.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
        if (stop.stop_requested()) return std::nullopt;
    return reading.get();
}

}  // namespace

SourceText source_text_of(const KernelPlan& plan) {
    SourceText source{plan.source_text, plan.includes, {}, plan.build_options};
    add_option_macros(plan.build_options, source.macros);
    for (const auto& define : plan.defines) source.macros.push_back(define);
    return source;
}

Reading read_source(const SourceText& text, const std::stop_token& stop) {
    const auto compiler = source::find_compiler();
    if (!compiler) return {nullptr, source::explain_missing_compiler()};
    const std::string key = key_of(*compiler, text);
    auto& [mutex, readings] = memory();
    while (true) {
        std::unique_lock lock(mutex);
        if (const Memory::Future* const known = find_named(readings, key)) {
            const Memory::Future future = *known;
            lock.unlock();
            if (const auto reading = wait_for(future, stop)) return *reading;
            if (stop.stop_requested()) return {nullptr, source::kStopped};
            continue;
        }
        Unfinished unfinished(key);
        lock.unlock();
        Reading reading = ask(*compiler, text, stop);
        if (reading.program || !stop.stop_requested()) unfinished.keep(reading);
        return reading;
    }
}

Reading recall_source(const SourceText& text) {
    const auto compiler = source::find_compiler();
    if (!compiler) return {nullptr, source::explain_missing_compiler()};
    const std::string key = key_of(*compiler, text);
    auto& [mutex, readings] = memory();
    const std::lock_guard lock(mutex);
    const Memory::Future* const known = find_named(readings, key);
    if (known == nullptr || known->wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    return known->get().value_or(Reading{});
}

void BackgroundReader::ask(const std::string& key, SourceText text) {
    const std::lock_guard lock(mutex_);
    if (!keys_.insert(key).second) return;
    waiting_.push_back(std::move(text));
    asked_.notify_all();
}

bool BackgroundReader::take_finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, false);
}

void BackgroundReader::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (asked_.wait(lock, stop, [&] { return !waiting_.empty(); }) && !stop.stop_requested()) {
        const SourceText text = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        read_source(text, stop);
        lock.lock();
        finished_ = true;
        lock.unlock();
        if (done_) done_();
        lock.lock();
    }
}

}  // namespace kwb
