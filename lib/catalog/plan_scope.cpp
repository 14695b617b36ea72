#include "catalog/plan_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace kwb {
namespace {

Value whole(std::uint64_t value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::min(value, kMost));
}

/// Nothing for a decimal number whose digits 64 bits cannot hold, and for not-a-number.
std::optional<Number> number_of(const ScalarValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return Number(*number);
    const double decimal = std::get<double>(value);
    try {
        const Number size = Number::parse(fmt::format("{}", std::fabs(decimal)));
        return decimal < 0 ? -size : size;
    } catch (const ValueError&) {
        return std::nullopt;
    }
}

/// What a device offers, where a driver that does not know says 0: then nothing is known that would not fit.
/// Small enough to be multiplied in an expression.
Value limit(std::uint64_t told) {
    constexpr std::uint64_t kNoLimitKnown = std::uint64_t{1} << 40;
    return whole(told == 0 ? kNoLimitKnown : told);
}

}  // namespace

Value to_value(const ParamValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    return std::get<std::string>(value);
}

Scope make_scope(const ProblemInstance& problem, const DeviceInfo& device) {
    Scope scope;
    for (const ScalarSpec& scalar : problem.scalars)
        if (const auto number = number_of(scalar.value)) scope.set(scalar.name, *number);
    for (const auto& size : problem.sizes) scope.set(size.name, size.value);

    scope.set("device.kind", to_string(device.kind));
    scope.set("device.compute_units", whole(std::max<std::uint64_t>(1, device.compute_units)));
    scope.set("device.max_clock_mhz", whole(device.max_clock_mhz));
    scope.set("device.max_work_group_size", limit(device.max_work_group_size));
    Value::List sizes;
    for (const std::uint64_t size : device.max_work_item_sizes) sizes.push_back(limit(size));
    scope.set("device.max_work_item_sizes", sizes);
    scope.set("device.local_mem_bytes", limit(device.local_mem_bytes));
    scope.set("device.local_mem_dedicated", device.local_mem_dedicated);
    scope.set("device.global_mem_bytes", limit(device.global_mem_bytes));
    scope.set("device.max_alloc_bytes", limit(device.max_alloc_bytes));
    scope.set("device.max_constant_bytes", limit(device.max_constant_bytes));
    scope.set("device.base_align_bytes", whole(device.base_align_bytes));
    scope.set("device.cache_line_bytes", whole(device.cache_line_bytes));
    scope.set("device.native_float_width", whole(device.native_float_width));
    scope.set("device.has_fp64", device.has_fp64);
    scope.set("device.has_fp16", device.has_fp16);
    scope.set("device.has_work_group_functions", device.has_work_group_functions);
    return scope;
}

void add_params(Scope& scope, const ParamChoice& params) {
    for (const auto& param : params) scope.set(param.name, to_value(param.value));
}

void add_local(Scope& scope, const std::vector<std::uint64_t>& local) {
    constexpr std::array<const char*, 3> kNames = {"local.x", "local.y", "local.z"};
    for (std::size_t i = 0; i < local.size() && i < kNames.size(); ++i) scope.set(kNames[i], whole(local[i]));
}

}  // namespace kwb
