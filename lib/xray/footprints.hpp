// SPDX-License-Identifier: Apache-2.0
// What the groups of a launch access at one place of the source, from those that were observed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "xray/group_kinds.hpp"
#include "xray/memory.hpp"

namespace kwb::xray {

/// Neighbouring elements of a region that are accessed equally often.
struct Run {
    std::uint64_t first = 0;
    std::uint64_t length = 0;
    std::uint64_t count = 0;

    friend bool operator==(const Run&, const Run&) = default;
};

/// The observed groups are even if those of a kind access the same elements, moved by a constant step from
/// group to group in each dimension: then what the others access is known, too.
class Footprints {
public:
    /// @param runs  of a group, in ascending order; not empty
    void add(std::uint64_t group, std::uint32_t kind, std::vector<Run> runs);

    /// The steps in elements from group to group in each dimension, 0 where no step is needed.
    /// @return  nullopt: the groups are not even, or too few were observed to decide
    using Steps = std::array<std::int64_t, 3>;
    std::optional<Steps> find_steps(const GroupKinds& kinds) const;
    /// Whether nothing speaks for a kind without observed groups to differ: there is none, or those of all
    /// others access the same elements but for the steps.
    bool is_known(const GroupKinds& kinds, const Steps& steps) const;

    /// How many changes add_all() makes.
    std::uint64_t cost(const GroupKinds& kinds, const Steps& steps) const;
    /// Adds what all groups of the launch access to `changes`: the difference of each element's count from
    /// the one before it. Elements beyond the end are left out.
    void add_all(const GroupKinds& kinds, const Steps& steps, LazyArray<std::int64_t>& changes) const;

private:
    static constexpr std::size_t kMostShapes = 64;

    struct Seen {
        std::uint64_t group = 0;
        std::uint32_t kind = 0;
        std::uint32_t shape = 0;
        std::uint64_t first = 0;
    };
    const Seen* find_seen(std::uint32_t kind) const;

    std::vector<std::vector<Run>> shapes_;  ///< counted from the first element
    std::vector<Seen> seen_;
    bool has_too_many_shapes_ = false;
};

}  // namespace kwb::xray
