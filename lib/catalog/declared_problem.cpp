// SPDX-License-Identifier: Apache-2.0
#include "catalog/declared_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/npy.hpp"
#include "base/picture.hpp"
#include "base/text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/expression.hpp"
#include "catalog/kernel_file.hpp"
#include "catalog/place.hpp"
#include "catalog/resolve.hpp"
#include "catalog/type_range.hpp"
#include "model/element.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// A different prime for each size of the problem, so that swapped sizes are detected.
constexpr std::array<std::int64_t, 6> kPrimes = {61, 127, 29, 13, 17, 7};

}  // namespace

std::vector<Sizes> list_awkward_sizes(const ProblemSpec& spec, std::int64_t tile) {
    expects(tile >= 1, "list_awkward_sizes: tile must be at least 1");
    std::vector<std::size_t> free;  // the sizes that list no awkward values
    for (std::size_t i = 0; i < spec.sizes.size(); ++i)
        if (spec.sizes[i].value.awkward.empty()) free.push_back(i);

    std::vector<Sizes> all;
    const auto add = [&](Sizes sizes) {
        if (std::find(all.begin(), all.end(), sizes) == all.end()) all.push_back(std::move(sizes));
    };
    const auto all_at = [&](std::int64_t edge) {
        Sizes sizes;
        for (const auto& [name, size] : spec.sizes)
            sizes.push_back({name, size.awkward.empty() ? edge : size.usual});
        return sizes;
    };
    const auto add_one_at = [&](std::size_t one, std::int64_t value, std::int64_t others) {
        Sizes sizes = all_at(others);
        sizes[one].value = value;
        add(std::move(sizes));
    };
    Sizes primes = all_at(1);
    for (std::size_t i = 0; i < free.size(); ++i) primes[free[i]].value = kPrimes[i % kPrimes.size()];

    if (free.size() == 1) {
        for (const std::int64_t length : awkward_lengths(tile)) add(all_at(length));
    } else if (!free.empty()) {
        for (const std::int64_t edge : awkward_edges(tile)) add(all_at(edge));
        add(primes);
        for (const std::size_t one : free) {
            add_one_at(one, 1, 64);
            add_one_at(one, 1009, 7);
            add_one_at(one, tile + 1, 2 * tile);
        }
    }
    for (std::size_t i = 0; i < spec.sizes.size(); ++i)
        for (const std::int64_t value : spec.sizes[i].value.awkward) {
            Sizes sizes = primes;
            sizes[i].value = value;
            add(std::move(sizes));
        }
    return all;
}

namespace {

Scope scope_of(const Sizes& sizes) {
    Scope scope;
    for (const auto& [name, value] : sizes) scope.set(name, value);
    return scope;
}

}  // namespace

DeclaredProblem::DeclaredProblem(std::shared_ptr<const ProblemSpec> spec, fs::path file,
                                 std::string declared_in, EditedTexts edited)
    : spec_(std::move(spec)),
      file_(std::move(file)),
      declared_in_(std::move(declared_in)),
      edited_(std::move(edited)) {}

Sizes DeclaredProblem::default_sizes() const {
    Sizes sizes;
    for (const auto& [name, size] : spec_->sizes) sizes.push_back({name, size.usual});
    return sizes;
}

Sizes DeclaredProblem::square(std::int64_t edge) const {
    Sizes sizes;
    for (const auto& [name, size] : spec_->sizes)
        sizes.push_back({name, size.awkward.empty() ? edge : size.usual});
    return sizes;
}

namespace {

/// Whether the reference, which is simple rather than fast, can be expected to cope with a size as it does
/// with the usual one. Its work may grow with any power of a size, unless `flops` gives its growth.
class Affordable {
public:
    explicit Affordable(const DeclaredProblem& problem) {
        usual_.sizes = problem.default_sizes();
        try {
            usual_ = problem.at(usual_.sizes);
        } catch (const BadInput&) {  // reported when it is run
        }
    }

    bool operator()(const ProblemInstance& instance) const {
        constexpr double kTimesAsMuch = 4, kCheapFlops = 1e8;
        if (usual_.cost.flops > 0)
            return instance.cost.flops <= std::max(kTimesAsMuch * usual_.cost.flops, kCheapFlops);
        constexpr std::int64_t kTimesAsLong = 2, kShort = 1025;
        for (std::size_t i = 0; i < instance.sizes.size(); ++i)
            if (instance.sizes[i].value > std::max(kTimesAsLong * usual_.sizes[i].value, kShort))
                return false;
        return true;
    }

private:
    ProblemInstance usual_;
};

}  // namespace

std::vector<Sizes> DeclaredProblem::awkward_sizes(std::int64_t tile) const {
    for (const auto& [name, buffer] : spec_->buffers)
        if (buffer.expected || (buffer.fill && buffer.fill->kind == FillKind::Array))
            return {default_sizes()};
    std::vector<Sizes> fitting;
    const Affordable affordable(*this);
    const auto is_listed = [&](const Sizes& sizes) {  // by the problem itself
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (const SizeSpec& size = spec_->sizes[i].value;
                !size.awkward.empty() && sizes[i].value != size.usual)
                return true;
        return false;
    };
    for (Sizes& sizes : list_awkward_sizes(*spec_, tile)) {
        try {
            const ProblemInstance instance = at(sizes);
            if (!is_listed(sizes) && !affordable(instance)) continue;
            for (const BufferSpec& buffer : instance.buffers) {
                const DeclaredBufferSpec& declared = *find_named(spec_->buffers, buffer.name);
                if (declared.fill) evaluate_fill(*declared.fill, buffer, declared.place, sizes);
            }
            fitting.push_back(std::move(sizes));
        } catch (const BadInput&) {  // e.g. a shape "W - 2" at W = 1, or a ramp out of the type's range
        }
    }
    if (fitting.empty()) fitting.push_back(default_sizes());
    return fitting;
}

ProblemInstance DeclaredProblem::at(const Sizes& sizes) const {
    expects(names_of(sizes) == size_names(), "DeclaredProblem: sizes of another problem");
    const Scope scope = scope_of(sizes);
    const auto evaluated = [&](const Written& written, const auto& evaluate) {
        return located(declared_in_, written, [&] { return evaluate(Expression::parse(written.text)); });
    };
    const auto number = [&](const Written& written) {
        return evaluated(written, [&](const Expression& e) { return e.evaluate_number(scope); });
    };
    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    double bytes_moved = 0;
    for (const auto& [buffer_name, declared] : spec_->buffers) {
        BufferSpec buffer{buffer_name,
                          declared.type,
                          !declared.is_output ? Access::Read
                          : declared.fill     ? Access::ReadWrite
                                              : Access::Write,
                          {},
                          declared.is_normalized};
        std::uint64_t bytes = buffer.type.bytes();
        for (const Written& extent : declared.shape) {
            const std::int64_t value =
                evaluated(extent, [&](const Expression& e) { return e.evaluate_whole(scope); });
            if (value < 1)
                refuse_at(declared_in_, extent,
                          fmt::format("this extent of {} is {} at {}, but every extent must be at least 1",
                                      buffer_name, value, to_string(sizes)));
            if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(value), &bytes) ||
                bytes > kMostBufferBytes)
                throw Refused({.code = FindingCode::BufferBeyondMemory,
                               .subject = buffer_name,
                               .place = describe_place(declared_in_, extent),
                               .texts = {{"sizes", to_string(sizes)}},
                               .remedy = Remedy{RemedyKind::Size}});
            buffer.shape.push_back(static_cast<std::uint64_t>(value));
        }
        bytes_moved += static_cast<double>(bytes) * (buffer.access == Access::ReadWrite ? 2 : 1);
        instance.buffers.push_back(std::move(buffer));
    }
    for (const auto& [size_name, value] : sizes)
        instance.scalars.push_back({size_name, ElementType{Scalar::Int32, 1}, value});
    for (const auto& [scalar_name, declared] : spec_->scalars) {
        const Number value = number(declared.value);
        ScalarSpec scalar{scalar_name, declared.type, value.to_double()};
        if (value.is_whole()) scalar.value = value.numerator();
        if (const std::string fault = find_range_fault(value, declared.type); !fault.empty())
            refuse_at(declared_in_, declared.value, scalar_name + " " + fault);
        instance.scalars.push_back(std::move(scalar));
    }
    const auto cost = [&](const std::optional<Written>& written, double usual) {
        if (!written) return usual;
        const double value = number(*written).to_double();
        if (value < 0) refuse_at(declared_in_, *written, "a cost cannot be negative");
        return value;
    };
    instance.cost = {cost(spec_->flops, 0), cost(spec_->moves, bytes_moved)};
    return instance;
}

std::shared_ptr<const DeclaredInstance> DeclaredProblem::evaluate(const Sizes& sizes,
                                                                  const DeviceInfo& device) const {
    auto declared = std::make_shared<DeclaredInstance>();
    declared->instance = at(sizes);
    std::uint64_t content_bytes = 0;
    bool needs_reference = false;
    const auto read = [&](const Written& file, const BufferSpec& buffer) {
        content_bytes += buffer.bytes();
        if (content_bytes > kMostContentBytes)
            refuse_at(declared_in_, file,
                      fmt::format("arrays of more than {} in total cannot be sent. Use smaller ones",
                                  format_bytes(kMostContentBytes)));
        return content(file, buffer, sizes);
    };
    for (const BufferSpec& buffer : declared->instance.buffers) {
        const DeclaredBufferSpec& spec = *find_named(spec_->buffers, buffer.name);
        if (spec.fill) {
            DeclaredInput input{evaluate_fill(*spec.fill, buffer, spec.place, sizes), nullptr};
            if (input.fill.kind == FillKind::Array) input.content = read(spec.fill->file, buffer);
            declared->inputs.push_back({buffer.name, std::move(input)});
        }
        if (!spec.is_output) continue;
        DeclaredOutput output{spec.tolerance.value_or(usual_tolerance(buffer.type)), !spec.tolerance,
                              nullptr};
        if (spec.expected) output.expected = read(*spec.expected, buffer);
        needs_reference = needs_reference || !spec.expected;
        declared->outputs.push_back({buffer.name, std::move(output)});
    }
    if (needs_reference && spec_->reference) declared->reference = plan_reference(declared->instance, device);
    return declared;
}

Fill DeclaredProblem::evaluate_fill(const FillSpec& spec, const BufferSpec& buffer, const Written& place,
                                    const Sizes& sizes) const {
    const Scope scope = scope_of(sizes);
    const auto number = [&](const std::optional<Written>& written, double usual) {
        if (!written) return usual;
        return located(declared_in_, *written,
                       [&] { return Expression::parse(written->text).evaluate_number(scope).to_double(); });
    };
    if (spec.kind == FillKind::Array) return {spec.kind, 0, 0};
    double first = 0, second = 1;
    if (spec.kind == FillKind::Uniform) first = -1;
    if (spec.kind == FillKind::Integers) {
        first = std::max(least_value(buffer.type), -99.0);
        second = 99;
    }
    if (spec.kind == FillKind::Constant) second = 0;
    const Fill fill{spec.kind, number(spec.first, first), number(spec.second, second), spec.seed};
    if (const std::string fault = find_fill_fault(fill, buffer, sizes); !fault.empty())
        refuse_at(declared_in_, spec.first ? *spec.first : place,
                  fmt::format("buffer {}: {}", buffer.name, fault));
    return fill;
}

/// The path of a file that must be in the folder of the declaring file or in a subfolder.
fs::path DeclaredProblem::neighbour(const Written& name) const {
    if (!lies_within(file_.parent_path(), name.text))
        refuse_at(
            declared_in_, name,
            fmt::format(
                "\"{}\" is outside this file's folder, or a link that leads there. Copy it next to this file",
                name.text));
    return file_.parent_path() / fs::path(name.text).lexically_normal();
}

namespace {

/// A picture's bytes as floats from 0 to 1.
BufferContent to_floats(const std::string& bytes) {
    std::string content(bytes.size() * sizeof(float), '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const float value = static_cast<float>(static_cast<unsigned char>(bytes[i])) / 255;
        std::memcpy(&content[i * sizeof value], &value, sizeof value);
    }
    return std::make_shared<const std::string>(std::move(content));
}

/// The number of channels that a picture must have to fill a buffer of this shape.
unsigned channels_for(const BufferSpec& buffer, const std::vector<std::uint64_t>& shape,
                      const fs::path& path) {
    const bool suits = buffer.type.scalar == Scalar::UInt8 || buffer.type.scalar == Scalar::Float32;
    if (suits && shape.size() == 2 && buffer.type.width == 1) return 1;
    if (suits && shape.size() == 3 && shape[2] == 4) return 4;
    throw BadInput(
        fmt::format("{} is a picture, which can fill only rows and columns of uchar, uchar4, float or "
                    "float4, but {} is {} of {}. Change its type or shape",
                    path.string(), buffer.name, describe_shape(buffer.shape), to_string(buffer.type)));
}

}  // namespace

BufferContent DeclaredProblem::content(const Written& file, const BufferSpec& buffer,
                                       const Sizes& sizes) const {
    const fs::path path = neighbour(file);
    try {
        std::vector<std::uint64_t> shape = buffer.shape;
        if (buffer.type.width > 1) shape.push_back(buffer.type.width);
        const unsigned channels = is_picture_file(path.string()) ? channels_for(buffer, shape, path) : 0;
        ArrayFile& array = arrays_[fmt::format("{}\n{} {}", path.string(), to_string(buffer.type), channels)];
        if (!array.content) {
            array = edited_.read_array(path, channels);
            if (is_picture_file(path.string()) && buffer.type.is_floating()) {
                array.type = npy_type(buffer.type);
                array.content = to_floats(*array.content);
            }
        }
        const NpyType wanted = npy_type(buffer.type);
        if (array.type != wanted)
            throw BadInput(fmt::format("{} holds {} numbers, but {} is of {}. Save array.astype(numpy.{})",
                                       path.string(), numpy_name(array.type), buffer.name,
                                       to_string(buffer.type), numpy_name(wanted)));
        if (array.shape != shape)
            throw BadInput(fmt::format(
                "{} is {}, but {} is {} at {}{}. Save {} of this shape, or change shape or sizes",
                path.string(), describe_shape(array.shape), buffer.name, describe_shape(shape),
                to_string(sizes),
                buffer.type.width > 1
                    ? fmt::format(" (the components of {} are the last axis)", to_string(buffer.type))
                    : "",
                is_picture_file(path.string()) ? "a picture" : "an array"));
        return array.content;
    } catch (const BadInput& error) {
        refuse_at(declared_in_, file, error.what());
    }
}

KernelPlan DeclaredProblem::plan_reference(const ProblemInstance& instance, const DeviceInfo& device) const {
    const ReferenceSpec& spec = *spec_->reference;
    const bool is_own = spec.file.text.empty();
    const fs::path path = is_own ? file_ : neighbour(spec.file);
    KernelFile file;
    try {
        file = open_kernel_file(path, path.string(), edited_);
    } catch (const BadInput& error) {
        refuse_at(declared_in_, spec.file, fmt::format("the reference cannot be used: {}", error.what()));
    }
    if (!spec.launches.empty()) {
        file.spec.launches = spec.launches;
        file.declared_in = declared_in_;
    }
    if (file.spec.launches.empty()) {
        const std::optional<LaunchSpec>& begun = file.spec.begun;
        const std::string fault = begun
                                      ? fmt::format("has a [launch] that lacks its {}. Add it",
                                                    begun->kernel.empty() ? "kernel" : "global size")
                                      : "does not declare its launch. Add a front matter with [launch] to it";
        refuse_at(declared_in_, spec.file,
                  fmt::format("{} {}, or write reference = {{file = \"{}\", launch = {{kernel = \"…\", "
                              "global = [\"{}\"]}}}}",
                              path.string(), fault, path.filename().string(), spec_->sizes.front().name));
    }
    file.spec.expect.clear();
    return resolve(file, instance, device, {});
}

std::vector<fs::path> DeclaredProblem::neighbours() const {
    std::vector<fs::path> files;
    const auto add = [&](const Written& name) {
        if (!name.text.empty()) files.push_back(file_.parent_path() / name.text);
    };
    if (spec_->reference) add(spec_->reference->file);
    for (const auto& [name, buffer] : spec_->buffers) {
        if (buffer.fill) add(buffer.fill->file);
        if (buffer.expected) add(*buffer.expected);
    }
    return files;
}

}  // namespace kwb
