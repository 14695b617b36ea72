// SPDX-License-Identifier: Apache-2.0
// What kwb debug tells about a wrong element, about undefined behaviour, and where to look for its cause.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"
#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb::debug {

/// The texts of the kernel's files, its own one without a name.
NamedList<std::string> sources_of(const KernelPlan& plan);

/// Where a wrong element is in its buffer.
struct ElementPlace {
    std::vector<std::uint64_t> index;
    std::uint64_t element = 0;  ///< row-major
    std::uint64_t offset = 0;   ///< bytes: that of a vector's component
    std::string name;           ///< "C[3][5]", "Y[2].x"
};
ElementPlace place_of(const WrongElement& wrong, const BufferSpec& buffer);

/// What is wrong, and who has stored it.
/// @param launch  that is recorded, an index in XrayReport::launches
std::string wrong_text(const WrongElement& wrong, const ElementPlace& place, const XrayReport& report,
                       std::uint32_t launch, const std::string& size);

/// Which launch has stored an element last, with the line, and how to record it.
/// @param report  of the first launches of the plan
std::string earlier_store_text(const XrayReport& report, const XrayElement& element, const KernelPlan& plan,
                               const Sizes& sizes);

/// Where a work-item does something undefined, or was stopped.
struct UndefinedPlace {
    Finding finding;
    std::uint32_t launch = 0;          ///< index in XrayReport::launches
    std::vector<std::uint64_t> group;  ///< id
    std::vector<std::uint64_t> item;   ///< local id
    XrayPlace place;
};
/// The first finding of which a work-item is known.
/// @param report      with XrayOptions::keep_sites, which show the launch
/// @param with_stops  also where a work-item was stopped because it does not end, or has crashed
std::optional<UndefinedPlace> first_undefined(const XrayReport& report, bool with_stops);

/// A line for each thing that X-ray found undefined, and for where a work-item was stopped.
/// @param told  which needs no line
std::string undefined_text(const XrayReport& report, const std::optional<UndefinedPlace>& told);

}  // namespace kwb::debug
