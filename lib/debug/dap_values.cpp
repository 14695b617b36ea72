// SPDX-License-Identifier: Apache-2.0
#include "debug/dap_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "debug/values.hpp"
#include "debug/views.hpp"

namespace kwb::debug {
namespace {

constexpr std::size_t kShownNumbers = 8;             ///< of an array, in its own line
constexpr std::uint64_t kMostShownBytes = 16 << 10;  ///< of an array whose numbers are shown there
constexpr std::uint64_t kMostParts = 10'000;         ///< in one answer

}  // namespace

void DapValues::forget() {
    first_scope_ += static_cast<std::int64_t>(scopes_.size());
    first_container_ += static_cast<std::int64_t>(containers_.size());
    scopes_.clear();
    containers_.clear();
}

std::int64_t DapValues::refer(const Scope& scope) {
    scopes_.push_back(scope);
    return first_scope_ + static_cast<std::int64_t>(scopes_.size()) - 1;
}

const Scope& DapValues::scope(std::int64_t frame_id) const {
    const std::int64_t index = frame_id - first_scope_;
    if (index < 0 || index >= static_cast<std::int64_t>(scopes_.size()))
        throw BadInput(fmt::format("there is no stack frame {} now", frame_id));
    return scopes_[static_cast<std::size_t>(index)];
}

std::int64_t DapValues::keep(Container container) {
    containers_.push_back(std::move(container));
    return first_container_ + static_cast<std::int64_t>(containers_.size()) - 1;
}

const DapValues::Container& DapValues::container(std::int64_t reference) const {
    const std::int64_t index = reference - first_container_;
    if (index < 0 || index >= static_cast<std::int64_t>(containers_.size()))
        throw BadInput(fmt::format("there are no variables with the reference {} now", reference));
    return containers_[static_cast<std::size_t>(index)];
}

std::uint64_t DapValues::bytes_of(const Part& part) const {
    std::uint64_t bytes = recording().types[part.type].bytes;
    for (const std::uint64_t extent : part.extents) bytes *= extent;
    return bytes;
}

std::uint64_t DapValues::indexed(const Part& part) const {
    if (!part.extents.empty()) return part.extents.front();
    const ValueType& type = recording().types[part.type];
    return type.kind == ValueKind::Array ? type.count : 0;
}

DapValues::Part DapValues::element(const Part& part, std::uint64_t index) const {
    Part found = part;
    if (part.extents.empty())
        found.type = recording().types[part.type].element;
    else
        found.extents.erase(found.extents.begin());
    found.address += index * bytes_of(found);
    found.name = fmt::format("[{}]", index);
    if (!part.expression.empty()) found.expression += found.name;
    return found;
}

std::vector<DapValues::Part> DapValues::members(const Part& part) const {
    std::vector<Part> found;
    const ValueType& type = recording().types[part.type];
    if (!part.extents.empty()) return found;
    const auto add = [&](const std::string& name, std::uint32_t member, std::uint64_t offset) {
        found.push_back({name,
                         part.expression.empty() ? "" : part.expression + "." + name,
                         member,
                         part.address + offset,
                         {}});
    };
    if (type.kind == ValueKind::Vector)
        for (std::uint64_t i = 0; i < type.count; ++i)
            add(component_name(type.count, i), type.element, i * recording().types[type.element].bytes);
    for (const ValueType::Member& member : type.members) add(member.name, member.type, member.offset);
    return found;
}

std::optional<DapValues::Part> DapValues::elements_at(std::uint64_t address, std::uint32_t type,
                                                      const std::string& expression) const {
    const std::uint64_t bytes = recording().types[type].bytes;
    if (bytes == 0 || address == 0) return std::nullopt;
    std::uint64_t count = 1;  // of a private variable only itself is known
    if (const RecordedRegion* const region = player_.region_at(address))
        count = (region->address + region->bytes - address) / bytes;
    return Part{"", expression, type, address, {count}};
}

std::optional<DapValues::Part> DapValues::target(const Part& part, const Scope& scope) const {
    const ValueType& type = recording().types[part.type];
    if (!part.extents.empty() || type.kind != ValueKind::Pointer) return std::nullopt;
    const Evaluated value = value_at(scope, part.type, part.address);
    if (!value.number) return std::nullopt;
    return elements_at(static_cast<std::uint64_t>(value.number->integer), type.element, part.expression);
}

std::vector<DapValues::Part> DapValues::listed(What what, const Scope& scope) const {
    std::vector<Part> found;
    if (what == What::Buffers) {
        for (const RecordedRegion& region : recording().regions) {
            if (region.is_variable) continue;
            // A pointer to a buffer has one index, whatever the buffer's shape is.
            Part part{region.name, "", region.type, region.address, {}};
            const std::uint64_t bytes = std::max<std::uint64_t>(recording().types[region.type].bytes, 1);
            part.extents = {region.bytes / bytes};
            found.push_back(std::move(part));
        }
        return found;
    }
    for (const VisibleVariable& one : visible_variables(scope)) {
        const What belongs = one.is_parameter                     ? What::Arguments
                             : one.space == AddressSpace::Private ? What::Locals
                             : one.space == AddressSpace::Local   ? What::Group
                                                                  : What::Constants;
        if (belongs == what) found.push_back({one.name, one.name, one.type, one.address, {}});
    }
    return found;
}

std::string DapValues::type_text(const Part& part) const {
    std::string text = type_name(recording(), part.type);
    for (const std::uint64_t extent : part.extents) text += fmt::format("[{}]", extent);
    return text;
}

std::string DapValues::text(const Part& part, const Scope& scope) const {
    if (!part.extents.empty() || bytes_of(part) > kMostShownBytes) return type_text(part);
    return evaluated_text(value_at(scope, part.type, part.address), recording(), kShownNumbers);
}

void DapValues::add_reference(Json& answer, const Part& part, const Scope& scope) {
    Part unfolded = part;
    if (auto pointed = target(part, scope)) unfolded = std::move(*pointed);
    const std::uint64_t elements = indexed(unfolded);
    const std::size_t named = members(unfolded).size();
    answer["variablesReference"] = elements + named == 0 ? 0 : keep({What::Part, scope, std::move(unfolded)});
    if (elements > 0) answer["indexedVariables"] = elements;
    if (named > 0) answer["namedVariables"] = named;
}

Json DapValues::variable(const Part& part, const Scope& scope) {
    Json answer = {{"name", part.name}, {"value", text(part, scope)}, {"type", type_text(part)}};
    if (!part.expression.empty()) answer["evaluateName"] = part.expression;
    add_reference(answer, part, scope);
    return answer;
}

/// Where the work-item is in its group and in the launch.
Json DapValues::ids(const Scope& scope) const {
    Json answer = Json::array();
    const auto add = [&](const std::string& expression) {
        answer.push_back({{"name", expression},
                          {"value", evaluated_text(evaluate(expression, scope), recording())},
                          {"evaluateName", expression},
                          {"variablesReference", 0}});
    };
    for (const char* const function : {"get_local_id", "get_group_id", "get_global_id"})
        for (std::size_t d = 0; d < recording().local.size(); ++d) add(fmt::format("{}({})", function, d));
    const auto tell = [&](const char* name, const std::string& value) {
        answer.push_back({{"name", name}, {"value", value}, {"variablesReference", 0}});
    };
    tell("step", step_text(player_, scope.moment));
    tell("barriers passed", std::to_string(player_.interval(scope.moment)));
    return answer;
}

Json DapValues::scopes(std::int64_t frame_id) {
    const Scope at = scope(frame_id);
    Json answer = Json::array();
    const auto add = [&](What what, const char* name, const char* hint) {
        const std::size_t count = listed(what, at).size();
        if (count == 0 && *hint == '\0') return;
        Json one = {{"name", name},
                    {"variablesReference", keep({what, at})},
                    {"namedVariables", count},
                    {"expensive", false}};
        if (*hint != '\0') one["presentationHint"] = hint;
        answer.push_back(std::move(one));
    };
    add(What::Arguments, "Arguments", "arguments");
    add(What::Locals, "Locals", "locals");
    add(What::Group, "__local", "");
    add(What::Constants, "Constants", "");
    add(What::Buffers, "Buffers", "");
    answer.push_back(
        {{"name", "Work-item"}, {"variablesReference", keep({What::WorkItem, at})}, {"expensive", false}});
    return {{"scopes", answer}};
}

Json DapValues::variables(std::int64_t reference, std::uint64_t start, std::optional<std::uint64_t> count) {
    const Container from = container(reference);
    if (from.what == What::WorkItem) return {{"variables", ids(from.scope)}};
    const bool is_part = from.what == What::Part;
    const std::uint64_t elements = is_part ? indexed(from.part) : 0;
    const std::vector<Part> named = is_part ? members(from.part) : listed(from.what, from.scope);
    const std::uint64_t all = elements + named.size();
    start = std::min(start, all);
    const std::uint64_t wanted = count && *count > 0 ? std::min(*count, all - start) : all - start;
    const std::uint64_t shown = std::min(wanted, kMostParts);
    Json answer = Json::array();
    for (std::uint64_t i = start; i < start + shown; ++i)
        answer.push_back(variable(i < elements ? element(from.part, i) : named[i - elements], from.scope));
    if (shown < wanted)
        answer.push_back({{"name", "…"},
                          {"value", fmt::format("{} more: ask for them by start and count", wanted - shown)},
                          {"variablesReference", 0}});
    return {{"variables", answer}};
}

Json DapValues::evaluated(const std::string& expression, const Evaluated& value, const Scope& scope) {
    Json answer = {{"result", evaluated_text(value, recording(), kShownNumbers)}, {"variablesReference", 0}};
    if (value.address && value.bytes > 0) {
        const Part part{expression, expression, value.type, *value.address, {}};
        answer["type"] = type_text(part);
        add_reference(answer, part, scope);
    } else if (value.target && value.number) {
        const auto pointed = elements_at(static_cast<std::uint64_t>(value.number->integer), *value.target,
                                         "(" + expression + ")");
        if (pointed) add_reference(answer, *pointed, scope);
    }
    return answer;
}

std::optional<DapValues::Memory> DapValues::memory(std::int64_t reference, const std::string& name) {
    const Container from = container(reference);
    std::vector<Part> parts = from.what == What::Part       ? members(from.part)
                              : from.what == What::WorkItem ? std::vector<Part>{}
                                                            : listed(from.what, from.scope);
    if (from.what == What::Part && name.starts_with('[')) {
        std::uint64_t index = 0;
        const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), index);
        if (error == std::errc() && index < indexed(from.part)) parts.push_back(element(from.part, index));
    }
    const auto found = std::ranges::find(parts, name, &Part::name);
    if (found == parts.end() || bytes_of(*found) == 0) return std::nullopt;
    return Memory{found->expression.empty() ? found->name : found->expression, found->address,
                  bytes_of(*found)};
}

}  // namespace kwb::debug
