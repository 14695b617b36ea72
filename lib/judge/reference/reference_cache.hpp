// References outlive runners and, for the same size and seed, requests.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "judge/reference/reference.hpp"

namespace kwb {

class ReferenceCache {
public:
    /// Both passes of one problem, size and seed are kept, or one if they are very large; asking for another
    /// forgets them. The reference stays valid until then.
    const PassData& get(const ReferenceSolver& solver, const ProblemInstance& instance, Pass pass,
                        std::uint64_t seed, const Checkpoint& checkpoint);

private:
    std::string key_;
    std::map<Pass, PassData> passes_;
};

}  // namespace kwb
