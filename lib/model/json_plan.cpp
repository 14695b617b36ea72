#include "model/json.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostRepeats = 1u << 20;

Json to_json(const ScalarValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    return number_to_json(std::get<double>(value));
}

Json to_json(const Binding& binding) {
    if (const auto* buffer = std::get_if<BufferName>(&binding)) return {{"buffer", buffer->name}};
    if (const auto* vector = std::get_if<VectorValue>(&binding)) {
        Json components = Json::array();
        for (const ScalarValue& component : *vector)
            components.push_back(Json{{"value", to_json(component)}});
        return {{"components", components}};
    }
    return {{"value", to_json(std::get<ScalarValue>(binding))}};
}

ScalarValue scalar_from(const JsonReader& reader, const Json& json) {
    if (reader.has("value") && json.at("value").is_number_integer())
        return reader.integer("value", INT64_MIN, INT64_MAX);
    return reader.number("value");
}

Binding binding_from_json(const Json& json) {
    const JsonReader reader(json, "binding");
    if (reader.has("buffer")) return BufferName{reader.text("buffer")};
    if (reader.has("components")) {
        constexpr std::size_t kMostComponents = 16;
        VectorValue vector;
        for (const Json& component : reader.array("components"))
            vector.push_back(scalar_from(JsonReader(component, "component"), component));
        if (vector.empty() || vector.size() > kMostComponents) reader.refuse("components", "1 to 16 numbers");
        return vector;
    }
    return scalar_from(reader, json);
}

Json to_json(const LaunchPlan& launch) {
    Json args = Json::object();
    for (const auto& [name, binding] : launch.args) args[name] = to_json(binding);
    Json local_mem = Json::object();
    for (const auto& [name, elements] : launch.local_mem) local_mem[name] = elements;
    return {{"kernel", launch.kernel},
            {"global", launch.global},
            {"local", launch.local ? Json(*launch.local) : Json(nullptr)},
            {"args", args},
            {"local_mem", local_mem},
            {"repeat", launch.repeat},
            {"swap", launch.swap ? Json::array({launch.swap->first, launch.swap->second}) : Json(nullptr)}};
}

LaunchPlan launch_from_json(const Json& json) {
    const JsonReader reader(json, "launch");
    LaunchPlan launch;
    launch.kernel = reader.text("kernel");
    launch.global = reader.unsigned_integers("global");
    if (launch.global.empty() || launch.global.size() > 3) reader.refuse("global", "1 to 3 extents");
    if (reader.has("local")) launch.local = reader.unsigned_integers("local");
    if (launch.local && launch.local->size() != launch.global.size())
        reader.refuse("local", "as many extents as global has");
    for (const auto& [name, binding] : reader.object("args").items())
        launch.args.push_back({name, binding_from_json(binding)});
    const Json& local_mem = reader.object("local_mem");
    for (const auto& [name, elements] : local_mem.items())
        launch.local_mem.push_back({name, JsonReader(local_mem, "local_mem").unsigned_integer(name.c_str())});
    launch.repeat = reader.unsigned_integer("repeat", kMostRepeats);
    if (reader.has("swap")) {
        const auto names = reader.texts("swap");
        if (names.size() != 2) reader.refuse("swap", "two buffers");
        launch.swap = {names[0], names[1]};
    }
    return launch;
}

ElementType element_from(const JsonReader& reader, const char* key) {
    const auto type = parse_element_type(reader.text(key));
    if (!type) reader.refuse(key, "an element type");
    return *type;
}

constexpr std::string_view kTrusts[] = {"shipped", "own", "foreign"};

Trust trust_from(const JsonReader& reader) {
    const std::string name = reader.text("trust");
    for (std::size_t i = 0; i < std::size(kTrusts); ++i)
        if (kTrusts[i] == name) return static_cast<Trust>(i);
    reader.refuse("trust", "shipped, own or foreign");
}

Json to_json(const Expectation& expectation) {
    Json verdicts = Json::array();
    for (const Verdict verdict : expectation.verdicts) verdicts.push_back(to_string(verdict));
    return {{"verdicts", verdicts}, {"why", expectation.why}};
}

}  // namespace

Json to_json(const std::optional<Expectation>& expectation) {
    return expectation ? to_json(*expectation) : Json(nullptr);
}

std::optional<Expectation> expectation_from_json(const JsonReader& parent, const char* key) {
    if (!parent.has(key)) return std::nullopt;
    const JsonReader reader(parent.object(key), key);
    Expectation expectation{{}, reader.text("why")};
    for (const std::string& name : reader.texts("verdicts")) {
        const auto verdict = parse_verdict(name);
        if (!verdict) reader.refuse("verdicts", "known verdicts");
        expectation.verdicts.push_back(*verdict);
    }
    return expectation;
}

Json to_json(const Sizes& sizes) {
    Json json = Json::object();
    for (const auto& [name, value] : sizes) json[name] = value;
    return json;
}

Sizes sizes_from_json(const Json& json) {
    const JsonReader reader(json, "size");
    Sizes sizes;
    for (const auto& [name, value] : json.items())
        sizes.push_back({name, reader.integer(name.c_str(), 1, INT64_MAX)});
    return sizes;
}

Json to_json(const ParamChoice& params) {
    Json json = Json::object();
    for (const auto& [name, value] : params)
        std::visit([&, &key = name](const auto& plain) { json[key] = plain; }, value);
    return json;
}

ParamChoice params_from_json(const Json& json) {
    const JsonReader reader(json, "params");
    ParamChoice params;
    for (const auto& [name, value] : json.items()) {
        if (value.is_string())
            params.push_back({name, value.get<std::string>()});
        else
            params.push_back({name, reader.integer(name.c_str(), INT64_MIN, INT64_MAX)});
    }
    return params;
}

namespace {

Json texts_to_json(const NamedList<std::string>& list) {
    Json json = Json::object();
    for (const auto& [name, text] : list) json[name] = text;
    return json;
}

NamedList<std::string> texts_from(const JsonReader& parent, const char* key) {
    NamedList<std::string> list;
    const Json& json = parent.object(key);
    const JsonReader reader(json, key);
    for (const auto& [name, text] : json.items()) list.push_back({name, reader.text(name.c_str())});
    return list;
}

}  // namespace

Json to_json(const KernelPlan& plan) {
    Json launches = Json::array();
    for (const LaunchPlan& launch : plan.launches) launches.push_back(to_json(launch));
    Json scratch = Json::object();
    for (const auto& [name, piece] : plan.scratch)
        scratch[name] = {{"type", to_string(piece.type)}, {"elements", piece.elements}};
    Json init = Json::object();
    for (const auto& [name, rule] : plan.init)
        init[name] = rule.to_input ? Json{{"to", "input"}}
                                   : Json{{"to", "value"}, {"value", number_to_json(rule.value)}};
    return {{"name", plan.name},
            {"file", plan.file},
            {"source", plan.source_text},
            {"sha256", plan.source_sha256},
            {"includes", texts_to_json(plan.includes)},
            {"build_options", plan.build_options},
            {"defines", texts_to_json(plan.defines)},
            {"trust", std::string(kTrusts[static_cast<std::size_t>(plan.trust)])},
            {"params", to_json(plan.params)},
            {"launches", launches},
            {"scratch", scratch},
            {"init", init},
            {"flops", number_to_json(plan.flops)},
            {"bytes", number_to_json(plan.bytes)},
            {"refusal", plan.refusal ? to_json(*plan.refusal) : Json(nullptr)},
            {"expected", to_json(plan.expected)}};
}

KernelPlan plan_from_json(const Json& json) {
    const JsonReader reader(json, "kernel");
    KernelPlan plan;
    plan.name = reader.text("name");
    plan.file = reader.text("file");
    plan.source_text = reader.text("source");
    plan.source_sha256 = reader.text("sha256");
    plan.includes = texts_from(reader, "includes");
    plan.build_options = reader.text("build_options");
    plan.defines = texts_from(reader, "defines");
    plan.trust = trust_from(reader);
    plan.params = params_from_json(reader.object("params"));
    for (const Json& launch : reader.array("launches")) plan.launches.push_back(launch_from_json(launch));
    for (const auto& [name, item] : reader.object("scratch").items()) {
        const JsonReader piece(item, "scratch");
        plan.scratch.push_back({name, {element_from(piece, "type"), piece.unsigned_integer("elements")}});
    }
    for (const auto& [name, item] : reader.object("init").items()) {
        const JsonReader rule(item, "init");
        if (rule.text("to") == "input")
            plan.init.push_back({name, {true, 0}});
        else
            plan.init.push_back({name, {false, rule.number("value")}});
    }
    plan.flops = reader.optional_number("flops");
    plan.bytes = reader.optional_number("bytes");
    if (reader.has("refusal")) plan.refusal = finding_from_json(reader.object("refusal"));
    plan.expected = expectation_from_json(reader, "expected");
    return plan;
}

}  // namespace kwb
