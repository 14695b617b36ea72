// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of kernel plans and user-defined problems.
#pragma once

#include <set>

#include "base/record_json.hpp"
#include "model/declared_instance.hpp"
#include "model/plan.hpp"

namespace kwb {

/// The type's name, e.g. "float4".
template <>
struct JsonForm<ElementType> {
    static Json write(const ElementType& type) { return to_string(type); }
    static void read(const JsonPlace& place, ElementType& type) {
        std::optional<ElementType> known;
        if (place.json.is_string()) known = parse_element_type(place.json.get_ref<const std::string&>());
        if (!known) place.refuse("an element type");
        type = *known;
    }
};

template <>
struct JsonForm<Sampler> {
    static Json write(const Sampler& sampler) { return to_string(sampler); }
    static void read(const JsonPlace& place, Sampler& sampler) {
        std::optional<Sampler> known;
        if (place.json.is_string()) known = parse_sampler(place.json.get_ref<const std::string&>());
        if (!known) place.refuse("a sampler");
        sampler = *known;
    }
};

/// {"buffer": name}, {"value": number}, {"components": [number, …]} or {"sampler": name}
template <>
struct JsonForm<Binding> {
    static Json write(const Binding& binding) {
        if (const auto* buffer = std::get_if<BufferName>(&binding)) return {{"buffer", buffer->name}};
        if (const auto* vector = std::get_if<VectorValue>(&binding))
            return {{"components", write_json(*vector)}};
        if (const auto* sampler = std::get_if<Sampler>(&binding)) return {{"sampler", write_json(*sampler)}};
        return {{"value", write_json(std::get<ScalarValue>(binding))}};
    }
    static void read(const JsonPlace& place, Binding& binding) {
        place.require_object();
        if (place.find("buffer") != nullptr)
            read_json(place.at("buffer"), binding.emplace<BufferName>().name);
        else if (place.find("components") != nullptr)
            read_json(place.at("components"), binding.emplace<VectorValue>(), items(0, 64));
        else if (place.find("sampler") != nullptr)
            read_json(place.at("sampler"), binding.emplace<Sampler>());
        else
            read_json(place.at("value"), binding.emplace<ScalarValue>());
    }
};

/// True if there is content; its bytes are sent as an attachment.
template <>
struct JsonForm<BufferContent> {
    static Json write(const BufferContent& content) { return content != nullptr; }
    static void read(const JsonPlace& place, BufferContent& content) {
        bool announced = false;
        read_json(place, announced);
        content = announced ? std::make_shared<const std::string>() : nullptr;
    }
};

template <class Fields>
void describe(Fields& f, Expectation& expected) {
    f.record("expectation", "What the file of a deliberately wrong kernel expects.");
    f("verdicts", expected.verdicts, items(1), "The expected verdicts; any of them is accepted.");
    f("why", expected.why, "Why the kernel is wrong.");
}

template <class Fields>
void describe(Fields& f, Remedy& remedy) {
    f.record("remedy", "What to change, and to what.");
    f("change", remedy.kind);
    f("to", remedy.value, "Empty: to something other than it is.");
}

template <class Fields>
void describe(Fields& f, Finding& finding) {
    f.record("finding", "What planning, judging or measuring found, as data.");
    f("code", finding.code);
    f("subject", finding.subject, "What it is about: a kernel function, a buffer, a work-group, a file.");
    f("place", finding.place, "file:line:column, or an element of a buffer; may be empty.");
    f("numbers", finding.numbers, "Shares are in [0, 1]; other units end a name.");
    f("texts", finding.texts, "Names and values, and whole sentences where nothing else is known.");
    f("remedy", finding.remedy, "null: nothing in particular.");
}

template <class Fields>
void describe(Fields& f, LaunchPlan& launch) {
    f("kernel", launch.kernel);
    f("global", launch.global, items(1, 3));
    f("local", launch.local);
    f("args", launch.args);
    f("local_mem", launch.local_mem);
    f("repeat", launch.repeat, at_most(kMostLaunches));
    f("swap", launch.swap);
    f("counted", launch.counted, at_most(1u << 20));
}

inline std::optional<Flaw> check(const LaunchPlan& launch) {
    if (launch.local && launch.local->size() != launch.global.size())
        return Flaw{"local", "the same number of extents as global"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, ScratchPlan& scratch) {
    f("type", scratch.type);
    f("elements", scratch.elements);
}

template <class Fields>
void describe(Fields& f, InitSpec& init) {
    f("to_input", init.to_input);
    f("value", init.value);
}

template <class Fields>
void describe(Fields& f, KernelPlan& plan) {
    f("name", plan.name);
    f("device", plan.device);
    f("file", plan.file);
    f("source", plan.source_text);
    f("sha256", plan.source_sha256);
    f("includes", plan.includes);
    f("build_options", plan.build_options);
    f("defines", plan.defines);
    f("trust", plan.trust);
    f("params", plan.params);
    f("launches", plan.launches);
    f("scratch", plan.scratch);
    f("init", plan.init);
    f("flops", plan.flops);
    f("bytes", plan.bytes);
    f("refusal", plan.refusal);
    f("expected", plan.expected);
}

template <class Fields>
void describe(Fields& f, BufferSpec& buffer) {
    f("name", buffer.name);
    f("type", buffer.type);
    f("access", buffer.access);
    f("shape", buffer.shape, at_least(1).items(1, 32));
    f("normalized", buffer.is_normalized);
}

inline std::optional<Flaw> check(const BufferSpec& buffer) {
    if (buffer.type.width == 3) return Flaw{"type", "a type without padding"};
    std::uint64_t bytes = buffer.type.bytes();
    for (const std::uint64_t extent : buffer.shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMostBufferBytes)
            return Flaw{"shape", "a shape that memory can hold"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, ScalarSpec& scalar) {
    f("name", scalar.name);
    f("type", scalar.type);
    f("value", scalar.value);
}

inline std::optional<Flaw> check(const ScalarSpec& scalar) {
    if (scalar.type.width == 3) return Flaw{"type", "a type without padding"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, Fill& fill) {
    f("kind", fill.kind);
    f("first", fill.first, kFinite);
    f("second", fill.second, kFinite);
    f("seed", fill.seed);
}

template <class Fields>
void describe(Fields& f, DeclaredInput& input) {
    f("fill", input.fill);
    f("content", input.content);
}

inline std::optional<Flaw> check(const DeclaredInput& input) {
    if ((input.fill.kind == FillKind::Array) != (input.content != nullptr))
        return Flaw{"content", "only for arrays"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, DeclaredOutput& output) {
    f("absolute", output.tolerance.absolute, kAmount);
    f("relative", output.tolerance.relative, kAmount);
    f("ulp", output.tolerance.ulp, kAmount);
    f("usual", output.is_usual_tolerance);
    f("content", output.expected);
}

/// The instance's name and sizes are not included: they are in the request that contains it.
template <class Fields>
void describe(Fields& f, DeclaredInstance& declared) {
    ProblemInstance& instance = declared.instance;
    f("buffers", instance.buffers, items(0, kMostBuffers));
    f("scalars", instance.scalars);
    f("flops", instance.cost.flops, kAmount);
    f("bytes", instance.cost.bytes, kAmount);
    f("inputs", declared.inputs);
    f("outputs", declared.outputs);
    f("reference", declared.reference);
}

inline std::optional<Flaw> check(const DeclaredInstance& declared) {
    std::set<std::string> names;
    std::vector<std::string> read;
    std::vector<std::string> written;
    for (const BufferSpec& buffer : declared.instance.buffers) {
        if (!names.insert(buffer.name).second) return Flaw{"buffers", "of different names"};
        if (buffer.access != Access::Write) read.push_back(buffer.name);
        if (buffer.access != Access::Read) written.push_back(buffer.name);
    }
    for (const ScalarSpec& scalar : declared.instance.scalars)
        if (!names.insert(scalar.name).second) return Flaw{"scalars", "numbers of different names"};
    if (names_of(declared.inputs) != read)
        return Flaw{"inputs", "one for each buffer that is read, in their order"};
    if (names_of(declared.outputs) != written || written.empty())
        return Flaw{"outputs", "one for each buffer that is written, in their order, and at least one"};
    return std::nullopt;
}

}  // namespace kwb
