// The analyses: each looks for one kind of mistake that is often not visible in a run.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hints/values.hpp"
#include "model/result.hpp"

namespace kwb::hints {

/// Collects what the analyses find.
class Findings {
public:
    /// Adds `sentence` for a word in the user's main file; words of included files are ignored. There is at
    /// most one hint of a kind per line.
    /// @param kind  identifies the analysis
    void add(const Place& at, const char* kind, std::string sentence) {
        if (at.own && at.line > 0) hints_.try_emplace({at.line, kind}, std::move(sentence));
    }

    std::vector<Hint> sorted(std::size_t most) const {
        std::vector<Hint> hints;
        for (const auto& [place, sentence] : hints_)
            if (hints.size() < most) hints.push_back({place.first, sentence});
        return hints;
    }

private:
    std::map<std::pair<std::uint32_t, std::string>, std::string> hints_;
};

/// What every analysis of a function works with.
class Analysis {
public:
    Analysis(const Values& values, Findings& findings)
        : values_(values), program_(values.program), steps_(values.steps), findings_(findings) {}

protected:
    const Values& values_;
    const Program& program_;
    Steps& steps_;
    Findings& findings_;
};

/// Functions that call themselves, directly or through others.
void find_recursion(const Program& program, Findings& findings);

/// Barriers that only some work-items of a group reach.
void find_divergent_barriers(const Values& values, Findings& findings);

/// Loops over tiles that end at the number of work-groups or at a constant instead of the problem size.
void find_fixed_tile_loops(const Values& values, const std::vector<std::uint64_t>& sizes, Findings& findings);

/// Guards of two dimensions that are joined by the wrong one of && and ||.
void find_wrong_guards(const Values& values, Findings& findings);

/// Local memory that is read, and private variables that are updated, before anything was stored to them.
void find_unset_memory(const Values& values, Findings& findings);

/// Local memory that one work-item stores and another reads without a barrier in between.
void find_races(const Values& values, Findings& findings);

/// Accesses to local and private arrays that are certainly out of bounds.
void find_overruns(const Values& values, Findings& findings);

}  // namespace kwb::hints
