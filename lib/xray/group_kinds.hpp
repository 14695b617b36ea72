// SPDX-License-Identifier: Apache-2.0
// Decides which work-groups of a launch represent which others, if not all are observed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xray/observer.hpp"

namespace kwb::xray {

/// Groups by position: first, inner or last in each dimension. Guards and borders act at the edges of a
/// launch, so groups of one kind mostly do the same, and those of different kinds may differ. (Stratified
/// sampling: W. G. Cochran, Sampling Techniques, 3rd ed., 1977, chapter 5.)
class GroupKinds {
public:
    static constexpr std::uint32_t kKinds = 27;

    GroupKinds() = default;
    explicit GroupKinds(const Geometry& geometry);

    std::uint32_t kind_of(std::uint64_t group) const;
    /// Records that a group was observed.
    void observe(std::uint64_t group) { ++observed_[kind_of(group)]; }

    const Geometry& geometry() const { return geometry_; }
    std::uint64_t groups() const { return geometry_.group_count(); }
    std::uint64_t observed() const;
    std::uint64_t observed(std::uint32_t kind) const { return observed_[kind]; }

    /// True if groups of every kind were observed.
    bool has_all_kinds() const;
    /// The kind whose counts represent groups of this kind: itself, or the nearest observed kind.
    /// At least one group must have been observed.
    std::uint32_t stand_in(std::uint32_t kind) const;
    /// The number of groups that each observed group of this kind represents; 0: none was observed.
    double weight(std::uint32_t kind) const;

    /// The groups of a kind: [first, last) in each dimension; empty if there are none.
    struct Range {
        std::array<std::uint64_t, 3> first{};
        std::array<std::uint64_t, 3> last{};
        std::uint64_t groups() const {
            return (last[0] - first[0]) * (last[1] - first[1]) * (last[2] - first[2]);
        }
    };
    Range range(std::uint32_t kind) const;

private:
    Geometry geometry_;
    std::array<std::uint64_t, kKinds> observed_{};
};

/// Groups to observe after group 0, the most informative first: its neighbours and those of an inner group,
/// which show how addresses grow from group to group; the last one; one of each kind; then others, spread
/// evenly in all dimensions (J. H. Halton's sequence, 1960).
/// @param most  maximum number of groups
std::vector<std::uint64_t> sample_groups(const Geometry& geometry, std::uint64_t most);

}  // namespace kwb::xray
