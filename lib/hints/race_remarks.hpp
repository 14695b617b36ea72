// Groups races: those with the same remedy become one hint.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hints/local_access.hpp"
#include "hints/report.hpp"
#include "source/syntax.hpp"

namespace kwb::hints {

class RaceRemarks {
public:
    explicit RaceRemarks(const Program& program) : program_(program) {}

    /// @param before, now  accesses that race, in execution order
    void note(const LocalAccess& before, const LocalAccess& now);

    /// Reports everything that was noted.
    void report(Findings& findings) const;

private:
    struct Remark {
        std::int32_t place = kNone;  ///< where it is reported: the first of the later accesses
        std::vector<std::string> arrays;
        std::set<std::uint32_t> lines;  ///< of the earlier accesses
    };

    std::uint32_t line(std::int32_t token) const { return program_.place(token).line; }

    const Program& program_;
    std::set<std::pair<std::int32_t, bool>> reported_;  ///< earlier access; is the later one a store?
    /// Key: whether the later access is a store; the loop that leads back to it; a line.
    std::map<std::tuple<bool, std::int32_t, std::uint32_t>, Remark> remarks_;
};

}  // namespace kwb::hints
