// SPDX-License-Identifier: Apache-2.0
// Sources of a class that are alike. That they are says nothing about why.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "source/fingerprint.hpp"
#include "source/syntax.hpp"
#include "task/task.hpp"

namespace kwb {

/// The closest first.
enum class Likeness {
    SameText,        ///< byte by byte
    SameNames,       ///< but for names, formatting, comments and macros
    SameStatements,  ///< but also for the order of statements
};

/// "the same but for names and formatting"
std::string to_words(Likeness likeness);

/// What is compared.
struct ComparedSource {
    std::string text_hash;                          ///< of all files
    std::optional<source::Fingerprint> print = {};  ///< nullopt: only the text can be compared
};

struct SimilarSources {
    Likeness likeness;
    std::vector<std::size_t> members;  ///< indices, ascending; at least two
    /// That the teacher did not give; nullopt: unknown, because they could not be read.
    std::optional<std::size_t> statements;
};

/// Groups of equal sources, by their first member. A group of a closer likeness may be part of a larger one.
/// @param sources  nullopt: nothing to compare
/// @param given    the teacher's texts; what consists only of their statements is not compared
std::vector<SimilarSources> find_similar(const std::vector<std::optional<ComparedSource>>& sources,
                                         const std::vector<ComparedSource>& given);

/// Reads sources with the compiler, in this process's own threads, so that a face can stop it. Hostile
/// sources take long: what is not read in time is left out, and short sources are read first.
class SourceReading : public Task {
public:
    SourceReading(std::vector<std::optional<SourceText>> texts, std::chrono::milliseconds most);
    ~SourceReading() override;

    std::optional<Request> next(std::size_t) override { return std::nullopt; }
    void take(std::size_t, const Snapshot&) override {}
    bool waits() const override;
    std::string progress() const override;

    /// In the order of the texts; nullopt: it could not be read, or not in time. Call this when it has ended.
    std::vector<std::optional<source::Fingerprint>> take_prints();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kwb
