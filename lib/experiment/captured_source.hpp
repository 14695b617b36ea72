// SPDX-License-Identifier: Apache-2.0
// The source of a captured launch: its headers, build options, types and parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/read_launch.hpp"
#include "model/element.hpp"
#include "model/plan.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// The launch's source, build options and headers, which its #include lines name in quotes.
/// @param missing  receives headers that are not where the options lead
/// @throws BadInput  the source or a header cannot be read
KernelPlan source_plan(const capture::RawLaunch& launch, std::vector<std::string>* missing = nullptr);

/// What the compiler knows about a source; without the compiler, only OpenCL C's own types.
class SourceTypes {
public:
    explicit SourceTypes(const KernelPlan& plan);

    /// Why the source could not be read, a clause; empty: it was.
    const std::string& failure() const { return reading_.failure; }

    std::optional<ElementType> find(std::string_view name) const;
    /// A structure of only numbers; nullptr: another type.
    const source::Record* find_record(std::string_view name) const;
    /// Of "float*".
    std::optional<ElementType> target_of(std::string_view type) const;
    /// The size of what a pointer points to; 1: unknown.
    std::uint64_t target_bytes(std::string_view type) const;
    /// nullopt: there is no such function, or the source could not be parsed.
    std::optional<std::vector<KernelParameter>> parameters_of(std::string_view kernel) const;

private:
    Reading reading_;
};

}  // namespace kwb
