// SPDX-License-Identifier: Apache-2.0
// The configurations that a tuner may try: all combinations of parameter values that meet every restriction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/expression.hpp"
#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// A condition that a configuration must meet, and how many do not.
struct Restriction {
    std::string name;   ///< for the user: "[require] fits", "work-groups too large for the device"
    Written condition;  ///< over parameters and the names of SpaceInput
    /// Not written by the user: if it cannot be evaluated, it counts as met, and make_kernel_plan() reports
    /// why.
    bool is_limit = false;
    std::uint64_t removed = 0;  ///< combinations, see Space
};

/// The parts of a space.
struct SpaceInput {
    std::string file;  ///< that the conditions refer to, for messages
    ParamSpace params;
    std::vector<Restriction> restrictions;
    Scope scope;                 ///< sizes and device
    NamedList<Written> derived;  ///< further names, each over parameters, `scope` and the names before it
};

/// The parameters and restrictions of a kernel: its [require], the --local that the user chose, and what the
/// device allows for work-groups. Where these depend on more than parameters, sizes and device (a launch with
/// counters), they are left to make_kernel_plan().
/// @param choices  params: of each parameter, the values to try, separated by commas; others have all values
///                 of the file
/// @throws BadInput  unknown parameter or value, an empty list, or a kernel without parameters
SpaceInput space_of(const KernelFile& file, const ProblemInstance& problem, const DeviceInfo& device,
                    const KernelChoices& choices);

class Space {
public:
    /// Finds the valid configurations. The last parameter changes fastest, so that the first configuration is
    /// the file's default, if it is valid. A restriction is evaluated as soon as the last of its parameters
    /// has a value, and only once for each combination of the values that it depends on; a combination
    /// counts as removed by the first restriction, in this order, that it does not meet.
    /// @throws BadInput  with the place: a restriction names something unknown or cannot be evaluated; or the
    ///                   space is too large
    explicit Space(SpaceInput input);

    const ParamSpace& params() const { return params_; }
    std::uint64_t combinations() const { return combinations_; }
    const std::vector<Restriction>& restrictions() const { return restrictions_; }

    /// How many configurations are valid.
    std::size_t size() const { return indices_.size() / params_.size(); }

    /// The index of each parameter's value. @param i below size()
    std::span<const std::uint16_t> indices(std::size_t i) const {
        return std::span(indices_).subspan(i * params_.size(), params_.size());
    }
    ParamChoice at(std::size_t i) const;

    /// @param choice  in any order
    /// @return  nullopt: no such configuration is valid
    std::optional<std::size_t> find(const ParamChoice& choice) const;
    /// @param indices  of each parameter the index of its value
    std::optional<std::size_t> find(std::span<const std::uint16_t> indices) const;

private:
    class Search;

    ParamSpace params_;
    std::vector<Restriction> restrictions_;
    std::uint64_t combinations_ = 1;
    std::vector<std::uint16_t> indices_;  ///< of all configurations in a row
};

/// The restrictions that remove something; limits of the same name, which launches and dimensions share, are
/// one.
std::vector<Restriction> removing_restrictions(const Space& space);

}  // namespace kwb
