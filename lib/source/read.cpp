#include "source/read.hpp"

#include <chrono>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "base/sha256.hpp"
#include "source/compiler.hpp"
#include "source/tree.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostRemembered = 64;

Reading ask(const std::string& compiler, const SourceText& text, const std::stop_token& stop) {
    const source::CompilerAnswer answer = source::run_compiler(compiler, text, {}, stop);
    if (!answer.failure.empty()) return {nullptr, answer.failure};
    std::optional<source::Program> program = source::build_program(text, answer);
    if (!program) return {nullptr, "its syntax tree is too large, too deep or cut off"};
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

/// The most recent results. A result depends only on its key, so a cached one equals a new one.
class Memory {
public:
    std::optional<std::shared_future<Reading>> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, reading] : readings_)
            if (known == key) return reading;
        return std::nullopt;
    }

    /// @return  the future result; for the first caller also the promise, which it must fulfil
    std::pair<std::shared_future<Reading>, std::optional<std::promise<Reading>>> claim(
        const std::string& key) {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, reading] : readings_)
            if (known == key) return {reading, std::nullopt};
        std::promise<Reading> promise;
        readings_.emplace_back(key, promise.get_future().share());
        if (readings_.size() > kMostRemembered) readings_.pop_front();
        return {readings_.back().second, std::move(promise)};
    }

    void forget(const std::string& key) {
        const std::lock_guard lock(mutex_);
        std::erase_if(readings_, [&](const auto& known) { return known.first == key; });
    }

private:
    std::mutex mutex_;
    std::deque<std::pair<std::string, std::shared_future<Reading>>> readings_;
};

Memory& memory() {
    static Memory memory;
    return memory;
}

}  // namespace

Reading read_source(const SourceText& text, const std::stop_token& stop) {
    const auto compiler = source::find_compiler();
    if (!compiler) return {nullptr, source::explain_missing_compiler()};
    const std::string key = key_of(*compiler, text);
    auto [reading, promise] = memory().claim(key);
    if (promise) {
        promise->set_value(ask(*compiler, text, stop));
        if (stop.stop_requested()) memory().forget(key);
    }
    return reading.get();
}

Reading recall_source(const SourceText& text) {
    const auto compiler = source::find_compiler();
    if (!compiler) return {nullptr, source::explain_missing_compiler()};
    const auto known = memory().find(key_of(*compiler, text));
    if (!known || known->wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    return known->get();
}

}  // namespace kwb
