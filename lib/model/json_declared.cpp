#include <algorithm>
#include <cmath>
#include <set>

#include "model/json.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostDimensions = 32;

constexpr std::string_view kAccesses[] = {"read", "write", "read_write"};

/// Announced; the bytes travel as an attachment.
Json announce(const BufferContent& content) {
    return content != nullptr;
}

BufferContent announced(const JsonReader& reader, const char* key) {
    return reader.boolean(key) ? std::make_shared<const std::string>() : nullptr;
}

ElementType type_from(const JsonReader& reader) {
    const auto type = parse_element_type(reader.text("type"));
    if (!type || type->width == 3) reader.refuse("type", "an element type");
    return *type;
}

double finite(const JsonReader& reader, const char* key) {
    const double value = reader.number(key);
    if (!std::isfinite(value)) reader.refuse(key, "a finite number");
    return value;
}

double allowance(const JsonReader& reader, const char* key) {
    const double value = finite(reader, key);
    if (value < 0) reader.refuse(key, "a number of at least 0");
    return value;
}

Json to_json(const ScalarSpec& scalar) {
    Json json = {{"name", scalar.name}, {"type", to_string(scalar.type)}};
    if (const auto* whole = std::get_if<std::int64_t>(&scalar.value))
        json["value"] = *whole;
    else
        json["value"] = number_to_json(std::get<double>(scalar.value));
    return json;
}

ScalarSpec scalar_from(const Json& json) {
    const JsonReader reader(json, "scalar");
    ScalarSpec scalar{reader.text("name"), type_from(reader), std::int64_t{0}};
    if (json.contains("value") && json.at("value").is_number_integer())
        scalar.value = reader.integer("value", INT64_MIN, INT64_MAX);
    else
        scalar.value = reader.number("value");
    return scalar;
}

Json to_json(const Fill& fill) {
    return {{"kind", to_string(fill.kind)},
            {"first", number_to_json(fill.first)},
            {"second", number_to_json(fill.second)}};
}

Fill fill_from(const Json& json) {
    const JsonReader reader(json, "fill");
    const auto kind = parse_fill_kind(reader.text("kind"));
    if (!kind) reader.refuse("kind", "a way to fill a buffer");
    return {*kind, finite(reader, "first"), finite(reader, "second")};
}

}  // namespace

Json to_json(const BufferSpec& buffer) {
    return {{"name", buffer.name},
            {"type", to_string(buffer.type)},
            {"access", std::string(kAccesses[static_cast<std::size_t>(buffer.access)])},
            {"shape", buffer.shape}};
}

BufferSpec buffer_from_json(const Json& json) {
    const JsonReader reader(json, "buffer");
    BufferSpec buffer;
    buffer.name = reader.text("name");
    buffer.type = type_from(reader);
    const std::string access = reader.text("access");
    const auto* const found = std::find(std::begin(kAccesses), std::end(kAccesses), access);
    if (found == std::end(kAccesses)) reader.refuse("access", "read, write or read_write");
    buffer.access = static_cast<Access>(found - std::begin(kAccesses));
    buffer.shape = reader.unsigned_integers("shape");
    if (buffer.shape.empty() || buffer.shape.size() > kMostDimensions)
        reader.refuse("shape", "1 to 32 extents");
    std::uint64_t bytes = buffer.type.bytes();
    for (const std::uint64_t extent : buffer.shape)
        if (extent == 0 || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMostBufferBytes)
            reader.refuse("shape", "a shape that memory can hold");
    return buffer;
}

Json to_json(const DeclaredInstance& declared) {
    const ProblemInstance& instance = declared.instance;
    Json buffers = Json::array();
    for (const BufferSpec& buffer : instance.buffers) buffers.push_back(to_json(buffer));
    Json scalars = Json::array();
    for (const ScalarSpec& scalar : instance.scalars) scalars.push_back(to_json(scalar));
    Json inputs = Json::object();
    for (const auto& [name, input] : declared.inputs)
        inputs[name] = {{"fill", to_json(input.fill)}, {"content", announce(input.content)}};
    Json outputs = Json::object();
    for (const auto& [name, output] : declared.outputs)
        outputs[name] = {{"absolute", output.tolerance.absolute},
                         {"relative", output.tolerance.relative},
                         {"ulp", output.tolerance.ulp},
                         {"usual", output.is_usual_tolerance},
                         {"content", announce(output.expected)}};
    return {{"buffers", buffers},
            {"scalars", scalars},
            {"flops", instance.cost.flops},
            {"bytes", instance.cost.bytes},
            {"inputs", inputs},
            {"outputs", outputs},
            {"reference", declared.reference ? to_json(*declared.reference) : Json(nullptr)}};
}

DeclaredInstance declared_from_json(const Json& json) {
    const JsonReader reader(json, "declared");
    DeclaredInstance declared;
    ProblemInstance& instance = declared.instance;
    std::set<std::string> names;
    for (const Json& item : reader.array("buffers")) {
        instance.buffers.push_back(buffer_from_json(item));
        if (!names.insert(instance.buffers.back().name).second || names.size() > kMostBuffers)
            reader.refuse("buffers", "at most 64 of different names");
    }
    for (const Json& item : reader.array("scalars")) {
        instance.scalars.push_back(scalar_from(item));
        if (!names.insert(instance.scalars.back().name).second)
            reader.refuse("scalars", "numbers of different names");
    }
    instance.cost = {allowance(reader, "flops"), allowance(reader, "bytes")};

    const Json& inputs = reader.object("inputs");
    const Json& outputs = reader.object("outputs");
    bool needs_reference = false;
    std::size_t told = 0;
    for (const BufferSpec& buffer : instance.buffers) {
        if (buffer.access != Access::Write) {
            const JsonReader input(JsonReader(inputs, "inputs").object(buffer.name.c_str()), buffer.name);
            declared.inputs.push_back(
                {buffer.name, {fill_from(input.object("fill")), announced(input, "content")}});
            const DeclaredInput& read = declared.inputs.back().value;
            if ((read.fill.kind == FillKind::Array) != (read.content != nullptr))
                input.refuse("content", "there for arrays alone");
            ++told;
        }
        if (buffer.access != Access::Read) {
            const JsonReader output(JsonReader(outputs, "outputs").object(buffer.name.c_str()), buffer.name);
            declared.outputs.push_back(
                {buffer.name,
                 {{allowance(output, "absolute"), allowance(output, "relative"), allowance(output, "ulp")},
                  output.boolean("usual"),
                  announced(output, "content")}});
            needs_reference = needs_reference || !declared.outputs.back().value.expected;
            ++told;
        }
    }
    if (told != inputs.size() + outputs.size()) reader.refuse("inputs", "one for each buffer");
    if (declared.outputs.empty()) reader.refuse("outputs", "at least one");
    if (reader.has("reference")) declared.reference = plan_from_json(reader.object("reference"));
    if (needs_reference && !declared.reference) reader.refuse("reference", "there, though it is needed");
    return declared;
}

}  // namespace kwb
