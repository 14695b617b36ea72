// SPDX-License-Identifier: Apache-2.0
#include "support/recorded_space.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"

namespace kwb {
namespace {

RecordedSpace read_recorded_space(const std::string& space, const Json& json) {
    SpaceInput input;
    for (const auto& [name, values] : json.at("params").items()) {
        std::vector<ParamValue> list;
        for (const Json& value : values) list.emplace_back(value.get<std::int64_t>());
        input.params.push_back({name, std::move(list)});
    }
    for (const Json& condition : json.at("require"))
        input.restrictions.push_back({"require", {condition.get<std::string>()}});
    RecordedSpace recorded{space, Space(std::move(input)), {}, 0};
    for (const Json& time : json.at("times_ms")) {
        recorded.times_ms.push_back(time.is_null() ? std::nullopt : std::optional(time.get<double>()));
        if (recorded.times_ms.back() &&
            (recorded.optimum_ms == 0 || *recorded.times_ms.back() < recorded.optimum_ms))
            recorded.optimum_ms = *recorded.times_ms.back();
    }
    expects(recorded.times_ms.size() == recorded.space.size(), "each configuration has a time");
    return recorded;
}

}  // namespace

std::vector<RecordedSpace> recorded_spaces() {
    std::vector<RecordedSpace> all;
    const Json spaces = parse_json(read_file(KWB_RECORDED_SPACES));
    for (const auto& [name, space] : spaces.items()) all.push_back(read_recorded_space(name, space));
    return all;
}

std::optional<double> best_of_first(const RecordedSpace& recorded, Strategy& strategy,
                                    std::size_t configurations) {
    constexpr std::size_t kAtOnce = 8;
    std::optional<double> best;
    std::vector<std::size_t> proposed;
    for (std::size_t i = 0; i < configurations; ++i) {
        if (const auto next = strategy.next()) proposed.push_back(*next);
        if (proposed.size() < kAtOnce && i + 1 < configurations) continue;
        for (const std::size_t configuration : proposed) {
            const std::optional<double> time_ms = recorded.times_ms[configuration];
            strategy.tell(configuration, time_ms);
            if (time_ms && (!best || *time_ms < *best)) best = time_ms;
        }
        proposed.clear();
    }
    return best;
}

}  // namespace kwb
