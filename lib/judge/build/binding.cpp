// SPDX-License-Identifier: Apache-2.0
#include "judge/build/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/reference/inputs.hpp"
#include "model/argument_names.hpp"
#include "problems/problem.hpp"
#include "source/directives.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

template <class T>
std::vector<std::uint8_t> raw(T value) {
    std::vector<std::uint8_t> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class T>
std::optional<std::vector<std::uint8_t>> as_type(const ScalarValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        if constexpr (std::is_integral_v<T>) {
            if (std::is_unsigned_v<T> && *number < 0) return std::nullopt;
            if (static_cast<std::int64_t>(static_cast<T>(*number)) != *number) return std::nullopt;
        }
        return raw(static_cast<T>(*number));
    }
    const double number = std::get<double>(value);
    if constexpr (std::is_integral_v<T>) return std::nullopt;
    return raw(static_cast<T>(number));
}

Failure misfit(const std::string& sentence) {
    return {Verdict::LaunchError, sentence, {}, {}};
}

/// For an argument without a value, which would be NULL or make the launch fail.
Failure missing(const std::string& sentence) {
    return {Verdict::Constraint, sentence, {}, {}};
}

constexpr const char* kUnwatchedImages =
    "accesses outside images are not detected: writes there, and reads by a sampler with `none`, are "
    "undefined";

/// "argument 'X' of matmul_tiled"
std::string argument_of(const KernelParameter& argument, const FunctionInfo& function) {
    return "argument '" + argument.name + "' of " + function.name;
}

class Binder {
public:
    Binder(const KernelPlan& plan, std::size_t contestant, const ProblemInstance& instance,
           const Layout& layout)
        : plan_(plan), contestant_(contestant), instance_(instance), layout_(layout) {}

    /// Matches the arguments that the launch does not bind to the buffers and scalars of the problem.
    /// @param remarks  receives those that no name identified
    void match(const LaunchPlan& launch, const FunctionInfo& function, std::vector<Finding>* remarks) {
        std::vector<NamedArgument> open;
        for (const KernelParameter& argument : function.arguments)
            if (argument.space != AddressSpace::Local && !argument.is_sampler() &&
                find_named(launch.args, argument.name) == nullptr)
                open.push_back(named_argument(argument));
        std::vector<std::string> taken;
        for (const auto& [name, binding] : launch.args)
            if (const auto* buffer = std::get_if<BufferName>(&binding))
                taken.push_back(buffer->name);
            else if (!std::holds_alternative<Sampler>(
                         binding))  // whose number it is, its value does not tell
                for (const ScalarSpec& scalar : instance_.scalars) taken.push_back(scalar.name);
        auto found = match_arguments(open, instance_, names_of(plan_.scratch), spellings_of(instance_));
        match_by_elimination(open, found, instance_, names_of(plan_.scratch), taken);
        meanings_.clear();
        std::vector<std::string> told;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (!found[i]) continue;
            meanings_.push_back({open[i].name, found[i]->name});
            if (found[i]->how == NameMatch::Elimination)
                told.push_back(open[i].name + " = " + found[i]->name);
        }
        if (told.empty() || remarks == nullptr) return;
        Finding remark{.code = FindingCode::BoundByElimination,
                       .subject = function.name,
                       .texts = {{"bindings", enumerate(told)}}};
        if (std::ranges::find(*remarks, remark) == remarks->end()) remarks->push_back(std::move(remark));
    }

    Answer<Argument> bind(const LaunchPlan& launch, const FunctionInfo& function,
                          const KernelParameter& argument) const {
        if (argument.space == AddressSpace::Local) return bind_local(launch, function, argument);
        if (argument.is_sampler()) return bind_sampler(launch, function, argument);
        if ((argument.is_image() && argument.type_name != kImage) ||
            (argument.space == AddressSpace::Other && !is_pointer(argument)))
            return missing(argument_of(argument, function) + " is of type " + argument.type_name +
                           ", which is not supported. Use __global pointers, " + kImage + " and numbers");
        if (const Binding* binding = find_named(launch.args, argument.name)) {
            if (const auto* buffer = std::get_if<BufferName>(binding))
                return bind_buffer(function, argument, buffer->name);
            if (std::holds_alternative<Sampler>(*binding))
                return misfit(argument_of(argument, function) +
                              " is given a sampler, but it is not a sampler_t");
            if (const auto* vector = std::get_if<VectorValue>(binding)) {
                if (vector->empty() && is_pointer(argument)) return ValueArgument{};
                return bind_value(function, argument, *vector);
            }
            return bind_value(function, argument, {std::get<ScalarValue>(*binding)});
        }
        const std::string* meant = find_named(meanings_, argument.name);
        if (meant == nullptr) return unknown(function, argument);
        if (const ScalarSpec* scalar = instance_.find_scalar(*meant))
            return bind_value(function, argument, {scalar->value});
        return bind_buffer(function, argument, *meant);
    }

private:
    /// By its type name, because a pointer has no address space if the source hides it in a macro.
    static bool is_pointer(const KernelParameter& argument) {
        return trim(argument.type_name).ends_with('*');
    }

    Answer<Argument> bind_local(const LaunchPlan& launch, const FunctionInfo& function,
                                const KernelParameter& argument) const {
        const std::uint64_t* elements = find_named(launch.local_mem, argument.name);
        if (elements == nullptr)
            return missing(argument_of(argument, function) +
                           " is a __local pointer, but its size is not given. Add local_mem = {" +
                           argument.name + " = \"elements\"} to [launch]");
        if (*elements == 0)
            return missing(argument_of(argument, function) +
                           " is a __local pointer of 0 elements. Give it at least 1 in local_mem");
        std::uint64_t bytes = 0;
        if (__builtin_mul_overflow(*elements, pointee_bytes(argument), &bytes)) bytes = UINT64_MAX;
        return LocalArgument{bytes};
    }

    Answer<Argument> bind_buffer(const FunctionInfo& function, const KernelParameter& argument,
                                 const std::string& name) const {
        const Slot* slot = layout_.find(name, contestant_);
        if (slot == nullptr)
            return misfit(argument_of(argument, function) + " is bound to '" + name +
                          "', which is not a buffer of this problem;" + did_you_mean(name, buffer_names()) +
                          " There are " + enumerate(buffer_names()));
        if (argument.is_image()) return bind_image(function, argument, *slot);
        if (argument.space == AddressSpace::Private)
            return misfit(argument_of(argument, function) + " is a plain " + argument.type_name + ", but " +
                          name + " is a buffer: declare it __global " + to_string(slot->type) + "*");
        const auto type = pointee(argument);
        if (type && type->scalar != slot->type.scalar)
            return misfit(argument_of(argument, function) + " points to " + to_string(*type) + ", but " +
                          name + " holds " + to_string(slot->type) +
                          ": the kernel would misread every element");
        return BufferArgument{slot->id};
    }

    Answer<Argument> bind_image(const FunctionInfo& function, const KernelParameter& argument,
                                const Slot& slot) const {
        const BufferSpec* buffer = instance_.find_buffer(slot.name);
        const auto shape = buffer != nullptr ? image_shape(*buffer) : std::nullopt;
        if (!shape)
            return misfit(argument_of(argument, function) + " is an image, but " + slot.name +
                          (buffer == nullptr ? " is scratch memory. Bind a buffer of the problem"
                                             : ", with " + counted(buffer->shape.size(), "extent") + " of " +
                                                   to_string(slot.type) +
                                                   ", is not a grid of pixels, which has rows and columns, "
                                                   "and pixels of 1, 2 or 4 components of at most 32 bits"));
        return ImageArgument{slot.id, *shape, !argument.is_const};
    }

    Answer<Argument> bind_sampler(const LaunchPlan& launch, const FunctionInfo& function,
                                  const KernelParameter& argument) const {
        const Binding* binding = find_named(launch.args, argument.name);
        if (binding == nullptr) return SamplerArgument{};
        if (const auto* sampler = std::get_if<Sampler>(binding)) return SamplerArgument{*sampler};
        return misfit(argument_of(argument, function) +
                      " is a sampler_t. Bind it to one, e.g. nearest_edge or linear_repeat_normalized");
    }

    Answer<Argument> bind_value(const FunctionInfo& function, const KernelParameter& argument,
                                const VectorValue& value) const {
        const auto type = find_type(argument.type_name);
        if (argument.space != AddressSpace::Private)
            return misfit(argument_of(argument, function) + " is a pointer, but " + argument.name +
                          " is a number");
        if (!type) return bind_record(function, argument, value);
        if (type->width != value.size())
            return misfit(argument_of(argument, function) + " is of type " + argument.type_name + ", with " +
                          counted(type->width, "component") + ", but it is given " +
                          counted(value.size(), "number") + ". " +
                          (type->width == 1 ? "Give one" : "List as many in [launch] args, e.g. \"[1, 2]\""));
        std::vector<std::uint8_t> all;
        for (const ScalarValue& component : value) {
            const auto bytes = scalar_bytes_of(component, type->scalar);
            if (!bytes)
                return misfit(argument_of(argument, function) + " is of type " + argument.type_name +
                              ", which cannot hold its value. Use a wider type");
            all.insert(all.end(), bytes->begin(), bytes->end());
        }
        all.resize(type->bytes());  // a vector of three components takes the space of four
        return ValueArgument{all};
    }

    Answer<Argument> bind_record(const FunctionInfo& function, const KernelParameter& argument,
                                 const VectorValue& value) const {
        const source::Record* const record = find_record(argument.type_name);
        if (record == nullptr) return misfit(refusal_of_type(function, argument));
        if (value.size() != record->numbers.size())
            return misfit(argument_of(argument, function) + " is a structure of " +
                          counted(record->numbers.size(), "number") + ", but it is given " +
                          counted(value.size(), "number") + ". List all of them, e.g. \"[1, 2]\"");
        std::vector<std::uint8_t> all(record->bytes);
        for (std::size_t i = 0; i < value.size(); ++i) {
            const auto& [offset, scalar] = record->numbers[i];
            const auto bytes = scalar_bytes_of(value[i], scalar);
            if (!bytes)
                return misfit(argument_of(argument, function) + ": its number " + std::to_string(i + 1) +
                              " is " + to_string(ElementType{scalar, 1}) + ", which cannot hold the value");
            expects(offset + bytes->size() <= all.size(), "a structure's numbers lie inside it");
            std::ranges::copy(*bytes, all.begin() + static_cast<std::ptrdiff_t>(offset));
        }
        return ValueArgument{all};
    }

    const source::Program* program() const {
        if (!reading_) reading_ = read_source(source_text_of(plan_));
        return reading_->program.get();
    }

    /// Also resolves types that the source defines, such as `typedef uint index_t;`; drivers report those
    /// names.
    std::optional<ElementType> find_type(std::string_view name) const {
        if (const auto type = parse_element_type(name)) return type;
        if (program() == nullptr) return std::nullopt;
        const auto known = program()->typedefs.find(std::string(trim(name)));
        return known != program()->typedefs.end() ? parse_element_type(known->second) : std::nullopt;
    }

    /// A structure of only numbers; null for anything else.
    const source::Record* find_record(std::string_view type) const {
        if (program() == nullptr) return nullptr;
        const std::string name(trim(type));
        for (const std::string& known : {name, "struct " + name})
            if (const auto record = program()->records.find(known);
                record != program()->records.end() && !record->second.numbers.empty())
                return &record->second;
        return nullptr;
    }

    /// The element type of "float*"; nullopt for structures and other types.
    std::optional<ElementType> pointee(const KernelParameter& argument) const {
        const std::string_view type = trim(argument.type_name);
        return type.ends_with('*') ? find_type(type.substr(0, type.size() - 1)) : std::nullopt;
    }

    /// 1 for structures with more than numbers in them, and other types.
    std::uint64_t pointee_bytes(const KernelParameter& argument) const {
        if (const auto type = pointee(argument)) return type->bytes();
        const source::Record* const record =
            is_pointer(argument) ? find_record(argument.element_type()) : nullptr;
        return record != nullptr ? record->bytes : 1;
    }

    std::vector<std::string> buffer_names() const {
        std::vector<std::string> names;
        for (const BufferSpec& buffer : instance_.buffers) names.push_back(buffer.name);
        for (const auto& [name, scratch] : plan_.scratch) names.push_back(name);
        return names;
    }

    std::string refusal_of_type(const FunctionInfo& function, const KernelParameter& argument) const {
        return argument_of(argument, function) + " is of type " + argument.type_name +
               (find_record(argument.type_name) != nullptr
                    ? ", a structure. List its numbers in [launch], args = {" + argument.name +
                          " = \"[1, 2]\"}"
                    : ", which does not accept a number. Use int, uint, long, ulong, float, double, or a "
                      "vector or a structure of them");
    }

    Failure unknown(const FunctionInfo& function, const KernelParameter& argument) const {
        if (!is_pointer(argument) && !argument.is_image() && !find_type(argument.type_name))
            return missing(refusal_of_type(function, argument));
        std::vector<std::string> known = instance_.argument_names();
        for (const auto& [name, scratch] : plan_.scratch) known.push_back(name);
        return missing(argument_of(argument, function) + " is none of those that " + instance_.problem +
                       " knows (" + join(known, ", ") + ")." + did_you_mean(argument.name, known) +
                       " Bind it with args = {" + argument.name + " = \"…\"} in [launch].");
    }

    const KernelPlan& plan_;
    std::size_t contestant_;
    const ProblemInstance& instance_;
    const Layout& layout_;
    mutable std::optional<Reading> reading_;  ///< of the source, when first needed
    NamedList<std::string> meanings_;         ///< argument → buffer or scalar
};

Failure no_such_function(const LaunchPlan& launch, const KernelPlan& plan,
                         const std::vector<FunctionInfo>& functions) {
    std::vector<std::string> names;
    for (const FunctionInfo& function : functions) names.push_back(function.name);
    std::string sentence = plan.file + ": there is no kernel function '" + launch.kernel + "'";
    if (std::ranges::find(names, "_cl_" + launch.kernel) != names.end())  // by a macro of PoCL's headers
        return misfit(
            fmt::format("{}: {} is the name of a built-in function of OpenCL C, which this driver redefines. "
                        "Give the kernel another name",
                        plan.file, launch.kernel));
    for (const ConditionalKernel& hidden : find_conditional_kernels(plan.source_text))
        if (hidden.name == launch.kernel) return misfit(sentence + ": " + describe(hidden));
    return misfit(sentence + (names.empty() ? "; the built program has none at all"
                                            : "; the file has " + enumerate(names) + "." +
                                                  did_you_mean(launch.kernel, names)));
}

/// Finds an argument that the launch binds but the function does not have.
std::optional<Failure> find_stray(const LaunchPlan& launch, const FunctionInfo& function) {
    std::vector<std::string> names;
    for (const KernelParameter& argument : function.arguments) names.push_back(argument.name);
    const auto check = [&](const std::string& name) -> std::optional<Failure> {
        if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
        return misfit("[launch] binds '" + name + "', but " + function.name +
                      " has no such argument; it has " + enumerate(names) + "." + did_you_mean(name, names));
    };
    for (const auto& [name, binding] : launch.args)
        if (auto stray = check(name)) return stray;
    for (const auto& [name, elements] : launch.local_mem)
        if (auto stray = check(name)) return stray;
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> scalar_bytes_of(const ScalarValue& value, Scalar scalar) {
    return with_scalar_type(scalar, [&]<class T>(T) { return as_type<T>(value); });
}

Answer<std::vector<Launch>> bind_launches(const KernelPlan& plan, std::size_t contestant,
                                          const std::vector<FunctionInfo>& functions,
                                          const ProblemInstance& instance, const Layout& layout,
                                          std::vector<Finding>* remarks) {
    Binder binder(plan, contestant, instance, layout);
    std::vector<Launch> bound;
    for (const LaunchPlan& launch : plan.launches) {
        const auto function = std::find_if(functions.begin(), functions.end(),
                                           [&](const FunctionInfo& f) { return f.name == launch.kernel; });
        if (function == functions.end()) return no_such_function(launch, plan, functions);
        if (auto stray = find_stray(launch, *function)) return std::move(*stray);

        Launch out{launch.kernel,
                   launch.global,
                   launch.local.value_or(std::vector<std::uint64_t>{}),
                   {},
                   launch.repeat,
                   {}};
        binder.match(launch, *function, remarks);
        for (const KernelParameter& argument : function->arguments) {
            Answer<Argument> answer = binder.bind(launch, *function, argument);
            if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
            out.arguments.push_back(std::get<Argument>(answer));
        }
        const bool has_image = std::ranges::any_of(out.arguments, [](const Argument& argument) {
            return std::holds_alternative<ImageArgument>(argument);
        });
        if (Finding unwatched = remark(kUnwatchedImages);
            has_image && remarks != nullptr && std::ranges::find(*remarks, unwatched) == remarks->end())
            remarks->push_back(std::move(unwatched));
        if (launch.swap) {
            const Slot* first = layout.find(launch.swap->first, contestant);
            const Slot* second = layout.find(launch.swap->second, contestant);
            if (first == nullptr || second == nullptr)
                return misfit("[launch] swaps '" + launch.swap->first + "' and '" + launch.swap->second +
                              "', but not both are buffers of " + instance.problem + " or scratch");
            if (first->bytes() != second->bytes())
                return misfit("[launch] swaps '" + first->name + "' and '" + second->name +
                              "', which differ in size");
            out.swap = {first->id, second->id};
        }
        bound.push_back(std::move(out));
    }
    return bound;
}

Answer<std::vector<BufferOperation>> bind_init(const KernelPlan& plan, std::size_t contestant,
                                               const Layout& layout) {
    std::vector<BufferOperation> operations;
    for (const auto& [name, rule] : plan.init) {
        const Slot* slot = layout.find(name, contestant);
        if (slot == nullptr)
            return misfit("[init] names '" + name +
                          "', which is neither a buffer of the problem nor scratch");
        if (rule.to_input) {
            const Slot* pristine = layout.find_pristine(name);
            if (pristine == nullptr)
                return misfit("[init] restores '" + name +
                              "' to its input, but it is not an in-out buffer. Use " + name + " = 0");
            operations.push_back({slot->id, {}, pristine->id});
            continue;
        }
        const bool whole = rule.value == std::floor(rule.value) && std::fabs(rule.value) < 0x1p53;
        const ScalarValue value =
            whole ? ScalarValue(static_cast<std::int64_t>(rule.value)) : ScalarValue(rule.value);
        const auto bytes = scalar_bytes_of(value, slot->type.scalar);
        if (!bytes)
            return misfit("[init] sets '" + name + "' to a value that " + to_string(slot->type) +
                          " cannot hold");
        operations.push_back({slot->id, *bytes, std::nullopt});
    }
    return operations;
}

}  // namespace kwb
