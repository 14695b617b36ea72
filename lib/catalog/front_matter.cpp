// SPDX-License-Identifier: Apache-2.0
#include "catalog/front_matter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "catalog/problem_reader.hpp"
#include "catalog/toml_reader.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

constexpr std::string_view kOpen = "/*+++";
constexpr std::string_view kClose = "+++*/";

ParamValue read_param_value(const TomlReader& reader, const toml::node& node, const std::string& name) {
    if (const auto* whole = node.as_integer()) return whole->get();
    if (node.is_string()) return reader.text(node, "a value of parameter " + name);
    if (const auto* truth = node.as_boolean()) return std::int64_t{truth->get() ? 1 : 0};
    reader.refuse(node, fmt::format("a value of parameter {} must be a whole number or a text", name));
}

ParamSpace read_params(const TomlReader& reader, const toml::node& node) {
    ParamSpace params;
    for (const TomlReader::Item& item : reader.items(node, "[params]")) {
        reader.require_word(item, "the name of a parameter");
        std::vector<ParamValue> values;
        for (const toml::node* element : reader.one_or_more(*item.node)) {
            const ParamValue value = read_param_value(reader, *element, item.name);
            if (std::find(values.begin(), values.end(), value) != values.end())
                reader.refuse(*element,
                              fmt::format("parameter {} lists {} twice", item.name, to_string(value)));
            values.push_back(value);
        }
        if (values.empty())
            reader.refuse(*item.node,
                          fmt::format("parameter {} needs at least one value, its default", item.name));
        params.push_back({item.name, std::move(values)});
    }
    return params;
}

/// One to three expressions.
std::vector<Written> read_extents(const TomlReader& reader, const toml::node& node, const std::string& what) {
    std::vector<Written> extents;
    for (const toml::node* element : reader.one_or_more(node))
        extents.push_back(reader.expression(*element, "each size in " + what));
    if (extents.empty() || extents.size() > 3)
        reader.refuse(node, fmt::format("{} has {} sizes; an NDRange has 1, 2 or 3", what, extents.size()));
    return extents;
}

std::pair<std::string, std::string> read_swap(const TomlReader& reader, const toml::node& node) {
    const auto names = reader.one_or_more(node);
    if (names.size() != 2) reader.refuse(node, "swap names two buffers: swap = [\"X\", \"Y\"]");
    return {reader.text(*names[0], "each name in swap"), reader.text(*names[1], "each name in swap")};
}

void read_counters(const TomlReader& reader, const toml::node& node, LaunchSpec& launch) {
    for (const TomlReader::Item& item : reader.items(node, "repeat")) reader.require_word(item, "a counter");
    launch.counters = reader.expressions(node, "repeat");
    if (launch.counters.empty())
        reader.refuse(node, "repeat has no counter. Give e.g. repeat = {k = \"N\"}, or a number");
}

/// A launch that need not be whole.
LaunchSpec read_launch_keys(const TomlReader& reader, const toml::node& node) {
    reader.allow_only(node, "[launch]",
                      {"kernel", "global", "local", "args", "repeat", "swap", "when", "local_mem"});
    LaunchSpec launch;
    const toml::node* local = nullptr;
    for (const auto& [name, value, place] : reader.items(node, "[launch]")) {
        if (name == "kernel") {
            const TomlReader::Item kernel = reader.name_in(*value, "kernel");
            reader.require_identifier(kernel, "the name of a kernel function");
            launch.kernel = kernel.name;
        } else if (name == "global") {
            launch.global = read_extents(reader, *value, "global");
        } else if (name == "local") {
            const auto* text = value->as_string();
            if (text && text->get() == "auto") continue;
            launch.local = read_extents(reader, *value, "local");
            local = value;
        } else if (name == "args") {
            launch.args = reader.expressions(*value, "args");
        } else if (name == "local_mem") {
            launch.local_mem = reader.expressions(*value, "local_mem");
        } else if (name == "repeat") {
            if (value->is_table())
                read_counters(reader, *value, launch);
            else
                launch.repeat = reader.expression(*value, "repeat");
        } else if (name == "when") {
            launch.when = reader.expression(*value, "when");
        } else {
            launch.swap = read_swap(reader, *value);
        }
    }
    if (local && !launch.global.empty() && launch.local->size() != launch.global.size())
        reader.refuse(*local, fmt::format("local has {} sizes, global has {}. Give both the same number",
                                          launch.local->size(), launch.global.size()));
    return launch;
}

}  // namespace

LaunchSpec read_launch(const TomlReader& reader, const toml::node& node) {
    LaunchSpec launch = read_launch_keys(reader, node);
    if (launch.kernel.empty())
        reader.refuse(node, "[launch] lacks its kernel. Add kernel = \"function name\"");
    if (launch.global.empty())
        reader.refuse(node, "[launch] lacks its global size. Add e.g. global = [\"N\", \"M\"]");
    return launch;
}

namespace {

/// Each is allocated, surrounded by guards and compared in every check. No known kernel has more than ten.
constexpr std::size_t kMostScratch = 100;

ScratchSpec read_scratch(const TomlReader& reader, const TomlReader::Item& item) {
    reader.require_word(item, "the name of a buffer");
    const std::string what = "scratch." + item.name;
    if (!item.node->is_table()) return {ElementType{}, reader.expression(*item.node, what)};
    reader.allow_only(*item.node, what, {"type", "elements"});
    ScratchSpec scratch{ElementType{}, {}};
    for (const auto& [name, value, place] : reader.items(*item.node, what)) {
        if (name == "elements") {
            scratch.elements = reader.expression(*value, what + ".elements");
            continue;
        }
        const std::string type_name = reader.text(*value, what + ".type");
        const auto type = parse_element_type(type_name);
        if (!type)
            reader.refuse(
                *value,
                fmt::format("`{}` is not an element type. Give one such as float, int, uint or float4",
                            type_name));
        scratch.type = *type;
    }
    if (scratch.elements.text.empty())
        reader.refuse(item, fmt::format("{} lacks its size. Add elements = \"expression\"", what));
    return scratch;
}

InitSpec read_init(const TomlReader& reader, const TomlReader::Item& item) {
    reader.require_word(item, "the name of a buffer");
    if (const auto* text = item.node->as_string(); text && text->get() == "input") return {.to_input = true};
    if (const auto* whole = item.node->as_integer()) return {.value = static_cast<double>(whole->get())};
    if (const auto* decimal = item.node->as_floating_point()) return {.value = decimal->get()};
    reader.refuse(
        *item.node,
        fmt::format("init.{} must be a number, or \"input\" for the buffer's initial content", item.name));
}

std::vector<Verdict> read_verdicts(const TomlReader& reader, const toml::node& node) {
    std::vector<Verdict> verdicts;
    for (const toml::node* element : reader.one_or_more(node)) {
        const std::string name = reader.text(*element, "a verdict");
        const auto verdict = parse_enum<Verdict>(name);
        if (!verdict)
            reader.refuse(*element, fmt::format("`{}` is not a verdict; the verdicts are {}.{}", name,
                                                enumerate(enum_names<Verdict>()),
                                                did_you_mean(name, enum_names<Verdict>())));
        verdicts.push_back(*verdict);
    }
    if (verdicts.empty()) reader.refuse(node, "name at least one verdict");
    return verdicts;
}

/// Read one [expect] table: one rule for each of the keys `verdict` (for run and check), `run` and `check`.
void read_expect(const TomlReader& reader, const toml::node& node, std::vector<ExpectSpec>& rules) {
    reader.allow_only(node, "[expect]", {"verdict", "run", "check", "when", "why"});
    std::vector<ExpectSpec> found;
    std::optional<Written> when;
    std::string why;
    for (const auto& [name, value, place] : reader.items(node, "[expect]")) {
        if (name == "when") {
            when = reader.expression(*value, "when");
        } else if (name == "why") {
            why = reader.text(*value, "why");
        } else {
            const auto mode = name == "run"     ? ExpectSpec::Mode::Run
                              : name == "check" ? ExpectSpec::Mode::Check
                                                : ExpectSpec::Mode::Both;
            found.push_back({mode, read_verdicts(reader, *value), std::nullopt, ""});
        }
    }
    if (found.empty())
        reader.refuse(node, "[expect] has no verdict. Add verdict = \"wrong\", or run and check separately");
    for (ExpectSpec& rule : found) {
        rule.when = when;
        rule.why = why;
        rules.push_back(std::move(rule));
    }
}

}  // namespace

std::optional<std::string> extract_front_matter(const std::string& file, std::string_view source) {
    const std::size_t open = source.find(kOpen);
    if (open == std::string_view::npos) return std::nullopt;
    if (find_first_comment(source) != open)
        refuse_at(file, place_of(source, open),
                  "the front matter must be the first comment of the file. Move it to the top");
    const std::size_t begin = open + kOpen.size();
    const std::size_t close = source.find(kClose, begin);
    if (close == std::string_view::npos)
        refuse_at(file, place_of(source, open), "the front matter is not closed. End it with +++*/");
    const std::size_t comment_end = source.find("*/", begin);
    if (comment_end < close)
        refuse_at(file, place_of(source, comment_end),
                  "this */ ends the comment before the front matter is closed by +++*/. Write it as * /");

    // Padding before the TOML makes its lines and columns match those of the file.
    const Place place = place_of(source, begin);
    std::string toml(place.line - 1, '\n');
    toml.append(place.column - 1, ' ');
    toml += source.substr(begin, close - begin);
    return toml;
}

KernelSpec parse_front_matter(const std::string& file, std::string toml) {
    const TomlReader reader(file, std::move(toml));
    reader.allow_only(reader.root(), "a kernel's front matter",
                      {"title", "problem", "type", "source", "params", "launch", "scratch", "init", "build",
                       "defines", "moves", "flops", "require", "expect"});
    KernelSpec spec;
    for (const TomlReader::Item& item : reader.items(reader.root(), "front matter")) {
        const std::string& name = item.name;
        const toml::node& value = *item.node;
        if (name == "title") {
            spec.title = reader.text(value, "title");
        } else if (name == "problem") {
            if (value.is_table())
                spec.declares = std::make_shared<const ProblemSpec>(read_problem(reader, value));
            else
                spec.problem = reader.text(value, "problem");
        } else if (name == "type") {
            spec.type = reader.text(value, "type");
        } else if (name == "source") {
            spec.source = reader.text(value, "source");
        } else if (name == "params") {
            spec.params = read_params(reader, value);
        } else if (name == "launch") {
            const auto launches = reader.one_or_more(value);
            if (launches.size() != 1) {
                for (const toml::node* launch : launches)
                    spec.launches.push_back(read_launch(reader, *launch));
                continue;
            }
            LaunchSpec only = read_launch_keys(reader, *launches.front());
            if (only.kernel.empty() || only.global.empty())
                spec.begun = std::move(only);
            else
                spec.launches.push_back(std::move(only));
        } else if (name == "scratch") {
            for (const TomlReader::Item& buffer : reader.items(value, "[scratch]"))
                spec.scratch.push_back({buffer.name, read_scratch(reader, buffer)});
            if (spec.scratch.size() > kMostScratch)
                reader.refuse(value, fmt::format("[scratch] declares {} buffers, but at most {} are allowed",
                                                 spec.scratch.size(), kMostScratch));
        } else if (name == "init") {
            for (const TomlReader::Item& buffer : reader.items(value, "[init]"))
                spec.init.push_back({buffer.name, read_init(reader, buffer)});
        } else if (name == "build") {
            reader.allow_only(value, "[build]", {"options"});
            for (const TomlReader::Item& option : reader.items(value, "[build]"))
                spec.build_options = reader.text(*option.node, "build.options");
        } else if (name == "defines") {
            for (const TomlReader::Item& macro : reader.items(value, "[defines]"))
                reader.require_word(macro, "the name of a macro");
            spec.defines = reader.expressions(value, "[defines]");
        } else if (name == "moves") {
            spec.moves = reader.expression(value, "moves");
        } else if (name == "flops") {
            spec.flops = reader.expression(value, "flops");
        } else if (name == "require") {
            spec.require = reader.expressions(value, "[require]");
        } else {
            for (const toml::node* rule : reader.one_or_more(value)) read_expect(reader, *rule, spec.expect);
        }
    }
    for (const auto& macro : spec.defines)
        if (find_named(spec.params, macro.name))
            refuse_at(file, macro.value,
                      fmt::format("{} is a parameter too. Give the macro another name", macro.name));
    return spec;
}

NamedList<Place> find_places(const std::string& file, std::string toml) {
    const TomlReader reader(file, std::move(toml));
    NamedList<Place> places;
    for (const TomlReader::Item& item : reader.items(reader.root(), "front matter")) {
        places.push_back({item.name, item.place});
        std::size_t i = 0;
        for (const toml::node* part : reader.one_or_more(*item.node)) {
            const std::string owner = item.name == "launch" ? fmt::format("launch.{}", i++) : item.name;
            if (!part->is_table()) continue;
            for (const TomlReader::Item& inner : reader.items(*part, item.name))
                places.push_back({owner + "." + inner.name, inner.place});
        }
    }
    return places;
}

}  // namespace kwb
