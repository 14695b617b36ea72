// SPDX-License-Identifier: Apache-2.0
#include "base/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kAlign = 64;  ///< alignment of the first element, bytes; the same as in numpy.save
constexpr std::size_t kMostDimensions = 32;

[[noreturn]] void refuse(const std::string& name, const std::string& finding) {
    throw BadInput(name + ": " + finding);
}

/// Escape control characters, so that text from a file cannot send escape sequences to the terminal.
std::string visible(std::string_view text) {
    std::string out;
    for (const char c : to_utf8(text))
        out += is_control(c) ? fmt::format("\\x{:02x}", static_cast<unsigned>(c)) : std::string(1, c);
    return out;
}

/// Parser for the header: a Python dictionary with three entries, "{'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4), }".
class HeaderText {
public:
    HeaderText(const std::string& name, std::string_view text) : name_(name), rest_(trim(text)) {}

    void read(NpyHeader& header) {
        std::set<std::string_view> keys;
        take("{");
        while (!accept("}")) {
            const std::string_view key = text();
            take(":");
            if (!keys.insert(key).second) damaged();
            if (key == "descr")
                header.type = type();
            else if (key == "fortran_order")
                require_rows();
            else if (key == "shape")
                header.shape = shape();
            else
                damaged();
            if (!accept(",") && !rest_.starts_with('}')) damaged();
        }
        if (keys.size() != 3 || !rest_.empty()) damaged();
    }

private:
    [[noreturn]] void damaged() const {
        refuse(name_, "its header cannot be read; write the file again with numpy.save");
    }
    bool accept(std::string_view token) {
        rest_ = trim(rest_);
        if (!rest_.starts_with(token)) return false;
        rest_ = trim(rest_.substr(token.size()));
        return true;
    }
    void take(std::string_view token) {
        if (!accept(token)) damaged();
    }

    /// A string in single or double quotes, without escapes.
    std::string_view text() {
        if (!rest_.starts_with('\'') && !rest_.starts_with('"')) damaged();
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) damaged();
        const std::string_view inside = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return inside;
    }

    NpyType type() {
        if (rest_.starts_with('['))
            refuse(name_, "its elements are records; save each field as a separate array");
        const std::string_view descr = text();
        constexpr const char* kRemedy =
            "; save it as one of numpy's int8 … int64, uint8 … uint64, float16, float32 or float64";
        if (descr.size() != 3)
            refuse(name_, fmt::format("its numbers are of type '{}'{}", visible(descr), kRemedy));
        const NpyType type{descr[1], static_cast<std::size_t>(descr[2] - '0')};
        const bool whole = type.kind == 'i' || type.kind == 'u';
        const bool known = (type.item_bytes == 1 && whole) ||
                           ((whole || type.kind == 'f') &&
                            (type.item_bytes == 2 || type.item_bytes == 4 || type.item_bytes == 8));
        if (!known) refuse(name_, fmt::format("its numbers are of type '{}'{}", visible(descr), kRemedy));
        if (descr[0] == '>' && type.item_bytes > 1)
            refuse(name_, fmt::format("its numbers are big-endian; save array.astype('<{}{}')", type.kind,
                                      type.item_bytes));
        if (descr[0] != '<' && descr[0] != '|' && descr[0] != '=' && descr[0] != '>') damaged();
        return type;
    }

    void require_rows() {
        if (accept("False")) return;
        if (accept("True"))
            refuse(name_,
                   "its columns lie one after the other (Fortran order); save "
                   "numpy.ascontiguousarray(array)");
        damaged();
    }

    std::vector<std::uint64_t> shape() {
        std::vector<std::uint64_t> shape;
        take("(");
        while (!accept(")")) {
            std::uint64_t extent = 0;
            const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
            if (error != std::errc() || shape.size() == kMostDimensions) damaged();
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            shape.push_back(extent);
            if (!accept(",") && !rest_.starts_with(')')) damaged();
        }
        return shape;
    }

    const std::string& name_;
    std::string_view rest_;
};

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// @return  size of the elements in bytes; nullopt on 64-bit overflow
std::optional<std::uint64_t> data_bytes(const NpyType& type, const std::vector<std::uint64_t>& shape) {
    std::uint64_t bytes = type.item_bytes;
    for (const std::uint64_t extent : shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
    return bytes;
}

}  // namespace

std::string numpy_name(const NpyType& type) {
    return fmt::format("{}{}",
                       type.kind == 'f'   ? "float"
                       : type.kind == 'i' ? "int"
                                          : "uint",
                       8 * type.item_bytes);
}

std::string describe_shape(const std::vector<std::uint64_t>& shape) {
    return shape.empty() ? "one number" : fmt::format("{}", fmt::join(shape, " x "));
}

NpyHeader read_npy(const std::string& name, std::string_view bytes) {
    if (!bytes.starts_with(kMagic))
        refuse(name, "this is not a .npy file; write one with numpy.save(\"name.npy\", array)");
    std::string_view rest = bytes.substr(kMagic.size());
    const auto cut_short = [&]() { refuse(name, "the file is cut short; write it again with numpy.save"); };
    if (rest.size() < kVersionBytes) cut_short();
    const unsigned major = static_cast<unsigned char>(rest[0]);
    const unsigned minor = static_cast<unsigned char>(rest[1]);
    if ((major != 1 && major != 2) || minor != 0)
        refuse(name, fmt::format("it has version {}.{} of the format, but only 1.0 and 2.0 are supported; "
                                 "numpy.save writes plain arrays in these",
                                 major, minor));
    rest.remove_prefix(kVersionBytes);
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    if (rest.size() < length_bytes) cut_short();
    const std::uint64_t length = little_endian(rest.substr(0, length_bytes));
    rest.remove_prefix(length_bytes);
    if (rest.size() < length) cut_short();

    NpyHeader header;
    HeaderText(name, rest.substr(0, length)).read(header);
    rest.remove_prefix(length);
    header.data_offset = bytes.size() - rest.size();
    const auto wanted = data_bytes(header.type, header.shape);
    if (!wanted || rest.size() != *wanted)
        refuse(name,
               fmt::format("its header declares {} of {}, {}, but {} follow; write it again with numpy.save",
                           describe_shape(header.shape), numpy_name(header.type),
                           wanted ? counted(*wanted, "byte") : "more bytes than 64 bits can count",
                           counted(rest.size(), "byte")));
    return header;
}

std::string make_npy(const NpyType& type, const std::vector<std::uint64_t>& shape, std::string_view data) {
    expects(data_bytes(type, shape) == data.size(), "make_npy: data of another size than the shape says");
    std::string extents = fmt::format("{}", fmt::join(shape, ", "));
    if (shape.size() == 1) extents += ",";  // Python's syntax for a tuple of one element
    std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   type.item_bytes == 1 ? '|' : '<', type.kind, type.item_bytes, extents);
    const std::size_t before = kMagic.size() + kVersionBytes + 2;
    text.append(kAlign - 1 - (before + text.size()) % kAlign, ' ');
    text += '\n';
    std::string file(kMagic);
    file += {1, 0, static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
    file += text;
    file += data;
    return file;
}

}  // namespace kwb
