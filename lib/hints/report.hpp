// Collects the findings of the analyses.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hints/hints.hpp"

namespace kwb::hints {

using namespace source;  // the syntax tree that the analyses use

/// The remaining work budget of the analyses, so that no source can block them.
class Steps {
public:
    explicit Steps(std::size_t steps) : left_(steps) {}

    /// @return  false once the budget is used up
    bool take(std::size_t steps = 1) {
        left_ = steps < left_ ? left_ - steps : 0;
        return left_ > 0;
    }
    bool used_up() const { return left_ == 0; }

private:
    std::size_t left_;
};

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

}  // namespace kwb::hints
