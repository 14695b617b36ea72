// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of recordings; their frames, events and values are bytes: see
// recorded_bytes().
#pragma once

#include "model/recording.hpp"
#include "model/xray_fields.hpp"

namespace kwb {

void describe(auto& f, ValueType::Member& member) {
    f("name", member.name);
    f("offset", member.offset);
    f("type", member.type);
}

void describe(auto& f, ValueType& type) {
    f("name", type.name);
    f("kind", type.kind);
    f("bytes", type.bytes);
    f("element", type.element);
    f("count", type.count);
    f("members", type.members);
}

void describe(auto& f, FrameVariable& variable) {
    f("name", variable.name);
    f("type", variable.type);
    f("offset", variable.offset);
    f("is_above_stack_pointer", variable.is_above_stack_pointer);
    f("is_parameter", variable.is_parameter);
    f("line", variable.line);
    f("begin", variable.begin);
    f("end", variable.end);
}

void describe(auto& f, RecordedFunction& function) {
    f("name", function.name);
    f("variables", function.variables);
}

void describe(auto& f, RecordedSite& site) {
    f("place", site.place);
    f("function", site.function);
    f("code", site.code);
    f("read_offset", site.read_offset);
    f("read_bytes", site.read_bytes);
}

void describe(auto& f, RecordedRegion& region) {
    f("name", region.name);
    f("function", region.function);
    f("space", region.space);
    f("type", region.type);
    f("is_variable", region.is_variable);
    f("address", region.address);
    f("bytes", region.bytes);
    f("extents", region.extents);
    f("is_set", region.is_set);
}

void describe(auto& f, RecordedPage& page) {
    f("address", page.address);
    f("value", page.value);
    f("bytes", page.bytes);
}

void describe(auto& f, Recording& recording) {
    f("kernel", recording.kernel);
    f("launch", recording.launch);
    f("global", recording.global, items(1, 3));
    f("local", recording.local, between(1, kMostXrayGroupItems).items(1, 3));
    f("group", recording.group, items(1, 3));
    f("types", recording.types, items(1));
    f("functions", recording.functions);
    f("sites", recording.sites);
    f("code_lines", recording.code_lines);
    f("regions", recording.regions);
    f("pages", recording.pages);
    f("stacks", recording.stacks);
    f("begin", recording.begin);
    f("barriers", recording.barriers);
    f("goes_on", recording.goes_on);
    f("steps_before", recording.steps_before);
    f("unfinished", recording.unfinished);
}

/// All numbers of types and functions are those of existing ones; an array or vector holds its elements.
inline std::optional<Flaw> check(const Recording& recording) {
    const auto is_type = [&](std::uint32_t type) { return type < recording.types.size(); };
    for (std::size_t i = 0; i < recording.types.size(); ++i) {
        const ValueType& type = recording.types[i];
        const bool has_elements = type.kind == ValueKind::Array || type.kind == ValueKind::Vector;
        bool is_sound = is_type(type.element);
        if (is_sound && has_elements) {
            const std::uint64_t bytes = recording.types[type.element].bytes;
            // An element is described before what it is part of, so that no type contains itself.
            is_sound = type.element < i && (bytes == 0 || type.count <= type.bytes / bytes);
        }
        for (const ValueType::Member& member : type.members)
            is_sound = is_sound && is_type(member.type) && member.type < i && member.offset <= type.bytes &&
                       recording.types[member.type].bytes <= type.bytes - member.offset;
        if (!is_sound) return Flaw{"types", "types that refer to earlier ones"};
    }
    for (const RecordedFunction& function : recording.functions)
        for (const FrameVariable& variable : function.variables)
            if (!is_type(variable.type)) return Flaw{"functions", "variables of existing types"};
    for (const RecordedSite& site : recording.sites)
        if (site.function != kNoFunction && site.function >= recording.functions.size())
            return Flaw{"sites", "existing functions"};
    for (const RecordedRegion& region : recording.regions)
        if (!is_type(region.type)) return Flaw{"regions", "existing types"};
    if (!recording.steps_before.empty() && recording.steps_before.size() != recording.items())
        return Flaw{"steps_before", "one number for each work-item"};
    for (const std::uint32_t item : recording.unfinished)
        if (item >= recording.items()) return Flaw{"unfinished", "existing work-items"};
    return std::nullopt;
}

}  // namespace kwb
