// Where the analyses put what they find.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hints/hints.hpp"

namespace kwb::hints {

using namespace source;  // the tree that the analyses speak of

/// Work that the analyses may still do, so that no source can hold them up.
class Steps {
public:
    explicit Steps(std::size_t steps) : left_(steps) {}

    /// @return  false once they are used up
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
    /// Say `sentence` at a word of the person's own file; words of included files are passed over. One place
    /// has one remark of a kind.
    /// @param kind  a word for the analysis
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
