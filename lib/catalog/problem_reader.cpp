// SPDX-License-Identifier: Apache-2.0
#include "catalog/problem_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/picture.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "catalog/type_range.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostSizes = 16;
constexpr std::size_t kMostAwkward = 64;

using Item = TomlReader::Item;

class ProblemReader {
public:
    explicit ProblemReader(const TomlReader& reader) : reader_(reader) {}

    ProblemSpec read(const toml::node& node) {
        reader_.allow_only(node, "[problem]",
                           {"name", "title", "sizes", "buffers", "scalars", "reference", "flops", "moves"});
        for (const Item& item : reader_.items(node, "[problem]")) read_key(item);
        if (spec_.sizes.empty())
            reader_.refuse(node, "[problem] has no sizes. Add e.g. sizes = {N = 1000}, with its usual value");
        if (spec_.buffers.empty())
            reader_.refuse(node,
                           "[problem] has no buffers. Add e.g. [problem.buffers] with x = {type = "
                           "\"float\", shape = [\"N\"]}");
        require_truth(node);
        require_sizes();
        return std::move(spec_);
    }

private:
    void read_key(const Item& item) {
        const toml::node& value = *item.node;
        if (item.name == "name") {
            const Item name = reader_.name_in(value, "problem.name");
            reader_.require_word(name, "the name of a problem");
            spec_.name = name.name;
        } else if (item.name == "title") {
            spec_.title = reader_.text(value, "problem.title");
        } else if (item.name == "sizes") {
            for (const Item& size : reader_.items(value, "problem.sizes")) {
                claim(size, "a size");
                spec_.sizes.push_back({size.name, read_size(size)});
                if (spec_.sizes.size() > kMostSizes)
                    reader_.refuse(size, fmt::format("a problem has at most {} sizes", kMostSizes));
            }
        } else if (item.name == "buffers") {
            for (const Item& buffer : reader_.items(value, "problem.buffers")) {
                claim(buffer, "a buffer");
                spec_.buffers.push_back({buffer.name, read_buffer(buffer)});
                if (spec_.buffers.size() > kMostBuffers)
                    reader_.refuse(buffer, fmt::format("a problem has at most {} buffers", kMostBuffers));
            }
        } else if (item.name == "scalars") {
            for (const Item& scalar : reader_.items(value, "problem.scalars")) {
                claim(scalar, "a number");
                spec_.scalars.push_back({scalar.name, read_scalar(scalar)});
            }
        } else if (item.name == "reference") {
            spec_.reference = read_reference(value);
        } else {
            (item.name == "flops" ? spec_.flops : spec_.moves) =
                reader_.expression(value, "problem." + item.name);
        }
    }

    /// Names of sizes, buffers and scalars must be distinct, because all are arguments of the same kernel.
    void claim(const Item& item, const char* what) {
        reader_.require_identifier(item, fmt::format("the name of {}", what));
        if (std::find(names_.begin(), names_.end(), item.name) != names_.end())
            reader_.refuse(
                item,
                fmt::format("`{}` is declared twice in [problem]. Give one of them another name", item.name));
        names_.push_back(item.name);
    }

    std::int64_t read_extent(const toml::node& node, const std::string& what) const {
        const auto* whole = node.as_integer();
        if (!whole || whole->get() < 1 || whole->get() > INT32_MAX)
            reader_.refuse(node, fmt::format("{} must be a whole number from 1 to {}", what, INT32_MAX));
        return whole->get();
    }

    std::vector<std::int64_t> read_awkward(const toml::node& node, const std::string& what) const {
        std::vector<std::int64_t> values;
        for (const toml::node* one : reader_.one_or_more(node))
            values.push_back(read_extent(*one, "each of " + what));
        if (values.size() > kMostAwkward)
            reader_.refuse(node, fmt::format("{} has {} values; at most {} are checked", what, values.size(),
                                             kMostAwkward));
        if (values.empty())
            reader_.refuse(node, fmt::format("{} is empty. Give values, e.g. [1, 2, 63], or leave "
                                             "it out for a length",
                                             what));
        return values;
    }

    SizeSpec read_size(const Item& item) const {
        const std::string what = "size " + item.name;
        if (!item.node->is_table()) return {read_extent(*item.node, what), {}};
        reader_.allow_only(*item.node, what, {"usual", "awkward"});
        SizeSpec size{0, {}};
        for (const Item& key : reader_.items(*item.node, what)) {
            if (key.name == "usual")
                size.usual = read_extent(*key.node, what + ".usual");
            else
                size.awkward = read_awkward(*key.node, what + ".awkward");
        }
        if (size.usual == 0)
            reader_.refuse(item, fmt::format("{} lacks its usual value. Add usual = 100", what));
        return size;
    }

    ElementType read_type(const toml::node& node, const std::string& what) const {
        const std::string name = reader_.text(node, what + ".type");
        const auto type = parse_element_type(name);
        if (!type)
            reader_.refuse(
                node, fmt::format("`{}` is not an element type. Give one of char, uchar, short, ushort, int, "
                                  "uint, long, ulong, half, float and double, or a vector such as float4",
                                  name));
        if (type->width == 3)
            reader_.refuse(
                node, fmt::format("vectors of three occupy the space of four in OpenCL C. Give {}4, or {} "
                                  "with a last extent of 3 for vload3",
                                  name.substr(0, name.size() - 1), name.substr(0, name.size() - 1)));
        return *type;
    }

    DeclaredBufferSpec read_buffer(const Item& item) const {
        const std::string what = "buffer " + item.name;
        reader_.allow_only(*item.node, what,
                           {"type", "shape", "fill", "output", "normalized", "tolerance", "expected"});
        DeclaredBufferSpec buffer;
        buffer.place = {"", item.place.line, item.place.column};
        for (const Item& key : reader_.items(*item.node, what)) {
            const toml::node& value = *key.node;
            if (key.name == "type") {
                buffer.type = read_type(value, what);
            } else if (key.name == "shape") {
                for (const toml::node* extent : reader_.one_or_more(value))
                    buffer.shape.push_back(reader_.expression(*extent, "each extent of " + what));
                if (buffer.shape.empty() || buffer.shape.size() > 8)
                    reader_.refuse(value, fmt::format("the shape of {} has {} extents. Give 1 to 8", what,
                                                      buffer.shape.size()));
            } else if (key.name == "fill") {
                buffer.fill = read_fill(value, what);
            } else if (key.name == "output") {
                buffer.is_output = read_truth(value, what + ".output");
            } else if (key.name == "normalized") {
                buffer.is_normalized = read_truth(value, what + ".normalized");
            } else if (key.name == "tolerance") {
                buffer.tolerance = read_tolerance(value, what);
            } else {
                buffer.expected = read_file(value, what + ".expected");
            }
        }
        if (buffer.shape.empty())
            reader_.refuse(item, fmt::format("{} lacks its shape. Add e.g. shape = [\"{}\"]", what,
                                             spec_.sizes.empty() ? "N" : spec_.sizes.front().name));
        if (!buffer.is_output && (buffer.tolerance || buffer.expected))
            reader_.refuse(item, fmt::format("{} has {}, but is not an output. Add output = true", what,
                                             buffer.tolerance ? "a tolerance" : "expected values"));
        if (!buffer.is_output && !buffer.fill)
            buffer.fill =
                FillSpec{buffer.type.is_floating() ? FillKind::Uniform : FillKind::Integers, {}, {}, {}};
        if (buffer.is_normalized && (scalar_bytes(buffer.type.scalar) > 2 || buffer.type.is_floating()))
            reader_.refuse(
                item, fmt::format("{} holds {}; only char, uchar, short, ushort and their vectors can be "
                                  "normalized",
                                  what, to_string(buffer.type)));
        if (buffer.fill) require_fitting(*buffer.fill, buffer.type, item);
        return buffer;
    }

    bool read_truth(const toml::node& node, const std::string& what) const {
        const auto* truth = node.as_boolean();
        if (!truth) reader_.refuse(node, what + " must be true or false");
        return truth->get();
    }

    void require_fitting(const FillSpec& fill, const ElementType& type, const Item& item) const {
        const bool of_floats = fill.kind == FillKind::Uniform || fill.kind == FillKind::Normal;
        if (of_floats && !type.is_floating())
            reader_.refuse(item,
                           fmt::format("buffer {} holds {}, which cannot be filled with {} numbers. Use fill "
                                       "= {{integers = [0, 99]}}",
                                       item.name, to_string(type), to_string(fill.kind)));
    }

    static bool names_array(std::string_view file) { return file.ends_with(".npy") || is_picture_file(file); }

    Written read_file(const toml::node& node, const std::string& what) const {
        Written file = reader_.written(node, what);
        if (!node.is_string() || !names_array(file.text))
            reader_.refuse(
                node,
                fmt::format(
                    "{} must name a .npy file or a picture (.png, .pgm, .ppm, .bmp) next to this one, e.g. "
                    "\"values.npy\"",
                    what));
        reader_.text(node, what);  // one line
        return file;
    }

    FillSpec read_fill(const toml::node& node, const std::string& what) const {
        static const std::vector<std::string> kNames = {"uniform", "normal", "integers", "ramp", "zeros"};
        FillSpec fill;
        if (node.is_integer() || node.is_floating_point()) {
            fill.kind = FillKind::Constant;
            fill.first = reader_.expression(node, what + ".fill");
            return fill;
        }
        if (const auto* text = node.as_string()) {
            const std::string& name = text->get();
            if (names_array(name)) {
                fill.kind = FillKind::Array;
                fill.file = read_file(node, what + ".fill");
            } else if (name == "zeros") {
                fill.kind = FillKind::Constant;
            } else if (const auto kind = parse_enum<FillKind>(name); kind && *kind <= FillKind::Ramp) {
                fill.kind = *kind;
            } else {
                reader_.refuse(node,
                               fmt::format("`{}` is not a way to fill a buffer. Use {}, a number, or the "
                                           "name of a .npy file or a picture.{}",
                                           name, enumerate(kNames), did_you_mean(name, kNames)));
            }
            return fill;
        }
        if (!node.is_table())
            reader_.refuse(
                node,
                fmt::format("{}.fill must be a number, one of {} or the name of a .npy file or a picture "
                            "in quotes, or with its numbers, e.g. {{uniform = [0, 1]}}",
                            what, enumerate(kNames)));
        reader_.allow_only(node, what + ".fill", {"uniform", "normal", "integers", "ramp", "seed"});
        std::vector<Item> keys = reader_.items(node, what + ".fill");
        const auto seed = std::ranges::find(keys, "seed", &Item::name);
        if (seed != keys.end()) {
            fill.seed = read_seed(*seed->node, what + ".fill.seed");
            keys.erase(seed);
        }
        if (keys.size() != 1)
            reader_.refuse(
                node, fmt::format("{}.fill must have exactly one entry, e.g. {{uniform = [0, 1]}}", what));
        fill.kind = *parse_enum<FillKind>(keys[0].name);
        const auto numbers = reader_.one_or_more(*keys[0].node);
        if (numbers.size() != 2)
            reader_.refuse(*keys[0].node, fmt::format("{} takes two numbers: {}", keys[0].name,
                                                      describe_numbers(fill.kind)));
        fill.first = reader_.expression(*numbers[0], what + ".fill");
        fill.second = reader_.expression(*numbers[1], what + ".fill");
        require_range(fill, *keys[0].node);
        if (fill.seed && fill.kind == FillKind::Ramp)
            reader_.refuse(
                node, fmt::format("{}.fill has a seed, but a ramp has no random numbers. Remove it", what));
        return fill;
    }

    std::uint64_t read_seed(const toml::node& node, const std::string& what) const {
        const auto* whole = node.as_integer();
        if (!whole || whole->get() < 0)
            reader_.refuse(node,
                           fmt::format("{} must be a whole number of at least 0, without quotes", what));
        return static_cast<std::uint64_t>(whole->get());
    }

    /// The value of an expression that uses no sizes; otherwise empty.
    std::optional<Number> constant(const Written& written) const {
        return located(reader_.file(), written, [&]() -> std::optional<Number> {
            const Expression expression = Expression::parse(written.text);
            if (!expression.names().empty()) return std::nullopt;
            return expression.evaluate_number(Scope());
        });
    }

    void require_range(const FillSpec& fill, const toml::node& node) const {
        const bool excludes_end = fill.kind == FillKind::Uniform;
        if (!excludes_end && fill.kind != FillKind::Integers) return;
        const auto first = constant(*fill.first);
        const auto second = constant(*fill.second);
        if (!first || !second || *first < *second || (!excludes_end && *first == *second)) return;
        reader_.refuse(
            node,
            fmt::format("the range [{}, {}] is empty{}", fill.first->text, fill.second->text,
                        *first == *second
                            ? ", because its end is excluded. Give a larger one, or a single number for all"
                            : ". Give the smaller number first"));
    }

    static const char* describe_numbers(FillKind kind) {
        switch (kind) {
            case FillKind::Normal:
                return "mean and standard deviation, e.g. [0, 1]";
            case FillKind::Integers:
                return "the smallest and the largest, e.g. [0, 255]";
            case FillKind::Ramp:
                return "its start and its step, e.g. [0, 1]";
            default:
                return "its start and its end, e.g. [-1, 1]";
        }
    }

    Tolerance read_tolerance(const toml::node& node, const std::string& what) const {
        if (const auto* text = node.as_string(); text && text->get() == "exact") return {};
        if (!node.is_table())
            reader_.refuse(node, fmt::format("the tolerance of {} must be \"exact\", or name its kind, e.g. "
                                             "{{relative = 1e-5}}, {{absolute = 1e-3}} or {{ulp = 4}}",
                                             what));
        reader_.allow_only(node, what + ".tolerance", {"absolute", "relative", "ulp"});
        const std::vector<Item> keys = reader_.items(node, what + ".tolerance");
        if (keys.empty())
            reader_.refuse(
                node,
                fmt::format(
                    "the tolerance of {} is empty. Write \"exact\", or a limit, e.g. {{relative = 1e-5}}",
                    what));
        Tolerance tolerance;
        for (const Item& key : keys) {
            const auto* const whole = key.node->as_integer();  // value<double>() refuses those beyond 2^53
            const auto* const decimal = key.node->as_floating_point();
            const double value = whole != nullptr     ? static_cast<double>(whole->get())
                                 : decimal != nullptr ? decimal->get()
                                                      : -1;
            if (!(value >= 0) || !std::isfinite(value))
                reader_.refuse(*key.node, fmt::format("{} must be a number of at least 0", key.name));
            (key.name == "absolute"   ? tolerance.absolute
             : key.name == "relative" ? tolerance.relative
                                      : tolerance.ulp) = value;
        }
        return tolerance;
    }

    DeclaredScalarSpec read_scalar(const Item& item) const {
        const std::string what = "scalar " + item.name;
        DeclaredScalarSpec scalar{ElementType{}, {}};
        if (!item.node->is_table()) {
            scalar.value = reader_.expression(*item.node, what);
            if (item.node->is_integer()) scalar.type.scalar = Scalar::Int32;
            require_range(scalar, item.name);
            return scalar;
        }
        reader_.allow_only(*item.node, what, {"type", "value"});
        for (const Item& key : reader_.items(*item.node, what)) {
            if (key.name == "type")
                scalar.type = read_type(*key.node, what);
            else
                scalar.value = reader_.expression(*key.node, what + ".value");
        }
        if (scalar.value.text.empty())
            reader_.refuse(item, fmt::format("{} lacks its value. Add value = 1", what));
        if (scalar.type.width != 1)
            reader_.refuse(item, fmt::format("{} must be a single number, not a vector", what));
        require_range(scalar, item.name);
        return scalar;
    }

    void require_range(const DeclaredScalarSpec& scalar, const std::string& name) const {
        const auto value = constant(scalar.value);
        const std::string fault = value ? find_range_fault(*value, scalar.type) : "";
        if (!fault.empty()) refuse_at(reader_.file(), scalar.value, name + " " + fault);
    }

    ReferenceSpec read_reference(const toml::node& node) const {
        ReferenceSpec reference;
        const auto read_name = [&](const toml::node& name) {
            reference.file = reader_.written(name, "problem.reference");
            if (!name.is_string() || !reference.file.text.ends_with(".cl"))
                reader_.refuse(name,
                               "problem.reference must name a .cl file next to this one. To use the values "
                               "of a .npy file, give an output expected = \"values.npy\"");
            reader_.text(name, "problem.reference");  // one line
        };
        if (!node.is_table()) {
            read_name(node);
            return reference;
        }
        reader_.allow_only(node, "problem.reference", {"file", "launch"});
        reference.file = {"", node.source().begin.line, node.source().begin.column};
        for (const Item& key : reader_.items(node, "problem.reference")) {
            if (key.name == "file") {
                read_name(*key.node);
                continue;
            }
            for (const toml::node* launch : reader_.one_or_more(*key.node))
                reference.launches.push_back(read_launch(reader_, *launch));
        }
        if (reference.file.text.empty() && reference.launches.empty())
            reader_.refuse(node,
                           "problem.reference names neither a file nor a launch. Add file = \"simple.cl\"");
        return reference;
    }

    /// Expressions may only use the sizes.
    void require_sizes() const {
        const std::vector<std::string> known = names_of(spec_.sizes);
        const auto require = [&](const Written& written) {
            located(reader_.file(), written, [&] { Expression::parse(written.text).require_names(known); });
        };
        for (const auto& [name, buffer] : spec_.buffers) {
            for (const Written& extent : buffer.shape) require(extent);
            if (buffer.fill && buffer.fill->first) require(*buffer.fill->first);
            if (buffer.fill && buffer.fill->second) require(*buffer.fill->second);
        }
        for (const auto& [name, scalar] : spec_.scalars) require(scalar.value);
        if (spec_.flops) require(*spec_.flops);
        if (spec_.moves) require(*spec_.moves);
    }

    void require_truth(const toml::node& node) const {
        bool has_output = false;
        bool has_expected = false;
        for (const auto& [name, buffer] : spec_.buffers) {
            has_output = has_output || buffer.is_output;
            has_expected = has_expected || buffer.expected;
        }
        for (const auto& [name, buffer] : spec_.buffers)
            if (buffer.is_output && !buffer.expected && has_expected && !spec_.reference)
                refuse_at(reader_.file(), buffer.place,
                          fmt::format("{} has no expected values, unlike other outputs. Add expected = "
                                      "\"{}.npy\" here, or reference = \"simple.cl\" to [problem]",
                                      name, name));
        if (!has_output)
            reader_.refuse(node,
                           "no buffer of [problem] is an output. Add output = true to those that the kernel "
                           "writes");
        for (const auto& [name, buffer] : spec_.buffers)
            if (buffer.expected) require_one_truth(name, *buffer.expected);
    }

    /// Expected values from a file are valid only for one content of the inputs, and must be the only source
    /// of expected values.
    void require_one_truth(const std::string& output, const Written& expected) const {
        const bool all_given =
            std::all_of(spec_.buffers.begin(), spec_.buffers.end(),
                        [](const auto& buffer) { return !buffer.value.is_output || buffer.value.expected; });
        if (spec_.reference && all_given)
            refuse_at(
                reader_.file(), expected,
                fmt::format(
                    "both this file and the problem's reference define the expected values of {}. Remove one "
                    "of them",
                    output));
        for (const auto& [name, buffer] : spec_.buffers)
            if (buffer.fill && buffer.fill->kind <= FillKind::Integers && !buffer.fill->seed)
                refuse_at(reader_.file(), expected,
                          fmt::format(
                              "the expected values of {0} are in a file, but {1} is filled with different "
                              "random numbers for "
                              "each --seed. Fill {1} from a .npy file, with a ramp or with a number, or "
                              "give it a seed, as in {{uniform = [0, 1], seed = 1}}, or a reference instead",
                              output, name));
    }

    const TomlReader& reader_;
    ProblemSpec spec_;
    std::vector<std::string> names_;
};

}  // namespace

ProblemSpec read_problem(const TomlReader& reader, const toml::node& node) {
    return ProblemReader(reader).read(node);
}

}  // namespace kwb
