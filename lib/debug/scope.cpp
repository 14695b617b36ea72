// SPDX-License-Identifier: Apache-2.0
#include "debug/scope.hpp"

#include <algorithm>

namespace kwb::debug {

Scope scope_at(const Player& player, Moment moment) {
    return {player, moment, player.frame(moment)};
}

namespace {

/// Where the function of the scope is: in a caller, at the call. nullptr: not known.
const RecordedSite* site_of(const Scope& scope) {
    const Recording& recording = scope.player.recording();
    std::uint32_t callee = scope.player.frame(scope.moment);
    if (callee == scope.frame) return scope.player.site(scope.moment);
    while (callee != kNoFrame && recording.frames[callee].caller != scope.frame)
        callee = recording.frames[callee].caller;
    const bool is_known = callee != kNoFrame && recording.frames[callee].site < recording.sites.size();
    return is_known ? &recording.sites[recording.frames[callee].site] : nullptr;
}

/// A name counts from its declaration on: until then, one of an outer block is meant.
bool is_visible(const FrameVariable& variable, const RecordedSite* site) {
    const std::uint64_t code = site != nullptr ? site->code : 0;
    const std::uint32_t line = site != nullptr ? site->place.line : 0;
    return variable.begin <= code && code < variable.end && (line == 0 || variable.line <= line);
}

VisibleVariable in_frame(const FrameVariable& variable, const RecordedFrame& frame) {
    const std::uint64_t from = variable.is_above_stack_pointer ? frame.stack_pointer : frame.base;
    return {variable.name, variable.type, from + static_cast<std::uint64_t>(variable.offset),
            variable.is_parameter, AddressSpace::Private};
}

bool is_visible(const RecordedRegion& region, std::string_view function) {
    return region.is_variable && (region.function.empty() || region.function == function);
}

std::string_view function_of(const Scope& scope) {
    const Recording& recording = scope.player.recording();
    return scope.frame == kNoFrame ? std::string_view()
                                   : recording.functions[recording.frames[scope.frame].function].name;
}

}  // namespace

std::optional<VisibleVariable> find_variable(const Scope& scope, std::string_view name) {
    const Recording& recording = scope.player.recording();
    const FrameVariable* found = nullptr;
    if (scope.frame != kNoFrame) {
        const RecordedSite* const site = site_of(scope);
        for (const FrameVariable& one : recording.functions[recording.frames[scope.frame].function].variables)
            if (one.name == name && is_visible(one, site) &&
                (found == nullptr || one.end - one.begin < found->end - found->begin))
                found = &one;
    }
    if (found != nullptr) return in_frame(*found, recording.frames[scope.frame]);
    for (const RecordedRegion& region : recording.regions)
        if (region.name == name && is_visible(region, function_of(scope)))
            return VisibleVariable{region.name, region.type, region.address, false, region.space};
    return std::nullopt;
}

std::vector<VisibleVariable> visible_variables(const Scope& scope) {
    const Recording& recording = scope.player.recording();
    std::vector<VisibleVariable> visible;
    const auto is_new = [&](const std::string& name) {
        return std::ranges::find(visible, name, &VisibleVariable::name) == visible.end();
    };
    if (scope.frame != kNoFrame) {
        const RecordedFrame& frame = recording.frames[scope.frame];
        const RecordedSite* const site = site_of(scope);
        std::vector<const FrameVariable*> inner;
        for (const FrameVariable& variable : recording.functions[frame.function].variables)
            if (is_visible(variable, site)) inner.push_back(&variable);
        // The smallest block first; within one, as declared.
        std::ranges::stable_sort(inner, {}, [](const FrameVariable* v) { return v->end - v->begin; });
        for (const FrameVariable* const variable : inner)
            if (is_new(variable->name)) visible.push_back(in_frame(*variable, frame));
    }
    for (const RecordedRegion& region : recording.regions)
        if (is_visible(region, function_of(scope)) && is_new(region.name))
            visible.push_back({region.name, region.type, region.address, false, region.space});
    return visible;
}

}  // namespace kwb::debug
