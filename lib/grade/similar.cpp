// SPDX-License-Identifier: Apache-2.0
#include "grade/similar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <stop_token>
#include <thread>
#include <utility>

#include "source/read.hpp"

namespace kwb {
namespace {

/// A key that equal sources share.
using Key = std::pair<std::string, std::uint64_t>;

std::optional<Key> key_of(const ComparedSource& source, Likeness likeness) {
    if (likeness == Likeness::SameText) return Key{source.text_hash, 0};
    if (!source.print) return std::nullopt;
    return Key{"", likeness == Likeness::SameNames ? source.print->ordered : source.print->unordered};
}

/// The statements of all given texts, ascending.
std::vector<std::uint64_t> statements_of(const std::vector<ComparedSource>& given) {
    std::vector<std::uint64_t> all;
    for (const ComparedSource& each : given)
        if (each.print) all.insert(all.end(), each.print->statements.begin(), each.print->statements.end());
    std::ranges::sort(all);
    return all;
}

}  // namespace

std::string to_words(Likeness likeness) {
    switch (likeness) {
        case Likeness::SameText:
            return "the same text";
        case Likeness::SameNames:
            return "the same but for names and formatting";
        case Likeness::SameStatements:
            return "the same statements in another order";
    }
    return "";
}

std::vector<SimilarSources> find_similar(const std::vector<std::optional<ComparedSource>>& sources,
                                         const std::vector<ComparedSource>& given) {
    const std::vector<std::uint64_t> given_statements = statements_of(given);
    std::vector<std::optional<std::size_t>> statements(sources.size());
    std::vector<std::size_t> compared;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!sources[i] ||
            std::ranges::find(given, sources[i]->text_hash, &ComparedSource::text_hash) != given.end())
            continue;
        if (sources[i]->print) statements[i] = count_own_statements(*sources[i]->print, given_statements);
        if (statements[i] != 0) compared.push_back(i);
    }
    std::vector<SimilarSources> found;
    for (const Likeness likeness : {Likeness::SameText, Likeness::SameNames, Likeness::SameStatements}) {
        std::map<Key, std::vector<std::size_t>> groups;
        for (const std::size_t i : compared)
            if (auto key = key_of(*sources[i], likeness)) groups[std::move(*key)].push_back(i);
        for (const auto& group : groups) {
            const std::vector<std::size_t>& members = group.second;
            // A group that is even closer is there already.
            const auto closer = static_cast<Likeness>(static_cast<int>(likeness) - 1);
            const bool is_closer =
                likeness != Likeness::SameText && std::ranges::all_of(members, [&](std::size_t i) {
                    return key_of(*sources[i], closer) == key_of(*sources[members.front()], closer);
                });
            if (members.size() > 1 && !is_closer)
                found.push_back({likeness, members, statements[members.front()]});
        }
    }
    std::ranges::stable_sort(found, {}, [](const SimilarSources& group) { return group.members.front(); });
    return found;
}

struct SourceReading::State {
    std::vector<std::optional<SourceText>> texts;
    std::chrono::steady_clock::time_point end;
    std::vector<std::size_t> order;  ///< in which they are read
    std::vector<std::optional<source::Fingerprint>> prints;
    std::atomic<std::size_t> begun = 0, ended = 0, at_work = 0;
    std::vector<std::jthread> threads;  ///< last, because they use all of the above

    void read(const std::stop_token& stop) {
        for (std::size_t i = 0; (i = begun++) < order.size();) {
            if (std::chrono::steady_clock::now() >= end || stop.stop_requested()) return;
            const Reading reading = read_source(*texts[order[i]], stop);
            if (reading.program) prints[order[i]] = source::fingerprint_of(*reading.program);
            ++ended;
        }
    }
};

SourceReading::SourceReading(std::vector<std::optional<SourceText>> texts, std::chrono::milliseconds most)
    : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.texts = std::move(texts);
    state.end = std::chrono::steady_clock::now() + most;
    state.prints.resize(state.texts.size());
    for (std::size_t i = 0; i < state.texts.size(); ++i)
        if (state.texts[i]) state.order.push_back(i);
    std::ranges::stable_sort(state.order, {}, [&](std::size_t i) { return state.texts[i]->text.size(); });
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    state.at_work = std::min(threads, state.order.size());
    for (std::size_t i = state.at_work; i > 0; --i)
        state.threads.emplace_back([&state](const std::stop_token& stop) {
            state.read(stop);
            --state.at_work;
        });
}

SourceReading::~SourceReading() = default;

bool SourceReading::waits() const {
    return state_->at_work > 0;
}

std::string SourceReading::progress() const {
    return fmt::format("{} of {} sources read", state_->ended.load(), state_->order.size());
}

std::vector<std::optional<source::Fingerprint>> SourceReading::take_prints() {
    state_->threads.clear();
    return std::move(state_->prints);
}

}  // namespace kwb
